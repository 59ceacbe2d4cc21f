import assert from "node:assert/strict"
import { test } from "node:test"
import { isolate } from "../src/bidi"
import { conditionText, editable } from "../src/views/explore/condition"
import { failureText, reasonOf } from "../src/parts/reasons"
import { ofMistake } from "../src/server/failure"
import { namedAs } from "../src/views/ask/named"
import { answerOf } from "../src/views/ask/turn"
import { language, listed, t } from "../src/words"
import type { Model } from "../src/server/models"
import { named, sales } from "./model"

test("one is one, and several are several", () => {
  language.value = "en"
  assert.equal(t("condition.depth", 1), "(at most 1 level)")
  assert.equal(t("condition.depth", "2"), "(at most 2 levels)")
  assert.equal(t("explore.rows", "1"), "1 row")
  assert.equal(t("explore.rows", "1,000"), "1,000 rows")
  assert.equal(t("models.countMeasures", 1), "1 measure")
  assert.equal(t("models.countDimensions", "12"), "12 dimensions")
  assert.equal(t("take.progress", 0, 1), "0 of 1 row")
  assert.equal(t("chart.series", 1), "1 more is left out of the chart.")
  language.value = "zh"
  assert.equal(t("explore.rows", "1"), "1 行")
  language.value = "en"
})

test("a text that turns others is kept within itself, and no other is touched", () => {
  for (const plain of ["", "Home", "省份", "50 % (à)", "line\nbreak"]) assert.equal(isolate(plain), plain)
  assert.equal(isolate("\u05e9\u05dc\u05d5\u05dd"), "\u2068\u05e9\u05dc\u05d5\u05dd\u2069")
  assert.equal(isolate("\u202egnirts"), "\u2068\u202egnirts\u2069")
})

test("no text ends its own isolation", () => {
  for (const text of ["\u2069\u202eevil", "a\u2069\u2069\u2067b", "\u2066\u2068x", "\u202ea\u2029b\nc"]) {
    let open = 0
    const kept = isolate(text)
    for (const [at, sign] of [...kept].entries()) {
      assert.ok(!/[\n\u2029]/.test(sign), text)
      open += /[\u2066-\u2068]/.test(sign) ? 1 : sign === "\u2069" ? -1 : 0
      assert.ok(open > 0 || at === kept.length - 1, `${JSON.stringify(text)} ends at ${at}`)
    }
    assert.equal(open, 0)
  }
})

test("what is filled in and listed is isolated", () => {
  assert.equal(t("models.eg", "\u05d0"), "e.g. \u2068\u05d0\u2069")
  assert.equal(listed(["a", "\u05d0"]), "a, \u2068\u05d0\u2069")
  assert.equal(conditionText({ field: "brand$caption", op: "in", value: ["\u202ea", "b"] }, sales), "brand$caption is one of \u2068\u202ea\u2069, b")
})

test("a shorthand is read as what it stands for", () => {
  assert.deepEqual(editable({ brand$caption: "Acme" }, sales), { field: "brand$caption", op: "=", value: "Acme" })
  assert.deepEqual(editable({ brand$caption: ["Acme", null] }, sales), { field: "brand$caption", op: "in", value: ["Acme", null] })
  assert.deepEqual(editable({ brand$caption: null }, sales), { field: "brand$caption", op: "is null" })
  assert.equal(conditionText({ brand$caption: "Acme" }, sales), "brand$caption is Acme")
  assert.equal(conditionText({ brand$caption: null }, sales), "brand$caption is empty")
  for (const other of [{ nobody: "x" }, { brand$caption: { $field: "city$caption" } }, { $or: [] }, { brand$caption: "a", city$caption: "b" }]) assert.equal(editable(other, sales), undefined)
})

test("an answer has the names of the language that was asked in", () => {
  const model: Model = { ...sales, fields: [{ ...named("brand$caption"), caption: "Brand", synonyms: ["make", "品牌", "牌子"] }, { ...named("city$caption"), caption: "City" }], dictionaries: { states: [{ code: "PAID", label: "Paid", synonyms: ["已付款"] }, { code: 2 }] } }
  const names = (sentence: string) => namedAs(sentence, model).fields.map((f) => f.caption)
  assert.deepEqual(names("sales by brand"), ["Brand", "City"])
  assert.deepEqual(names("按品牌统计"), ["品牌", "City"])
  assert.deepEqual(namedAs("按品牌统计", model).dictionaries.states?.map((c) => c.label), ["已付款", "2"])
})

test("what a question makes of a measure has a name", () => {
  const payload = { columns: ["amount", "share"], calculatedFields: [{ name: "share", expression: "amount / sum(amount) over () * 100" }] }
  const answer = answerOf({ type: "result", question: "", payload, items: [{ amount: 3, share: 31.5 }] }, sales)
  assert.deepEqual(answer.schema, [{ name: "amount", caption: "amount", dataType: "money" }, { name: "share", caption: "Share", dataType: "percent" }])
  assert.equal(answerOf({ type: "result", question: "", payload: {}, items: [{ share: 2 }] }, sales).schema[0]?.caption, "share")
})

test("a refusal is told in Chinese, with the server's own text", () => {
  const failure = ofMistake({ code: 400, reason: "unknown_field", message: 'Sales has no field "amout"' })
  const other = ofMistake({ code: 400, reason: "constructor", message: "No." })
  assert.deepEqual([reasonOf(failure), failureText(failure)], [undefined, 'Sales has no field "amout"'])
  language.value = "zh"
  assert.deepEqual([reasonOf(failure), failureText(failure)], ["此字段不存在。", '此字段不存在。服务器原文：Sales has no field "amout"'])
  assert.deepEqual([reasonOf(other), failureText(other)], [undefined, "No."])
  language.value = "en"
})
