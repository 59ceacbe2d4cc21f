// Where the keys of a line stand: numbers at their distances, periods and days on the axis of time.
import type { ResultColumn } from "../table/columns"
import { isNumber } from "./cells"

/** The places of labels along an axis on which distance means something. */
export interface Along {
  places: number[] // rising
  known: number // how many of them are of keys that have a value; the others stand behind
  broken: boolean[] // whether something is missing before a label, so that no line leads there
  whole: boolean | undefined // of numbers: whether there is nothing between two that follow each other
}

const behind = 0.08 // of the axis, between the last value and what has none

/** alongOf places keys that stand in their order; undefined where they have no distances, and stand evenly. */
export function alongOf(keys: unknown[], column: ResultColumn): Along | undefined {
  const known = keys.filter((k) => k !== null && k !== undefined)
  const read = known.every(isNumber) ? Number : column.temporal ? formOf(known[0]) : undefined
  const places = read && known.map(read)
  if (!places || places.length < 2 || !places.every((p, i) => Number.isFinite(p) && (i === 0 || p > (places[i - 1] as number)))) return undefined
  const [first = 0, last = 0] = [places[0], places[places.length - 1]]
  const missing = column.temporal ? longestStep(places, read === Number ? period : spanOf(known[0])) : Infinity
  return {
    places: keys.map((_, i) => places[i] ?? last + (last - first) * behind * (i - places.length + 1)),
    known: places.length,
    broken: keys.map((_, i) => i >= places.length || (i > 0 && (places[i] as number) - (places[i - 1] as number) > missing)),
    whole: read === Number && !column.temporal ? known.every((k) => Number.isInteger(Number(k))) : undefined,
  }
}

const day = 86_400_000
const period = 1

interface Form {
  like: RegExp
  read: (text: string) => number
  span?: number // between two that follow each other, where it is always the same
}

/** The ways in which time is written, each with its place on an axis of its own. */
const forms: Form[] = [
  { like: /^\d{4}$/, read: Number, span: period },
  { like: /^\d{4}-\d\d$/, read: (text) => Number(text.slice(0, 4)) * 12 + Number(text.slice(5)), span: period },
  { like: /^\d{4}-Q[1-4]$/, read: (text) => Number(text.slice(0, 4)) * 4 + Number(text.slice(6)), span: period },
  { like: /^\d{4}-W\d\d$/, read: (text) => weekBefore(Number(text.slice(0, 4))) + Number(text.slice(6)), span: period },
  { like: /^\d{4}-\d\d-\d\d$/, read: (text) => Date.parse(text) / day },
  { like: /^\d{4}-\d\d-\d\dT/, read: (text) => Date.parse(/(Z|[-+]\d\d:\d\d)$/.test(text) ? text : text + "Z") / day },
]

/** weekBefore is the place of the week before the first of a year, which is the one that holds 4 January. */
function weekBefore(year: number): number {
  return Math.floor((Date.UTC(year, 0, 4) / day + 3) / 7) - 1
}

function formFor(key: unknown): Form | undefined {
  return typeof key === "string" ? forms.find((f) => f.like.test(key)) : undefined
}

function formOf(first: unknown): ((key: unknown) => number) | undefined {
  const form = formFor(first)
  return form && ((key) => (typeof key === "string" && form.like.test(key) ? form.read(key) : NaN))
}

function spanOf(first: unknown): number | undefined {
  return formFor(first)?.span
}

const usual = 1.5 // as long as a step may be, in steps as they mostly are
const mostly = 0.75 // of all steps, where days follow each other by a rule

/** longestStep is how far apart two keys may be with nothing missing between them. Days without a rule may be any time apart. */
function longestStep(places: number[], span: number | undefined): number {
  const steps = places.slice(1).map((p, i) => p - (places[i] as number))
  const step = span ?? (steps.toSorted((a, b) => a - b)[Math.floor(steps.length / 2)] as number)
  const regular = steps.filter((s) => s <= step * usual && s >= step / usual).length >= steps.length * mostly
  return span !== undefined || regular ? step * usual : Infinity
}
