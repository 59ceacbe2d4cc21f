// The AI SDK's client, which discovers the protocol unless it is told to begin with initialize: node aisdk.mjs [legacy].
import { createMCPClient } from '@ai-sdk/mcp'
import { drive } from './driver.mjs'

drive(async (url, headers) => {
  const client = await createMCPClient({
    transport: { type: 'http', url: url.href, headers },
    protocolVersionDiscovery: process.argv[2] !== 'legacy',
  })
  return {
    tools: async () => Object.keys(await client.tools()),
    // As a model's turn does it: through the tool that the SDK makes of the listing.
    call: async (name, args, abortSignal) => (await client.tools())[name].execute(args, { toolCallId: '1', messages: [], abortSignal }),
    close: () => client.close(),
  }
})
