// A query as something to paste elsewhere. No text holds a token: it names a variable instead.
import type { Payload } from "../query/payload"
import { namespace, runtimeCode, token } from "../server/connection"

export function payloadText(payload: Payload): string {
  return JSON.stringify(payload, null, 2)
}

/** toolText is the call as an agent sends it. */
export function toolText(model: string, payload: Payload): string {
  return JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "dataset.query_model", arguments: { model, payload } } }, null, 2)
}

/** curlText is the call for a shell; a quote in it is written so that no shell takes it for its own. */
export function curlText(model: string, payload: Payload): string {
  const { limit, start, ...param } = payload
  const body = { ...(start !== undefined && { start }), ...(limit !== undefined && { limit }), param }
  const address = `${location.origin}/jdbc-model/query-model/v2/${encodeURIComponent(model)}`
  const lines = [`curl -s ${quoted(address)}`, `-H 'Content-Type: application/json'`]
  if (namespace.value) lines.push(`-H ${quoted("X-NS: " + namespace.value)}`)
  if (token.value) lines.push(`-H "Authorization: Bearer $PARLANCE_TOKEN"`)
  if (runtimeCode.value) lines.push(`-H "X-Service-Runtime-Code: $PARLANCE_CODE"`)
  lines.push(`-d ${quoted(JSON.stringify(body))}`)
  return lines.join(" \\\n  ")
}

function quoted(text: string): string {
  return `'${text.replace(/'/g, `'\\''`)}'`
}
