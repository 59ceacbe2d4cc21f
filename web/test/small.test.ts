import { deepEqual, equal } from "node:assert/strict"
import { test } from "node:test"
import { ask, rowsOf } from "../src/query/answer"
import { largestPage } from "../src/query/pages"
import { curlText, inParts, toolText } from "../src/takeaway/texts"
import { build } from "../src/takeaway/files"
import { groupsOf, Shop } from "./shop"

const payload = { columns: ["year", "kind", "amount"], groupBy: ["year", "kind"] }

// What a server allows is learnt once, so that the tests of a small page have a process of their own.
test("a server whose pages are short is asked for short pages", async () => {
  const groups = groupsOf(1000)
  const shop = new Shop(groups)
  shop.maxRows = 300
  const rows = rowsOf("m", payload, await ask("m", payload))
  rows.need(600, 900)
  for (let i = 0; i < 20; i++) await new Promise((done) => setTimeout(done, 0))
  equal(largestPage(), 300)
  equal(rows.failed.value, false)
  for (let i = 600; i <= 900; i++) deepEqual(rows.at(i), [groups[i]?.year, groups[i]?.kind, groups[i]?.amount])

  shop.maxRows = 50
  const again = await ask("m", { ...payload, withSubtotals: true })
  equal(largestPage(), 50)
  equal(again.shown?.filter((r) => r.type === "data").length, 1000)
  equal(again.shown?.filter((r) => r.type === "subtotal").length, Math.ceil(1000 / 7))

  const file = await build("json", { model: "m", payload, answer: await ask("m", payload) }, new AbortController().signal, () => {})
  equal((JSON.parse(await file.text()) as unknown[]).length, 1000)

  const shown = { window: { start: 20, limit: 150 }, total: 1000 }
  equal(inParts(shown), true)
  equal(curlText("m", { columns: ["it's"] }, shown), `for start in $(seq 20 50 169); do
  curl -s 'http://parlance.test/jdbc-model/query-model/v2/m' \\
    -H 'Content-Type: application/json' \\
    -d '{"start":'"$start"',"limit":'"$((170 - start < 50 ? 170 - start : 50))"',"param":{"columns":["it'\\''s"]}}'
done`)
  equal(toolText("m", { columns: ["a"] }, shown).includes('"limit": 50'), true)
})
