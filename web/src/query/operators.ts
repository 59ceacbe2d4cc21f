// Which operators fit which type, and what they want for a value.
import { isNumeric, isTime } from "../format"

export type Wants = "none" | "one" | "many" | "range"

export interface Operator {
  op: string
  word: string // the word's name behind "op."
  wants: Wants
}

const op = (name: string, wants: Wants = "one", word = name): Operator => ({ op: name, word, wants })

const nothing = [op("is null", "none"), op("is not null", "none")]
const text = [op("in", "many"), op("not in", "many"), op("like"), op("not like"), op("right_like"), op("left_like"), ...nothing]
const number = [op(">="), op("<="), op(">"), op("<"), op("="), op("!="), op("[]", "range"), ...nothing]
const time = [op("[]", "range"), op(">=", "one", "after"), op("<", "one", "before"), op("=", "one", "period"), ...nothing]
const truth = [op("="), op("!="), ...nothing]
const codes = [op("in", "many"), op("not in", "many"), ...nothing]

/** operatorsOf returns the operators of a type, the likeliest first. */
export function operatorsOf(dataType: string, measure: boolean, coded = false): Operator[] {
  if (dataType === "boolean") return truth
  if (isTime(dataType)) return time
  if (coded) return codes
  if (isNumeric(dataType)) return measure ? number : [op("in", "many"), op("not in", "many"), ...number]
  return text
}
