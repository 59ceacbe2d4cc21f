// Every word of the page, English beside Chinese. {0}, {1} are filled in; {0|row|rows} is the one or the other word, as it
// is one or several.
import { computed, effect, signal } from "@preact/signals"
import { isolate } from "./bidi"

export type Language = "en" | "zh"

const stored = "parlance.language"

export const language = signal<Language>(first())

function first(): Language {
  const chosen = remembered(stored)
  if (chosen === "en" || chosen === "zh") return chosen
  return navigator.language.toLowerCase().startsWith("zh") ? "zh" : "en"
}

/** locale is how numbers and dates are written: the reader's own way of the chosen language. */
export const locale = computed(
  () => navigator.languages.find((l) => l.toLowerCase().startsWith(language.value)) ?? (language.value === "zh" ? "zh-CN" : "en-GB"),
)

/** remembered reads a preference that outlives the page; without storage there is none. */
export function remembered(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** remember keeps a preference; null forgets it. */
export function remember(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
  } catch {
    // Without storage the preference ends with the page.
  }
}

export function speak(to: Language): void {
  language.value = to
  remember(stored, to)
}

effect(() => {
  document.documentElement.lang = language.value === "zh" ? "zh-CN" : "en"
})

/** t returns a word in the reader's language. What is filled in turns nothing around it. */
export function t(word: Word, ...fill: (string | number)[]): string {
  const text: string = words[word][language.value === "zh" ? 1 : 0]
  return text.replace(/\{(\d)(?:\|(.*?)\|(.*?))?\}/g, (_, i: string, one?: string, several?: string) => {
    const filled = String(fill[Number(i)] ?? "")
    return one === undefined ? isolate(filled) : (filled === "1" ? one : several) ?? ""
  })
}

/** listed writes some names or values beside each other. */
export function listed(all: string[]): string {
  return all.map(isolate).join(t("condition.list"))
}

export type Word = keyof typeof words

const words = {
  // the frame
  "view.models": ["Models", "模型"],
  "view.explore": ["Explore", "探索"],
  "view.ask": ["Ask", "提问"],
  "view.inspect": ["Inspect", "检查"],
  "frame.skip": ["Skip to content", "跳到内容"],
  "frame.views": ["Views", "视图"],
  "frame.language": ["中文", "English"],
  "frame.dark": ["Dark appearance", "深色外观"],
  "frame.light": ["Light appearance", "浅色外观"],
  "frame.keys": ["Keyboard", "键盘"],
  "frame.close": ["Close", "关闭"],
  "frame.cancel": ["Cancel", "取消"],
  "frame.default": ["default namespace", "默认命名空间"],
  "frame.unreachable": ["The server does not answer. The page goes on as soon as it does.", "服务器没有响应，恢复后页面会自动继续。"],

  // who asks
  "who.title": ["Namespace and identity", "命名空间与身份"],
  "who.namespace": ["Namespace", "命名空间"],
  "who.namespaceHint": ["Empty is the server's default one.", "留空表示服务器的默认命名空间。"],
  "who.token": ["Token", "令牌"],
  "who.tokenHint": ["Kept in this page's memory only; a reload forgets it.", "仅保存在本页内存中，刷新后即忘记。"],
  "who.code": ["Runtime code", "运行时代码"],
  "who.codeHint": ["Only where the deployment asks for one.", "仅在部署要求时需要。"],
  "who.use": ["Use", "使用"],
  "who.forget": ["Forget the token", "忘记令牌"],
  "who.enter": ["Enter a token", "输入令牌"],
  "who.enterCode": ["Enter the runtime code", "输入运行时代码"],
  "who.anonymous": ["no token", "未提供令牌"],
  "who.known": ["with a token", "已提供令牌"],

  // failures
  "fail.token": ["This namespace asks who you are", "此命名空间需要身份"],
  "fail.code": ["This deployment asks for its runtime code", "此部署需要运行时代码"],
  "fail.badToken": ["This token has signs that no token has.", "此令牌含有令牌不可能有的字符。"],
  "fail.badCode": ["This code has signs that no code has.", "此代码含有代码不可能有的字符。"],
  "fail.forbidden": ["You may not see this", "没有访问权限"],
  "fail.mistake": ["The query cannot be answered as it stands", "查询无法按现在的写法回答"],
  "fail.busy": ["The server is busy", "服务器繁忙"],
  "fail.unreachable": ["The server does not answer", "服务器没有响应"],
  "fail.internal": ["Something went wrong on the server", "服务器内部出错"],
  "fail.missing": ["That is not there, or not for you", "不存在，或不对你开放"],
  "fail.models": ["See all models", "查看全部模型"],
  "fail.odd": ["The answer makes no sense.", "回答无法理解。"],
  "fail.page": ["This cannot be shown", "无法显示此内容"],
  "fail.pageHint": ["The link, or an answer of the server, does not fit this page. Nothing was changed.", "链接或服务器的回答与本页不符，没有任何内容被更改。"],
  "fail.anew": ["Start anew", "重新开始"],
  "fail.unfit": ["The mend does not fit this query.", "此修正不适用于当前查询。"],
  "fail.retry": ["Try again", "重试"],
  "fail.mend": ["Mend it", "修正"],
  "fail.mendTo": ["Use {0}", "改用 {0}"],
  "fail.said": ["The server says: {0}", "服务器原文：{0}"],
  "fail.where": ["Where", "位置"],
  "fail.got": ["Given", "收到"],
  "fail.closest": ["Closest", "最接近"],
  "fail.allowed": ["Allowed", "可用"],
  "fail.trace": ["Trace {0}", "跟踪号 {0}"],
  "fail.wait": ["Trying again by itself …", "正在自动重试……"],

  // links
  "link.unread": ["These parts of the link cannot be read. The answer is without them:", "链接中的以下部分无法读取，结果不包含它们："],
  "link.noView": ["The link leads to “{0}”, which is not there.", "链接指向的“{0}”不存在。"],
  "link.drop": ["Take them out of the link", "从链接中去掉"],

  // models
  "models.title": ["Models", "模型"],
  "models.search": ["Search models", "搜索模型"],
  "models.none": ["No model matches “{0}”.", "没有与“{0}”匹配的模型。"],
  "models.empty": ["No model is open to you here", "这里没有对你开放的模型"],
  "models.emptyHint": ["Another namespace or a token may show more.", "换一个命名空间或输入令牌可能看到更多。"],
  "models.countMeasures": ["{0} {0|measure|measures}", "{0} 个度量"],
  "models.countDimensions": ["{0} {0|dimension|dimensions}", "{0} 个维度"],
  "models.lookup": ["lookup", "明细表"],
  "models.pick": ["Pick a model to see what is in it", "选择一个模型查看内容"],
  "models.fields": ["Fields", "字段"],
  "models.searchFields": ["Search fields", "搜索字段"],
  "models.measures": ["Measures", "度量"],
  "models.attributes": ["Attributes", "属性"],
  "models.joins": ["How it is joined", "关联关系"],
  "models.joinsLabel": ["Joins of {0}: {1}", "{0} 的关联：{1}"],
  "models.examples": ["Try one of these", "试试这些"],
  "models.explore": ["Explore {0}", "探索 {0}"],
  "models.coverage": ["{0} to {1}", "{0} 至 {1}"],
  "models.masked": ["masked", "已脱敏"],
  "models.codes": ["{0} {0|code|codes}", "{0} 个编码"],
  "models.also": ["also: {0}", "又称：{0}"],
  "models.eg": ["e.g. {0}", "例如 {0}"],
  "models.noModels": ["No model matches.", "没有匹配的模型。"],
  "models.noFields": ["No field matches.", "没有匹配的字段。"],
  "models.noField": ["No field matches “{0}”.", "没有与“{0}”匹配的字段。"],

  // explore
  "explore.model": ["Model", "模型"],
  "explore.choose": ["Choose a model", "选择模型"],
  "explore.fields": ["Fields", "字段"],
  "explore.search": ["Search fields  /", "搜索字段  /"],
  "explore.show": ["Show", "显示"],
  "explore.by": ["By", "按"],
  "explore.where": ["Where", "条件"],
  "explore.when": ["When", "时间"],
  "explore.how": ["Rows", "行"],
  "explore.also": ["Also", "另有"],
  "explore.having": ["Having", "分组后"],
  "explore.pickMeasure": ["pick a measure", "选择度量"],
  "explore.pickKey": ["pick a dimension", "选择维度"],
  "explore.addFilter": ["Add a filter", "添加条件"],
  "explore.anyTime": ["Any time", "全部时间"],
  "explore.run": ["Run", "运行"],
  "explore.running": ["Running …", "运行中……"],
  "explore.cancelled": ["Cancelled. There is no result for this query yet.", "已取消，此查询还没有结果。"],
  "explore.clear": ["Start over", "重新开始"],
  "explore.onlyGroups": ["A measure here is only of groups, and no row has it", "有的度量只属于分组，单行没有"],
  "explore.everyRow": ["Every row", "逐行"],
  "explore.groups": ["Groups", "分组"],
  "explore.subtotals": ["Subtotals", "小计"],
  "explore.totals": ["Totals", "合计"],
  "explore.top": ["Top", "前"],
  "explore.topAll": ["All groups", "全部分组"],
  "explore.topN": ["Top {0}", "前 {0}"],
  "explore.bottomN": ["Bottom {0}", "后 {0}"],
  "explore.topBy": ["by", "按"],
  "explore.others": ["the rest as one row", "其余合并为一行"],
  "explore.firstRows": ["First {0} {0|row|rows}", "前 {0} 行"],
  "explore.page": ["Page {0}", "第 {0} 页"],
  "explore.pageSize": ["Pages of {0} {0|row|rows}", "每页 {0} 行"],
  "explore.hiddenKey": ["{0} (not shown)", "{0}（未显示）"],
  "explore.startAt": ["After the first {0} {0|row|rows}", "跳过前 {0} 行"],
  "explore.distinct": ["Distinct rows", "去重"],
  "explore.without": ["Without {0}", "不含 {0}"],
  "explore.orderUp": ["Smallest {0} first", "按 {0} 升序"],
  "explore.orderDown": ["Largest {0} first", "按 {0} 降序"],
  "explore.emptyTitle": ["What would you like to see?", "想看什么？"],
  "explore.emptyHint": ["Pick measures and dimensions from the list, or begin with a question that this model answers:", "从列表中选择度量和维度，或者从这个模型能回答的问题开始："],
  "explore.chooseTitle": ["Choose a model to begin", "先选择一个模型"],
  "explore.noRows": ["No rows", "没有数据"],
  "explore.noRowsHint": ["Nothing matches these filters.", "没有符合这些条件的数据。"],
  "explore.noRowsAtAll": ["There is nothing to show for this query.", "此查询没有可显示的数据。"],
  "explore.dropFilter": ["Without “{0}”", "去掉“{0}”"],
  "explore.remove": ["Remove {0}", "移除 {0}"],
  "explore.edit": ["Edit {0}", "编辑 {0}"],
  "explore.understood": ["What was asked", "查询含义"],
  "explore.limited": ["Only rows that you may see", "仅包含你有权查看的行"],
  "explore.maskedFields": ["Masked: {0}", "已脱敏：{0}"],
  "explore.rows": ["{0} {0|row|rows}", "{0} 行"],

  // filters
  "filter.field": ["Field", "字段"],
  "filter.op": ["Operator", "运算符"],
  "filter.value": ["Value", "值"],
  "filter.from": ["From", "从"],
  "filter.to": ["To", "到"],
  "filter.apply": ["Apply", "应用"],
  "filter.searchValues": ["Search values", "搜索值"],
  "filter.noValues": ["No value matches.", "没有匹配的值。"],
  "filter.empty": ["(empty)", "（空）"],
  "filter.use": ["Use “{0}”", "使用“{0}”"],
  "filter.yes": ["yes", "是"],
  "filter.no": ["no", "否"],
  "filter.needOne": ["A value is missing.", "缺少值。"],
  "filter.notNumber": ["“{0}” is not a number.", "“{0}”不是数字。"],
  "condition.or": ["or", "或"],
  "condition.and": ["and", "且"],
  "condition.not": ["not ({0})", "非（{0}）"],
  "condition.none": ["(no value)", "（无值）"],
  "condition.list": [", ", "、"],
  "condition.depth": ["(at most {0} {0|level|levels})", "（最多 {0} 层）"],
  "op.=": ["is", "等于"],
  "op.!=": ["is not", "不等于"],
  "op.in": ["is one of", "属于"],
  "op.not in": ["is none of", "不属于"],
  "op.like": ["contains", "包含"],
  "op.not like": ["does not contain", "不包含"],
  "op.right_like": ["starts with", "开头是"],
  "op.left_like": ["ends with", "结尾是"],
  "interval.[]": ["{0} – {1}", "{0} – {1}"],
  "interval.[)": ["from {0} to before {1}", "从 {0} 到 {1} 之前"],
  "interval.(]": ["after {0} up to {1}", "{0} 之后到 {1}"],
  "interval.()": ["after {0} to before {1}", "{0} 之后到 {1} 之前"],
  "op.===": ["is exactly", "严格等于"],
  "op.not right_like": ["does not start with", "开头不是"],
  "op.not left_like": ["does not end with", "结尾不是"],
  "op.isNullAndEmpty": ["is empty or blank", "为空或空文本"],
  "op.isNotNullAndEmpty": ["is not empty or blank", "不为空且非空文本"],
  "op.bit_in": ["has the bits", "包含位"],
  "op.childrenOf": ["is a child of", "是其下级："],
  "op.descendantsOf": ["is below", "在其之下："],
  "op.selfAndDescendantsOf": ["is or is below", "是或在其之下："],
  "op.ancestorsOf": ["is above", "在其之上："],
  "op.selfAndAncestorsOf": ["is or is above", "是或在其之上："],
  "op.>": ["is more than", "大于"],
  "op.>=": ["is at least", "至少"],
  "op.<": ["is less than", "小于"],
  "op.<=": ["is at most", "至多"],
  "op.[]": ["is between", "介于"],
  "op.[)": ["is from … to before", "从……到……之前"],
  "op.(]": ["is after … to", "从……之后到"],
  "op.()": ["is strictly between", "严格介于"],
  "op.is null": ["is empty", "为空"],
  "op.is not null": ["is not empty", "不为空"],
  "op.after": ["is on or after", "不早于"],
  "op.before": ["is before", "早于"],
  "op.period": ["is in", "在"],
  "op.time >": ["is after", "晚于"],
  "op.time >=": ["is on or after", "不早于"],
  "op.time <": ["is before", "早于"],
  "op.time <=": ["is on or before", "不晚于"],
  "op.time !=": ["is not in", "不在"],
  "op.time ===": ["is exactly in", "恰在"],

  // time
  "time.field": ["Date", "日期字段"],
  "time.range": ["Range", "范围"],
  "time.all": ["Any time", "全部时间"],
  "time.custom": ["From … to", "自定义"],
  "time.grain": ["By", "粒度"],
  "time.by": ["by {0}", "按{0}"],
  "time.noGrain": ["as one", "不拆分"],
  "time.compare": ["Compare", "对比"],
  "time.against": ["against {0}", "对比{0}"],
  "time.noCompare": ["with nothing", "不对比"],
  "grain.day": ["day", "日"],
  "grain.week": ["week", "周"],
  "grain.month": ["month", "月"],
  "grain.quarter": ["quarter", "季度"],
  "grain.year": ["year", "年"],
  "compare.yoy": ["a year before", "去年同期"],
  "compare.mom": ["a month before", "上月同期"],
  "compare.wow": ["a week before", "上周同期"],
  "compare.ytd": ["year to date", "本年累计"],
  "compare.mtd": ["month to date", "本月累计"],
  "compare.rolling_7d": ["rolling 7 days", "滚动 7 天"],
  "compare.rolling_30d": ["rolling 30 days", "滚动 30 天"],
  "compare.rolling_90d": ["rolling 90 days", "滚动 90 天"],
  "range.last 7 days": ["last 7 days", "最近 7 天"],
  "range.last 30 days": ["last 30 days", "最近 30 天"],
  "range.last 90 days": ["last 90 days", "最近 90 天"],
  "range.this month": ["this month", "本月"],
  "range.last month": ["last month", "上月"],
  "range.this quarter": ["this quarter", "本季度"],
  "range.last quarter": ["last quarter", "上季度"],
  "range.this year": ["this year", "今年"],
  "range.last year": ["last year", "去年"],
  "range.last 12 months": ["last 12 months", "最近 12 个月"],
  "time.prior": ["{0}, before", "{0}（对比期）"],
  "time.diff": ["{0}, change", "{0}（变化）"],
  "time.ratio": ["{0}, change %", "{0}（变化率）"],
  "time.period": ["Period", "期间"],

  // table
  "table.label": ["Result, {0}", "结果，{0}"],
  "table.total": ["Total", "合计"],
  "table.totalOfAll": ["Total of all rows", "全部行合计"],
  "table.totalOfGroups": ["Total of all groups", "全部分组合计"],
  "table.subtotal": ["Subtotal", "小计"],
  "table.others": ["Others", "其余"],
  "table.loading": ["…", "……"],
  "table.sort": ["Sort by {0}", "按 {0} 排序"],
  "table.failed": ["Some rows did not arrive.", "部分行未能取得。"],
  "table.capped": ["The first {0} rows are shown; downloads have them all.", "显示前 {0} 行，下载包含全部。"],
  "table.null": ["no value", "无值"],
  "table.gone": ["this row is there no more", "该行已不存在"],
  "table.changed": ["The data changed while these rows were read: they do not fit together. Run the query again.", "读取过程中数据发生了变化，各行已不一致。请重新运行查询。"],
  "table.subtotals": ["Subtotals are left out here: there are more than {0} groups. A file has them all.", "分组超过 {0} 个，此处不显示小计；文件包含全部小计。"],
  "table.unsettled": ["Subtotals are left out: the data changed while the groups were read. Run the query again.", "读取分组时数据发生了变化，未显示小计。请重新运行查询。"],

  // chart
  "chart.label": ["Chart", "图表"],
  "chart.auto": ["Auto", "自动"],
  "chart.line": ["Line", "折线"],
  "chart.bar": ["Bars", "柱形"],
  "chart.stacked": ["Stacked", "堆叠"],
  "chart.heat": ["Heat map", "热力图"],
  "chart.value": ["Figure", "数值"],
  "chart.figures": ["Figures", "数值"],
  "chart.none": ["No chart", "无图表"],
  "chart.kind": ["Kind of chart", "图表类型"],
  "chart.measure": ["Measure", "度量"],
  "chart.unknown": ["There is no chart called “{0}”; the one that fits is shown.", "没有名为“{0}”的图表，已显示合适的图表。"],
  "chart.rows": ["The chart is of the first {0} of {1} rows, in the order of the table; what is beyond is missing in it.", "图表只包含表格顺序的前 {0} 行，共 {1} 行，其余未包含。"],
  "chart.failed": ["The chart lacks rows that did not arrive.", "图表缺少未能取得的行。"],
  "chart.cut": ["The chart shows the first {0} of {1}.", "图表显示前 {0} 项，共 {1} 项。"],
  "chart.series": ["{0} more {0|is|are} left out of the chart.", "另有 {0} 个系列未在图中显示。"],
  "chart.cannot": ["These columns make no such chart.", "这些列无法生成该图表。"],
  "chart.describe": ["{0} of {1} by {2}", "{2} 的 {1}（{0}）"],
  "chart.point": ["Point at the chart to read its values", "将指针移到图上可查看数值"],
  "chart.keys": ["Arrow keys move through the chart.", "方向键可在图表中移动。"],

  // take away
  "take.title": ["Take away", "导出"],
  "take.copy": ["Copy", "复制"],
  "take.notCopied": ["Not copied: the browser refused. Select the text and copy it yourself.", "未复制：浏览器拒绝。请选中文本手动复制。"],
  "take.noImage": ["The chart could not be turned into a picture.", "无法将图表转换为图片。"],
  "take.copied": ["Copied", "已复制"],
  "take.payload": ["Payload", "查询参数"],
  "take.curl": ["curl", "curl"],
  "take.tool": ["Tool call", "工具调用"],
  "take.link": ["Link", "链接"],
  "take.files": ["Files", "文件"],
  "take.csv": ["CSV, all rows", "CSV（全部行）"],
  "take.json": ["JSON, all rows", "JSON（全部行）"],
  "take.svg": ["Chart as SVG", "图表 SVG"],
  "take.png": ["Chart as PNG", "图表 PNG"],
  "take.progress": ["{0} of {1} {1|row|rows}", "{0} / {1} 行"],
  "take.done": ["{0} {0|row|rows} saved", "已保存 {0} 行"],
  "take.changed": ["The data changed while it was read; nothing was saved. Try again.", "读取过程中数据发生了变化，没有保存任何内容。请重试。"],
  "take.inParts": ["{0} rows come in parts: one call gives at most {1}, and says where to read on.", "共 {0} 行，需分批读取：每次调用最多返回 {1} 行，并给出续读位置。"],
  "take.stopped": ["Stopped; nothing was saved.", "已取消，没有保存任何内容。"],
  "take.tokenLeftOut": ["Your token is left out; the calls name $PARLANCE_TOKEN instead.", "不包含令牌，命令中以 $PARLANCE_TOKEN 代替。"],

  // ask
  "ask.title": ["Ask in your own words", "用自己的话提问"],
  "ask.lead": ["Plain English or Chinese. You see what was understood, and the query that it became.", "支持中文和英文。你会看到系统的理解以及生成的查询。"],
  "ask.box": ["Your question", "你的问题"],
  "ask.placeholder": ["Sales by category last year", "去年各品类的销售额"],
  "ask.follow": ["Ask a follow-up, e.g. “and by month?”", "继续追问，例如“按月呢？”"],
  "ask.send": ["Ask", "提问"],
  "ask.new": ["New conversation", "新对话"],
  "ask.try": ["People ask", "大家常问"],
  "ask.understood": ["Understood", "理解为"],
  "ask.choices": ["Which one did you mean?", "你指的是哪一个？"],
  "ask.alternatives": ["Or did you mean", "或者你想问"],
  "ask.explore": ["Open in Explore", "在探索中打开"],
  "ask.query": ["The query that it became", "生成的查询"],
  "ask.thinking": ["Reading your question …", "正在理解问题……"],
  "ask.declined": ["Not something the data can tell", "数据无法回答"],
  "ask.clarify": ["Not quite clear yet", "还不够明确"],
  "ask.sure": ["sure", "确定"],
  "ask.likely": ["likely", "较可能"],
  "ask.unsure": ["unsure", "不太确定"],
  "ask.share": ["Share", "占比"],
  "ask.growth": ["Growth", "增长率"],
  "ask.running": ["Running total", "累计"],
  "ask.average": ["Average", "平均"],
  "ask.confidence": ["Confidence: {0}", "把握：{0}"],

  // inspect
  "inspect.title": ["Inspect a query", "检查查询"],
  "inspect.lead": ["How a query is answered: the statements, their plans and times, and what rights did to it. For admins.", "查询如何被执行：语句、计划、耗时，以及权限的影响。供管理员使用。"],
  "inspect.payload": ["Payload", "查询参数"],
  "inspect.run": ["Explain", "解释"],
  "inspect.summary": ["In words", "文字说明"],
  "inspect.statement": ["Statement: {0}", "语句：{0}"],
  "inspect.plan": ["Plan", "执行计划"],
  "inspect.noPlan": ["No plan is shown: the caller's grant narrows what they may see, or the database gives none.", "没有执行计划：权限受限，或数据库不提供。"],
  "inspect.timing": ["Time by stage", "各阶段耗时"],
  "inspect.rowsMs": ["{0} · {1}", "{0} · {1}"],
  "inspect.applied": ["What was applied", "已应用"],
  "inspect.filters": ["Filters before grouping", "分组前条件"],
  "inspect.having": ["Filters after grouping", "分组后条件"],
  "inspect.times": ["Time ranges", "时间范围"],
  "inspect.joins": ["Joins", "关联"],
  "inspect.access": ["Rights", "权限"],
  "inspect.noAccess": ["Nothing was narrowed.", "没有任何限制。"],
  "inspect.rowsLimited": ["Only some rows are open to this caller.", "此调用者只能看到部分行。"],
  "inspect.masked": ["Masked: {0}", "已脱敏：{0}"],
  "inspect.defaults": ["Defaults taken", "采用的默认值"],
  "inspect.cache": ["Cache and rollups", "缓存与汇总表"],
  "inspect.fresh": ["Freshness", "数据时效"],
  "inspect.invalid": ["That is no JSON object: {0}", "不是 JSON 对象：{0}"],
  "inspect.notAdmin": ["Statements and plans are for admins. Here is what the query means.", "语句和计划仅供管理员查看。以下是查询的含义。"],
  "inspect.empty": ["Bring a query from Explore, or write one", "从探索带来查询，或直接编写"],
  "inspect.client": ["Answer received", "收到回答"],
  "inspect.other": ["Everything else", "其他"],

  "fact.orderBy": ["order", "排序"],
  "fact.aggregations": ["aggregations", "聚合"],
  "fact.field": ["field", "字段"],
  "fact.from": ["from", "从"],
  "fact.to": ["to", "到"],
  "fact.today": ["today", "今天"],
  "purpose.page": ["page", "数据页"],
  "purpose.count": ["count", "计数"],
  "purpose.totals": ["totals", "合计"],
  "purpose.subtotals": ["subtotals", "小计"],
  "unit.ms": ["{0} ms", "{0} 毫秒"],

  // types and aggregations
  "type.string": ["string", "文本"],
  "type.integer": ["integer", "整数"],
  "type.bigint": ["bigint", "长整数"],
  "type.decimal": ["decimal", "小数"],
  "type.double": ["double", "浮点数"],
  "type.money": ["money", "金额"],
  "type.percent": ["percent", "百分比"],
  "type.boolean": ["boolean", "是否"],
  "type.date": ["date", "日期"],
  "type.timestamp": ["time", "时间"],
  "agg.sum": ["sum", "求和"],
  "agg.avg": ["avg", "平均"],
  "agg.count": ["count", "计数"],
  "agg.count_distinct": ["count distinct", "去重计数"],
  "agg.countd": ["count distinct", "去重计数"],
  "agg.min": ["min", "最小"],
  "agg.max": ["max", "最大"],
  "agg.median": ["median", "中位数"],
  "agg.expression": ["formula", "公式"],
  "agg.ratio": ["ratio", "比率"],

  // keyboard
  "keys.search": ["Search", "搜索"],
  "keys.run": ["Run", "运行"],
  "keys.views": ["Switch views", "切换视图"],
  "keys.move": ["Move within lists", "在列表中移动"],
  "keys.pick": ["Pick", "选择"],
  "keys.close": ["Close what is open", "关闭弹出内容"],
  "keys.help": ["This list", "本列表"],
} as const satisfies Record<string, readonly [string, string]>

/** maybe returns a word whose name is put together, or undefined where there is none. */
export function maybe(word: string): string | undefined {
  return word in words ? t(word as Word) : undefined
}
