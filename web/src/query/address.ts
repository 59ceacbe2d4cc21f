// A query as the part of an address behind #: readable, and lossless for any payload.
import type { Payload } from "./payload"

/** Parameters of an address; a name may stand several times. */
export type Params = [name: string, value: string][]

const lists = ["columns", "exColumns", "groupBy", "orderBy"]
const trees = ["slice", "having", "calculatedFields", "timeWindow", "topN"]
const switches = ["withSubtotals", "returnTotal", "distinct"]
const numbers = ["limit", "start"]

/** writePayload names a payload's clauses. Lists of plain names are written with commas, everything else as JSON. */
export function writePayload(p: Payload): Params {
  const params: Params = []
  for (const [name, value] of Object.entries(p)) {
    if (value === undefined) continue
    if (lists.includes(name) && (value as unknown[]).every((v) => typeof v === "string" && /^[^,[]+$/.test(v))) {
      params.push([name, (value as string[]).join(",")])
    } else if (switches.includes(name)) {
      if (value) params.push([name, "1"])
    } else {
      params.push([name, JSON.stringify(value)])
    }
  }
  return params
}

/** readPayload is the inverse of writePayload. What makes no sense is left out. */
export function readPayload(params: Params): Payload {
  const payload: Record<string, unknown> = {}
  for (const [name, value] of params) {
    if (lists.includes(name)) payload[name] = value.startsWith("[") ? json(value) : value.split(",").filter(Boolean)
    else if (trees.includes(name)) payload[name] = json(value)
    else if (switches.includes(name)) payload[name] = value === "1"
    else if (numbers.includes(name)) payload[name] = json(value)
  }
  return Object.fromEntries(Object.entries(payload).filter(([name, v]) => fits(name, v))) as Payload
}

function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function fits(name: string, value: unknown): boolean {
  if (lists.includes(name) || name === "slice" || name === "having" || name === "calculatedFields") return Array.isArray(value)
  if (name === "timeWindow" || name === "topN") return typeof value === "object" && value !== null
  if (numbers.includes(name)) return Number.isInteger(value)
  return value !== undefined
}

/** encode writes parameters; characters that are safe behind # stay readable. */
export function encode(params: Params): string {
  return params.map(([name, value]) => `${escape(name)}=${escape(value)}`).join("&")
}

function escape(text: string): string {
  return encodeURIComponent(text)
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
