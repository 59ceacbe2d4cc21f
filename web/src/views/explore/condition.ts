// Conditions in words, and which of them can be edited.
import { isolate } from "../../bidi"
import { formatCell, isTime } from "../../format"
import { operatorsOf, readOperator } from "../../query/operators"
import { isCondition, type Condition, type RawCondition } from "../../query/payload"
import { Exact, write } from "../../server/exact"
import { fieldOf, labelOf, type Model } from "../../server/models"
import { maybe, t } from "../../words"

/** isScalar says whether a value is one that an editor can hold; null is "empty" in lists and an open end in ranges. */
function isScalar(v: unknown): boolean {
  return typeof v === "string" || typeof v === "number" || typeof v === "boolean" || v instanceof Exact
}

/** editable is a condition as the editor shows it; undefined where it cannot. A shorthand is written out. */
export function editable(c: Condition | RawCondition, model: Model): Condition | undefined {
  const whole = isCondition(c) ? c : writtenOut(c, model)
  return whole && isPlain(whole, model) ? whole : undefined
}

/** writtenOut reads {"status": "done"}: a value is =, a list is in, null is nothing. */
function writtenOut(c: RawCondition, model: Model): Condition | undefined {
  if (typeof c !== "object" || c === null || Array.isArray(c)) return undefined
  const [[field, value] = ["", undefined], ...others] = Object.entries(c)
  if (others.length > 0 || !fieldOf(model, field)) return undefined
  if (value === null) return { field, op: "is null" }
  return { field, op: Array.isArray(value) ? "in" : "=", value }
}

/** isPlain says whether the editor can show a condition as it is: a known field and operator, and plain values. */
function isPlain(c: Condition, model: Model): boolean {
  if (!fieldOf(model, c.field)) return false
  const known = ["field", "op", "value", "maxDepth", "max_depth"]
  const operator = readOperator(c.op)
  if (!operator || Object.keys(c).some((key) => !known.includes(key))) return false
  switch (operator.wants) {
    case "none":
      return c.value === undefined || c.value === null || c.value === true
    case "one":
      return isScalar(c.value)
    case "many":
      return isScalar(c.value) || (Array.isArray(c.value) && c.value.every((v) => v === null || isScalar(v)))
    case "range":
      return Array.isArray(c.value) && c.value.length === 2 && c.value.every((v) => v === null || isScalar(v))
  }
}

const logic: Record<string, "condition.or" | "condition.and"> = { $or: "condition.or", $and: "condition.and" }

/** conditionText says a condition in words; of what it does not know it shows the text. */
export function conditionText(c: Condition | RawCondition, model: Model): string {
  if (isCondition(c)) return comparisonText(c, model)
  if (typeof c !== "object" || c === null || Array.isArray(c)) return write(c)
  const [[key, value] = ["", undefined], ...others] = Object.entries(c)
  if (others.length > 0) return write(c)
  const inner = (v: unknown) => (typeof v === "object" && v !== null ? conditionText(v as RawCondition, model) : write(v))
  const word = logic[key]
  if (word && Array.isArray(value)) return value.map((v) => (value.length > 1 && isLogic(v) ? `(${inner(v)})` : inner(v))).join(` ${t(word)} `)
  if (key === "$not") return t("condition.not", Array.isArray(value) ? value.map(inner).join(` ${t("condition.and")} `) : inner(value))
  if (key === "$expr" && typeof value === "string") return value
  const whole = writtenOut(c, model)
  return whole && isPlain(whole, model) ? comparisonText(whole, model) : write(c)
}

function isLogic(v: unknown): boolean {
  return typeof v === "object" && v !== null && Object.keys(v).some((key) => key.startsWith("$"))
}

const mostValues = 3

function comparisonText(c: Condition, model: Model): string {
  const field = fieldOf(model, c.field)
  const shape = { dataType: field?.dataType ?? "string", measure: field?.kind === "MEASURE" }
  const one = (v: unknown): string => valueText(v, (w) => isolate(labelOf(model, field, w) ?? formatCell(w, shape)), model)
  const operator = readOperator(c.op)
  const fitting = operatorsOf(shape.dataType, shape.measure).find((o) => o.op === operator?.op)
  const word = wordOf(fitting?.word ?? operator?.word ?? c.op, isTime(shape.dataType))
  const subject = isolate(field?.caption ?? c.field)
  if (c.value === undefined || operator?.wants === "none") return `${subject} ${word}`
  if (!Array.isArray(c.value)) return [subject, word, one(c.value), depthText(c)].filter(Boolean).join(" ")
  if (operator?.wants === "range") return `${subject} ${rangeText(operator.op, c.value, one)}`
  const shown = c.value.slice(0, mostValues).map(one).join(t("condition.list")) + (c.value.length > mostValues ? ` +${c.value.length - mostValues}` : "")
  const single = c.value.length === 1 && (operator?.op === "in" || operator?.op === "not in")
  return [subject, single ? t(operator?.op === "in" ? "op.=" : "op.!=") : word, shown || t("condition.none"), depthText(c)].filter(Boolean).join(" ")
}

function depthText(c: Condition): string {
  const { maxDepth, max_depth } = c as { maxDepth?: unknown; max_depth?: unknown }
  const depth = maxDepth ?? max_depth
  return depth === undefined ? "" : t("condition.depth", String(depth))
}

/** rangeText writes an interval and says which end is not inside it; one that is open has no value. */
function rangeText(op: string, value: unknown[], one: (v: unknown) => string): string {
  const [from, to] = [value[0], value[1]].map((v) => (v === null || v === undefined ? "…" : one(v)))
  return t(op === "[)" || op === "(]" || op === "()" ? `interval.${op}` : "interval.[]", from ?? "…", to ?? "…")
}

function valueText(v: unknown, write: (v: unknown) => string, model: Model): string {
  if (v === null || v === undefined) return t("filter.empty")
  if (typeof v === "object" && !(v instanceof Exact)) {
    const other = (v as { $field?: unknown }).$field
    return typeof other === "string" ? isolate(fieldOf(model, other)?.caption ?? other) : write(v)
  }
  return v === "" ? "“”" : maybe(`range.${String(v)}`) ?? write(v)
}

/** wordOf is what an operator is called; dates have words of their own. */
export function wordOf(word: string, time: boolean): string {
  return (time ? maybe(`op.time ${word}`) : undefined) ?? maybe(`op.${word}`) ?? word
}
