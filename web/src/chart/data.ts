// From rows to what a chart draws: which kinds fit, which is best, and the series.
import type { Row } from "../query/answer"
import { alongOf, type Along } from "./along"
import { cellKey, compareCells, isNumber } from "./cells"
import { compact, formatCell, formatNumber } from "../format"
import { fieldOf, labelOf, type Model } from "../server/models"
import type { ResultColumn } from "../table/columns"
import { t } from "../words"

export const kinds = ["line", "bar", "stacked", "heat", "value"] as const
export type Kind = (typeof kinds)[number]

export interface Series {
  name: string
  values: (number | null)[] // as far as a picture needs them
  cells: unknown[] // the same with all their digits, for texts
  column: ResultColumn
  prior?: boolean
}

export interface ChartData {
  kind: Kind
  labels: string[] // along the axis
  distances?: Along | undefined // of the labels of a line, where there are any; else they stand evenly
  series: Series[]
  column: ResultColumn // the first measure
  along: ResultColumn | undefined // what the labels are of
  across: ResultColumn | undefined // what the series are of
  temporal: boolean
  cut: { shown: number; of: number } | undefined // labels
  left: number // series that are not shown
  rest?: number | undefined // the label that stands for all the rest
}

const mostBars = 40
const mostPoints = 2000
const mostSeries = 8
const mostCells = 36

/** The most rows that a chart is made of. */
export const mostRows = 5000

/** The rows that a chart is made of: those of the table, without subtotals. */
export interface ChartRows {
  data: Row[]
  others: Row | undefined // all the rest as one
  groups: number // how many rows there are, here or not
  partial: boolean // rows that the chart should have are not here
}

/** wantsAll says whether a chart can only be drawn right with every row: one in an order of its own, or of two keys. */
export function wantsAll(columns: ResultColumn[], line: boolean): boolean {
  const { keys, measures } = places(columns)
  if (measures.length === 0 || keys.length === 0 || keys.length > 2) return false
  return line || keys.length > 1 || keys.some((k) => k.column.temporal)
}

interface Place {
  at: number
  column: ResultColumn
}

/** namedBeside says whether a column is the id of what another one names: it tells groups apart, and is none of its own. */
function namedBeside(column: ResultColumn, columns: ResultColumn[]): boolean {
  const [, dimension] = /^(.+)\$id$/.exec(column.field) ?? []
  return dimension !== undefined && columns.some((c) => c.field === `${dimension}$caption`)
}

function places(columns: ResultColumn[]): { keys: Place[]; measures: Place[] } {
  const all = columns.map((column, at) => ({ at, column }))
  return {
    keys: all.filter(({ column }) => !column.shape.measure && !namedBeside(column, columns)),
    measures: all.filter(({ column }) => column.shape.measure && column.comparison !== "diff" && column.comparison !== "ratio"),
  }
}

/** measuresOf returns the columns that a chart can be of. */
export function measuresOf(columns: ResultColumn[]): ResultColumn[] {
  return places(columns).measures.map((m) => m.column).filter((c) => c.comparison === "")
}

/** fitting returns the kinds that the columns can make, the best first. */
export function fitting(columns: ResultColumn[], rows: ChartRows, measure?: string): Kind[] {
  const { keys, measures } = places(columns)
  const chosen = measures.find((m) => m.column.key === measure) ?? measures[0]
  if (!chosen || rows.data.length === 0) return []
  if (keys.length === 0) return rows.groups === 1 ? ["value"] : []
  const temporal = keys.some((k) => k.column.temporal)
  if (repeated(rows.data, keys)) return keys.length === 1 ? ["bar"] : []
  if (keys.length === 1) return temporal ? (rows.data.length === 1 ? ["bar", "line"] : ["line", "bar"]) : ["bar", "line"]
  if (keys.length > 2) return []
  const second = distinct(rows.data, across(keys).at).length
  if (!chosen.column.additive) return temporal && second <= mostSeries ? ["line", "heat", "bar"] : ["heat", "bar", "line"]
  if (temporal) return second <= mostSeries ? ["line", "stacked", "heat", "bar"] : ["heat", "stacked", "line", "bar"]
  return second <= mostSeries ? ["stacked", "bar", "heat", "line"] : ["heat", "stacked", "bar"]
}

/** repeated says whether rows share their keys, as single rows do: no line leads through them, and no cell holds them. */
function repeated(rows: Row[], keys: Place[]): boolean {
  return new Set(rows.map((r) => keys.map((k) => cellKey(r[k.at])).join("\n"))).size < rows.length
}

function along(keys: Place[]): Place {
  return keys.find((k) => k.column.temporal) ?? (keys[0] as Place)
}

function across(keys: Place[]): Place {
  return keys.find((k) => k !== along(keys)) as Place
}

/** shape turns rows into series for a kind, or undefined where they make none. */
export function shape(kind: Kind, columns: ResultColumn[], rows: ChartRows, model: Model | undefined, measure?: string): ChartData | undefined {
  const { keys, measures } = places(columns)
  const chosen = measures.find((m) => m.column.key === measure) ?? measures[0]
  if (!chosen || keys.length > 2 || rows.data.length === 0) return undefined
  if (kind === "value" || keys.length === 0) return rows.groups === 1 ? figures(rows, measures) : undefined
  if (kind !== "bar" && repeated(rows.data, keys)) return undefined
  return keys.length === 1 ? simple(kind, keys, chosen, measures, rows, model) : crossed(kind, keys, chosen, rows, model)
}

function number(value: unknown): number | null {
  return value === null || value === undefined ? null : Number(value)
}

function figures(rows: ChartRows, measures: Place[]): ChartData | undefined {
  const row = rows.data[0]
  const first = measures[0]
  if (!row || !first) return undefined
  const series = measures.map(({ at, column }) => ({ name: column.caption, values: [number(row[at])], cells: [row[at]], column }))
  return { kind: "value", labels: [""], series, column: first.column, along: undefined, across: undefined, temporal: false, cut: undefined, left: 0 }
}

/** alike says whether two measures can share an axis. */
function alike(a: ResultColumn, b: ResultColumn): boolean {
  return a.shape.dataType === b.shape.dataType && a.unit === b.unit && a.shape.ratio === b.shape.ratio
}

function simple(kind: Kind, keys: Place[], chosen: Place, measures: Place[], rows: ChartRows, model: Model | undefined): ChartData {
  const key = keys[0] as Place
  const all = ordered(kind, key, rows.data) ? rows.data.toSorted((a, b) => compareCells(a[key.at], b[key.at])) : rows.data
  const shown = all.slice(0, kind === "line" ? mostPoints : mostBars)
  const others = kind === "line" ? undefined : rows.others
  const drawn = others ? [...shown, others] : shown
  const labels = drawn.map((r) => (r === others ? t("table.others") : label(r[key.at], key.column, model)))
  const shared = [chosen, ...measures.filter((m) => m !== chosen && alike(m.column, chosen.column))].slice(0, 4)
  const series = shared.map(({ at, column }) => ({ name: column.caption, values: drawn.map((r) => number(r[at])), cells: drawn.map((r) => r[at]), column, prior: column.comparison === "prior" }))
  const kindOf = kind === "stacked" || kind === "heat" ? "bar" : kind
  const distances = kind === "line" ? distancesOf(shown.map((r) => r[key.at]), key.column, model) : undefined
  return { kind: kindOf, labels, distances, series, column: chosen.column, along: key.column, across: undefined, temporal: key.column.temporal, cut: cutOf(shown.length, rows.partial ? rows.data.length : rows.groups), left: 0, rest: others ? drawn.length - 1 : undefined }
}

/** ordered says whether labels stand in their own order: time always, numbers along a line. */
function ordered(kind: Kind, key: Place, rows: Row[]): boolean {
  return key.column.temporal || (kind === "line" && rows.every((r) => r[key.at] === null || isNumber(r[key.at])))
}

/** distancesOf places the keys of a line. Codes that have labels are names, and no numbers. */
function distancesOf(keys: unknown[], column: ResultColumn, model: Model | undefined): Along | undefined {
  return fieldOf(model, column.field)?.dictionary === undefined ? alongOf(keys, column) : undefined
}

function cutOf(shown: number, of: number): ChartData["cut"] {
  return shown < of ? { shown, of } : undefined
}

function crossed(kind: Kind, keys: Place[], chosen: Place, rows: ChartRows, model: Model | undefined): ChartData {
  const x = along(keys)
  const y = across(keys)
  const all = rows.data
  const xs = distinct(all, x.at)
  if (ordered(kind, x, all)) xs.sort(compareCells)
  const ys = byWeight(all, y.at, chosen.at)
  const mostY = kind === "heat" ? mostCells : mostSeries
  const shownX = xs.slice(0, kind === "heat" ? mostCells : kind === "line" ? mostPoints : mostBars)
  const shownY = ys.slice(0, mostY)
  const found = new Map(all.map((r) => [pairKey(r[x.at], r[y.at]), r[chosen.at]]))
  const series = shownY.map((v) => {
    const cells = shownX.map((u) => found.get(pairKey(u, v)))
    return { name: label(v, y.column, model), values: cells.map(number), cells, column: chosen.column }
  })
  return {
    kind, labels: shownX.map((v) => label(v, x.column, model)), distances: kind === "line" ? distancesOf(shownX, x.column, model) : undefined, series, column: chosen.column, along: x.column, across: y.column,
    temporal: x.column.temporal, cut: cutOf(shownX.length, xs.length), left: ys.length - shownY.length,
  }
}

/** foreseen is the chart of the first rows with as many bars as all of them will probably make, so that it takes their room. */
export function foreseen(data: ChartData, rows: ChartRows): ChartData {
  if (data.kind !== "bar" && data.kind !== "stacked") return data
  const n = data.labels.length
  const bars = Math.min(mostBars, Math.max(n, Math.round((n * rows.groups) / rows.data.length)))
  const again = <T>(all: T[]) => Array.from({ length: bars }, (_, i) => all[i % n] as T)
  return { ...data, labels: again(data.labels), series: data.series.map((s) => ({ ...s, values: again(s.values), cells: again(s.cells) })) }
}

function pairKey(a: unknown, b: unknown): string {
  return cellKey(a) + "\n" + cellKey(b)
}

function distinct(rows: Row[], at: number): unknown[] {
  return [...new Map(rows.map((r) => [cellKey(r[at]), r[at]])).values()]
}

/** byWeight orders the values of a column by what stands behind them. */
function byWeight(rows: Row[], at: number, by: number): unknown[] {
  const weight = new Map<string, number>()
  for (const r of rows) weight.set(cellKey(r[at]), (weight.get(cellKey(r[at])) ?? 0) + Math.abs(number(r[by]) ?? 0))
  return distinct(rows, at).sort((a, b) => (weight.get(cellKey(b)) ?? 0) - (weight.get(cellKey(a)) ?? 0))
}

function label(value: unknown, column: ResultColumn, model: Model | undefined): string {
  if (value === null || value === undefined) return t("filter.empty")
  return labelOf(model, fieldOf(model, column.field), value) ?? formatCell(value, column.shape)
}

/** figureText writes a value with the digits that it has. */
export function figureText(cell: unknown, column: ResultColumn): string {
  return isNumber(cell) ? formatNumber(cell, column.shape) : cell === null || cell === undefined ? t("table.null") : formatCell(cell, column.shape)
}

/** axisValues are about so many round values of an axis; of what is counted in whole numbers, whole ones. */
export function axisValues(scale: { ticks: (n: number) => number[] }, n: number, column: ResultColumn): number[] {
  const whole = ["integer", "bigint"].includes(column.shape.dataType) && !column.shape.ratio
  return scale.ticks(n).filter((v) => !whole || Number.isInteger(v))
}

const finest = 6

/** axisTexts writes the numbers of an axis, with as many digits as tell them apart. */
export function axisTexts(values: number[], column: ResultColumn): string[] {
  for (let finer = 0; ; finer++) {
    const texts = values.map((v) => compact(v, column.shape, finer))
    if (new Set(texts).size === texts.length || finer === finest) return texts
  }
}

/** axisText writes a number roughly. */
export function axisText(value: number, column: ResultColumn): string {
  return compact(value, column.shape)
}
