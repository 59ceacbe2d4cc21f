// Who asks, and where: the namespace, the token and the runtime code of this page. The last two live in memory only and
// end with the page.
import { computed, signal } from "@preact/signals"

/** The namespace; "" is the server's default one. */
export const namespace = signal("")
export const token = signal("")
export const runtimeCode = signal("")

/** Counts how often everything must be read again: another identity, or a server that came back. */
export const generation = signal(0)

/** Set while nobody answers. */
export const unreachable = signal(false)

/** Changes whenever what a caller may see may have changed. */
export const identity = computed(() => JSON.stringify([namespace.value, token.value, runtimeCode.value, generation.value]))

/** headers are those of every request for data. */
export function headers(): Record<string, string> {
  const all: Record<string, string> = { "Content-Type": "application/json" }
  if (namespace.value) all["X-NS"] = namespace.value
  if (token.value) all["Authorization"] = "Bearer " + token.value
  if (runtimeCode.value) all["X-Service-Runtime-Code"] = runtimeCode.value
  return all
}

const firstWait = 500
const longestWait = 4000
let waiting = false

/** lost notes that nobody answers, asks again until somebody does, and then has everything read again. */
export function lost(): void {
  unreachable.value = true
  if (waiting) return
  waiting = true
  const ask = (wait: number) => {
    setTimeout(async () => {
      if (!(await answers())) return ask(Math.min(wait * 2, longestWait))
      waiting = false
      unreachable.value = false
      generation.value++
    }, wait)
  }
  ask(firstWait)
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
