// A kitchen display without a browser: signs in by a code, reads the live feed over a real connection, taps.
import type { ActKind, ActResult, BoardOrder, KitchenAct, KitchenHello, KitchenPatch } from '#shared/wire/kitchen.ts'

export interface ScreenAnswer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests look into the body of any answer
  body: any
}

export class KitchenScreen {
  readonly orders = new Map<string, BoardOrder>()
  /** Orders that have ever come, in the order of their coming. */
  readonly seen = new Set<string>()
  hello: Omit<KitchenHello, 'orders'> | null = null
  beats = 0
  /** The first board is here and the feed is open. */
  isWatching = false
  #cookie = ''
  #feed: AbortController | null = null
  #taps = 0
  readonly name: string

  /** @param name makes the ids of its taps */
  constructor(name = 'screen') {
    this.name = name
  }

  async signIn(url: string, code: string): Promise<ScreenAnswer> {
    const response = await this.#post(url, '/kitchen/api/sign-in', { code })
    const cookie = response.headers.get('set-cookie')?.split(';')[0]
    if (cookie) this.#cookie = cookie
    return { status: response.status, body: await response.json() }
  }

  /** Reads the feed until it is closed or breaks. Resolves when the first board is here. */
  async watch(url: string): Promise<void> {
    this.close()
    const feed = new AbortController()
    this.#feed = feed
    const response = await fetch(`${url}/kitchen/api/live`, { headers: { cookie: this.#cookie }, signal: feed.signal })
    if (response.status !== 200 || !response.body) throw new Error(`the feed answered ${response.status}`)
    let greeted: () => void = () => undefined
    const first = new Promise<void>((resolve) => {
      greeted = resolve
    })
    const ended = this.#read(response.body, greeted).then(
      () => undefined,
      () => undefined,
    )
    await Promise.race([first, ended.then(() => Promise.reject(new Error('the feed ended before its first board')))])
    this.isWatching = true
    void ended.then(() => {
      if (this.#feed === feed) this.isWatching = false
    })
  }

  close(): void {
    this.#feed?.abort()
  }

  act(kind: ActKind, orderId: string, over: Partial<KitchenAct> = {}): KitchenAct {
    this.#taps += 1
    return { id: `${this.name}-tap-${this.#taps}`, kind, orderId, stations: null, atMs: Date.now(), ...over }
  }

  async send(url: string, ...acts: KitchenAct[]): Promise<ActResult[]> {
    const { status, body } = await this.post(url, '/kitchen/api/acts', { acts })
    if (status !== 200) throw new Error(`the acts were answered with ${status}: ${JSON.stringify(body)}`)
    return body.results
  }

  /** A sign of life. */
  async here(url: string, rendered: readonly string[] = []): Promise<ScreenAnswer> {
    return this.post(url, '/kitchen/api/here', { rendered, onShift: true })
  }

  async post(url: string, path: string, body: unknown): Promise<ScreenAnswer> {
    const response = await this.#post(url, path, body)
    return { status: response.status, body: await response.json() }
  }

  #post(url: string, path: string, body: unknown): Promise<Response> {
    return fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url, cookie: this.#cookie },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(60_000),
    })
  }

  async #read(body: ReadableStream<Uint8Array>, greeted: () => void): Promise<void> {
    let text = ''
    const decoder = new TextDecoder()
    for await (const chunk of body) {
      text += decoder.decode(chunk, { stream: true })
      for (;;) {
        const end = text.indexOf('\n\n')
        if (end < 0) break
        this.#take(text.slice(0, end), greeted)
        text = text.slice(end + 2)
      }
    }
  }

  #take(event: string, greeted: () => void): void {
    const [, name, data] = /^event: (\w+)\ndata: (.*)$/s.exec(event) ?? []
    if (name === 'beat') this.beats += 1
    if (name !== 'hello' && name !== 'patch') return
    const message = JSON.parse(data ?? '') as KitchenHello & KitchenPatch
    if (name === 'hello') {
      const { orders: _, ...hello } = message
      this.hello = hello
      this.orders.clear()
    }
    for (const order of message.orders) {
      this.orders.set(order.orderId, order)
      this.seen.add(order.orderId)
    }
    for (const orderId of message.gone ?? []) this.orders.delete(orderId)
    if (name === 'hello') greeted()
  }
}
