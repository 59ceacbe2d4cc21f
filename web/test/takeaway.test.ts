import { deepEqual, equal, rejects } from "node:assert/strict"
import { test } from "node:test"
import { ask } from "../src/query/answer"
import { Changed } from "../src/query/pages"
import type { Payload } from "../src/query/payload"
import { Exact } from "../src/server/exact"
import { build, csvText, type FileKind } from "../src/takeaway/files"
import { curlText, inParts, payloadText, toolText } from "../src/takeaway/texts"
import { groupsOf, Shop, sum } from "./shop"

const byKind: Payload = { columns: ["year", "kind", "amount"], groupBy: ["year", "kind"] }

async function file(kind: FileKind, payload: Payload): Promise<{ text: string; told: number[] }> {
  const told: number[] = []
  const made = await build(kind, { model: "m", payload, answer: await ask("m", payload) }, new AbortController().signal, (n) => told.push(n))
  return { text: await textOf(made), told }
}

/** textOf keeps the mark at the beginning by which spreadsheets know the encoding. */
async function textOf(made: Blob): Promise<string> {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(await made.arrayBuffer())
}

function csvRows(text: string): string[] {
  equal(text.startsWith("\ufeff"), true)
  equal(text.endsWith("\r\n"), true)
  return text.slice(1, -2).split("\r\n")
}

test("a file has every row, page by page", async () => {
  for (const n of [0, 1, 4999, 5000, 5001, 12_345]) {
    const groups = groupsOf(n)
    new Shop(groups)
    const { text, told } = await file("csv", byKind)
    deepEqual(csvRows(text), ["year,kind,amount", ...groups.map((g) => `${g.year ?? ""},${g.kind ?? ""},${g.amount}`)])
    equal(told.at(-1), n)
    const json = JSON.parse((await file("json", byKind)).text) as unknown[]
    deepEqual(json, groups.map((g) => ({ year: g.year, kind: g.kind, amount: g.amount })))
  }
})

test("a file keeps the start, the limit, subtotals and the rest", async () => {
  const groups = groupsOf(7003)
  new Shop(groups)
  const cut = csvRows((await file("csv", { ...byKind, start: 6000, limit: 700 })).text)
  equal(cut.length, 701)
  equal(cut[1], `${groups[6000]?.year},${groups[6000]?.kind},6001`)

  const subtotals = csvRows((await file("csv", { ...byKind, withSubtotals: true })).text)
  equal(subtotals[0], "year,kind,amount,_rowType")
  equal(subtotals.filter((l) => l.endsWith(",data")).length, 7003)
  const years = [...new Set(groups.map((g) => g.year))]
  deepEqual(subtotals.filter((l) => l.endsWith(",subtotal")), years.map((y) => `${y ?? ""},,${sum(groups.filter((g) => g.year === y))},subtotal`))
  equal(subtotals.at(-1), `,,${sum(groups)},total`)

  const top = JSON.parse((await file("json", { ...byKind, topN: { by: "amount", n: 6000, others: true } })).text) as Record<string, unknown>[]
  equal(top.length, 6001)
  deepEqual(top.at(-1), { year: null, kind: null, amount: sum(groups.slice(6000)), _rowType: "others" })
})

test("a file is whole or not there", async () => {
  for (const [at, groups] of [[2, 9999], [2, 12_500], [3, 0]] as const) {
    const shop = new Shop(groupsOf(12_000))
    shop.before = (n) => void (n === at && (shop.groups = groupsOf(groups)))
    await rejects(() => file("csv", byKind), Changed)
  }
})

test("a file of today has today's rows, however many the page saw", async () => {
  const shop = new Shop(groupsOf(300))
  const answer = await ask("m", byKind)
  shop.groups = groupsOf(310)
  const made = await build("csv", { model: "m", payload: byKind, answer }, new AbortController().signal, () => {})
  equal(csvRows(await textOf(made)).length, 311)
})

test("numbers are written as the server writes them, formulas are defused", async () => {
  new Shop([])
  globalThis.fetch = (async (path: string) => new Response(path.startsWith("mcp/")
    ? JSON.stringify({ result: { content: [{ text: '{"columns":["a","b","c"],"rows":[],"total":1,"schema":[],"applied":{},"pagination":{"start":0,"limit":200}}' }] } })
    : '{"code":0,"data":{"items":[{"a":9007199254740993.10,"b":"=1+1","c":1.50}],"total":1},"msg":"success"}')) as unknown as typeof fetch
  deepEqual(csvRows((await file("csv", { columns: ["a", "b", "c"] })).text), ["a,b,c", "9007199254740993.10,'=1+1,1.50"])
  equal((await file("json", { columns: ["a", "b", "c"] })).text, '[\n{"a": 9007199254740993.10, "b": "=1+1", "c": 1.50}\n]\n')
  deepEqual(["-1", "-9223372036854775808", "-1+1", "@x", 'a"b', "a,b", "\tx", "plain"].map(csvText), ["-1", "-9223372036854775808", "'-1+1", "'@x", '"a""b"', '"a,b"', "'\tx", "plain"])
  deepEqual(["\uff1d1+1", " =1", "\n=1", "a=1", " x"].map(csvText), ["'\uff1d1+1", "' =1", '"\'\n=1"', "a=1", " x"])
})

test("the calls ask for what is shown", () => {
  const payload: Payload = { ...byKind, slice: [{ field: "id", op: "=", value: new Exact("9007199254740993") }], page: 3, pageSize: 50 }
  const shown = { window: { start: 100, limit: 50 }, total: 130 }
  equal(inParts(shown), false)
  equal(curlText("a b", payload, shown), `curl -s 'http://parlance.test/jdbc-model/query-model/v2/a%20b' \\
  -H 'Content-Type: application/json' \\
  -d '{"start":100,"limit":30,"param":{"columns":["year","kind","amount"],"groupBy":["year","kind"],"slice":[{"field":"id","op":"=","value":9007199254740993}]}}'`)
  equal(toolText("m", payload, shown).replace(/\s+/g, ""), '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"dataset.query_model","arguments":{"model":"m","payload":{"columns":["year","kind","amount"],"groupBy":["year","kind"],"slice":[{"field":"id","op":"=","value":9007199254740993}],"start":100,"limit":30}}}}')
  equal(payloadText({ limit: 5, slice: payload.slice ?? [] }).includes("9007199254740993"), true)
  equal(curlText("m", {}, { window: { start: 0, limit: 0 }, total: 9 }).includes('"limit":0,'), true)
  equal(curlText("m", {}, { window: { start: 0, limit: Infinity }, total: 0 }).includes('"limit":1,'), true)
  const loop = curlText("m", {}, { window: { start: 0, limit: Infinity }, total: 25_000 }).split("\n")
  equal(loop[0], "for start in $(seq 0 10000 24999); do")
  equal(loop.at(-2), `    -d '{"start":'"$start"',"limit":10000,"param":{}}'`)
})
