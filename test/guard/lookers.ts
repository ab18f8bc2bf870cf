// Those who look at a box: kitchen displays with the live feed, which say what they have drawn, and technicians' pages with theirs.
import { callControl } from '#gateway/cli/control-client.ts'
import { systemClock } from '#shared/clock.ts'
import { KitchenScreen } from '#test/harness/kitchen-screen.ts'
import type { MeasuredSite } from './measured-site.ts'

/** As the display's page: soon after something is new on it, and every five seconds. */
const HERE_SOON_MS = 50
const HERE_EVERY_MS = 5_000
/** Until every feed has said what it begins with, and the box has answered the signs of life. */
const SETTLE_MS = 700
/** Of a page's feed: what it begins with, and more. */
const LEAST_PIECES = 2
const TRIES = 4
const TRY_AGAIN_MS = 250
const PASSWORD = 'four plain kitchen words'

class Display {
  readonly screen: KitchenScreen
  readonly #url: string
  readonly #said = new Set<string>()
  #stops: (() => void)[] = []
  #seenBefore = 0

  constructor(name: string, url: string) {
    this.screen = new KitchenScreen(name)
    this.#url = url
  }

  async look(): Promise<void> {
    await again(() => this.screen.watch(this.#url))
    this.#said.clear()
    this.#seenBefore = this.screen.seen.size
    this.#stops = [
      systemClock.every(HERE_SOON_MS, () => this.#sayNew()),
      systemClock.every(HERE_EVERY_MS, () => this.#say([])),
    ]
  }

  /** @returns why what it looked at was not what a cook sees; null: it was */
  leave(): string | null {
    for (const stop of this.#stops.splice(0)) stop()
    const { name, isWatching, seen } = this.screen
    this.screen.close()
    if (!isWatching) return `${name}: its feed ended while it looked`
    return seen.size === this.#seenBefore ? `${name} was shown no new order` : null
  }

  #sayNew(): void {
    const fresh = [...this.screen.orders.keys()].filter((id) => !this.#said.has(id)).slice(0, 500)
    for (const id of fresh) this.#said.add(id)
    if (fresh.length > 0) this.#say(fresh)
  }

  #say(rendered: readonly string[]): void {
    this.screen.here(this.#url, rendered).catch(() => undefined)
  }
}

class TechnicianPage {
  readonly #name: string
  readonly #url: string
  readonly #cookie: string
  #open: AbortController | null = null
  #isOpen = false
  #pieces = 0

  constructor(name: string, { pageUrl }: MeasuredSite, cookie: string) {
    this.#name = name
    this.#url = `${pageUrl}/api/v1/live`
    this.#cookie = cookie
  }

  async look(): Promise<void> {
    this.#open = new AbortController()
    const answer = await fetch(this.#url, { headers: { cookie: this.#cookie }, signal: this.#open.signal })
    if (answer.status !== 200 || !answer.body) throw new Error(`the page's feed answered ${answer.status}`)
    this.#isOpen = true
    this.#pieces = 0
    void this.#read(answer.body)
  }

  /** @returns why what it looked at was not what a technician sees; null: it was */
  leave(): string | null {
    const wasOpen = this.#isOpen
    this.#open?.abort()
    if (!wasOpen) return `${this.#name}: its feed ended while it looked`
    return this.#pieces < LEAST_PIECES ? `${this.#name} was told of nothing new` : null
  }

  async #read(body: ReadableStream<Uint8Array>): Promise<void> {
    try {
      for await (const _ of body) this.#pieces++
    } catch {
      // Left, or cut by the box.
    } finally {
      this.#isOpen = false
    }
  }
}

export class Lookers {
  readonly #displays: readonly Display[]
  readonly #pages: readonly TechnicianPage[]
  /** Those who did not see what was printed while they looked: then nobody's looking was measured. */
  readonly blind: string[] = []

  private constructor(displays: readonly Display[], pages: readonly TechnicianPage[]) {
    this.#displays = displays
    this.#pages = pages
  }

  /** Signs them in: they look from `look` on. */
  static async of(site: MeasuredSite, { displays, pages }: { displays: number; pages: number }): Promise<Lookers> {
    const screens: Display[] = []
    for (let n = 1; n <= displays; n++) {
      const display = new Display(`screen-${n}`, site.pageUrl)
      await display.screen.signIn(site.pageUrl, await newDisplay(site, `Screen ${n}`))
      screens.push(display)
    }
    const cookie = await technician(site)
    return new Lookers(
      screens,
      Array.from({ length: pages }, (_, n) => new TechnicianPage(`page ${n + 1}`, site, cookie)),
    )
  }

  async look(): Promise<void> {
    await Promise.all(this.#displays.map((display) => display.look()))
    for (const page of this.#pages) await again(() => page.look())
    await systemClock.sleep(SETTLE_MS)
  }

  async leave(): Promise<void> {
    for (const one of [...this.#displays, ...this.#pages]) {
      const reason = one.leave()
      if (reason !== null) this.blind.push(reason)
    }
    await systemClock.sleep(SETTLE_MS / 2)
  }
}

/** As a browser does with a feed that is refused, such as on a kept connection that the box has just given up. */
async function again(open: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await open()
    } catch (error) {
      if (tries === TRIES) throw error
      await systemClock.sleep(TRY_AGAIN_MS)
    }
  }
}

/** @returns the code by which it signs in */
export async function newDisplay(site: MeasuredSite, name: string): Promise<string> {
  const { code } = (await callControl(site.controlSocket, 'displays.add', { name })) as { code: string }
  return code
}

/** The box's first user. @returns the cookie of a session */
async function technician(site: MeasuredSite): Promise<string> {
  const { code } = (await callControl(site.controlSocket, 'admin.setup-code', {})) as { code: string }
  const answer = await fetch(`${site.pageUrl}/api/v1/setup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: site.pageUrl },
    body: JSON.stringify({ code, name: 'Tea', password: PASSWORD }),
  })
  if (answer.status !== 200) throw new Error(`the technician could not sign in: ${await answer.text()}`)
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
}
