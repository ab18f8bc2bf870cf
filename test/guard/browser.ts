// The kitchen page with sixty tickets in Debian's chromium: processor time of its thread when all of them change, beside a fixed script in the same browser.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { systemClock } from '#shared/clock.ts'
import { median } from '#test/bench/figures.ts'
import { CHROMIUM, launchChromium } from '#test/browser/chromium.ts'
import { KitchenScreen } from '#test/harness/kitchen-screen.ts'
import { allAtOnce } from './load.ts'
import { newDisplay } from './lookers.ts'
import type { MeasuredSite } from './measured-site.ts'
import { REFERENCE_SCRIPT } from './reference-script.ts'

const TICKETS = 60
/** A display may send fifty acts at a time: all tickets change in two updates. */
const ACTS = 30
const WARM_UP_ROUNDS = 4
const WAIT_MS = 30_000
/** What the page still does for an update after it has told that it was drawn. */
const SETTLE_MS = 60

/** Milliseconds of the page's thread. */
export interface Work {
  all: number
  script: number
  style: number
  layout: number
}

export interface BrowserUpdate {
  /** Of one change of all tickets; medians. */
  page: Work
  /** Samples in turns: all of the page's work, and the reference script before it. */
  pageMs: number[]
  referenceMs: number[]
}

/** @returns why it cannot be measured here; null: it can */
export function whyNoBrowser(): string | null {
  return existsSync(CHROMIUM) ? null : `${CHROMIUM} is missing (apt-get install chromium)`
}

/** The pages of the checkout as their source is now: what an earlier build has left would be measured for it. @param config which pages; default: the box's */
export function buildPages(root: string, config = 'vite.config.ts'): void {
  const args = ['build', '--config', config, '--logLevel', 'error']
  execFileSync(join(root, 'node_modules/.bin/vite'), args, { cwd: root, stdio: 'inherit' })
}

export async function measureBrowser(site: MeasuredSite, rounds: number): Promise<BrowserUpdate> {
  await allAtOnce(site, TICKETS, (token) => site.largeBody(token))
  const browser = await launchChromium()
  try {
    return await inBrowser(browser, site, rounds)
  } finally {
    await browser.close()
  }
}

/**
 * Half of the tickets change, then the other half, in a browser that is slowed down, as on a cheap tablet.
 * @param slower times the speed of this machine
 * @returns for each update the milliseconds from the event of the feed to the end of the frame that shows it
 */
export async function measureSlowed(site: MeasuredSite, slower: number, rounds: number): Promise<number[]> {
  await allAtOnce(site, TICKETS, (token) => site.largeBody(token))
  const browser = await launchChromium()
  try {
    const { page } = await openDisplay(browser, site)
    const session = await page.context().newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: slower })
    const cook = new Cook(site, page)
    await cook.begin()
    const drawnMs: number[] = []
    for (let round = 0; round < WARM_UP_ROUNDS + rounds; round++) {
      await page.evaluate('window.drawnMs = []')
      await cook.changeAll()
      if (round >= WARM_UP_ROUNDS) drawnMs.push(...((await page.evaluate('window.drawnMs')) as number[]))
      await systemClock.sleep(SETTLE_MS)
    }
    return drawnMs
  } finally {
    await browser.close()
  }
}

async function inBrowser(browser: Browser, site: MeasuredSite, rounds: number): Promise<BrowserUpdate> {
  const reference = await openReference(browser)
  const display = await openDisplay(browser, site)
  const cook = new Cook(site, display.page)
  await cook.begin()
  const works: Work[] = []
  const referenceMs: number[] = []
  for (let round = 0; round < WARM_UP_ROUNDS + rounds; round++) {
    const beside = await reference.work(() => reference.page.evaluate(`runReference(${round})`))
    const work = await display.work(() => cook.changeAll())
    if (round < WARM_UP_ROUNDS) continue
    works.push(work)
    referenceMs.push(beside.all)
  }
  return { page: medians(works), pageMs: works.map(({ all }) => all), referenceMs }
}

/** A page whose thread's processor time is counted. */
class MeasuredPage {
  readonly page: Page
  readonly #session: CDPSession

  private constructor(page: Page, session: CDPSession) {
    this.page = page
    this.#session = session
  }

  static async of(page: Page): Promise<MeasuredPage> {
    const session = await page.context().newCDPSession(page)
    await session.send('Performance.enable', { timeDomain: 'threadTicks' })
    return new MeasuredPage(page, session)
  }

  async work(act: () => Promise<unknown>): Promise<Work> {
    const before = await this.#busy()
    await act()
    await systemClock.sleep(SETTLE_MS)
    const after = await this.#busy()
    return {
      all: after.all - before.all,
      script: after.script - before.script,
      style: after.style - before.style,
      layout: after.layout - before.layout,
    }
  }

  async #busy(): Promise<Work> {
    const { metrics } = await this.#session.send('Performance.getMetrics')
    const ms = (name: string): number => 1_000 * (metrics.find((metric) => metric.name === name)?.value ?? Number.NaN)
    return {
      all: ms('TaskDuration'),
      script: ms('ScriptDuration'),
      style: ms('RecalcStyleDuration'),
      layout: ms('LayoutDuration'),
    }
  }
}

/** A second screen that strikes the first line of every ticket off, and back on. */
class Cook {
  readonly #site: MeasuredSite
  readonly #page: Page
  readonly #screen = new KitchenScreen('cook')
  #isStruck = false

  constructor(site: MeasuredSite, page: Page) {
    this.#site = site
    this.#page = page
  }

  async begin(): Promise<void> {
    const { pageUrl } = this.#site
    await this.#screen.signIn(pageUrl, await newDisplay(this.#site, 'Cook'))
    await this.#screen.watch(pageUrl)
    this.#screen.close()
    if (this.#screen.orders.size !== TICKETS) throw new Error(`the board has ${this.#screen.orders.size} tickets`)
  }

  async changeAll(): Promise<void> {
    this.#isStruck = !this.#isStruck
    const kind = this.#isStruck ? 'strike' : 'unstrike'
    const ids = [...this.#screen.orders.keys()]
    for (let first = 0; first < ids.length; first += ACTS) {
      const shown = (await this.#page.evaluate('window.updates')) as number
      const acts = ids.slice(first, first + ACTS).map((id) => this.#screen.act(kind, id, { line: 0 }))
      const results = await this.#screen.send(this.#site.pageUrl, ...acts)
      if (results.some(({ outcome }) => outcome !== 'done')) throw new Error('an act was not done')
      await this.#page.evaluate(`updateAfter(${shown})`)
    }
  }
}

async function openReference(browser: Browser): Promise<MeasuredPage> {
  const page = await (await browser.newContext({ viewport: { width: 1_280, height: 800 } })).newPage()
  await page.goto('about:blank')
  await page.evaluate(REFERENCE_SCRIPT)
  return MeasuredPage.of(page)
}

async function openDisplay(browser: Browser, site: MeasuredSite): Promise<MeasuredPage> {
  const page = await (await browser.newContext({ viewport: { width: 1_280, height: 800 } })).newPage()
  // Counts the updates that were drawn, and how long each took: from the event of the feed to the end of the frame after it.
  await page.addInitScript(`
    window.updates = 0
    window.drawnMs = []
    const add = EventSource.prototype.addEventListener
    EventSource.prototype.addEventListener = function (name, listen) {
      add.call(this, name, (event) => {
        const at = performance.now()
        listen(event)
        if (name === 'patch') requestAnimationFrame(() => setTimeout(() => drawn(performance.now() - at), 0))
      })
    }
    const waiting = []
    const drawn = (ms) => {
      window.updates++
      window.drawnMs.push(ms)
      for (const resolve of waiting.splice(0)) resolve()
    }
    // Not asked again and again: looking costs the page time.
    window.updateAfter = (count) => window.updates > count ? true : new Promise((resolve) => waiting.push(resolve))`)
  const code = await newDisplay(site, 'Guarded')
  await page.goto(`${site.pageUrl}/kitchen/#code=${code}`)
  await page.getByRole('button', { name: 'Start shift' }).click()
  await page.getByText(`${TICKETS} open`).waitFor({ timeout: WAIT_MS })
  return MeasuredPage.of(page)
}

function medians(works: readonly Work[]): Work {
  return {
    all: median(works.map((work) => work.all)),
    script: median(works.map((work) => work.script)),
    style: median(works.map((work) => work.style)),
    layout: median(works.map((work) => work.layout)),
  }
}
