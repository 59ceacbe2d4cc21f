import { deepEqual, rejects } from "node:assert/strict"
import { test } from "node:test"
import { fieldValues } from "../src/server/models"
import { parse } from "../src/server/exact"

/** answering has the server answer each call of a tool with the next text; an error's text has an error in it. */
function answering(...texts: string[]): object[] {
  const asked: object[] = []
  globalThis.fetch = async (_, init) => {
    asked.push((parse(String(init?.body)) as { params: { arguments: object } }).params.arguments)
    const text = texts.shift() ?? ""
    return Response.json({ jsonrpc: "2.0", id: 1, result: { content: [{ type: "text", text }], ...(text.includes('"error"') && { isError: true }) } })
  }
  return asked
}

const numbers = `{"range":{"min":-20,"max":30},"examples":[{"value":-20,"count":1},{"value":3,"count":2},{"value":9223372036854775806,"count":1}],"total":23}`
const refused = `{"error":{"code":400,"reason":"not_searchable","message":"search looks in texts"}}`

test("numbers are suggested by the examples that the server gives of them, and searched among these", async () => {
  answering(numbers)
  deepEqual((await fieldValues("m", "big", "")).map((v) => String(v.value)), ["-20", "3", "9223372036854775806"])
  const asked = answering(refused, numbers)
  deepEqual((await fieldValues("m", "big", "2")).map((v) => String(v.value)), ["-20", "9223372036854775806"])
  deepEqual(asked, [{ model: "m", field: "big", limit: 50, search: "2" }, { model: "m", field: "big", limit: 50 }])
})

test("texts are searched by the server, and what else it refuses is told", async () => {
  answering(`{"values":[{"value":"Alpha","count":1}]}`)
  deepEqual(await fieldValues("m", "name", "ph"), [{ value: "Alpha", count: 1 }])
  answering(`{"error":{"code":403,"reason":"denied","message":"no"}}`)
  await rejects(() => fieldValues("m", "name", "ph"), { message: "no" })
})
