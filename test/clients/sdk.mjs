// The TypeScript SDK of the first major version: node sdk.mjs PACKAGE.
import { drive } from './driver.mjs'

const { Client } = await import(`${process.argv[2]}/client/index.js`)
const { StreamableHTTPClientTransport } = await import(`${process.argv[2]}/client/streamableHttp.js`)

drive(async (url, headers) => {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
  return {
    tools: async () => (await client.listTools()).tools.map((t) => t.name),
    call: (name, args, signal) => client.callTool({ name, arguments: args }, undefined, { signal }),
    close: () => client.close(),
  }
})
