import { deepEqual, equal, ok } from "node:assert/strict"
import { test } from "node:test"
import { ask, rowsOf, type Rows } from "../src/query/answer"
import type { Payload } from "../src/query/payload"
import { groupsOf, Shop, sum, type Group } from "./shop"

const byKind: Payload = { columns: ["year", "kind", "amount"], groupBy: ["year", "kind"] }

async function ready(shop: Shop, rows: Rows): Promise<void> {
  for (let before = -1; before !== shop.asked.length; ) {
    before = shop.asked.length
    await new Promise((done) => setTimeout(done, 0))
  }
  ok(rows)
}

/** allOf scrolls through a table and returns what it shows. */
async function allOf(shop: Shop, rows: Rows): Promise<{ type: string; row: unknown }[]> {
  const all = []
  for (let i = 0; i < rows.length; i++) {
    if (rows.at(i) === undefined) {
      rows.need(i, i + 40)
      await ready(shop, rows)
    }
    all.push({ type: rows.typeAt(i), row: rows.at(i) })
  }
  return all
}

function dataOf(groups: Group[]): unknown[] {
  return groups.map((g) => [g.year, g.kind, g.amount])
}

for (const n of [0, 1, 199, 200, 201, 1000, 1001, 6000]) {
  test(`${n} groups with subtotals: every group once, every year's sum behind its groups, the total last`, async () => {
    const groups = groupsOf(n)
    const shop = new Shop(groups)
    const payload = { ...byKind, withSubtotals: true }
    const answer = await ask("m", payload)
    const rows = rowsOf("m", payload, answer)
    const all = await allOf(shop, rows)
    const want: { type: string; row: unknown }[] = []
    groups.forEach((g, i) => {
      want.push({ type: "data", row: [g.year, g.kind, g.amount] })
      if (i + 1 === n || groups[i + 1]?.year !== g.year) want.push({ type: "subtotal", row: [g.year, null, sum(groups.filter((h) => h.year === g.year))] })
    })
    want.push({ type: "total", row: [null, null, sum(groups)] })
    deepEqual(all, want)
    equal(rows.groups, n)
    equal(rows.data().length, n)
    deepEqual(rows.notes.value, [])
    if (n > 0) deepEqual(rows.keysAt(all.findIndex((r) => r.type === "subtotal")), [0])
  })

  test(`${n} groups without subtotals`, async () => {
    const groups = groupsOf(n)
    const shop = new Shop(groups)
    const rows = rowsOf("m", byKind, await ask("m", byKind))
    deepEqual((await allOf(shop, rows)).map((r) => r.row), dataOf(groups))
    equal(rows.length, n)
  })
}

test("subtotals of groups that do not stand together are at the end", async () => {
  const groups = [["b", 9], ["a", 8], ["b", 7], ["c", 6]].map(([kind, amount], i) => ({ year: i, kind: kind as string, amount: amount as number }))
  const shop = new Shop(groups)
  const payload = { columns: ["kind", "year", "amount"], groupBy: ["kind", "year"], withSubtotals: true }
  const all = await allOf(shop, rowsOf("m", payload, await ask("m", payload)))
  deepEqual(all.map((r) => r.row), [["b", 0, 9], ["a", 1, 8], ["a", null, 8], ["b", 2, 7], ["c", 3, 6], ["c", null, 6], ["b", null, 16], [null, null, 30]])
})

test("subtotals by a key that is no column are found by it", async () => {
  const groups = groupsOf(45)
  const shop = new Shop(groups)
  const payload = { columns: ["kind", "amount"], groupBy: ["year", "kind"], withSubtotals: true }
  const all = await allOf(shop, rowsOf("m", payload, await ask("m", payload)))
  deepEqual(all.filter((r) => r.type === "subtotal").map((r) => (r.row as unknown[])[1]), [2000, 2001, 2002, 2003, 2004, 2005, null].map((year) => sum(groups.filter((g) => g.year === year))))
  deepEqual(all.slice(6, 8).map((r) => r.type), ["data", "subtotal"])
})

test("of too many groups for subtotals all are there, and it is said", async () => {
  const groups = groupsOf(20_001)
  const shop = new Shop(groups)
  const payload = { ...byKind, withSubtotals: true }
  const rows = rowsOf("m", payload, await ask("m", payload))
  equal(rows.length, 20_001)
  deepEqual(rows.notes.value, ["subtotals"])
  rows.need(20_000, 20_000)
  await ready(shop, rows)
  deepEqual(rows.at(20_000), dataOf(groups)[20_000])
})

test("an answer that is cut for its size loses nothing", async () => {
  const groups = groupsOf(300)
  const shop = new Shop(groups)
  shop.maxBytes = 2000
  for (const payload of [{ ...byKind, withSubtotals: true }, { ...byKind, topN: { by: "amount", n: 250, others: true } }, byKind] as Payload[]) {
    const rows = rowsOf("m", payload, await ask("m", payload))
    const all = await allOf(shop, rows)
    deepEqual(all.filter((r) => r.type === "data").map((r) => r.row), dataOf(groups).slice(0, payload.topN ? 250 : 300))
    equal(all.filter((r) => r.type === "subtotal").length, payload.withSubtotals ? Math.ceil(300 / 7) : 0)
    if (payload.topN) deepEqual(all.at(-1), { type: "others", row: [null, null, sum(groups.slice(250))] })
  }
})

test("the rest stands behind all groups, also behind those that come by pages", async () => {
  const groups = groupsOf(900)
  const shop = new Shop(groups)
  const payload = { ...byKind, topN: { by: "amount", n: 800, others: true } }
  const rows = rowsOf("m", payload, await ask("m", payload))
  equal(rows.length, 801)
  const all = await allOf(shop, rows)
  deepEqual(all.slice(0, 800).map((r) => r.row), dataOf(groups).slice(0, 800))
  deepEqual(all[800], { type: "others", row: [null, null, sum(groups.slice(800))] })
  deepEqual(rows.others(), [null, null, sum(groups.slice(800))])
})

test("start, limit, page and pageSize count", async () => {
  const groups = groupsOf(1000)
  const shop = new Shop(groups)
  const cases: [Payload, number, number][] = [
    [{ start: 10 }, 10, 1000], [{ limit: 5 }, 0, 5], [{ start: 300, limit: 650 }, 300, 950], [{ page: 3, pageSize: 250 }, 500, 750], [{ page: 2, limit: 30, pageSize: 7 }, 30, 60],
    [{ start: 990, page: 4, limit: 50 }, 990, 1000], [{ start: 2000 }, 0, 0], [{ limit: 0 }, 0, 0], [{ pageSize: 201 }, 0, 201],
  ]
  for (const [paging, from, to] of cases) {
    for (const withSubtotals of [false, true]) {
      const payload = { ...byKind, ...paging, withSubtotals }
      const rows = rowsOf("m", payload, await ask("m", payload))
      const data = (await allOf(shop, rows)).filter((r) => r.type === "data")
      deepEqual(data.map((r) => r.row), dataOf(groups).slice(from, to), JSON.stringify(paging))
    }
  }
})

test("what only the server can make sense of is sent to it as it stands", async () => {
  const shop = new Shop(groupsOf(5))
  for (const paging of [{ limit: -1 }, { start: "x" }, { page: 0 }, { page: 2 }] as unknown as Payload[]) {
    await ask("m", { ...byKind, ...paging })
    deepEqual(shop.asked.at(-1)?.query, { ...byKind, ...paging, format: "compact" })
  }
})

test("an answer that shrinks or grows while it is read is told, and leaves nothing waiting", async () => {
  for (const [now, note] of [[1500, "changed"], [2500, "changed"]] as const) {
    const shop = new Shop(groupsOf(2000))
    const rows = rowsOf("m", byKind, await ask("m", byKind))
    shop.groups = groupsOf(now)
    rows.need(1400, 1999)
    await ready(shop, rows)
    deepEqual(rows.notes.value, [note])
    for (let i = 1400; i < 2000; i++) equal(rows.at(i) === null, i >= now, String(i))
  }
  const shop = new Shop(groupsOf(2000))
  shop.before = (n) => void (n === 1 && (shop.groups = groupsOf(1999)))
  const payload = { ...byKind, withSubtotals: true }
  deepEqual((await ask("m", payload)).notes, ["unsettled"])
})

test("rows that do not arrive are asked for again", async () => {
  const groups = groupsOf(1000)
  const shop = new Shop(groups)
  const rows = rowsOf("m", byKind, await ask("m", byKind))
  shop.before = () => {
    throw new TypeError("no network")
  }
  rows.need(600, 700)
  await ready(shop, rows)
  equal(rows.failed.value, true)
  equal(rows.at(600), undefined)
  shop.before = () => {}
  rows.retry()
  await ready(shop, rows)
  equal(rows.failed.value, false)
  deepEqual(rows.at(600), dataOf(groups)[600])
})
