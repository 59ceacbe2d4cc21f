// Cells as keys and in order, with all their digits: no two cells that differ are taken for one.
import { Exact } from "../server/exact"

/** cellKey returns a text that is the same for the same cell only. */
export function cellKey(v: unknown): string {
  if (typeof v === "number" || v instanceof Exact) return `number ${String(v)}`
  return v === undefined ? "object null" : `${typeof v} ${String(v)}`
}

/** compareCells orders cells as the server does: numbers by value, texts by code point, what is missing last. */
export function compareCells(a: unknown, b: unknown): number {
  const missing = Number(a === null || a === undefined) - Number(b === null || b === undefined)
  if (missing !== 0 || a === null || a === undefined) return missing
  if (isNumber(a) && isNumber(b)) return compareNumbers(a, b)
  const [x, y] = [String(a), String(b)]
  return x === y ? 0 : x < y ? -1 : 1
}

export function isNumber(v: unknown): v is number | Exact {
  return typeof v === "number" || v instanceof Exact
}

function compareNumbers(a: number | Exact, b: number | Exact): number {
  const rough = Number(a) - Number(b)
  if (rough !== 0 || (typeof a === "number" && typeof b === "number")) return rough
  const [x, y] = [String(a), String(b)]
  if (/[^\d.-]/.test(x + y)) return 0
  const scale = Math.max(fraction(x).length, fraction(y).length)
  const exact = (text: string) => BigInt(text.replace(/\..*/, "") + fraction(text).padEnd(scale, "0"))
  return exact(x) < exact(y) ? -1 : Number(exact(x) > exact(y))
}

function fraction(text: string): string {
  return text.split(".")[1] ?? ""
}
