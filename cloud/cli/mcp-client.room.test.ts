// The protocol's own client package as judge of `ticketrail mcp`: it starts the program, reads its tools, and places an order by them.
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ticketrailHome } from '#test/fixtures/ticketrail-home.ts'
import { isVendorAsked, vendorPackage } from '#test/fixtures/vendor-package.ts'

const { load, why } = vendorPackage('@modelcontextprotocol/sdk@1.32.2')
// Without the package no relay is started for it.
const home = isVendorAsked ? await ticketrailHome() : null
const MAIN = join(import.meta.dirname, 'main.ts')

interface Answer {
  isError?: boolean
  content: { type: string; text: string }[]
}
/** As much of the package as is used. */
interface Client {
  connect(transport: object): Promise<void>
  getServerVersion(): { name: string } | undefined
  getInstructions(): string | undefined
  listTools(): Promise<{ tools: { name: string }[] }>
  callTool(call: { name: string; arguments: object }): Promise<Answer>
  ping(): Promise<object>
  close(): Promise<void>
}
interface Package {
  Client: new (of: { name: string; version: string }) => Client
  StdioClientTransport: new (of: { command: string; args: string[]; env: Record<string, string> }) => object
}

it('its client takes an order from the menu to the kitchen, and is told what is wrong with one', async ({ skip }) => {
  if (load === null || home === null) return skip(why)
  const { Client } = load('@modelcontextprotocol/sdk/client/index.js') as Package
  const { StdioClientTransport } = load('@modelcontextprotocol/sdk/client/stdio.js') as Package
  const client = new Client({ name: 'judge', version: '1.0.0' })
  const env = { ...home.env, PATH: process.env['PATH'] ?? '' }
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [MAIN, 'mcp'], env }))
  try {
    expect(client.getServerVersion()).toMatchObject({ name: 'ticketrail' })
    expect(client.getInstructions()).toContain('call:<id>:1')
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(['listSkus', 'checkOrder', 'injectOrder', 'getOrder', 'listOrders'])
    const called = async (name: string, args: object) => {
      const { isError = false, content } = await client.callTool({ name, arguments: args })
      return { isError, data: JSON.parse(content[0]?.text ?? '') }
    }
    const [item] = (await called('listSkus', { q: 'burger' })).data.data
    const items = [{ umsId: item.umsId, qty: 2, price: item.price }]
    const order = { orderId: 'call:judge:1', source: 'voice:judge', items, total: item.price * 2 }
    expect(await called('checkOrder', order)).toMatchObject({ isError: false, data: { total: order.total } })
    expect(await called('injectOrder', order)).toMatchObject({ isError: false, data: { status: 'accepted' } })
    expect(await called('checkOrder', { ...order, orderId: 'call:judge:2', total: 1 })).toMatchObject({
      isError: true,
      data: { code: 'order.total_mismatch' },
    })
    expect(await client.ping()).toEqual({})
  } finally {
    await client.close()
  }
})
