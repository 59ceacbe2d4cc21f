// The edits that clicking makes. Each changes what it names and what cannot stand without it, and nothing else.
import { isTime } from "../format"
import { write } from "../server/exact"
import type { Field, Model } from "../server/models"
import { groupField, grouped, groupKeys, hiddenKeys, isGrain, isMeasure, orders, parts, readColumn, tidy, type Column, type Payload } from "./payload"

/** toggle puts a field into the answer, or takes it away. */
export function toggle(p: Payload, model: Model, field: Field): Payload {
  const shown = (p.columns ?? []).map(readColumn).filter((c) => c.field === field.name)
  if (shown.length > 0) return shown.reduce((q, c) => removeColumn(q, model, c.key), p)
  const asGroups = (p.columns ?? []).length === 0 || grouped(p, model)
  const shownAgain: Payload = p.exColumns?.includes(field.name) ? tidy({ ...p, exColumns: p.exColumns.filter((c) => c !== field.name) }) : p
  const next = field.kind === "MEASURE" ? { ...shownAgain, columns: [...(p.columns ?? []), field.name] } : addKey(shownAgain, model, field.name)
  return largestFirst(p, asGroups ? asGrouped(next, model) : next, model)
}

/** addKey puts a field behind the other keys, or at the place given, and makes it one of the groups where there are groups. */
export function addKey(p: Payload, model: Model, field: string, at?: number): Payload {
  const columns = p.columns ?? []
  const last = columns.findLastIndex((c) => !isMeasure(p, model, readColumn(c)))
  const next: Payload = { ...p, columns: (plainMeasures(p, model).columns ?? []).toSpliced(at ?? last + 1, 0, field) }
  if (!grouped(p, model) || groupKeys(p).includes(field)) return next
  const before = p.groupBy ?? parts(p, model).keys.map((c) => c.field)
  return { ...next, groupBy: at === 0 ? [field, ...before] : [...before, field] }
}

/** plainMeasures writes measures of one row of everything by their names, as they stand among groups. */
export function plainMeasures(p: Payload, model: Model): Payload {
  const alone = grouped(p, model) && !p.groupBy && !p.timeWindow && parts(p, model).keys.length === 0
  return alone ? { ...p, columns: (p.columns ?? []).map((c) => plainForm(model, c)) } : p
}

/** plainForm writes `sum(x) as x` as x where that is what x means among groups anyway. */
function plainForm(model: Model, text: string): string {
  const c = readColumn(text)
  const field = model.fields.find((f) => f.name === c.field)
  return c.fn && c.key === c.field && field?.aggregation === c.fn ? c.field : text
}

/** asGrouped makes groups of rows: by the keys that are there, or one of everything. */
function asGrouped(p: Payload, model: Model): Payload {
  if (grouped(p, model)) return p
  const { keys } = parts(p, model)
  if (keys.length > 0) return { ...p, groupBy: [...new Set(keys.map((c) => c.field))] }
  const at = (p.columns ?? []).findIndex((c) => model.fields.find((f) => f.name === c)?.aggregation)
  return { ...p, columns: (p.columns ?? []).map((c, i) => (i === at ? `${model.fields.find((f) => f.name === c)?.aggregation}(${c}) as ${c}` : c)) }
}

/** arrange makes rows of the answer groups, or single ones; what only groups can have goes with them. Where a measure is only of groups, they stay. */
export function arrange(p: Payload, model: Model, asGroups: boolean): Payload {
  if (asGroups) return asGrouped(p, model)
  if (!grouped(p, model)) return p
  const { groupBy: _g, having: _h, timeWindow: _w, topN: _n, withSubtotals: _s, ...rest } = p
  const single = { ...rest, columns: (p.columns ?? []).map((c) => plainForm(model, c)) }
  return grouped(single, model) ? p : single
}

/** largestFirst orders groups by their first measure when a click makes them, where no order was asked for and time gives none. */
function largestFirst(before: Payload, p: Payload, model: Model): Payload {
  const old = parts(before, model)
  const { keys, measures } = parts(p, model)
  const first = measures[0]
  const temporal = keys.some((k) => isGrain(k.field) || isTime(model.fields.find((f) => f.name === k.field)?.dataType ?? ""))
  if (old.keys.length + hiddenKeys(before).length > 0 && old.measures.length > 0) return p
  if (!first || keys.length === 0 || temporal || p.orderBy || p.timeWindow || p.topN || !grouped(p, model)) return p
  return { ...p, orderBy: [`-${first.key}`] }
}

/** removeColumn takes one column away, with its order, and with the group that it showed. */
export function removeColumn(p: Payload, model: Model, key: string): Payload {
  const gone = (p.columns ?? []).map(readColumn).find((c) => c.key === key)
  if (!gone) return p
  const next: Payload = { ...p, columns: (p.columns ?? []).filter((c) => c !== gone.text) }
  const stays = (next.columns ?? []).some((c) => readColumn(c).field === gone.field)
  if (!stays) dropGroup(next, gone.field)
  dropOrders(next, stays ? [gone.key] : [gone.key, gone.field])
  dropCalculated(next, gone.field)
  return tidy(settle(next, p, model, gone))
}

/** removeKey takes a group away that no column shows. */
export function removeKey(p: Payload, field: string): Payload {
  const next = { ...p }
  dropGroup(next, field)
  dropOrders(next, [field])
  return tidy(next)
}

function dropGroup(p: Payload, field: string): void {
  if (p.groupBy) p.groupBy = p.groupBy.filter((g) => groupField(g) !== field)
}

function dropOrders(p: Payload, names: string[]): void {
  if (!p.orderBy) return
  const own = (name: string) => names.some((n) => name === n || name.startsWith(n + "__"))
  p.orderBy = p.orderBy.filter((o) => !own(orders({ orderBy: [o] })[0]?.field ?? ""))
}

/** dropCalculated forgets a calculated field that nothing names any more. */
function dropCalculated(p: Payload, name: string): void {
  const { calculatedFields: all, ...rest } = p
  if (!all) return
  const others = all.filter((c) => c.name !== name)
  const text = write([rest, others])
  const named = [...text.matchAll(/[\p{L}_][\p{L}\p{N}_$.]*/gu)].some(([word]) => word === name)
  if (!named) p.calculatedFields = others
}

/** settle mends what a column leaves behind that was its own: rank, comparison, subtotals, the one row of everything. */
function settle(p: Payload, before: Payload, model: Model, gone: Column): Payload {
  const { keys, measures } = parts(p, model)
  const first = measures[0]
  const groups = keys.length + hiddenKeys(p).length
  const isGone = (name: string) => (name === gone.key || name === gone.field) && !measures.some((m) => m.key === name || m.field === name)
  if (p.timeWindow && !first) delete p.timeWindow
  if (p.timeWindow?.targetMetrics) {
    const { targetMetrics, ...window } = p.timeWindow
    const left = targetMetrics.filter((m) => !isGone(m))
    p.timeWindow = left.length > 0 ? { ...window, targetMetrics: left } : window
  }
  if (p.topN && (groups === 0 || !first)) delete p.topN
  else if (p.topN && first && isGone(rankField(p.topN.by))) p.topN = { ...p.topN, by: p.topN.by.replace(rankField(p.topN.by), () => first.key) }
  if (groups < 2 && parts(before, model).keys.length + hiddenKeys(before).length > 1) delete p.withSubtotals
  return grouped(before, model) && !p.timeWindow && (p.columns ?? []).length > 0 ? asGrouped(p, model) : p
}

/** rankField is the name in topN's by. */
function rankField(by: string): string {
  return by.replace(/\s+(asc|desc)$/i, "").replace(/^-/, "")
}

/** shift moves a column among its like; groups that stand in the order of the columns follow. */
export function shift(p: Payload, model: Model, key: string, by: number): Payload {
  const { keys, measures } = parts(p, model)
  for (const list of [keys, measures]) {
    const at = list.findIndex((c) => c.key === key)
    const [one, other] = [list[at], list[at + by]]
    if (!one || !other) continue
    const swapped = swap(p.columns ?? [], one.text, other.text)
    const groups = (p.groupBy ?? []).filter((g) => keys.some((c) => c.field === groupField(g))).map(groupField)
    const inStep = groups.join("\n") === keys.map((c) => c.field).filter((f) => groups.includes(f)).join("\n")
    const [first, second] = [one, other].map((c) => (p.groupBy ?? []).find((g) => groupField(g) === c.field))
    if (list === keys && inStep && p.groupBy && first !== undefined && second !== undefined) return { ...p, columns: swapped, groupBy: swap(p.groupBy, first, second) }
    return { ...p, columns: swapped }
  }
  return p
}

function swap<T>(list: T[], a: T, b: T): T[] {
  return list.map((v) => (v === a ? b : v === b ? a : v))
}

/** sortBy puts one order in front of all others; without a direction it takes the column's order away. */
export function sortBy(p: Payload, key: string, order: "asc" | "desc" | undefined): Payload {
  const column = (p.columns ?? []).map(readColumn).find((c) => c.key === key)
  const names = column && !column.fn ? [key, column.field] : [key]
  const isOwn = (o: NonNullable<Payload["orderBy"]>[number]) => names.includes(orders({ orderBy: [o] })[0]?.field ?? "")
  const old = (p.orderBy ?? []).find(isOwn)
  const rest = (p.orderBy ?? []).filter((o) => !isOwn(o))
  return tidy({ ...p, orderBy: order ? [directed(old, key, order), ...rest] : rest })
}

/** directed gives an order another direction; what else it says stays. */
function directed(old: NonNullable<Payload["orderBy"]>[number] | undefined, key: string, order: "asc" | "desc"): NonNullable<Payload["orderBy"]>[number] {
  if (typeof old !== "object") return order === "desc" ? `-${key}` : key
  const { order: _o, dir: _d, direction: _n, ...rest } = old as Record<string, unknown>
  return { ...rest, order }
}
