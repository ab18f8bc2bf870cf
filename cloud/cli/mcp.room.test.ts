// `ticketrail mcp` against a whole relay: the messages of the protocol, the tools that a key may use, and an order from the menu to the kitchen.
import { describe, expect, it } from 'vitest'
import { Signal } from '#shared/signal.ts'
import { ticketrailHome } from '#test/fixtures/ticketrail-home.ts'
import { type Around, typed } from '#test/fixtures/typed-ticketrail.ts'

const { env } = await ticketrailHome()

// biome-ignore lint/suspicious/noExplicitAny: tests look into any answer
type Read = any

/** A client that writes lines, and reads the lines of standard output. */
class McpLine {
  readonly #waiting: string[] = []
  readonly #told = new Signal<void>()
  readonly line
  #isClosed = false
  #lastId = 0

  constructor(args: readonly string[] = [], around: Around = {}) {
    const [waiting, told] = [this.#waiting, this.#told]
    const isClosed = () => this.#isClosed
    const input = async function* () {
      for (;;) {
        const next = waiting.shift()
        if (next !== undefined) yield next
        else if (isClosed()) return
        else await new Promise<void>((resolve) => void told.subscribe(() => resolve()))
      }
    }
    this.line = typed(['mcp', ...args], { env, input, ...around })
  }

  write(text: string): void {
    this.#waiting.push(text)
    this.#told.notify()
  }

  async answerOf(id: number | null): Promise<Read> {
    return JSON.parse(await this.line.said(new RegExp(`^\\{"jsonrpc":"2.0","id":${id},`)))
  }

  ask(method: string, params: object = {}): Promise<Read> {
    const id = ++this.#lastId
    this.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    return this.answerOf(id)
  }

  async tool(name: string, args: object): Promise<{ isError: boolean; data: Read }> {
    const { result } = await this.ask('tools/call', { name, arguments: args })
    const { text } = result.content[0]
    return { isError: result.isError === true, data: /^[[{]/.test(text) ? JSON.parse(text) : text }
  }

  async end(): Promise<number> {
    this.#isClosed = true
    this.#told.notify()
    return this.line.ended
  }
}

describe('mcp', () => {
  it('agrees on a version, and shows the tools without the merchant', async () => {
    const mcp = new McpLine()
    const { result } = await mcp.ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: {} })
    expect(result).toMatchObject({
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'ticketrail' },
      instructions: expect.stringContaining('call:<id>:1'),
    })
    mcp.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
    expect((await mcp.ask('initialize', { protocolVersion: '1999-01-01' })).result.protocolVersion).toBe('2025-11-25')
    expect((await mcp.ask('ping')).result).toEqual({})
    const { tools } = (await mcp.ask('tools/list')).result
    expect(tools.map(({ name }: Read) => name)).toEqual([
      'listSkus',
      'checkOrder',
      'injectOrder',
      'getOrder',
      'listOrders',
    ])
    for (const { inputSchema, annotations, name } of tools) {
      expect(inputSchema.type).toBe('object')
      expect([inputSchema.properties.merchantId, inputSchema.required]).toEqual([
        undefined,
        expect.not.arrayContaining(['merchantId']),
      ])
      expect(annotations.readOnlyHint).toBe(name !== 'injectOrder')
    }
    expect(await mcp.end()).toBe(0)
    for (const text of mcp.line.out) expect(JSON.parse(text)).toMatchObject({ jsonrpc: '2.0' })
    expect(mcp.line.err).toEqual([])
  })

  it('takes an order from the menu to the kitchen, once', async () => {
    const mcp = new McpLine(['--merchant', 'M-TEST-002'])
    const menu = await mcp.tool('listSkus', { q: 'burger' })
    const [{ umsId, price }] = menu.data.data
    const order = {
      orderId: 'call:mcp:1',
      source: 'voice:test',
      items: [{ umsId, qty: 2, price }],
      total: price * 2,
    }
    const checked = await mcp.tool('checkOrder', order)
    expect(checked).toMatchObject({ isError: false, data: { total: price * 2, serviceOrderId: null } })
    const placed = await mcp.tool('injectOrder', order)
    const again = await mcp.tool('injectOrder', order)
    expect(placed).toMatchObject({ isError: false, data: { status: 'accepted' } })
    expect(again.data).toEqual(placed.data)
    const { serviceOrderId } = placed.data
    const read = await mcp.tool('getOrder', { serviceOrderId })
    expect(read.data).toMatchObject({ orderId: 'call:mcp:1', merchantId: 'M-TEST-002' })
    const found = await mcp.tool('listOrders', { orderId: 'call:mcp:1' })
    expect(found.data.data).toMatchObject([{ serviceOrderId }])
    await mcp.end()
  })

  it('tells the model what is wrong with its arguments, and that an order without a printer was taken', async () => {
    const mcp = new McpLine(['--merchant', 'M-TEST-PRINTER-OFFLINE'])
    const items = [{ umsId: 'UMS-BURGER-01', qty: 1, price: 12.5 }]
    const order = { orderId: 'call:offline:1', source: 'voice:test', items, total: 12.5 }
    expect(await mcp.tool('checkOrder', { ...order, total: 1 })).toMatchObject({
      isError: true,
      data: { code: 'order.total_mismatch', errors: [{ field: 'total' }], expected: 12.5 },
    })
    expect(await mcp.tool('injectOrder', { orderId: 'x' })).toMatchObject({ isError: true })
    expect(await mcp.tool('getOrder', {})).toEqual({
      isError: true,
      data: 'serviceOrderId is missing: it must be a text.',
    })
    expect(await mcp.tool('getOrder', { serviceOrderId: '..' })).toMatchObject({ isError: true })
    // The merchant is that of the command line: what a model wants elsewhere is placed nowhere.
    expect(await mcp.tool('injectOrder', { ...order, merchantId: 'M-TEST-001' })).toEqual({
      isError: true,
      data: 'This server is for the merchant M-TEST-PRINTER-OFFLINE alone: leave "merchantId" out.',
    })
    expect(await mcp.tool('injectOrder', order)).toMatchObject({
      isError: false,
      data: { status: 'accepted', printPending: true },
    })
    await mcp.end()
  })

  it.each([
    ['{"jsonrpc":', null, -32_700],
    ['[]', null, -32_600],
    ['{"jsonrpc":"1.0","id":1,"method":"ping"}', null, -32_600],
    ['{"jsonrpc":"2.0","id":7,"method":"resources/list"}', 7, -32_601],
    ['{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"voidOrder"}}', 7, -32_602],
    ['{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"getOrder","arguments":[]}}', 7, -32_602],
  ])('answers %s with an error of the protocol, and goes on', async (text, id, code) => {
    const mcp = new McpLine()
    mcp.write(`${text}\n`)
    expect(await mcp.answerOf(id)).toMatchObject({ error: { code, message: expect.any(String) } })
    expect((await mcp.ask('ping')).result).toEqual({})
    await mcp.end()
  })

  it('answers nothing to notifications and answers, and takes a message in pieces, also without a last line end', async () => {
    const mcp = new McpLine()
    mcp.write('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9}}\n\n')
    mcp.write('{"jsonrpc":"2.0","id":4,"result":{}}\n{"jsonrpc":"2.0",')
    mcp.write('"id":5,"method":"ping"}')
    expect(await mcp.end()).toBe(0)
    expect(mcp.line.out.map((text) => JSON.parse(text))).toEqual([{ jsonrpc: '2.0', id: 5, result: {} }])
  })

  it('offers only what the scopes of the key allow', async () => {
    const scoped =
      (scopes: string[]): NonNullable<Around['fetch']> =>
      async (url, init) => {
        const answer = await fetch(url, init)
        if (!url.includes('/v1/key?') && !url.endsWith('/v1/key')) return answer
        return Response.json({ ...((await answer.json()) as object), scopes }, { headers: answer.headers })
      }
    const mcp = new McpLine([], { fetch: scoped(['menu:read', 'orders:read']) })
    const { tools } = (await mcp.ask('tools/list')).result
    expect(tools.map(({ name }: Read) => name)).toEqual(['listSkus', 'checkOrder', 'getOrder', 'listOrders'])
    expect((await mcp.ask('tools/call', { name: 'injectOrder', arguments: {} })).error.code).toBe(-32_602)
    await mcp.end()
    const none = typed(['mcp'], { env, fetch: scoped(['webhooks:manage']) })
    expect([await none.ended, none.out]).toEqual([4, []])
  })

  it('says so where the relay is too old', async () => {
    const old: NonNullable<Around['fetch']> = async (url, init) =>
      url.endsWith('/docs/agents.json') ? new Response('<html>', { status: 404 }) : fetch(url, init)
    const line = typed(['mcp'], { env, fetch: old })
    expect([await line.ended, line.out, line.err.join('\n')]).toEqual([1, [], expect.stringContaining('older relay')])
  })
})
