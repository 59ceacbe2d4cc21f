// Who asks, and where: the namespace, the token and the runtime code of this page. The last two live in memory only and
// end with the page.
import { computed, signal } from "@preact/signals"

/** The namespace; "" is the server's default one. */
export const namespace = signal("")
export const token = signal("")
export const runtimeCode = signal("")

/** Counts how often everything must be read again: a server that was gone may have come back with other models. */
export const generation = signal(0)

/** Counts how often what got no answer is worth asking again. */
export const comeback = signal(0)

/** Set while nobody answers. */
export const unreachable = signal(false)

/** Who asks, and where: what one caller was shown is never shown to another. */
export const caller = computed(() => JSON.stringify([namespace.value, token.value, runtimeCode.value]))

/** Changes whenever what a caller may see may have changed. */
export const identity = computed(() => JSON.stringify([caller.value, generation.value]))

const plain = /^[\x21-\x7e]*$/ // what a header carries as it is
const sendable = /^[\x20-\x7e\x80-\xff]*$/ // what the browser puts into a header at all

/** unsendable names what no request can carry, and no server can have given: a token or a code with other signs than a header has. */
export function unsendable(): "token" | "code" | undefined {
  return !sendable.test(token.value) ? "token" : !sendable.test(runtimeCode.value) ? "code" : undefined
}

/** addressed is where a request goes; a namespace that no header carries stands in the address. */
export function addressed(path: string): string {
  return plain.test(namespace.value) ? path : `${path}?${new URLSearchParams({ ns: namespace.value })}`
}

/** headers are those of every request for data. */
export function headers(): Record<string, string> {
  const all: Record<string, string> = { "Content-Type": "application/json" }
  if (namespace.value && plain.test(namespace.value)) all["X-NS"] = namespace.value
  if (token.value) all["Authorization"] = "Bearer " + token.value
  if (runtimeCode.value) all["X-Service-Runtime-Code"] = runtimeCode.value
  return all
}

const firstWait = 500
const longestWait = 4000 // while nobody answers
const longestPause = 60_000 // while only some requests get no answer
let waiting = false
let pause = firstWait
let asked = 0 // when the unanswered were last asked again

/**
 * lost notes that a request got no answer. Where the server is gone, it is asked until it is back, and then everything is
 * read again. Where it answers otherwise, only what got no answer is asked again, later and later.
 */
export function lost(): void {
  if (waiting) return
  waiting = true
  void answers().then((ok) => (ok ? askAgainLater() : awaitServer(firstWait)))
}

function askAgainLater(): void {
  pause = Date.now() - asked < 2 * pause + longestWait ? Math.min(pause * 2, longestPause) : firstWait
  setTimeout(() => {
    waiting = false
    asked = Date.now()
    comeback.value++
  }, pause)
}

function awaitServer(wait: number): void {
  unreachable.value = true
  setTimeout(async () => {
    if (!(await answers())) return awaitServer(Math.min(wait * 2, longestWait))
    waiting = false
    unreachable.value = false
    generation.value++
  }, wait)
}

async function answers(): Promise<boolean> {
  try {
    return (await fetch("readyz", { cache: "no-store" })).ok
  } catch {
    return false
  }
}

/** openNamespaces asks which namespaces the server shows to everybody. */
export async function openNamespaces(): Promise<string[]> {
  try {
    const health = (await (await fetch("readyz", { cache: "no-store" })).json()) as { checks?: { name: string }[] }
    return (health.checks ?? []).flatMap((c) => (c.name.startsWith("namespace ") ? [c.name.slice("namespace ".length)] : []))
  } catch {
    return []
  }
}
