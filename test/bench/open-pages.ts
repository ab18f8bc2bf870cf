// Pages of the dashboard that are open, without a browser: each reads its live feed, and asks again what a page asks again when something changed.
import { Agent, type IncomingMessage, request } from 'node:http'
import { systemClock } from '#shared/clock.ts'
import type { AccountId } from '#shared/ids.ts'
import { StaleRooms } from '#shared/ui/stale-rooms.ts'
import type { SignedInPerson } from '#test/fixtures/sign-in.ts'

export interface PagePlace {
  /** Of the relay. */
  url: string
  accountId: AccountId
  merchantId: string
}

/** The page of orders, as a browser has it open. */
export class OpenOrdersPage {
  /** What came, for whoever doubts that it was open: messages of the feed that changed orders, and lists that were read whole. */
  patches = 0
  lists = 0
  refused = 0
  readonly #place: PagePlace
  readonly #person: SignedInPerson
  readonly #agent = new Agent({ keepAlive: true })
  readonly #stale = new StaleRooms({ clock: systemClock, random: Math.random, ask: () => void this.#readList() })
  #feed: IncomingMessage | null = null
  #isOpen = true

  constructor(place: PagePlace, person: SignedInPerson) {
    this.#place = place
    this.#person = person
  }

  /** Resolves when the feed has answered and the list was read. */
  async open(): Promise<void> {
    const { url, accountId, merchantId } = this.#place
    const query = new URLSearchParams({ account: accountId, merchant: merchantId, environment: 'sandbox' })
    const feed = await this.#send('GET', `${url}/dashboard/api/live?${query}`)
    if (feed.statusCode !== 200) throw new Error(`the feed was refused: ${feed.statusCode}`)
    this.#feed = feed
    feed.setEncoding('utf8')
    feed.on('error', () => undefined)
    let rest = ''
    feed.on('data', (text: string) => {
      const events = (rest + text).split('\n\n')
      rest = events.pop() ?? ''
      for (const event of events) this.#heard(event)
    })
    await this.#readList()
  }

  close(): void {
    this.#isOpen = false
    this.#stale.stop()
    this.#feed?.destroy()
    this.#agent.destroy()
  }

  #heard(event: string): void {
    if (!event.includes('event: patch') || !event.includes('"topic":"orders"')) return
    this.patches++
    this.#stale.touch('orders')
  }

  async #readList(): Promise<void> {
    const { url, merchantId } = this.#place
    try {
      const answer = await this.#send('POST', `${url}/dashboard/api/orders.list`, JSON.stringify({ merchantId }))
      answer.resume()
      await new Promise((resolve) => answer.on('end', resolve))
      if (answer.statusCode === 200) this.lists++
      else this.refused++
    } catch (error) {
      if (this.#isOpen) throw error
    }
  }

  #send(method: string, url: string, body?: string): Promise<IncomingMessage> {
    const headers = {
      cookie: this.#person.cookie,
      ...(body === undefined
        ? {}
        : {
            origin: this.#place.url,
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(body),
            'x-account': this.#place.accountId,
            'x-environment': 'sandbox',
          }),
    }
    return new Promise((resolve, reject) => {
      const asked = request(url, { method, headers, agent: this.#agent }, resolve)
      asked.on('error', reject)
      asked.end(body)
    })
  }
}
