import { deepEqual, equal } from "node:assert/strict"
import { test } from "node:test"
import { decode, encode, readPayload, wholeOf, writePayload } from "../src/query/address"
import type { Payload } from "../src/query/payload"
import { parseUnique, write } from "../src/server/exact"
import { jsonText, Random } from "./random"

const clauses = ["columns", "exColumns", "slice", "having", "groupBy", "orderBy", "calculatedFields", "returnTotal", "distinct", "withSubtotals", "topN", "timeWindow", "start", "limit", "page", "pageSize", "format", "chart", "ns", "q", "pick", ".dot", "other", "__proto__", "toString"]

/** sorted writes an object with its keys in order. */
function sorted(p: object): string {
  return write(Object.entries(p).sort(([a], [b]) => (a < b ? -1 : 1)))
}

test("any payload comes back from its address as it was", () => {
  const r = new Random(7)
  for (let i = 0; i < 3000; i++) {
    const names = [...new Set(r.list(6, () => r.of(clauses)))]
    const payload = parseUnique(`{${names.map((n) => `${JSON.stringify(n)}:${jsonText(r)}`).join(",")}}`) as Payload
    const read = readPayload(decode(encode(writePayload(payload))))
    deepEqual(read.unread, [])
    equal(sorted(wholeOf(read)), sorted(payload))
  }
})

test("the clauses of the contract are understood, and stay readable", () => {
  const payload: Payload = {
    columns: ["customer$caption", "sum(salesAmount) as sales"], exColumns: ["a"], slice: [{ field: "x", op: "=", value: 1 }, { $or: [{ a: 1 }] }],
    groupBy: ["customer$caption", { field: "salesAmount", agg: "AVG" }], orderBy: ["-sales", { field: "a", dir: "DESC", nullFirst: true }],
    calculatedFields: [{ name: "r", expression: "a / b" }], timeWindow: { field: "d", grain: "month", comparison: "yoy", range: "2024", targetMetrics: ["a"] },
    topN: { by: "sales", n: 3, others: true }, withSubtotals: false, returnTotal: true, distinct: true, limit: 5, start: 10, page: 2, pageSize: 0,
  }
  const address = encode(writePayload(payload))
  const read = readPayload(decode(address))
  deepEqual(read, { payload, odd: {}, unread: [] })
  equal(encode(writePayload({ columns: ["a$b", "c"], returnTotal: true })), "columns=a$b,c&returnTotal=1")
})

test("long numbers in filters keep their digits", () => {
  const text = '[{"field":"id","op":"in","value":[9007199254740993,0.12345678901234567890]}]'
  const read = readPayload([["slice", text]])
  equal(write(read.payload.slice), text)
  deepEqual(writePayload(read.payload), [["slice", text]])
})

test("what cannot be read is told by name", () => {
  const address = "columns=a&slice=[{&limit=ten&utm_source=mail&having=&columns=b&topN=%E0%A4%A&distinct=yes&chart=bar&groupBy=[a,b]&orderBy"
  const read = readPayload(decode(address))
  deepEqual(read.payload, { columns: ["a"], orderBy: [] })
  deepEqual(read.odd, {})
  deepEqual(read.unread.map(([name]) => name), ["slice", "limit", "utm_source", "having", "columns", "topN", "distinct", "groupBy"])
  deepEqual(readPayload([['slice', '[{"field":"a","field":"b"}]']]).unread.length, 1)
})

test("what only the server can judge is kept for it as it stands", () => {
  const odd: [string, string][] = [
    ["slice", "[null]"], ["groupBy", "[null]"], ["calculatedFields", "[null]"], ["topN", '{"by":5}'], ["columns", "[1]"], ["orderBy", "[null]"], ["limit", "-1"],
    ["start", "1.5"], ["page", "0"], ["pageSize", "9007199254740993"], ["timeWindow", '{"field":"d","range":[1]}'], ["having", '{"a":1}'], ["colums", '["a"]'], ["distinct", "2"], ["exColumns", ' null'],
  ]
  const read = readPayload(odd)
  deepEqual(read.payload, {})
  deepEqual(read.unread, [])
  equal(write(read.odd), '{"slice":[null],"groupBy":[null],"calculatedFields":[null],"topN":{"by":5},"columns":[1],"orderBy":[null],"limit":-1,"start":1.5,"page":0,"pageSize":9007199254740993,"timeWindow":{"field":"d","range":[1]},"having":{"a":1},"colums":["a"],"distinct":2,"exColumns":null}')
})
