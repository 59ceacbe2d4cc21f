// The two public doors of the server: tools over JSON-RPC, and the HTTP query interface. Nothing else is asked.
import { addressed, headers, lost, unsendable } from "./connection"
import { parse, write } from "./exact"
import { aborted, Failure, ofMistake, type Mistake } from "./failure"
import { t } from "../words"

export type Role = "admin" | "analyst" | "business"

let calls = 0

/** callTool calls a tool on a role's endpoint and returns its decoded answer. It throws a Failure. */
export async function callTool<T>(role: Role, name: string, args: object, signal?: AbortSignal): Promise<T> {
  const result = (await rpc(role, { name, arguments: args }, signal)) as { content: { text: string }[]; isError?: boolean }
  if (!Array.isArray(result?.content)) throw new Failure("internal", "")
  const answer = parse(result.content[0]?.text ?? "null")
  if (result.isError) throw ofMistake((answer as { error: Mistake }).error)
  return answer as T
}

async function rpc(role: Role, params: object, signal?: AbortSignal): Promise<unknown> {
  const body = write({ jsonrpc: "2.0", id: `page-${++calls}`, method: "tools/call", params })
  const { response, text } = await post(`mcp/${role}/rpc`, body, signal)
  const answer = decode(text, response) as { result?: unknown; error?: { message: string; data?: { traceId?: string } } }
  if (answer.error) throw refused(response, answer.error.message, answer.error.data?.traceId)
  return answer.result
}

/** callQuery asks the HTTP query interface and returns the envelope's data, read as wanted. It throws a Failure. */
export async function callQuery<T>(path: string, body: object, signal?: AbortSignal, read = parse): Promise<T> {
  const { response, text } = await post(`jdbc-model/query-model/${path}`, write(body), signal)
  const envelope = decode(text, response, read) as { code: number; data: T; msg: string }
  const code = Number(envelope.code)
  if (code === 0) return envelope.data
  if (!response.ok) throw refused(response, envelope.msg)
  throw ofMistake({ code, reason: "", message: envelope.msg })
}

async function post(path: string, body: string, signal?: AbortSignal): Promise<{ response: Response; text: string }> {
  const wrong = unsendable()
  if (wrong) throw new Failure(wrong, t(wrong === "token" ? "fail.badToken" : "fail.badCode"))
  try {
    const response = await fetch(addressed(path), { method: "POST", headers: headers(), body, credentials: "omit", cache: "no-store", ...(signal && { signal }) })
    return { response, text: await response.text() }
  } catch (error) {
    if (aborted(error)) throw error
    lost()
    throw new Failure("unreachable", "")
  }
}

function decode(text: string, response: Response, read = parse): unknown {
  try {
    return read(text)
  } catch {
    const said = /^\s*</.test(text) ? "" : text.trim().slice(0, 200) // a page of whatever stands between is not for reading here
    if (response.ok) throw new Failure("internal", said)
    throw refused(response, said || `${response.status} ${response.statusText}`.trim())
  }
}

function refused(response: Response, message: string, trace?: string): Failure {
  const more = trace ? { trace } : {}
  switch (response.status) {
    case 401:
      return new Failure(response.headers.has("WWW-Authenticate") ? "token" : "code", message, more)
    case 403:
      return new Failure("forbidden", message, more)
    case 503:
      return new Failure("busy", message, more)
  }
  return new Failure(trace || response.status >= 500 ? "internal" : "mistake", message, more)
}
