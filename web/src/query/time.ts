// Time in a query: which fields are dates, which columns are their grains, and the two ways to ask for a range: a filter,
// or a time window where values are compared.
import { isTime } from "../format"
import type { Field, Model } from "../server/models"
import { arrange, isCondition, orders, readColumn, tidy, type Condition, type Payload } from "./payload"

export const grains = ["day", "week", "month", "quarter", "year"] as const
export type Grain = (typeof grains)[number]

export const comparisons = ["yoy", "mom", "wow", "ytd", "mtd", "rolling_7d", "rolling_30d", "rolling_90d"] as const

export const periods = [
  "last 7 days", "last 30 days", "last 90 days", "this month", "last month", "this quarter", "last quarter", "last 12 months", "this year", "last year",
] as const

/** A date that a model can be asked by. */
export interface TimeField {
  name: string // of a time window: the dimension, or the date itself
  filter: string // of a filter: the field of type date
  caption: string
  grains: Partial<Record<Grain, string>> // the columns that hold them
}

/** timeFields finds the dates of a model: date dimensions and plain dates; the one that the model's coverage names is first. */
export function timeFields(model: Model): TimeField[] {
  const found = model.fields.filter(isDate).map((f) => timeField(model, f))
  const main = model.timeRange?.field
  return found.sort((a, b) => Number(b.filter === main) - Number(a.filter === main))
}

function isDate(f: Field): boolean {
  if (f.kind === "MEASURE" || !isTime(f.dataType)) return false
  return !f.name.includes("$") || f.name.endsWith("$caption")
}

function timeField(model: Model, f: Field): TimeField {
  const base = f.name.replace(/\$caption$/, "")
  const known = (name: string) => model.fields.some((g) => g.name === name)
  const found: Partial<Record<Grain, string>> = {}
  for (const grain of grains) {
    const name = candidates(base, f.name, grain).find(known)
    if (name) found[grain] = name
  }
  return { name: base, filter: f.name, caption: f.caption, grains: found }
}

/** candidates are the names that a grain of a date may have, that of a calendar's own column first. */
function candidates(base: string, date: string, grain: Grain): string[] {
  if (grain === "day") return [date, `${base}$date`]
  if (grain === "year") return [`${base}$year`]
  const long = "year" + grain[0]?.toUpperCase() + grain.slice(1)
  return date === base ? [`${base}$${grain}`] : [`${base}$${long}`, `${base}$year_${grain}`]
}

export type Range = string | [string, string]

/** What a payload says of time. */
export interface TimeState {
  field: TimeField
  range: Range | undefined // undefined: any time
  grain: Grain | undefined
  comparison: string | undefined
}

/** readTime finds the first date of a model that a payload uses; else its main date, unused. */
export function readTime(p: Payload, model: Model): TimeState | undefined {
  const fields = timeFields(model)
  const w = p.timeWindow
  const windowed = fields.find((f) => w?.field === f.name || w?.field === f.filter)
  if (w && windowed) return { field: windowed, range: w.range, grain: w.grain as Grain, comparison: w.comparison }
  const states = fields.map((field) => ({ field, range: rangeOf(p, field), grain: grainOf(p, field), comparison: undefined }))
  return states.find((s) => s.range || s.grain) ?? states[0]
}

function rangeOf(p: Payload, f: TimeField): Range | undefined {
  const c = (p.slice ?? []).filter(isCondition).find((c) => isRange(c, f))
  if (!c) return undefined
  if (c.op === "=" || c.op === "eq") return String(c.value)
  const [from, to] = c.value as [string, string]
  return [from, c.op === "[)" ? dayBefore(to) : to]
}

/** isRange says whether a condition is one that the time editor owns. */
export function isRange(c: Condition, f: TimeField): boolean {
  if (c.field !== f.filter) return false
  if (c.op === "=" || c.op === "eq") return typeof c.value === "string"
  return (c.op === "[]" || c.op === "[)") && Array.isArray(c.value) && c.value.every((v) => typeof v === "string" && /^\d{4}-\d\d-\d\d$/.test(v))
}

function grainOf(p: Payload, f: TimeField): Grain | undefined {
  const fields = (p.columns ?? []).map((c) => readColumn(c).field)
  return grains.find((g) => f.grains[g] && fields.includes(f.grains[g] as string))
}

export function dayBefore(day: string): string {
  return new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10)
}

/** writeTime puts what is asked of time into a payload, and takes away what it said before of any date. */
export function writeTime(p: Payload, model: Model, state: TimeState, asGroups: boolean): Payload {
  const { field, range, grain, comparison } = state
  const fields = timeFields(model)
  const owned = (c: Condition) => fields.some((f) => isRange(c, f))
  const grainColumns = new Set(fields.flatMap((f) => Object.values(f.grains)))
  const next: Payload = {
    ...p,
    slice: (p.slice ?? []).filter((c) => !isCondition(c) || !owned(c)),
    columns: (p.columns ?? []).filter((c) => !grainColumns.has(c)),
  }
  delete next.timeWindow
  if (grain && orders(p).length === 1) delete next.orderBy // time has an order of its own
  if (comparison) {
    next.timeWindow = { field: field.name, grain: grain ?? "month", comparison, range: range ?? coverage(model) }
    return arrange(next, model, true)
  }
  if (range) next.slice = [...(next.slice ?? []), typeof range === "string" ? { field: field.filter, op: "=", value: range } : { field: field.filter, op: "[]", value: range }]
  const column = grain && field.grains[grain]
  if (column) next.columns = [column, ...(next.columns ?? [])]
  return tidy(arrange(next, model, asGroups))
}

function coverage(model: Model): Range {
  return model.timeRange ? [model.timeRange.from, model.timeRange.to] : "this year"
}
