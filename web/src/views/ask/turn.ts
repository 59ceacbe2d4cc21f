// A conversation: each question knows what was asked before it. Earlier answers are kept, so that a follow-up asks once.
import type { Answer, SchemaColumn } from "../../query/answer"
import type { Payload } from "../../query/payload"
import { callTool } from "../../server/call"
import { caller, identity } from "../../server/connection"
import { describe, fieldOf, type Field, type Model } from "../../server/models"
import { Failure } from "../../server/failure"
import { Exact } from "../../server/exact"
import { t, type Word } from "../../words"
import { namedAs } from "./named"

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
  session: string | undefined // what a follow-up names
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

/** answer asks for one caller only: where another takes over in between, nobody waits for it any more. */
async function answer(questions: string[]): Promise<Turn> {
  const asker = caller.value
  const before = questions.length > 1 ? await askTurn(questions.slice(0, -1)) : undefined
  const query = questions[questions.length - 1] ?? ""
  if (caller.value !== asker) throw new DOMException("another caller asks", "AbortError")
  try {
    return await ask(query, before?.session)
  } catch (error) {
    if (!before?.session || !(error instanceof Failure) || !error.mistake?.path?.includes("session")) throw error
    asked.clear() // the server has forgotten the conversation: it is told again
    return ask(query, (await askTurn(questions.slice(0, -1))).session)
  }
}

async function ask(query: string, session: string | undefined): Promise<Turn> {
  const reply = await patiently(() => callTool<Reply>("business", "dataset_nl.query", { query, ...(session && { session_id: session }) }))
  const model = reply.model ? await describe(reply.model).catch(() => undefined) : undefined
  return { reply, model: model && namedAs(reply.understood ?? "", model), session: reply.session_id }
}

const tries = 6
const pause = 1000

/** patiently tries again while the server says that it will be able to answer in a moment. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  const asker = caller.value
  for (let i = 1; ; i++) {
    try {
      return await work()
    } catch (error) {
      if (i >= tries || !(error instanceof Failure) || error.kind !== "busy") throw error
      await new Promise((go) => setTimeout(go, pause))
      if (caller.value !== asker) throw error
    }
  }
}

/** answerOf gives a reply the form of an answer; where no schema came, the rows tell what they hold. */
export function answerOf(reply: Reply, model: Model | undefined): Answer {
  const items = reply.items ?? []
  const columns = Object.keys(items[0] ?? {})
  const rows = items.map((item) => columns.map((c) => item[c]))
  const schema = reply.schema ?? columns.map((name) => columnOf(name, fieldOf(model, name), reply))
  return {
    columns, rows, schema, total: reply.total ?? rows.length, applied: {},
    ...(reply.totalData && { totalData: reply.totalData }),
    pagination: { start: 0, limit: rows.length, returned: rows.length, totalCount: reply.total ?? rows.length },
  }
}

/** What questions make of measures, by the names that it has in their queries. */
const derived: Record<string, { word: Word; dataType?: string }> = {
  share: { word: "ask.share", dataType: "percent" },
  growth: { word: "ask.growth", dataType: "percent" },
  running: { word: "ask.running" },
  average: { word: "ask.average" },
}

function columnOf(name: string, field: Field | undefined, reply: Reply): SchemaColumn {
  const dataType = field?.dataType ?? guess(reply.items ?? [], name)
  const made = field || !reply.payload?.calculatedFields?.some((c) => c.name === name) ? undefined : derived[name.replace(/_+$/, "")]
  return { name, caption: field?.caption ?? (made ? t(made.word) : name), dataType: made?.dataType ?? dataType }
}

function guess(items: Record<string, unknown>[], name: string): string {
  const value = items.map((i) => i[name]).find((v) => v !== null && v !== undefined)
  if (typeof value === "boolean") return "boolean"
  if (typeof value !== "number" && !(value instanceof Exact)) return "string"
  return items.every((i) => Number.isInteger(Number(i[name] ?? 0))) ? "bigint" : "decimal"
}
