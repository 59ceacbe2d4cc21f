import { deepEqual, equal, rejects } from "node:assert/strict"
import { test } from "node:test"
import { callTool } from "../src/server/call"
import { namespace, runtimeCode, token, unreachable } from "../src/server/connection"
import type { Failure } from "../src/server/failure"

/** asked answers every request and keeps it. */
function asked(): Request[] {
  const all: Request[] = []
  const answer = { jsonrpc: "2.0", id: 1, result: { content: [{ type: "text", text: "{}" }] } }
  globalThis.fetch = async (to, init) => {
    all.push(new Request(new URL(String(to), "http://parlance.test/"), init))
    return Response.json(answer)
  }
  return all
}

test("a token or a code that no header carries is refused as such, and nobody is asked", async () => {
  for (const [secret, kind] of [[token, "token"], [runtimeCode, "code"]] as const) {
    for (const text of ["密码", "a\u0000b", "a\nb"]) {
      const all = asked()
      secret.value = text
      await rejects(() => callTool("analyst", "x", {}), (error: Failure) => error.kind === kind && error.message !== "")
      deepEqual(all, [])
      equal(unreachable.value, false)
    }
    secret.value = ""
  }
})

test("a namespace goes into a header where one carries it, and else into the address", async () => {
  for (const [name, header, address] of [["", null, ""], ["demo-secure", "demo-secure", ""], ["销售 é", null, "?ns=%E9%94%80%E5%94%AE+%C3%A9"], ["\ud800", null, "?ns=%EF%BF%BD"]] as const) {
    const all = asked()
    namespace.value = name
    await callTool("analyst", "x", {})
    equal(all[0]?.headers.get("X-NS"), header)
    equal(all[0]?.url, "http://parlance.test/mcp/analyst/rpc" + address)
  }
  namespace.value = ""
})

test("of an answer that is no JSON the words are told, and no markup", async () => {
  const page = "\n<!doctype html><h1>Bad gateway</h1>"
  for (const [status, statusText, body, message] of [[502, "Bad Gateway", page, "502 Bad Gateway"], [502, "", page, "502"], [200, "OK", page, ""], [500, "", " out of order ", "out of order"], [404, "Not Found", "", "404 Not Found"]] as const) {
    globalThis.fetch = async () => new Response(body, { status, statusText })
    await rejects(() => callTool("analyst", "x", {}), { message })
  }
})
