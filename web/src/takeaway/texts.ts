// A query as something to paste elsewhere: it gives what the page shows. No text holds a token: it names a variable instead.
import { largestPage } from "../query/pages"
import type { Payload } from "../query/payload"
import { rowsWithin, unpaged, type Window } from "../query/window"
import { namespace, runtimeCode, token } from "../server/connection"
import { write } from "../server/exact"

/** Which rows are shown, and how many rows there are in all. */
export interface Shown {
  window: Window
  total: number
}

export function payloadText(payload: Payload): string {
  return write(payload, 2)
}

/** limitOf is how many rows a call must ask for to give all that is shown, as far as one call can. */
function limitOf({ window, total }: Shown): number {
  return Math.min(largestPage(), Math.max(rowsWithin(window, total), Math.min(1, window.limit)))
}

/** inParts says whether what is shown is more than one call gives. */
export function inParts({ window, total }: Shown): boolean {
  return rowsWithin(window, total) > largestPage()
}

function startOf({ window }: Shown): { start?: number } {
  return window.start > 0 ? { start: window.start } : {}
}

/** toolText is the call as an agent sends it. */
export function toolText(model: string, payload: Payload, shown: Shown): string {
  const paged = { ...unpaged(payload), ...startOf(shown), limit: limitOf(shown) }
  return write({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "dataset.query_model", arguments: { model, payload: paged } } }, 2)
}

/** curlText is the call for a shell; a quote in it is written so that no shell takes it for its own. More rows than a page has are read in a loop. */
export function curlText(model: string, payload: Payload, shown: Shown): string {
  const address = `${location.origin}/jdbc-model/query-model/v2/${encodeURIComponent(model)}`
  const lines = [`curl -s ${quoted(address)}`, `-H 'Content-Type: application/json'`]
  if (namespace.value) lines.push(`-H ${quoted("X-NS: " + namespace.value)}`)
  if (token.value) lines.push(`-H "Authorization: Bearer $PARLANCE_TOKEN"`)
  if (runtimeCode.value) lines.push(`-H "X-Service-Runtime-Code: $PARLANCE_CODE"`)
  if (inParts(shown)) return loop(lines, payload, shown)
  const body = { ...startOf(shown), limit: limitOf(shown), param: unpaged(payload) }
  return [...lines, `-d ${quoted(write(body))}`].join(" \\\n  ")
}

function loop(lines: string[], payload: Payload, { window, total }: Shown): string {
  const size = largestPage()
  const end = window.start + rowsWithin(window, total)
  const limit = Number.isFinite(window.limit) ? `'"$((${end} - start < ${size} ? ${end} - start : ${size}))"'` : String(size)
  const body = `-d '{"start":'"$start"',"limit":${limit}${quoted(`,"param":${write(unpaged(payload))}}`).slice(1)}`
  return `for start in $(seq ${window.start} ${size} ${end - 1}); do\n  ${[...lines, body].join(" \\\n    ")}\ndone`
}

function quoted(text: string): string {
  return `'${text.replace(/'/g, `'\\''`)}'`
}
