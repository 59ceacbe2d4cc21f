// A conversation: each question knows what was asked before it. Earlier answers are kept, so that a follow-up asks once.
import type { Answer, SchemaColumn } from "../../query/answer"
import type { Payload } from "../../query/payload"
import { callTool, listTools } from "../../server/call"
import { identity } from "../../server/connection"
import { describe, type Model } from "../../server/models"
import { Exact } from "../../server/exact"

export interface Reading {
  text: string
  model: string
  payload: Payload
}

export interface Reply {
  type: "result" | "clarify" | "error"
  question: string
  understood?: string
  model?: string
  payload?: Payload
  items?: Record<string, unknown>[]
  total?: number
  totalData?: Record<string, unknown>
  schema?: SchemaColumn[]
  summary?: string
  message?: string
  choices?: Reading[]
  alternatives?: Reading[]
  confidence?: number | string
  session_id?: string
}

export interface Turn {
  reply: Reply
  model: Model | undefined
  session: string
}

const asked = new Map<string, Promise<Turn>>()

/** askTurn answers the last of some questions, each a follow-up of the one before. */
export function askTurn(questions: string[]): Promise<Turn> {
  const key = identity.value + JSON.stringify(questions)
  let known = asked.get(key)
  if (!known) {
    if (asked.size > 200) asked.clear()
    known = answer(questions)
    known.catch(() => asked.delete(key))
    asked.set(key, known)
  }
  return known
}

/** forget has a conversation asked anew, from its beginning. */
export function forget(): void {
  asked.clear()
}

async function answer(questions: string[]): Promise<Turn> {
  const before = questions.length > 1 ? await askTurn(questions.slice(0, -1)) : undefined
  const session = before?.session ?? newSession()
  const follows = (await known()).has("session_id")
  const reply = await callTool<Reply>("business", "dataset_nl.query", { query: questions[questions.length - 1] ?? "", ...(follows && { session_id: session }) })
  const model = reply.model ? await describe(reply.model).catch(() => undefined) : undefined
  return { reply, model, session: reply.session_id ?? session }
}

function newSession(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (b) => b.toString(16).padStart(2, "0")).join("")
}

let parameters: { of: string; names: Promise<Set<string>> } | undefined

/** known asks which arguments the tool takes: older servers know no sessions. */
function known(): Promise<Set<string>> {
  if (parameters?.of !== identity.value) parameters = { of: identity.value, names: askTools() }
  return parameters.names
}

async function askTools(): Promise<Set<string>> {
  const tools = await listTools("business").catch(() => [])
  return new Set(Object.keys(tools.find((tool) => tool.name === "dataset_nl.query")?.inputSchema.properties ?? {}))
}

/** answerOf gives a reply the form of an answer; where no schema came, the rows tell what they hold. */
export function answerOf(reply: Reply, model: Model | undefined): Answer {
  const items = reply.items ?? []
  const columns = Object.keys(items[0] ?? {})
  const rows = items.map((item) => columns.map((c) => item[c]))
  const schema = reply.schema ?? columns.map((name) => ({ name, caption: model?.fields.find((f) => f.name === name)?.caption ?? name, dataType: model?.fields.find((f) => f.name === name)?.dataType ?? guess(items, name) }))
  return {
    columns, rows, schema, total: reply.total ?? rows.length, applied: {},
    ...(reply.totalData && { totalData: reply.totalData }),
    pagination: { start: 0, limit: rows.length, returned: rows.length, totalCount: reply.total ?? rows.length },
  }
}

function guess(items: Record<string, unknown>[], name: string): string {
  const value = items.map((i) => i[name]).find((v) => v !== null && v !== undefined)
  if (typeof value === "boolean") return "boolean"
  if (typeof value !== "number" && !(value instanceof Exact)) return "string"
  return items.every((i) => Number.isInteger(Number(i[name] ?? 0))) ? "bigint" : "decimal"
}
