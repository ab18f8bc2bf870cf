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
const TRIES = 4
const TRY_AGAIN_MS = 250
const PASSWORD = 'four plain kitchen words'

class Display {
  readonly screen: KitchenScreen
  readonly #url: string
  readonly #said = new Set<string>()
  #stops: (() => void)[] = []

  constructor(name: string, url: string) {
    this.screen = new KitchenScreen(name)
    this.#url = url
  }

  async look(): Promise<void> {
    await again(() => this.screen.watch(this.#url))
    this.#said.clear()
    this.#stops = [
      systemClock.every(HERE_SOON_MS, () => this.#sayNew()),
      systemClock.every(HERE_EVERY_MS, () => this.#say([])),
    ]
  }

  leave(): void {
    for (const stop of this.#stops.splice(0)) stop()
    this.screen.close()
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

export class Lookers {
  readonly #site: MeasuredSite
  readonly #displays: readonly Display[]
  readonly #pages: number
  readonly #cookie: string
  #open: AbortController | null = null

  private constructor(site: MeasuredSite, displays: readonly Display[], pages: number, cookie: string) {
    this.#site = site
    this.#displays = displays
    this.#pages = pages
    this.#cookie = cookie
  }

  /** Signs them in: they look from `look` on. */
  static async of(site: MeasuredSite, { displays, pages }: { displays: number; pages: number }): Promise<Lookers> {
    const screens: Display[] = []
    for (let n = 1; n <= displays; n++) {
      const display = new Display(`screen-${n}`, site.pageUrl)
      await display.screen.signIn(site.pageUrl, await newDisplay(site, `Screen ${n}`))
      screens.push(display)
    }
    return new Lookers(site, screens, pages, pages === 0 ? '' : await technician(site))
  }

  async look(): Promise<void> {
    this.#open = new AbortController()
    await Promise.all(this.#displays.map((display) => display.look()))
    const { signal } = this.#open
    for (let n = 0; n < this.#pages; n++) await again(() => this.#openPage(signal))
    await systemClock.sleep(SETTLE_MS)
  }

  async leave(): Promise<void> {
    for (const display of this.#displays) display.leave()
    this.#open?.abort()
    await systemClock.sleep(SETTLE_MS / 2)
  }

  async #openPage(signal: AbortSignal): Promise<void> {
    const answer = await fetch(`${this.#site.pageUrl}/api/v1/live`, { headers: { cookie: this.#cookie }, signal })
    if (answer.status !== 200 || !answer.body) throw new Error(`the page's feed answered ${answer.status}`)
    const read = async (body: ReadableStream<Uint8Array>): Promise<void> => {
      for await (const _ of body);
    }
    read(answer.body).catch(() => undefined)
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
