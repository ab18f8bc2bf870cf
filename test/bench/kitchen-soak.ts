// A kitchen display for as long as you like, in chromium: orders come, are struck off, made ready and picked up; says what the page's heap is at the beginning and at the end.
// node test/bench/kitchen-soak.ts [--minutes 2] [--per-minute 60]; --minutes 1440 is a day. Exit code 1: the heap has grown beyond what is allowed.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { CDPSession, Page } from 'playwright-core'
import { callControl } from '#gateway/cli/control-client.ts'
import { systemClock } from '#shared/clock.ts'
import { launchChromium } from '#test/browser/chromium.ts'
import { VirtualPrinter } from '#test/doubles/virtual-printer.ts'
import { KitchenScreen } from '#test/harness/kitchen-screen.ts'
import { Site } from '#test/harness/site.ts'

const { values: options } = parseArgs({
  options: { minutes: { type: 'string', default: '2' }, 'per-minute': { type: 'string', default: '60' } },
})
const MINUTE_MS = 60_000
/** What stands open on the board meanwhile: more than a page of it shows. */
const OPEN = 20
/** Enough that everything of the page was used. */
const WARM_UP = 60
/** One order in so many is served by the page's own buttons, the others by a screen beside it: a second tap at once counts for nothing, so a hand is slow. */
const BY_HAND_EVERY = 20
/** What was picked up stays for the recall list, at most four hundred orders on the board: a megabyte; the collector's moods are another. */
const MOST_GROWTH_MB = 4
const MOST_NEW_NODES = 2_000

interface Kitchen {
  site: Site
  page: Page
  /** Another screen of the same kitchen. */
  other: KitchenScreen
  /** Ids of what is open, the oldest first. */
  open: string[]
}

interface Reading {
  heapMb: number
  nodes: number
  listeners: number
}

async function readingOf(session: CDPSession): Promise<Reading> {
  await session.send('HeapProfiler.collectGarbage')
  const { metrics } = await session.send('Performance.getMetrics')
  const of = (name: string): number => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN
  return {
    heapMb: Math.round(of('JSHeapUsedSize') / 1e4) / 100,
    nodes: of('Nodes'),
    listeners: of('JSEventListeners'),
  }
}

function say(what: string, values: object): void {
  process.stdout.write(`${JSON.stringify({ what, ...values })}\n`)
}

/** Ready and picked up; by the other screen its line is struck off before. */
async function serveOldest({ site, page, other }: Kitchen, orderId: string, byHand: boolean): Promise<void> {
  if (byHand) {
    for (const name of ['Ready', 'Picked up']) {
      const button = page.locator(`[data-order="${orderId}"]`).getByRole('button', { name, exact: true })
      await button.waitFor()
      while ((await button.count()) > 0) await button.click()
    }
    return
  }
  for (const kind of ['strike', 'ready', 'pick-up'] as const) {
    const act = other.act(kind, orderId, kind === 'strike' ? { line: 0 } : {})
    const [result] = await other.send(site.gatewayUrl, act)
    if (result?.outcome !== 'done') throw new Error(`${kind} was not done: ${JSON.stringify(result)}`)
  }
}

async function newDisplay(site: Site, name: string): Promise<URL> {
  const added = await callControl(join(site.dir, 'gateway/control.sock'), 'displays.add', { name })
  return new URL((added as { path: string }).path, site.gatewayUrl)
}

async function openDisplay(site: Site, page: Page): Promise<void> {
  await page.addInitScript(`
    window.updates = 0
    const add = EventSource.prototype.addEventListener
    EventSource.prototype.addEventListener = function (name, listen) {
      add.call(this, name, (event) => {
        listen(event)
        if (name === 'patch') window.updates++
      })
    }`)
  await page.goto((await newDisplay(site, 'Soak')).href)
  await page.getByRole('button', { name: 'Start shift' }).click()
  await page.getByText('Connected', { exact: true }).waitFor()
}

/** Orders at their pace, and the oldest goes as soon as the board has enough. @param goesOn asked before each with how many there were */
async function serve(
  kitchen: Kitchen,
  pace: { name: string; everyMs: number; goesOn: (orders: number) => boolean },
): Promise<number> {
  const { site, page, open } = kitchen
  let orders = 0
  for (let dueMs = systemClock.monotonicMs(); pace.goesOn(orders); dueMs += pace.everyMs) {
    await systemClock.sleep(Math.max(0, dueMs - systemClock.monotonicMs()))
    const { body } = await site.injectSurely({ orderId: `${pace.name}-${orders++}`, print: false })
    open.push(body.serviceOrderId)
    await page.getByText(`${open.length} open`, { exact: true }).waitFor()
    if (open.length <= OPEN) continue
    await serveOldest(kitchen, open.shift() ?? '', orders % BY_HAND_EVERY === 0)
    await page.getByText(`${open.length} open`, { exact: true }).waitFor()
  }
  return orders
}

async function soak(kitchen: Kitchen): Promise<boolean> {
  const { page } = kitchen
  const minutes = Number(options.minutes)
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  const updates = async (): Promise<number> => (await page.evaluate('window.updates')) as number
  await serve(kitchen, { name: 'warm-up', everyMs: 0, goesOn: (orders) => orders < WARM_UP })
  const begin = await readingOf(session)
  const updatesBefore = await updates()
  say('begin', begin)
  const untilMs = systemClock.monotonicMs() + minutes * MINUTE_MS
  const orders = await serve(kitchen, {
    name: 'soak',
    everyMs: MINUTE_MS / Number(options['per-minute']),
    goesOn: () => systemClock.monotonicMs() < untilMs,
  })
  const end = await readingOf(session)
  say('end', { minutes, orders, updates: (await updates()) - updatesBefore, ...end })
  return end.heapMb - begin.heapMb <= MOST_GROWTH_MB && end.nodes <= begin.nodes + MOST_NEW_NODES
}

async function main(): Promise<void> {
  const printer = new VirtualPrinter({ keep: 'texts' })
  const { port } = await printer.start()
  const site = new Site({ printers: `Grill=127.0.0.1:${port}` })
  const browser = await launchChromium()
  try {
    await site.start()
    // Its paper proves that the box was at the relay, which from now on hands it orders without paper: a day of tickets is nothing to keep here.
    const { body } = await site.injectSurely({ orderId: 'first' })
    await printer.nextTicket()
    const page = await (await browser.newContext({ viewport: { width: 1_280, height: 800 } })).newPage()
    await openDisplay(site, page)
    const other = new KitchenScreen('other')
    const code = new URLSearchParams((await newDisplay(site, 'Other')).hash.slice(1)).get('code')
    await other.signIn(site.gatewayUrl, code ?? '')
    if (!(await soak({ site, page, other, open: [body.serviceOrderId] }))) process.exitCode = 1
  } finally {
    await browser.close()
    await site.stop()
    await printer.stop()
  }
}

await main()
