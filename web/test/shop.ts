// A server of one model whose groups are made up: what the tests of the page's rows talk to in the place of the network. It
// answers as docs/query.md says.

export interface Group {
  year: number | null
  kind: string | null
  amount: number
}

interface Query {
  start?: number
  limit?: number
  columns?: string[]
  groupBy?: string[]
  withSubtotals?: boolean
  topN?: { n: number; others?: boolean }
  returnTotal?: boolean
}

type Item = Record<string, unknown>

export class Shop {
  groups: Group[]
  maxRows = 10_000
  maxBytes = Infinity // of a tool's rows
  asked: { path: string; query: Query }[] = []
  /** Called before each answer with how many came before it. */
  before: (n: number) => void = () => {}

  constructor(groups: Group[]) {
    this.groups = groups
    globalThis.fetch = (async (path: string, init?: { body?: string }) => (init?.body ? this.answer(path, JSON.parse(init.body) as Item) : new Response("{}"))) as unknown as typeof fetch
  }

  private answer(path: string, body: Item): { ok: boolean; status: number; headers: Headers; text: () => Promise<string> } {
    const tool = path.startsWith("mcp/")
    const query = (tool ? (body.params as { arguments: { payload: Query } }).arguments.payload : { ...(body.param as Query), start: body.start, limit: body.limit }) as Query
    this.before(this.asked.length)
    this.asked.push({ path, query })
    const text = tool ? this.tool(query) : this.http(query)
    return { ok: true, status: 200, headers: new Headers(), text: () => Promise.resolve(text) }
  }

  private refused(query: Query): string | undefined {
    const limit = query.limit ?? 10
    return limit > this.maxRows ? `limit is ${limit}; it must be at most ${this.maxRows}` : undefined
  }

  private http(query: Query): string {
    const refused = this.refused(query)
    if (refused) return JSON.stringify({ code: 400, data: null, msg: "limit: " + refused })
    return JSON.stringify({ code: 0, data: { items: this.items(query), total: this.total(query) }, msg: "success" })
  }

  private tool(query: Query): string {
    const refused = this.refused(query)
    const said = (value: object, isError: boolean) => JSON.stringify({ jsonrpc: "2.0", id: "1", result: { content: [{ type: "text", text: JSON.stringify(value) }], isError } })
    if (refused) return said({ error: { code: 400, reason: "out_of_range", message: refused, path: "payload.limit" } }, true)
    const items = this.items(query)
    const columns = [...(query.columns ?? []), ...(query.withSubtotals || query.topN?.others ? ["_rowType"] : [])]
    const rows = items.map((item) => columns.map((c) => item[c]))
    let kept = rows.length
    while (JSON.stringify(rows.slice(0, kept)).length > this.maxBytes) kept--
    const total = this.total(query)
    return said({
      columns, rows: rows.slice(0, kept), total, schema: [], ...(kept < rows.length && { truncated: true }), applied: { groupBy: query.groupBy },
      ...(query.returnTotal && { totalData: { total } }),
      pagination: { start: query.start ?? 0, limit: query.limit ?? 100, returned: kept, totalCount: total },
    }, false)
  }

  private total(query: Query): number {
    return Math.min(this.groups.length, query.topN?.n ?? Infinity)
  }

  private items(query: Query): Item[] {
    const typed = query.withSubtotals || query.topN?.others
    const start = query.start ?? 0
    const page = this.groups.slice(0, this.total(query)).slice(start, start + (query.limit ?? 10))
    const columns = query.columns ?? []
    const row = (g: { year: unknown; kind: unknown; amount: number }, type: string): Item => ({
      ...Object.fromEntries(columns.map((c) => [c, (g as Record<string, unknown>)[c]])),
      ...(typed && { _rowType: type }),
    })
    const items = page.map((g) => row(g, "data"))
    if (query.withSubtotals) {
      const first = query.groupBy?.[0] as "year" | "kind"
      for (const value of [...new Set(page.map((g) => g[first]))].sort(nullsLast)) {
        const amount = sum(this.groups.filter((g) => g[first] === value))
        items.push(row({ year: null, kind: null, [first]: value, amount } as Group, "subtotal"))
      }
      items.push(row({ year: null, kind: null, amount: sum(this.groups) }, "total"))
    }
    if (query.topN?.others && this.groups.length > query.topN.n) items.push(row({ year: null, kind: null, amount: sum(this.groups.slice(query.topN.n)) }, "others"))
    return items
  }
}

function nullsLast(a: unknown, b: unknown): number {
  return a === null ? 1 : b === null ? -1 : (a as number) < (b as number) ? -1 : 1
}

export function sum(groups: Group[]): number {
  return groups.reduce((all, g) => all + g.amount, 0)
}

/** groupsOf makes n groups, seven kinds a year, so that years and pages do not end together; some years and kinds have no value. */
export function groupsOf(n: number): Group[] {
  const groups = Array.from({ length: n }, (_, i) => ({ year: 2000 + Math.floor(i / 7), kind: i % 7 === 6 ? null : `k${i % 7}`, amount: i + 1 }))
  return groups.map((g, i) => (i >= 40 && n - i <= n % 7 ? { ...g, year: null } : g))
}
