// What models there are and what is in them, as the caller may see it.
import { Failure } from "./failure"
import { callTool } from "./call"
import { identity } from "./connection"
import type { Payload } from "../query/payload"

export interface TimeRange {
  field: string
  from: string
  to: string
}

export interface ModelCard {
  name: string
  caption: string
  description: string
  measures: number
  dimensions: number
  timeRange?: TimeRange
}

export type Kind = "DIMENSION" | "ATTRIBUTE" | "MEASURE"

export interface Field {
  name: string
  kind: Kind
  dataType: string
  caption: string
  description?: string
  aggregation?: string
  additivity?: string
  dictionary?: string
  synonyms?: string[]
  unit?: string
  masked?: boolean | string
}

export interface Code {
  code: string | number
  label?: string
  synonyms?: string[]
}

export interface Model {
  model: string
  caption: string
  description: string
  namespace: string
  key: string[]
  defaultOrder: string[]
  fields: Field[]
  dictionaries: Record<string, Code[]>
  hierarchies: unknown[]
  timeRange?: TimeRange
  sampleValues: Record<string, unknown[]>
  examples: { question: string; payload: Payload }[]
}

export interface ModelList {
  namespace: string
  models: ModelCard[]
  total?: number
  next?: { start: number; limit: number }
}

const page = 200

/** listModels returns the card of every model that the caller may see, those with measures first. */
export async function listModels(signal?: AbortSignal): Promise<ModelList> {
  const first = await callTool<ModelList>("analyst", "dataset.list_models", {}, signal)
  const all = [...first.models]
  for (let next = first.next; next; ) {
    const more = await callTool<ModelList>("analyst", "dataset.list_models", { start: next.start, limit: page }, signal)
    all.push(...more.models)
    next = more.models.length > 0 ? more.next : undefined
  }
  return { namespace: first.namespace, models: all.toSorted((a, b) => Number(b.measures > 0) - Number(a.measures > 0)) }
}

const described = new Map<string, Promise<Model>>()

/** describe returns a model; it is asked once for each identity. */
export function describe(model: string): Promise<Model> {
  const key = identity.value + model
  let known = described.get(key)
  if (!known) {
    if (described.size > 100) described.clear()
    known = callTool<Model>("analyst", "dataset.describe_model_internal", { model })
    known.catch(() => described.delete(key))
    described.set(key, known)
  }
  return known
}

/** fieldOf finds a field by its name. */
export function fieldOf(model: Model | undefined, name: string): Field | undefined {
  return model?.fields.find((f) => f.name === name)
}

/** labelOf returns the label that a model's dictionary has for a code, or undefined. */
export function labelOf(model: Model | undefined, field: Field | undefined, value: unknown): string | undefined {
  if (!model || !field?.dictionary || value === null) return undefined
  return model.dictionaries[field.dictionary]?.find((c) => String(c.code) === String(value))?.label
}

export interface FieldValue {
  value: string | number | boolean | null
  label?: string
  count?: number
}

/** fieldValues suggests values of a field. Of a field that holds no texts the server gives some values, which are searched here. */
export async function fieldValues(model: string, field: string, search: string, signal?: AbortSignal): Promise<FieldValue[]> {
  const ask = (more: object) => callTool<{ values?: FieldValue[]; examples?: FieldValue[] }>("analyst", "dataset.field_values", { model, field, limit: 50, ...more }, signal)
  const answer = await ask(search ? { search } : {}).catch((error: unknown) => {
    if (error instanceof Failure && error.mistake?.reason === "not_searchable") return ask({})
    throw error
  })
  return answer.values ?? (answer.examples ?? []).filter((v) => String(v.value).includes(search.trim()))
}
