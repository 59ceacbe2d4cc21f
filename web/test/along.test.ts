import assert from "node:assert/strict"
import { test } from "node:test"
import { alongOf } from "../src/chart/along"
import { shape } from "../src/chart/data"
import { evenTicks, spacedTicks } from "../src/chart/layout"
import { Exact } from "../src/server/exact"
import type { Model } from "../src/server/models"
import { column } from "./column"
import { sales } from "./model"

const number = column("size", "integer")
const time = column("period", "string", { temporal: true })
const amount = column("amount", "integer", { shape: { dataType: "integer", measure: true } })

/** steps are the distances between keys, a | where the line is broken. */
function steps(keys: unknown[], of = time): string {
  const along = alongOf(keys, of)
  if (!along) return "even"
  return along.places.map((p, i) => (along.broken[i] ? "|" : "") + (i === 0 ? "" : String(Math.round((p - (along.places[i - 1] ?? 0)) * 1000) / 1000))).join(" ").trim()
}

test("numbers stand at their distances, and a line leads through them", () => {
  assert.equal(steps([1, 2, 10], number), "1 8")
  assert.equal(steps([-5, 0, new Exact("0.5"), 100], number), "5 0.5 99.5")
  assert.equal(steps([7], number), "even")
  assert.equal(steps(["a", "b"], number), "even")
  assert.equal(steps([new Exact("9007199254740993"), new Exact("9007199254740992.5")], number), "even")
})

test("what has no value stands behind the numbers, and no line leads there", () => {
  assert.equal(steps([0, 50, 100, null], number), "50 50 |8")
})

test("a period without rows is a gap in distance and in the line", () => {
  assert.equal(steps(["2023-11", "2023-12", "2024-01", "2024-04"]), "1 1 |3")
  assert.equal(steps(["2023-Q3", "2023-Q4", "2024-Q1", "2024-Q3"]), "1 1 |2")
  assert.equal(steps(["2020-W52", "2020-W53", "2021-W01", "2021-W02", "2021-W05"]), "1 1 1 |3")
  assert.equal(steps([2019, 2021, 2022]), "|2 1")
  assert.equal(steps(["2019", "2020", "2022"]), "1 |2")
})

test("days that follow a rule have gaps, and others any distance", () => {
  const from = (first: string, after: number[]) => after.map((n) => new Date(Date.parse(first) + n * 86_400_000).toISOString().slice(0, 10))
  assert.equal(steps(from("2024-02-27", [0, 1, 2, 3, 6, 7, 8, 9, 10])), "1 1 1 |3 1 1 1 1")
  assert.equal(steps(["2024-01-31", "2024-02-29", "2024-03-31", "2024-04-30", "2024-07-31", "2024-08-31"]), "29 31 30 |92 31")
  assert.equal(steps(from("2024-01-01", [0, 1, 9, 12, 40])), "1 8 3 28")
  assert.equal(steps(["2024-01-01T00:00:00", "2024-01-01T06:00:00", "2024-01-02T00:00:00"]), "0.25 0.75")
})

test("texts, mixed periods and codes with labels stand evenly", () => {
  assert.equal(steps(["2024-01", "2024-Q2"]), "even")
  assert.equal(steps(["2024", "2025"], column("name", "string")), "even")
  const coded: Model = { ...sales, fields: [{ name: "size", kind: "ATTRIBUTE", dataType: "integer", caption: "Size", dictionary: "sizes" }], dictionaries: { sizes: [{ code: 1, label: "small" }, { code: 9, label: "large" }] } }
  const rows = { data: [[1, 5], [9, 6]], others: undefined, groups: 2, partial: false }
  const plain = shape("line", [column("size", "integer", { field: "size" }), amount], rows, undefined)
  assert.deepEqual(plain?.distances?.places, [1, 9])
  assert.equal(shape("line", [column("size", "integer", { field: "size" }), amount], rows, coded)?.distances, undefined)
  assert.equal(shape("bar", [number, amount], rows, undefined)?.distances, undefined)
})

test("lines of two keys share the distances of the first", () => {
  const rows = { data: [["2024-01", "a", 1], ["2024-04", "b", 2], ["2024-02", "a", 3]], others: undefined, groups: 3, partial: false }
  const data = shape("line", [time, column("kind", "string"), amount], rows, undefined)
  assert.deepEqual([data?.labels, data?.distances?.broken], [["2024-01", "2024-02", "2024-04"], [false, false, true]])
})

test("texts below a chart do not touch", () => {
  const all = [0, 10, 100, 104, 200].map((at) => ({ at, text: "abc" }))
  assert.deepEqual(spacedTicks(all).map((tick) => tick.at), [0, 100, 200])
  assert.deepEqual(spacedTicks(all.slice(0, 3), all.slice(3, 4)).map((tick) => tick.at), [0, 104])
  assert.deepEqual(evenTicks(["abc", "abc", "abc", "abc"], (i) => i * 25, 25).map((tick) => tick.at), [0, 50])
})
