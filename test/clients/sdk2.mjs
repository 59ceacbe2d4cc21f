// The TypeScript client of the second major version: node sdk2.mjs legacy, or a protocol version to be pinned to.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { drive } from './driver.mjs'

const mode = process.argv[2] === 'legacy' ? 'legacy' : { pin: process.argv[2] }

drive(async (url, headers) => {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
  return {
    tools: async () => (await client.listTools()).tools.map((t) => t.name),
    call: (name, args, signal) => client.callTool({ name, arguments: args }, { signal }),
    close: () => client.close(),
  }
})
