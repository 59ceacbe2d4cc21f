// The operators of conditions: every spelling of each, what it wants for a value, and which of them fit which type.
import { isNumeric, isTime } from "../format"

export type Wants = "none" | "one" | "many" | "range"

export interface Operator {
  op: string
  word: string // the word's name behind "op."
  wants: Wants
}

/** spellings has every operator by its main spelling, with what it wants and what else it may be called. */
const spellings: Record<string, [wants: Wants, ...others: string[]]> = {
  "=": ["one", "==", "eq"],
  "!=": ["one", "<>", "ne"],
  "===": ["one"],
  ">": ["one", "gt"],
  ">=": ["one", "gte"],
  "<": ["one", "lt"],
  "<=": ["one", "lte"],
  in: ["many"],
  "not in": ["many", "nin", "not_in", "notin"],
  like: ["one", "contains"],
  left_like: ["one", "ends_with"],
  right_like: ["one", "starts_with"],
  "not like": ["one", "not contains", "not_like", "not_contains"],
  "not left_like": ["one", "not ends_with", "not_left_like", "not_ends_with"],
  "not right_like": ["one", "not starts_with", "not_right_like", "not_starts_with"],
  "is null": ["none", "isnull", "is_null"],
  "is not null": ["none", "isnotnull", "is_not_null"],
  isNullAndEmpty: ["none", "is_null_and_empty"],
  isNotNullAndEmpty: ["none", "is_not_null_and_empty"],
  "[]": ["range", "between"],
  "[)": ["range"],
  "(]": ["range"],
  "()": ["range"],
  bit_in: ["many"],
  childrenOf: ["many", "children_of"],
  descendantsOf: ["many", "descendants_of"],
  selfAndDescendantsOf: ["many", "self_and_descendants_of"],
  ancestorsOf: ["many", "ancestors_of"],
  selfAndAncestorsOf: ["many", "self_and_ancestors_of"],
}

const bySpelling = new Map(Object.entries(spellings).flatMap(([main, [wants, ...others]]) => [main, ...others].map((word) => [word.toLowerCase(), { op: main, word: main, wants }] as const)))

/** readOperator finds the operator that a word spells, in any case; it has its main spelling. */
export function readOperator(word: string): Operator | undefined {
  return bySpelling.get(word.trim().split(/\s+/).join(" ").toLowerCase())
}

const op = (name: string, word = name): Operator => ({ ...(readOperator(name) as Operator), word })

const nothing = [op("is null"), op("is not null")]
const text = [op("in"), op("not in"), op("like"), op("not like"), op("right_like"), op("left_like"), ...nothing]
const number = [op(">="), op("<="), op(">"), op("<"), op("="), op("!="), op("[]"), ...nothing]
const time = [op("[]"), op(">=", "after"), op("<", "before"), op("=", "period"), ...nothing]
const truth = [op("="), op("!="), ...nothing]
const codes = [op("in"), op("not in"), ...nothing]

/** operatorsOf returns the operators of a type, the likeliest first. */
export function operatorsOf(dataType: string, measure: boolean, coded = false): Operator[] {
  if (dataType === "boolean") return truth
  if (isTime(dataType)) return time
  if (coded) return codes
  if (isNumeric(dataType)) return measure ? number : [op("in"), op("not in"), ...number]
  return text
}

/** offered returns the operators of a type and, under the spelling that it has there, that of a condition. */
export function offered(all: Operator[], written: string | undefined): Operator[] {
  const own = written === undefined ? undefined : readOperator(written)
  if (!own || written === undefined) return all
  if (!all.some((o) => o.op === own.op)) return [{ ...own, op: written }, ...all]
  return all.map((o) => (o.op === own.op ? { ...o, op: written } : o))
}
