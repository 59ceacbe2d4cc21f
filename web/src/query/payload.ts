// The query payload as the page holds it, and the edits that clicking makes. A payload is never changed in place.
import { isTime } from "../format"
import type { Field, Model } from "../server/models"

export type Scalar = string | number | boolean | null

export interface Condition {
  field: string
  op: string
  value?: unknown
}

/** A condition that the page shows but does not edit: logic, expressions. */
export type RawCondition = Record<string, unknown>

export interface Order {
  field: string
  order: "asc" | "desc"
}

export interface TimeWindow {
  field: string
  grain: string
  comparison: string
  range?: string | [string, string]
}

export interface Payload {
  columns?: string[]
  exColumns?: string[]
  slice?: (Condition | RawCondition)[]
  groupBy?: (string | { field: string; agg?: string })[]
  having?: (Condition | RawCondition)[]
  orderBy?: (string | Order | Record<string, unknown>)[]
  calculatedFields?: { name: string; expression: string; [key: string]: unknown }[]
  timeWindow?: TimeWindow
  topN?: { by: string; n: number; others?: boolean }
  withSubtotals?: boolean
  returnTotal?: boolean
  distinct?: boolean
  limit?: number
  start?: number
}

/** A column's parts: `sum(x) as y` has a function, a field and an alias. */
export interface Column {
  text: string
  key: string // what the rows call it
  field: string // the field that it shows or computes with
  fn?: string
}

export function readColumn(text: string): Column {
  const aliased = /^(.*\S)\s+as\s+(\S+)$/is.exec(text)
  const expression = aliased?.[1] ?? text
  const called = /^(\w+)\((.*)\)$/s.exec(expression)
  const column: Column = { text, key: aliased?.[2] ?? text, field: called?.[2]?.trim() ?? expression }
  if (called?.[1]) column.fn = called[1].toLowerCase()
  return column
}

export function isCondition(c: Condition | RawCondition): c is Condition {
  return typeof c.field === "string" && typeof c.op === "string"
}

export function groupKeys(p: Payload): string[] {
  return (p.groupBy ?? []).map((g) => (typeof g === "string" ? g : g.field))
}

/** orders gives every spelling of orderBy one form. */
export function orders(p: Payload): Order[] {
  return (p.orderBy ?? []).map((o) => {
    if (typeof o === "string") {
      if (o.startsWith("-")) return { field: o.slice(1), order: "desc" }
      const [field = o, word = ""] = o.split(/\s+(?=asc$|desc$)/i)
      return { field, order: word.toLowerCase() === "desc" ? "desc" : "asc" }
    }
    const known = o as Record<string, unknown>
    const word = String(known.order ?? known.dir ?? known.direction ?? "asc").toLowerCase()
    return { field: String(known.field), order: word === "desc" ? "desc" : "asc" }
  })
}

const onlyAggregated = ["count", "count_distinct", "countd", "expression", "ratio"]

function aggregates(model: Model, column: Column): boolean {
  if (column.fn) return true
  const field = model.fields.find((f) => f.name === column.field)
  return field?.kind === "MEASURE" && onlyAggregated.includes(field.aggregation ?? "")
}

/** grouped says whether rows of the answer stand for groups. */
export function grouped(p: Payload, model: Model): boolean {
  if (p.timeWindow || groupKeys(p).length > 0) return true
  return (p.columns ?? []).some((c) => aggregates(model, readColumn(c)))
}

/** isMeasure says whether a column is a number of the answer rather than a key. */
export function isMeasure(p: Payload, model: Model, column: Column): boolean {
  if (column.fn) return true
  const field = model.fields.find((f) => f.name === column.field)
  return field ? field.kind === "MEASURE" : (p.calculatedFields ?? []).some((c) => c.name === column.field)
}

/** parts tells keys and measures of a payload apart, in order. */
export function parts(p: Payload, model: Model): { keys: Column[]; measures: Column[] } {
  const all = (p.columns ?? []).map(readColumn)
  return { keys: all.filter((c) => !isMeasure(p, model, c)), measures: all.filter((c) => isMeasure(p, model, c)) }
}

/** toggle puts a field into the answer, or takes it away. */
export function toggle(p: Payload, model: Model, field: Field): Payload {
  const columns = p.columns ?? []
  const without = columns.filter((c) => readColumn(c).field !== field.name)
  const asGroups = columns.length === 0 || grouped(p, model)
  const next = without.length < columns.length ? without : [...columns, field.name]
  return largestFirst(arrange({ ...p, columns: next }, model, asGroups), model)
}

/** largestFirst orders groups by their first measure where no order was asked for and time gives none. */
function largestFirst(p: Payload, model: Model): Payload {
  const { keys, measures } = parts(p, model)
  const first = measures[0]
  const temporal = keys.some((k) => isGrain(k.field) || isTime(model.fields.find((f) => f.name === k.field)?.dataType ?? ""))
  if (!first || keys.length === 0 || temporal || p.orderBy || p.timeWindow || p.topN || !grouped(p, model)) return p
  return { ...p, orderBy: [`-${first.key}`] }
}

/** isGrain says whether a field's name is that of a period on the axis of time. */
export function isGrain(name: string): boolean {
  return /\$(year|yearMonth|yearQuarter|yearWeek|year_month|year_quarter|year_week|date)$/.test(name) || /^[^$]+\$(month|quarter|week|hour)$/.test(name)
}

/** shift moves a column among its like. */
export function shift(p: Payload, model: Model, key: string, by: number): Payload {
  const { keys, measures } = parts(p, model)
  for (const list of [keys, measures]) {
    const at = list.findIndex((c) => c.key === key)
    const to = at + by
    if (at < 0 || to < 0 || to >= list.length) continue
    list.splice(to, 0, ...list.splice(at, 1))
  }
  return arrange({ ...p, columns: [...keys, ...measures].map((c) => c.text) }, model, grouped(p, model))
}

/** arrange orders the columns, keys first, and makes rows groups or single ones. */
export function arrange(p: Payload, model: Model, asGroups: boolean): Payload {
  const { keys, measures } = parts(p, model)
  const plain = measures.map((c) => defaultForm(model, c))
  const next: Payload = { ...p, columns: [...keys.map((c) => c.text), ...plain] }
  delete next.groupBy
  if (asGroups && keys.length > 0) next.groupBy = keys.map((c) => c.field)
  if (asGroups && keys.length === 0 && !p.timeWindow && !grouped(next, model)) next.columns = aggregated(model, plain)
  if (!asGroups) for (const key of ["having", "timeWindow", "topN", "withSubtotals"] as const) delete next[key]
  return prune(next, model)
}

/** defaultForm writes `sum(x) as x` as x where that is what x means anyway. */
function defaultForm(model: Model, c: Column): string {
  const field = model.fields.find((f) => f.name === c.field)
  return c.fn && c.key === c.field && field?.aggregation === c.fn ? c.field : c.text
}

/** aggregated names the first measure's own aggregation, which makes one row of everything. */
function aggregated(model: Model, columns: string[]): string[] {
  const at = columns.findIndex((c) => model.fields.find((f) => f.name === c)?.aggregation)
  return columns.map((c, i) => (i === at ? `${model.fields.find((f) => f.name === c)?.aggregation}(${c}) as ${c}` : c))
}

/** prune drops what refers to columns that are gone, and empty clauses. */
function prune(p: Payload, model: Model): Payload {
  const next = { ...p }
  const { keys, measures } = parts(next, model)
  const known = new Set([...keys, ...measures].flatMap((c) => [c.key, c.field]))
  const first = measures[0]
  if (next.timeWindow && !first) delete next.timeWindow
  if (next.timeWindow) known.add("period")
  for (const m of measures) for (const word of ["prior", "diff", "ratio"]) known.add(`${m.key}__${word}`)
  if (next.orderBy && grouped(next, model)) next.orderBy = next.orderBy.filter((o) => orders({ orderBy: [o] }).every((read) => known.has(read.field)))
  if (next.topN && (keys.length === 0 || !first)) delete next.topN
  else if (next.topN && first && !known.has(readOrder(next.topN.by))) next.topN = { ...next.topN, by: first.key }
  if (keys.length < 2) delete next.withSubtotals
  return tidy(next)
}

function readOrder(by: string): string {
  return by.replace(/\s+(asc|desc)$/i, "").replace(/^-/, "")
}

/** tidy leaves out clauses that say nothing. */
export function tidy(p: Payload): Payload {
  return Object.fromEntries(
    Object.entries(p).filter(([, v]) => v !== undefined && v !== false && !(Array.isArray(v) && v.length === 0)),
  ) as Payload
}

/** sortBy puts one order in front of all others; without a direction it takes the field's order away. */
export function sortBy(p: Payload, field: string, order: "asc" | "desc" | undefined): Payload {
  const rest = (p.orderBy ?? []).filter((o) => orders({ orderBy: [o] })[0]?.field !== field)
  return tidy({ ...p, orderBy: order ? [order === "desc" ? `-${field}` : field, ...rest.slice(0, 2)] : rest })
}
