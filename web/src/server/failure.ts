// What can go wrong between the page and the server, in the words that a person is shown.

/** One step of a JSON Patch (RFC 6902) on the arguments of a call. */
export interface PatchStep {
  op: "add" | "remove" | "replace" | "move" | "copy" | "test"
  path: string
  from?: string
  value?: unknown
}

/** What the server says of a call that the caller can mend. */
export interface Mistake {
  code: number
  reason: string
  message: string
  path?: string
  got?: string
  allowed?: string[]
  closest?: string[]
  hint?: string
  retryable?: boolean
  patch?: PatchStep[]
}

export type FailureKind =
  | "token" // the namespace asks who calls
  | "code" // the deployment asks for its runtime code
  | "forbidden" // the caller may not
  | "mistake" // the query can be mended
  | "busy" // later it may work
  | "unreachable" // nobody answers
  | "internal" // the server's own fault

export class Failure extends Error {
  readonly kind: FailureKind
  readonly mistake: Mistake | undefined
  readonly trace: string | undefined

  constructor(kind: FailureKind, message: string, more: { mistake?: Mistake; trace?: string } = {}) {
    super(message)
    this.kind = kind
    this.mistake = more.mistake
    this.trace = more.trace
  }
}

/** ofMistake makes a failure of what a tool said. */
export function ofMistake(m: Mistake): Failure {
  const kind: FailureKind = m.code === 403 ? "forbidden" : m.retryable ? "busy" : m.code >= 500 ? "internal" : "mistake"
  return new Failure(kind, m.message, { mistake: m })
}

/** aborted says whether an error only tells that nobody waits any more. */
export function aborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError"
}

/** ofUnknown keeps a failure and gives anything else the form of one. */
export function ofUnknown(error: unknown): Failure {
  if (error instanceof Failure) return error
  return new Failure("internal", error instanceof Error ? error.message : String(error))
}
