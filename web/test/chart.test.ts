import assert from "node:assert/strict"
import { test } from "node:test"
import { cellKey, compareCells } from "../src/chart/cells"
import { axisTexts, axisValues, fitting, shape } from "../src/chart/data"
import { formatDate, formatNumber } from "../src/format"
import { offered, operatorsOf, readOperator } from "../src/query/operators"
import { Exact } from "../src/server/exact"
import { column } from "./column"

const amount = column("amount", "integer", { shape: { dataType: "integer", measure: true } })

test("cells that differ are never taken for one", () => {
  const cells = [1, "1", true, null, "null", new Exact("9007199254740993"), new Exact("9007199254740995"), "9007199254740993"]
  assert.equal(new Set(cells.map(cellKey)).size, cells.length)
  assert.equal(cellKey(new Exact("9007199254740993")), cellKey(new Exact("9007199254740993")))
})

test("cells are ordered as the server orders them", () => {
  const sorted = [null, 10, 2, new Exact("9007199254740995"), new Exact("9007199254740993"), new Exact("-1.00000000000000002"), -1].sort(compareCells).map(String)
  assert.deepEqual(sorted, ["-1.00000000000000002", "-1", "2", "10", "9007199254740993", "9007199254740995", "null"])
  assert.deepEqual(["b", "a", "Z", null].sort(compareCells), ["Z", "a", "b", null])
})

test("numbers along time and lines stand in their order", () => {
  const rows = { data: [[10, 1], [2, 2], [1, 3]], others: undefined, groups: 3, partial: false }
  const month = column("month", "integer", { temporal: true })
  assert.deepEqual(shape("bar", [month, amount], rows, undefined)?.labels, ["1", "2", "10"])
  const size = column("size", "integer")
  assert.deepEqual(shape("line", [size, amount], rows, undefined)?.labels, ["1", "2", "10"])
  assert.deepEqual(shape("bar", [size, amount], rows, undefined)?.labels, ["10", "2", "1"])
})

test("rows that share their keys make no line and no table of colours", () => {
  const rows = { data: [["a", "x", 1], ["a", "x", 2]], others: undefined, groups: 2, partial: false }
  const [a, b] = [column("a", "string"), column("b", "string")]
  assert.deepEqual(fitting([a, b, amount], rows), [])
  assert.equal(shape("heat", [a, b, amount], rows, undefined), undefined)
})

test("crossed cells keep every digit", () => {
  const rows = { data: [["a", new Exact("9007199254740993"), new Exact("12345678901234567890")], ["a", new Exact("9007199254740995"), 2]], others: undefined, groups: 2, partial: false }
  const data = shape("heat", [column("a", "string"), column("b", "bigint"), amount], rows, undefined)
  assert.deepEqual(data?.series.map((s) => [s.name, s.cells.map(String)]), [["9007199254740993", ["12345678901234567890"]], ["9007199254740995", ["2"]]])
})

test("numbers of an axis are told apart", () => {
  const texts = axisTexts([59_260_000, 59_261_000, 59_262_000], amount)
  assert.equal(new Set(texts).size, 3)
  assert.deepEqual(axisTexts([0, 0.0004, 0.0008], amount), ["0", "0.0004", "0.0008"])
})

test("an id beside what it is of makes no second key", () => {
  const [team, id] = [column("team$caption", "string", { field: "team$caption" }), column("team$id", "integer", { field: "team$id" })]
  const rows = { data: [["North", 2, 5], ["South", 3, 7]], others: undefined, groups: 2, partial: false }
  assert.deepEqual(fitting([team, id, amount], rows), ["bar", "line"])
  const data = shape("bar", [team, id, amount], rows, undefined)
  assert.deepEqual([data?.kind, data?.labels, data?.series.map((s) => s.values)], ["bar", ["North", "South"], [[5, 7]]])
  const namesakes = { ...rows, data: [["North", 2, 5], ["North", 3, 7]] }
  assert.deepEqual(fitting([team, id, amount], namesakes), ["bar"])
  assert.deepEqual(shape("bar", [team, id, amount], namesakes, undefined)?.labels, ["North", "North"])
  assert.deepEqual(fitting([id, amount], { ...rows, data: [[2, 5], [3, 7]] }), ["bar", "line"])
})

test("what is counted in whole numbers has whole numbers on its axis", () => {
  const scale = { ticks: () => [0, 0.5, 1, 1.5, 2] }
  assert.deepEqual(axisValues(scale, 5, amount), [0, 1, 2])
  assert.deepEqual(axisValues(scale, 5, column("price", "money", { shape: { dataType: "money", measure: true } })), [0, 0.5, 1, 1.5, 2])
})

test("what is not nought is not written as nought, and no day is made up", () => {
  const money = { dataType: "money", measure: true }
  assert.equal(formatNumber(0.004, money), "0.004")
  assert.equal(formatNumber(0, money), "0.00")
  assert.equal(formatNumber(2.5, { dataType: "integer", measure: true }), "2.5")
  assert.equal(formatNumber(new Exact("12345678901234567890.125"), { dataType: "decimal", measure: true }), "12,345,678,901,234,567,890.125")
  assert.equal(formatDate("2024-02-31"), "2024-02-31")
})

test("every spelling of the contract is an operator, in any case", () => {
  const all = "= == eq|!= <> ne|===|> gt|>= gte|< lt|<= lte|in|nin not_in NotIn|like contains|left_like ends_with|right_like starts_with|not_like|not_left_like|not_right_like|isNull is_null|isNotNull is_not_null|isNullAndEmpty|isNotNullAndEmpty|[] between|[)|(]|()|bit_in|childrenOf children_of|descendantsOf|selfAndDescendantsOf|ancestorsOf|selfAndAncestorsOf self_and_ancestors_of"
  for (const group of all.split("|")) {
    const [first = "", ...others] = group.split(" ")
    for (const word of [first, ...others]) assert.equal(readOperator(word.toUpperCase())?.op, readOperator(first)?.op, word)
    assert.ok(readOperator(first), first)
  }
  for (const word of ["NOT  IN", "is   null", "not starts_with"]) assert.ok(readOperator(word), word)
  assert.equal(readOperator("resembles"), undefined)
})

test("the editor offers a condition's own operator as it is spelt", () => {
  const ops = (written: string) => offered(operatorsOf("string", false), written).map((o) => o.op)
  assert.equal(ops("!=")[0], "!=")
  assert.ok(ops("nin").includes("nin") && !ops("nin").includes("not in"))
  assert.deepEqual(ops("resembles"), operatorsOf("string", false).map((o) => o.op))
})
