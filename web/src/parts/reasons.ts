// What the server refuses, in Chinese, by the stable word that it gives as the reason. The server itself speaks English:
// its own text, which says more, always stands beside.
import type { Failure } from "../server/failure"
import { language, t } from "../words"

const reasons: Record<string, string> = {
  bad_alias: "别名的写法不正确。",
  bad_argument: "参数不正确。",
  bad_combination: "这几项不能同时使用。",
  bad_expression: "表达式有误，无法读取。",
  bad_field: "字段的写法不正确。",
  bad_token: "令牌无效。",
  bad_value: "值不符合此处的要求。",
  cancelled: "查询已取消。",
  closing: "服务器正在关闭，请稍后重试。",
  conflicting_keys: "有互相冲突的键。",
  expression_too_long: "表达式太长。",
  filter_required: "此模型必须按指定字段筛选。",
  forbidden_field: "你没有查看此字段的权限。",
  forbidden_model: "你没有访问此模型的权限。",
  groups_required: "此项只能用于分组查询。",
  having_without_groups: "分组后条件只能用于分组查询。",
  interrupted: "查询被中断，请重试。",
  key_required: "此查询需要模型声明主键。",
  loading: "数据正在加载，请稍候。",
  masked_field: "此字段已脱敏，不能这样使用。",
  misplaced_key: "此键放错了位置。",
  missing_key: "缺少必填项。",
  missing_token: "需要令牌。",
  not_a_measure: "此字段不是度量。",
  not_an_attribute: "此字段不是属性。",
  not_ready: "服务器尚未就绪，请稍候。",
  not_searchable: "此字段的值不能搜索。",
  numeric_overflow: "计算结果超出可表示的范围。",
  out_of_disk: "查询需要的磁盘空间超过上限，请缩小范围。",
  out_of_memory: "查询需要的内存超过上限，请缩小范围。",
  out_of_range: "数值超出允许的范围。",
  overloaded: "当前查询太多，请稍后重试。",
  role_not_covering: "你的角色不能使用此功能。",
  shard_unreachable: "部分数据库暂时无法连接。",
  text_too_long: "文本太长。",
  timeout: "查询超时，请缩小范围或稍后重试。",
  token_expired: "令牌已过期，请重新输入。",
  too_complex: "查询太复杂。",
  too_deep: "条件嵌套太深。",
  too_many: "数量超过上限。",
  unknown_field: "此字段不存在。",
  unknown_key: "查询中有无法识别的键。",
  unknown_model: "此模型不存在，或不对你开放。",
  unknown_namespace: "此命名空间不存在，或不对你开放。",
  unknown_operator: "没有这个运算符。",
  unknown_session: "对话已过期，请重新提问。",
  unreachable: "数据库暂时无法连接。",
  unsupported: "不支持此操作。",
  unsupported_by_datasource: "此数据库不支持该操作。",
  wrong_type: "值的类型不正确。",
}

/** reasonOf says in the reader's language why the server refused; undefined where only the server's own text does. */
export function reasonOf(failure: Failure): string | undefined {
  const reason = failure.mistake?.reason ?? ""
  return language.value === "zh" && Object.hasOwn(reasons, reason) ? reasons[reason] : undefined
}

/** failureText says a failure in one line. */
export function failureText(failure: Failure): string {
  const reason = reasonOf(failure)
  return reason ? `${reason}${t("fail.said", failure.message)}` : failure.message || t(`fail.${failure.kind}`)
}
