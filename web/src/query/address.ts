// A query as the part of an address behind #: readable, and lossless for any payload.
import { parseUnique, write } from "../server/exact"
import type { Payload } from "./payload"
import { understood } from "./shape"

/** Parameters of an address; a name may stand several times. */
export type Params = [name: string, value: string][]

const lists = ["columns", "exColumns", "groupBy", "orderBy"]
const switches = ["withSubtotals", "returnTotal", "distinct"]

/** Parameters that are the page's own. A clause of such a name has a dot in front. */
const reserved = ["ns", "chart", "q", "pick"]

/** writePayload names a payload's clauses. Lists of plain names are written with commas, everything else as JSON. */
export function writePayload(p: Payload): Params {
  return Object.entries(p)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [reserved.includes(name) || name.startsWith(".") ? "." + name : name, clauseText(name, value)])
}

function clauseText(name: string, value: unknown): string {
  if (lists.includes(name) && Array.isArray(value)) return value.every(isPlain) ? value.join(",") : write(value)
  if (switches.includes(name) && typeof value === "boolean") return value ? "1" : "0"
  return lists.includes(name) || switches.includes(name) ? " " + write(value) : write(value) // what a space leads is JSON
}

function isPlain(v: unknown): boolean {
  return typeof v === "string" && /^[^,[{"\s][^,]*$/.test(v) && !/\p{Surrogate}/u.test(v)
}

/** What an address says of a query. */
export interface ReadQuery {
  payload: Payload // what the page can show and edit
  odd: Record<string, unknown> // clauses that only the server can judge
  unread: Params // what is no clause at all
}

/** readPayload is the inverse of writePayload. Nothing is left out: what cannot be read is told. */
export function readPayload(params: Params): ReadQuery {
  const payload: Record<string, unknown> = {}
  const odd: Record<string, unknown> = {}
  const unread: Params = []
  for (const [written, text] of params) {
    if (reserved.includes(written)) continue
    const name = written.startsWith(".") ? written.slice(1) : written
    const value = readClause(name, text)
    if (value === undefined || Object.hasOwn(payload, name) || Object.hasOwn(odd, name)) unread.push([written, text])
    else Object.defineProperty(understood(name, value) ? payload : odd, name, { value, enumerable: true, writable: true, configurable: true })
  }
  return { payload, odd, unread }
}

function readClause(name: string, text: string): unknown {
  if (lists.includes(name) && !/^[\s[{"]/.test(text)) return text.split(",").filter(Boolean)
  if (switches.includes(name) && (text === "1" || text === "0")) return text === "1"
  try {
    return parseUnique(text)
  } catch {
    return undefined
  }
}

/** wholeOf is the payload that the server is sent. */
export function wholeOf({ payload, odd }: Pick<ReadQuery, "payload" | "odd">): Payload {
  return { ...payload, ...odd }
}

/** encode writes parameters; characters that are safe behind # stay readable. */
export function encode(params: Params): string {
  return params.map(([name, value]) => `${escape(name)}=${escape(value)}`).join("&")
}

function escape(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\ufffd"))
    .replace(/%(?:24|2C|3A|2F|40|3B|5B|5D|7B|7D)/g, (code) => decodeURIComponent(code))
    .replace(/%20/g, "+")
}

/** decode is the inverse of encode; broken escapes are kept as they are. */
export function decode(text: string): Params {
  return text
    .split("&")
    .filter(Boolean)
    .map((part) => {
      const [name = "", ...value] = part.split("=")
      return [unescape(name), unescape(value.join("="))]
    })
}

function unescape(text: string): string {
  const spaced = text.replace(/\+/g, " ")
  try {
    return decodeURIComponent(spaced)
  } catch {
    return spaced
  }
}
