// A box that only serves the kitchen's built page and a board from memory: for what the page draws, at any size, without a relay.
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname } from 'node:path'
import type {
  ActResult,
  BoardDisplay,
  BoardOrder,
  BoardPrinter,
  KitchenAct,
  KitchenHello,
} from '#shared/wire/kitchen.ts'
import type { PickUpRow } from '#shared/wire/kitchen-screens.ts'

const WEB = new URL('../../dist/web/', import.meta.url)
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
}

export class BoardBox {
  readonly #server: Server
  readonly #feeds = new Set<ServerResponse>()
  #orders: readonly BoardOrder[] = []
  #rev = 1
  /** What the box's clock says: it stands still until it is set. The page hears it with the next board or patch. */
  nowMs: number
  display: BoardDisplay = { displayId: 'dsp_1', name: 'Grill', stations: [], language: 'en' }
  served: readonly string[] = []
  printers: readonly BoardPrinter[] = []
  /** What a guests' board is sent. */
  pickUp: readonly PickUpRow[] = []
  /** Acts that the page has sent. */
  readonly acts: KitchenAct[] = []
  /** Orders that the page has said are drawn, and before which somebody stood. */
  readonly rendered = new Set<string>()
  readonly noticed = new Set<string>()

  constructor(nowMs: number) {
    this.nowMs = nowMs
    this.#server = createServer((request, response) => void this.#answer(request, response))
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
  }

  async stop(): Promise<void> {
    for (const feed of this.#feeds) feed.end()
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  /** The whole board anew, to every page that is open. */
  show(orders: readonly BoardOrder[]): void {
    this.#orders = orders
    for (const feed of this.#feeds) this.#say(feed, 'hello', this.#hello())
  }

  /** Orders that changed or came, and ids of those that left. */
  patch(orders: readonly BoardOrder[], gone: readonly string[] = []): void {
    const changed = new Map(orders.map((order) => [order.orderId, order]))
    const known = new Set(this.#orders.map(({ orderId }) => orderId))
    this.#orders = [
      ...this.#orders
        .filter(({ orderId }) => !gone.includes(orderId))
        .map((order) => changed.get(order.orderId) ?? order),
      ...orders.filter(({ orderId }) => !known.has(orderId)),
    ]
    this.#rev++
    for (const feed of this.#feeds) this.#say(feed, 'patch', { rev: this.#rev, nowMs: this.nowMs, orders, gone })
  }

  #hello(): KitchenHello {
    const { display, served, printers, pickUp } = this
    const base = { app: 'test', rev: this.#rev, nowMs: this.nowMs, timeZone: 'Europe/Madrid', restaurant: 'Casa Ana' }
    return { ...base, display, served, orders: this.#orders, printers, pickUp, adopter: display.displayId }
  }

  #say(feed: ServerResponse, event: string, data: unknown): void {
    feed.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', this.url)
    if (pathname === '/kitchen/api/live') return this.#open(response)
    if (pathname.startsWith('/kitchen/api/')) return this.#take(pathname, await bodyOf(request), response)
    try {
      const file = pathname === '/kitchen/' ? 'kitchen.html' : pathname.slice(1)
      const body = readFileSync(new URL(file, WEB))
      response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' }).end(body)
    } catch {
      response.writeHead(404).end()
    }
  }

  #open(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
    this.#feeds.add(response)
    response.on('close', () => this.#feeds.delete(response))
    this.#say(response, 'hello', this.#hello())
  }

  #take(pathname: string, body: string, response: ServerResponse): void {
    const sent = JSON.parse(body === '' ? '{}' : body) as {
      acts?: KitchenAct[]
      rendered?: string[]
      noticed?: string[]
    }
    this.acts.push(...(sent.acts ?? []))
    for (const id of sent.rendered ?? []) this.rendered.add(id)
    for (const id of sent.noticed ?? []) this.noticed.add(id)
    const results = (sent.acts ?? []).map(({ id }): ActResult => ({ id, outcome: 'done' }))
    const answer = pathname.endsWith('/acts') ? { results } : {}
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
