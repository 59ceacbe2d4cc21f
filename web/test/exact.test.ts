import { deepEqual, equal, ok, throws } from "node:assert/strict"
import { test } from "node:test"
import { copy, Exact, parse, parseUnique, write } from "../src/server/exact"
import { jsonText, Random } from "./random"

test("numbers keep all their digits", () => {
  for (const text of ["9007199254740993", "-9223372036854775808", "0.1234567890123456789", "1e400", "1e-400", "100000000000000000000000.5", "12345678901234567890e-3"]) {
    equal(write(parse(`[${text}]`)), `[${text}]`)
    ok(parse(text) instanceof Exact, text)
  }
})

test("numbers that a double holds are numbers", () => {
  for (const [text, want] of [["9007199254740991", 9007199254740991], ["1.50", 1.5], ["0.10000000000000000", 0.1], ["1e22", 1e22], ["1.7976931348623157e308", 1.7976931348623157e308], ["-0.000000000000001", -1e-15], ["10000000000000000", 1e16]] as const) {
    equal(parse(text), want)
  }
})

test("texts and keys that look like numbers or like more stay what they are", () => {
  const text = '{"a":"12345678901234567890","12345678901234567890":[12345678901234567890],"__proto__":{"x":1},"q":"\\"\\\\","e":""}'
  const value = parse(text) as Record<string, unknown>
  equal(write(value), '{"12345678901234567890":[12345678901234567890],"a":"12345678901234567890","__proto__":{"x":1},"q":"\\"\\\\","e":""}'.replace(/^\{("12.*?\]),("a".*?"),/, "{$2,$1,"))
  equal(Object.getPrototypeOf(value), Object.prototype)
})

test("what is no JSON is refused", () => {
  const long = "12345678901234567890"
  for (const text of ["", `[${long}`, `[${long},]`, `{"a":${long},}`, `{a:${long}}`, `${long}x`, `0${long}`, `+${long}`, `.${long}`, `${long}.`, `[${long}] 1`, `"${long}`, `["\t", ${long}]`, `nul`, `[${long} 1]`, `NaN`, `{"a" ${long}}`]) {
    throws(() => parse(text), SyntaxError)
    throws(() => parseUnique(text), SyntaxError)
  }
  throws(() => parseUnique('{"a":1,"a":2}'), SyntaxError)
  throws(() => parseUnique("[".repeat(100000)), SyntaxError)
})

test("the exact reader reads what JSON.parse reads", () => {
  const r = new Random(1)
  for (let i = 0; i < 2000; i++) {
    const text = jsonText(r)
    deepEqual(JSON.parse(write(parseUnique(text))), JSON.parse(text), text)
    equal(write(parseUnique(write(parseUnique(text)))), write(parseUnique(text)))
  }
})

test("writing with an indent differs in space only", () => {
  const value = { a: [1, [], {}, { b: new Exact("12345678901234567890") }], c: undefined, d: null }
  equal(write(value, 2), '{\n  "a": [\n    1,\n    [],\n    {},\n    {\n      "b": 12345678901234567890\n    }\n  ],\n  "d": null\n}')
  equal(write(value), '{"a":[1,[],{},{"b":12345678901234567890}],"d":null}')
})

test("a copy shares no branch, and JSON.stringify loses no digit", () => {
  const value = { a: [{ b: new Exact("12345678901234567890") }] }
  const other = copy(value)
  other.a.push({ b: new Exact("1") })
  equal(value.a.length, 1)
  equal(write(other.a[0]), '{"b":12345678901234567890}')
  equal(JSON.stringify(value), '{"a":[{"b":12345678901234567890}]}')
})
