// Which values of a payload's clauses the page understands. The server takes more, and says what is wrong with the rest.

type Check = (value: unknown) => boolean

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

const text: Check = (v) => typeof v === "string"
const truth: Check = (v) => typeof v === "boolean"
const whole: Check = (v) => Number.isSafeInteger(v) && (v as number) >= 0
const list = (of: Check): Check => (v) => Array.isArray(v) && v.every(of)
const maybe = (of: Check): Check => (v) => v === undefined || of(v)
const object = (parts: Record<string, Check>): Check => (v) => isObject(v) && Object.entries(parts).every(([name, check]) => check(v[name]))
const either = (...all: Check[]): Check => (v) => all.some((check) => check(v))

const conditions = list(isObject)
const range = either(text, (v) => list(text)(v) && (v as unknown[]).length === 2)

const checks: Record<string, Check> = {
  columns: list(text),
  exColumns: list(text),
  slice: conditions,
  having: conditions,
  groupBy: list(either(text, object({ field: text, agg: maybe(text) }))),
  orderBy: list(either(text, object({ field: text, order: maybe(text), dir: maybe(text), direction: maybe(text) }))),
  calculatedFields: list(object({ name: text, expression: text })),
  timeWindow: object({ field: text, grain: text, comparison: text, range: maybe(range), targetMetrics: maybe(list(text)) }),
  topN: object({ by: text, n: whole, others: maybe(truth) }),
  withSubtotals: truth,
  returnTotal: truth,
  distinct: truth,
  limit: whole,
  start: whole,
  page: (v) => whole(v) && (v as number) > 0,
  pageSize: whole,
}

/** The clauses of a payload that the page knows. */
export const clauses = Object.keys(checks)

/** understood says whether a clause has a value that the page can show and edit. */
export function understood(name: string, value: unknown): boolean {
  return Object.hasOwn(checks, name) && (checks[name] as Check)(value)
}
