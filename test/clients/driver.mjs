// The half of a client's test that runs in Node: it does with a client what it is told on standard input, a line of JSON
// each, and tells on standard output what came of it. What is right is judged by whoever tells it.
//
//   {"id": 1, "do": "connect", "session": "a", "url": "http://…", "headers": {}}   → {"id": 1, "ok": {"protocol": "…"}}
//   {"id": 2, "do": "tools", "session": "a"}                                       → {"id": 2, "ok": ["…"]}
//   {"id": 3, "do": "call", "session": "a", "tool": "…", "arguments": {}}          → {"id": 3, "ok": {result}} or {"id": 3, "error": {code, message, data}}
//   {"id": 4, "do": "cancel", "call": 3}                                           → {"id": 3, "error": …}, {"id": 4, "ok": null}
//   {"id": 5, "do": "close", "session": "a"}                                       → {"id": 5, "ok": null}

import { createInterface } from 'node:readline'

let protocol // the version that the client settled on, as it is seen on the wire

// Clients do not all tell the version: the headers that they send and the answer to initialize do.
const send = globalThis.fetch
globalThis.fetch = async (url, init) => {
  const answer = await send(url, init)
  const named = new Headers(init?.headers).get('mcp-protocol-version')
  if (named) protocol = named
  else if (typeof init?.body === 'string' && JSON.parse(init.body).method === 'initialize')
    protocol = (await answer.clone().json()).result?.protocolVersion
  return answer
}

// drive serves one client. connect(url, headers) returns an object with tools(), call(tool, arguments, signal) and close().
export function drive(connect) {
  const sessions = new Map()
  const calls = new Map()
  const deeds = {
    async connect({ session, url, headers }) {
      sessions.set(session, await connect(new URL(url), headers))
      return { protocol }
    },
    tools: ({ session }) => sessions.get(session).tools(),
    async call({ id, session, tool, arguments: args }) {
      const stop = new AbortController()
      calls.set(id, stop)
      try {
        return await sessions.get(session).call(tool, args, stop.signal)
      } finally {
        calls.delete(id)
      }
    },
    async cancel({ call }) {
      calls.get(call)?.abort()
      return null
    },
    async close({ session }) {
      await sessions.get(session).close()
      return null
    },
  }
  const reply = (line) => process.stdout.write(JSON.stringify(line) + '\n')
  createInterface({ input: process.stdin })
    .on('line', async (line) => {
      const told = JSON.parse(line)
      try {
        reply({ id: told.id, ok: await deeds[told.do](told) })
      } catch (e) {
        reply({ id: told.id, error: { code: Number.isInteger(e.code) ? e.code : 0, message: String(e.message ?? e), data: e.data } })
      }
    })
    .on('close', () => process.exit(0))
}
