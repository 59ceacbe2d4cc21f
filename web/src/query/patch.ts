// JSON Patch (RFC 6902), as far as the server's mends use it.
import { copy } from "../server/exact"
import type { Mistake, PatchStep } from "../server/failure"
import type { Payload } from "./payload"

type Tree = Record<string, unknown> | unknown[]

/** applyPatch returns a copy of a document with the steps done to it; a step that does not fit throws. */
export function applyPatch<T>(document: T, steps: PatchStep[]): T {
  const next = copy(document)
  for (const step of steps) {
    if (step.op === "move" || step.op === "copy") {
      const value = at(next, keys(step.from ?? ""))
      if (step.op === "move") remove(next, keys(step.from ?? ""))
      add(next, keys(step.path), value)
    } else if (step.op === "remove") remove(next, keys(step.path))
    else if (step.op === "add") add(next, keys(step.path), step.value)
    else if (step.op === "replace") replace(next, keys(step.path), step.value)
  }
  return next
}

/** mendedBy is a query with a server's mend done to it, or undefined where the mend does not fit. */
export function mendedBy(mistake: Mistake, model: string, payload: Payload): { model: string; payload: Payload } | undefined {
  try {
    return applyPatch({ model, payload: { ...payload } }, mistake.patch ?? [])
  } catch {
    return undefined
  }
}

function keys(pointer: string): string[] {
  return pointer.split("/").slice(1).map((k) => k.replace(/~1/g, "/").replace(/~0/g, "~"))
}

function at(tree: unknown, path: string[]): unknown {
  return path.reduce<unknown>((node, key) => (node as Record<string, unknown>)[key], tree)
}

function place(tree: unknown, path: string[]): [Tree, string] {
  return [at(tree, path.slice(0, -1)) as Tree, path[path.length - 1] ?? ""]
}

function add(tree: unknown, path: string[], value: unknown): void {
  const [parent, key] = place(tree, path)
  if (Array.isArray(parent)) parent.splice(key === "-" ? parent.length : Number(key), 0, value)
  else parent[key] = value
}

function replace(tree: unknown, path: string[], value: unknown): void {
  const [parent, key] = place(tree, path)
  if (Array.isArray(parent)) parent[Number(key)] = value
  else parent[key] = value
}

function remove(tree: unknown, path: string[]): void {
  const [parent, key] = place(tree, path)
  if (Array.isArray(parent)) parent.splice(Number(key), 1)
  else delete parent[key]
}
