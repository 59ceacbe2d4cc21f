// Rows over several groups: which groups a subtotal sums up, and where it stands among them.
import { write } from "../server/exact"
import type { Item, Page } from "./pages"
import { groupKeys, readColumn, type Payload } from "./payload"

export type RowType = "data" | "subtotal" | "total" | "others"

/** The keys of an answer's groups, in the order in which subtotals follow them, by the names that rows have. */
export interface Keys {
  names: string[]
  hidden: string[] // those that are no columns of the answer
}

/** keysOf finds the keys of a payload's groups; named is what the server says they are. */
export function keysOf(payload: Payload, named: string[] | undefined): Keys {
  const columns = (payload.columns ?? []).map(readColumn)
  const names = named ?? [...new Set([...groupKeys(payload), ...columns.filter((c) => !c.fn).map((c) => c.field)])]
  const shown = names.map((name) => columns.find((c) => !c.fn && (c.field === name || c.key === name || c.text === name))?.key)
  return {
    names: names.map((name, i) => shown[i] ?? name),
    hidden: columns.length === 0 ? [] : names.filter((_, i) => shown[i] === undefined),
  }
}

/** withHidden selects the hidden keys too, which changes no group. */
export function withHidden(payload: Payload, keys: Keys): Payload {
  return keys.hidden.length > 0 ? { ...payload, columns: [...(payload.columns ?? []), ...keys.hidden] } : payload
}

/** A row over several groups. Level is of how many keys it has values; undefined where that cannot be told. */
export interface Extra {
  type: RowType
  item: Item
  level: number | undefined
}

function prefix(item: Item, keys: string[], level: number): string {
  return write(keys.slice(0, level).map((k) => item[k] ?? null))
}

/** levelsOf tells how many keys each subtotal of a page has. The longest come first, one for each prefix on the page. */
function levelsOf(page: Pick<Page, "items">, subtotals: Item[], keys: string[]): (number | undefined)[] {
  const levels: number[] = []
  for (let level = keys.length - 1; level > 0; level--) {
    const count = new Set(page.items.map((item) => prefix(item, keys, level))).size
    for (let i = 0; i < count; i++) levels.push(level)
  }
  return levels.length === subtotals.length ? levels : subtotals.map(() => undefined)
}

/** Extras gathers the rows over several groups from pages: a prefix that stands on two pages is there once. */
export class Extras {
  private readonly found = new Map<string, Extra>()
  private readonly keys: string[]

  constructor(keys: string[]) {
    this.keys = keys
  }

  add(page: Pick<Page, "items" | "extras">): void {
    const subtotals = page.extras.filter((item) => item._rowType === "subtotal")
    const levels = levelsOf(page, subtotals, this.keys)
    subtotals.forEach((item, i) => {
      const level = levels[i]
      this.keep({ type: "subtotal", item, level }, level === undefined ? write(item) : `${level} ${prefix(item, this.keys, level)}`)
    })
    for (const item of page.extras) if (item._rowType !== "subtotal") this.keep({ type: item._rowType as RowType, item, level: 0 }, String(item._rowType))
  }

  private keep(extra: Extra, key: string): void {
    if (!this.found.has(key)) this.found.set(key, extra)
  }

  /** all returns them as the server does: the longest prefixes first, then the total, then the rest. */
  all(): Extra[] {
    const rank = (e: Extra) => (e.type === "subtotal" ? -(e.level ?? 0) - 1 : e.type === "total" ? 1 : 2)
    return [...this.found.values()].sort((a, b) => rank(a) - rank(b))
  }
}

/** interleave puts a subtotal behind the groups that it sums up where these stand together, and all else at the end. */
export function interleave(items: Item[], extras: Extra[], keys: string[]): Extra[] {
  const runs = new Map<string, { last: number; together: boolean }>()
  items.forEach((item, i) => {
    for (let level = 1; level < keys.length; level++) {
      const key = `${level} ${prefix(item, keys, level)}`
      const run = runs.get(key)
      runs.set(key, { last: i, together: !run || (run.together && run.last === i - 1) })
    }
  })
  const behind = new Map<number, Extra[]>()
  for (const extra of extras) {
    const run = extra.level ? runs.get(`${extra.level} ${prefix(extra.item, keys, extra.level)}`) : undefined
    const at = run?.together ? run.last : items.length
    behind.set(at, [...(behind.get(at) ?? []), extra])
  }
  const shown: Extra[] = []
  items.forEach((item, i) => shown.push({ type: "data", item, level: keys.length }, ...(behind.get(i) ?? [])))
  return [...shown, ...(behind.get(items.length) ?? [])]
}
