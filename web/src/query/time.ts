// Time in a query: which fields are dates, which columns are their grains, and the two ways to ask for a range: a filter,
// or a time window where values are compared.
import { isTime } from "../format"
import type { Field, Model } from "../server/models"
import { addKey, arrange, plainMeasures, removeColumn } from "./edit"
import { groupField, isCondition, orders, readColumn, tidy, type Condition, type Payload, type RawCondition } from "./payload"

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
    const name = candidates(base, f, grain).find(known)
    if (name) found[grain] = name
  }
  return { name: base, filter: f.name, caption: f.caption, grains: found }
}

/** candidates are the names that a grain of a date may have, that of a calendar's own column first. */
function candidates(base: string, f: Field, grain: Grain): string[] {
  const date = f.name
  if (grain === "day") return f.dataType === "date" ? [date, `${base}$date`] : [`${base}$date`]
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
  const c = (p.slice ?? []).find((c) => isCondition(c) && isRange(c, f)) as Condition | undefined
  if (!c) return undefined
  if (c.op === "=" || c.op === "eq") return String(c.value)
  const [from, to] = c.value as [string, string]
  return [from, c.op === "[)" ? dayBefore(to) : to]
}

/** isRange says whether a condition is one that the time editor can show. */
export function isRange(c: Condition, f: TimeField): boolean {
  if (c.field !== f.filter || Object.keys(c).some((k) => !["field", "op", "value"].includes(k))) return false
  if (c.op === "=" || c.op === "eq") return typeof c.value === "string"
  return (c.op === "[]" || c.op === "[)") && Array.isArray(c.value) && c.value.length === 2 && c.value.every(isDay)
}

function isDay(v: unknown): boolean {
  if (typeof v !== "string" || !/^\d{4}-\d\d-\d\d$/.test(v)) return false
  const at = new Date(v + "T00:00:00Z")
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(v)
}

/** shownRange is the place in slice of the condition that the time editor shows and changes; -1 where there is none. */
export function shownRange(p: Payload, model: Model): number {
  const state = readTime(p, model)
  if (!state || state.comparison !== undefined) return -1
  return (p.slice ?? []).findIndex((c) => isCondition(c) && isRange(c, state.field))
}

function grainOf(p: Payload, f: TimeField): Grain | undefined {
  const columns = (p.columns ?? []).map(readColumn)
  return grains.find((g) => columns.some((c) => !c.fn && c.field === f.grains[g]))
}

export function dayBefore(day: string): string {
  return new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10)
}

/** writeTime puts what is asked of time into a payload. What it was asked before is replaced; any other filter, column and order stays. */
export function writeTime(p: Payload, model: Model, state: TimeState, asGroups: boolean): Payload {
  const before = readTime(p, model)
  if (state.comparison !== undefined) return windowed(p, model, state, before)
  const plain = before?.comparison === undefined ? p : unwindowed(p)
  const old = before?.comparison === undefined ? before : undefined
  const ranged = same(old, state, "range") ? plain : withRange(plain, old ? shownRange(p, model) : -1, state)
  const grained = same(old, state, "grain") ? ranged : withGrain(ranged, model, old, state)
  return tidy(asGroups && (grained.columns ?? []).length > 0 ? arrange(grained, model, true) : grained)
}

/** same says whether a part of what is asked of time stays as it is. */
function same(before: TimeState | undefined, after: TimeState, part: "range" | "grain"): boolean {
  if (String(before?.[part]) !== String(after[part])) return false
  return before?.field.filter === after.field.filter || after[part] === undefined
}

/** withRange writes the range at the place of the one that it replaces; -1: of none. */
function withRange(p: Payload, at: number, { field, range }: TimeState): Payload {
  const slice = p.slice ?? []
  const condition: (Condition | RawCondition)[] = range === undefined ? [] : [{ field: field.filter, op: typeof range === "string" ? "=" : "[]", value: range }]
  return { ...p, slice: at < 0 ? [...slice, ...condition] : slice.toSpliced(at, 1, ...condition) }
}

/** withGrain puts the grain's column at the place of the one that it replaces, or in front; groups and orders follow it. */
function withGrain(p: Payload, model: Model, before: TimeState | undefined, { field, grain }: TimeState): Payload {
  const old = before?.grain && before.field.grains[before.grain]
  const column = grain && field.grains[grain]
  const shown = (p.columns ?? []).map(readColumn).find((c) => !c.fn && c.field === old)
  if (!column) return shown ? removeColumn(p, model, shown.key) : p
  if ((p.columns ?? []).some((c) => readColumn(c).field === column)) return shown ? removeColumn(p, model, shown.key) : p
  if (!shown || !old) return addKey(p, model, column, 0)
  return renamed({ ...p, columns: (p.columns ?? []).map((c) => (c === shown.text ? column : c)) }, [old, shown.key], column)
}

/** renamed lets groups and orders by some names be by another. */
function renamed(p: Payload, names: string[], to: string): Payload {
  const next = { ...p }
  if (p.groupBy) next.groupBy = p.groupBy.map((g) => (names.includes(groupField(g)) ? (typeof g === "string" ? to : { ...g, field: to }) : g))
  if (p.orderBy) {
    next.orderBy = p.orderBy.map((o) => {
      const [read] = orders({ orderBy: [o] })
      if (!read || !names.includes(read.field)) return o
      return typeof o === "string" ? (read.order === "desc" ? `-${to}` : to) : { ...o, field: to }
    })
  }
  return next
}

/** windowed writes a comparison. The range and the grain move into it: a window has its own. */
function windowed(p: Payload, model: Model, state: TimeState, before: TimeState | undefined): Payload {
  const { field, range, comparison = "" } = state
  const grain = state.grain ?? "month"
  const window = { field: field.name, grain, comparison, range: range ?? coverage(model) }
  if (p.timeWindow && before?.comparison !== undefined) {
    const kept = before.field.filter === field.filter ? p.timeWindow.field : field.name
    return { ...p, timeWindow: { ...p.timeWindow, ...window, field: kept } }
  }
  const at = shownRange(p, model)
  const next: Payload = { ...plainMeasures(p, model), slice: at < 0 ? (p.slice ?? []) : (p.slice ?? []).toSpliced(at, 1) }
  const old = before?.grain && before.field.grains[before.grain]
  const shown = (p.columns ?? []).map(readColumn).find((c) => !c.fn && c.field === old)
  if (shown && old) {
    next.columns = (next.columns ?? []).filter((c) => c !== shown.text)
    if (next.groupBy) next.groupBy = next.groupBy.filter((g) => groupField(g) !== old)
    return tidy({ ...renamed(next, [old, shown.key], "period"), timeWindow: window })
  }
  return tidy({ ...next, timeWindow: window })
}

/** unwindowed takes a comparison away, with the orders by what it adds. */
function unwindowed(p: Payload): Payload {
  const { timeWindow: _gone, ...rest } = p
  if (!rest.orderBy) return rest
  return tidy({ ...rest, orderBy: rest.orderBy.filter((o) => !/^period$|__(prior|diff|ratio|ytd|mtd|rolling_\d+d)$/.test(orders({ orderBy: [o] })[0]?.field ?? "")) })
}

function coverage(model: Model): Range {
  return model.timeRange ? [model.timeRange.from, model.timeRange.to] : "this year"
}
