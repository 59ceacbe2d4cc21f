import { deepEqual, equal } from "node:assert/strict"
import { test } from "node:test"
import { arrange, removeColumn, removeKey, shift, sortBy, toggle } from "../src/query/edit"
import { applyPatch } from "../src/query/patch"
import { hiddenKeys, parts, readColumn, type Payload } from "../src/query/payload"
import { Exact, write } from "../src/server/exact"
import { named, sales } from "./model"
import { Random } from "./random"

const on = (p: Payload, ...names: string[]) => names.reduce((q, n) => toggle(q, sales, named(n)), p)

test("a query is clicked together from nothing", () => {
  deepEqual(on({}, "amount"), { columns: ["sum(amount) as amount"] })
  deepEqual(on({}, "amount", "brand$caption"), { columns: ["brand$caption", "amount"], groupBy: ["brand$caption"], orderBy: ["-amount"] })
  deepEqual(on({}, "brand$caption", "amount"), { columns: ["brand$caption", "amount"], groupBy: ["brand$caption"], orderBy: ["-amount"] })
  deepEqual(on({}, "orders", "day$year"), { columns: ["day$year", "orders"], groupBy: ["day$year"] })
  deepEqual(on({}, "orders", "city$caption", "price"), { columns: ["city$caption", "orders", "price"], groupBy: ["city$caption"], orderBy: ["-orders"] })
})

test("a click leaves everything that it does not name as it stands", () => {
  const p: Payload = {
    columns: ["amount", "city$caption as place", "avg(price) as mean"], exColumns: ["id"], groupBy: [{ field: "city$caption" }, "day$year", { field: "amount", agg: "AVG" }],
    orderBy: [{ field: "mean", dir: "DESC", nullFirst: true }, "place", "-amount", "day$year"], slice: [{ field: "day$caption", op: "=", value: "2024" }], having: [{ field: "mean", op: ">", value: 1 }],
    calculatedFields: [{ name: "c", expression: "1" }], limit: 7, start: 3, returnTotal: true, distinct: false,
  }
  deepEqual(on(p, "orders"), { ...p, columns: [...(p.columns ?? []), "orders"] })
  deepEqual(on(p, "brand$caption"), { ...p, columns: ["amount", "city$caption as place", "brand$caption", "avg(price) as mean"], groupBy: [...(p.groupBy ?? []), "brand$caption"] })
  deepEqual(on(p, "day$year"), { ...p, columns: ["amount", "city$caption as place", "day$year", "avg(price) as mean"] })
  deepEqual(on(p, "id").exColumns, undefined)
  const { distinct: _says, ...q } = p
  deepEqual(removeColumn(p, sales, "mean"), { ...q, columns: ["amount", "city$caption as place"], orderBy: ["place", "-amount", "day$year"] })
  deepEqual(removeColumn(p, sales, "place"), { ...q, columns: ["amount", "avg(price) as mean"], groupBy: ["day$year", { field: "amount", agg: "AVG" }], orderBy: [{ field: "mean", dir: "DESC", nullFirst: true }, "-amount", "day$year"] })
  deepEqual(removeKey(p, "day$year"), { ...q, groupBy: [{ field: "city$caption" }, { field: "amount", agg: "AVG" }], orderBy: p.orderBy?.slice(0, 3) })
  deepEqual(arrange(p, sales, true), p)
})

test("what was put in is taken out again", () => {
  const r = new Random(3)
  const starts: Payload[] = [
    { columns: ["brand$caption", "amount"], groupBy: ["brand$caption"], orderBy: ["-amount"] }, { columns: ["orders"] }, { columns: ["id", "amount"] }, { columns: ["city$caption", "orders"] },
    { columns: ["amount", "brand$caption"], groupBy: [{ field: "brand$caption" }, "day$year"], topN: { by: "amount asc", n: 3 } },
    { columns: ["amount"], groupBy: ["city$caption", "day$year", { field: "amount", agg: "MAX" }], withSubtotals: true },
  ]
  for (let i = 0; i < 300; i++) {
    const start = r.of(starts)
    const used = write(start)
    const field = r.of(sales.fields.filter((f) => !used.includes(f.name) && !(f.name === "orders" && start.columns?.includes("id")))) // a count makes groups of rows
    const back = toggle(toggle(start, sales, field), sales, field)
    const { orderBy, groupBy, ...rest } = back
    const { orderBy: _order, groupBy: grouped, ...same } = start
    deepEqual(rest, same, `${field.name} of ${used}`)
    deepEqual(groupBy ?? [], grouped ?? (start.columns?.includes("city$caption") && field.kind !== "MEASURE" ? ["city$caption"] : []), used) // a selected key groups either way
    if (start.orderBy || (start.columns ?? []).length > 1 || grouped) deepEqual(orderBy, start.orderBy, used) // the order of one row says nothing
  }
})

test("taking away a chip takes away its column alone", () => {
  const p: Payload = { columns: ["city$caption", "sum(amount) as a", "avg(amount) as b", "c"], groupBy: ["city$caption"], calculatedFields: [{ name: "c", expression: "a / 2" }, { name: "d", expression: "c + 1" }] }
  deepEqual(removeColumn(p, sales, "b").columns, ["city$caption", "sum(amount) as a", "c"])
  deepEqual(removeColumn(p, sales, "c").calculatedFields, p.calculatedFields)
  deepEqual(removeColumn({ ...p, calculatedFields: [{ name: "c", expression: "a / 2" }] }, sales, "c").calculatedFields, undefined)
  deepEqual(removeColumn(p, sales, "nothing"), p)
})

test("what ranked by a column that is gone ranks by the first that is left", () => {
  const p: Payload = { columns: ["city$caption", "amount", "orders"], groupBy: ["city$caption"], topN: { by: "amount asc", n: 5, others: true } }
  deepEqual(removeColumn(p, sales, "amount").topN, { by: "orders asc", n: 5, others: true })
  deepEqual(removeColumn(p, sales, "orders").topN, p.topN)
  deepEqual(removeColumn(p, sales, "city$caption").topN, undefined)
})

test("single rows and groups", () => {
  deepEqual(arrange({ columns: ["brand$caption", "amount"], groupBy: ["brand$caption"], topN: { by: "amount", n: 3 }, having: [{ a: 1 }], orderBy: ["-amount"], slice: [{ a: 1 }] }, sales, false), { columns: ["brand$caption", "amount"], orderBy: ["-amount"], slice: [{ a: 1 }] })
  deepEqual(arrange({ columns: ["sum(amount) as amount"] }, sales, false), { columns: ["amount"] })
  deepEqual(arrange({ columns: ["id", "amount"] }, sales, true), { columns: ["id", "amount"], groupBy: ["id"] })
  deepEqual(arrange({ columns: ["id", "amount"] }, sales, false), { columns: ["id", "amount"] })
})

test("groups stay, with all that is theirs, where a measure is only of groups", () => {
  const top: Payload = { columns: ["brand$caption", "amount", "orders"], groupBy: ["brand$caption"], topN: { by: "orders", n: 3 }, having: [{ a: 1 }] }
  deepEqual(arrange(top, sales, false), top)
  const own: Payload = { columns: ["brand$caption", "avg(amount) as mean"], groupBy: ["brand$caption"], withSubtotals: true }
  deepEqual(arrange(own, sales, false), own)
})

test("columns move among their like, and groups with them", () => {
  const p: Payload = { columns: ["brand$caption", "amount", "city$caption", "orders"], groupBy: [{ field: "brand$caption" }, "day$year", "city$caption"] }
  deepEqual(shift(p, sales, "city$caption", -1), { columns: ["city$caption", "amount", "brand$caption", "orders"], groupBy: ["city$caption", "day$year", { field: "brand$caption" }] })
  deepEqual(shift(p, sales, "orders", -1), { ...p, columns: ["brand$caption", "orders", "city$caption", "amount"] })
  deepEqual(shift(p, sales, "orders", 1), p)
  deepEqual(shift({ ...p, groupBy: ["city$caption", "brand$caption"] }, sales, "brand$caption", 1).groupBy, ["city$caption", "brand$caption"])
})

test("sorting changes the order of one column", () => {
  const p: Payload = { columns: ["city$caption as place", "avg(price) as price2", "amount"], orderBy: ["a", "b", "c", { field: "city$caption", order: "desc", nullFirst: true }] }
  deepEqual(sortBy(p, "amount", "desc").orderBy, ["-amount", ...(p.orderBy ?? [])])
  deepEqual(sortBy(p, "place", "asc").orderBy, [{ field: "city$caption", nullFirst: true, order: "asc" }, "a", "b", "c"])
  deepEqual(sortBy(p, "place", undefined).orderBy, ["a", "b", "c"])
  deepEqual(sortBy({ columns: ["avg(price) as p"], orderBy: ["price"] }, "p", undefined).orderBy, ["price"])
})

test("keys that are no columns are known", () => {
  deepEqual(hiddenKeys({ columns: ["city$caption as place", "count(id)"], groupBy: ["city$caption", "id", { field: "amount", agg: "AVG" }] }), ["id"])
  deepEqual(hiddenKeys({ groupBy: ["id"] }), [])
  deepEqual(parts({ columns: ["c", "amount"], calculatedFields: [{ name: "c", expression: "year(day)" }], groupBy: ["c"] }, sales).keys.map((k) => k.key), ["c"])
  deepEqual(readColumn("sum(x) as y"), { text: "sum(x) as y", key: "y", field: "x", fn: "sum" })
})

test("a mend keeps the digits and the places of what it does not touch", () => {
  const document = { model: "m", payload: { slice: [{ field: "idd", op: "=", value: new Exact("9007199254740993") }], columns: ["a", "b", "c"] } }
  const mended = applyPatch(document, [
    { op: "replace", path: "/payload/slice/0/field", value: "id" }, { op: "replace", path: "/payload/columns/1", value: "x" }, { op: "remove", path: "/payload/columns/0" },
    { op: "add", path: "/payload/columns/-", value: "z" }, { op: "move", from: "/payload/slice", path: "/payload/having" },
  ])
  equal(write(mended), '{"model":"m","payload":{"columns":["x","c","z"],"having":[{"field":"id","op":"=","value":9007199254740993}]}}')
  equal(write(document), '{"model":"m","payload":{"slice":[{"field":"idd","op":"=","value":9007199254740993}],"columns":["a","b","c"]}}')
})
