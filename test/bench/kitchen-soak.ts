// A kitchen display for as long as you like, in chromium: orders come, are struck off, made ready and picked up; says what the page's heap is at the beginning and at the end.
// node test/bench/kitchen-soak.ts [--minutes 2] [--per-minute 60]; --minutes 1440 is a day. Exit code 1: the heap has grown beyond what is allowed.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { CDPSession, Page } from 'playwright-core'
import { callControl } from '#gateway/cli/control-client.ts'
import { systemClock } from '#shared/clock.ts'
import { launchChromium } from '#test/browser/chromium.ts'
import { VirtualPrinter } from '#test/doubles/virtual-printer.ts'
import { Site } from '#test/harness/site.ts'

const { values: options } = parseArgs({
  options: { minutes: { type: 'string', default: '2' }, 'per-minute': { type: 'string', default: '60' } },
})
const MINUTE_MS = 60_000
/** What stands open on the board meanwhile. */
const OPEN = 20
/** Enough that everything of the page was used. */
const WARM_UP = 40
/** What was picked up stays for the recall list, at most four hundred orders on the board: a megabyte; the collector's moods are another. */
const MOST_GROWTH_MB = 4
const MOST_NEW_NODES = 2_000

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

/** The oldest card goes its way: its line struck off, ready, picked up. */
async function bumpOldest(page: Page): Promise<void> {
  const id = await page.locator('.card').first().getAttribute('data-order')
  const card = page.locator(`[data-order="${id}"]`)
  await card.locator('button.strike').first().click()
  await card.getByRole('button', { name: 'Ready' }).click()
  await card.getByRole('button', { name: 'Picked up' }).click()
  await card.waitFor({ state: 'detached' })
}

async function openDisplay(site: Site, page: Page): Promise<void> {
  const added = (await callControl(join(site.dir, 'gateway/control.sock'), 'displays.add', { name: 'Soak' })) as {
    path: string
  }
  await page.goto(new URL(added.path, site.gatewayUrl).href)
  await page.getByRole('button', { name: 'Start shift' }).click()
  await page.getByText('Connected', { exact: true }).waitFor()
}

/** Orders at their pace, and the oldest goes as soon as the board has enough. @param goesOn asked before each with how many there were */
async function serve(
  site: Site,
  page: Page,
  pace: { name: string; everyMs: number; goesOn: (orders: number) => boolean },
): Promise<number> {
  let orders = 0
  for (let dueMs = systemClock.monotonicMs(); pace.goesOn(orders); dueMs += pace.everyMs) {
    await systemClock.sleep(Math.max(0, dueMs - systemClock.monotonicMs()))
    const { body } = await site.injectSurely({ orderId: `${pace.name}-${orders++}`, print: false })
    await page.locator(`[data-order="${body.serviceOrderId}"]`).waitFor()
    if ((await page.locator('.card').count()) > OPEN) await bumpOldest(page)
  }
  return orders
}

async function soak(site: Site, page: Page): Promise<boolean> {
  const minutes = Number(options.minutes)
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  await serve(site, page, { name: 'warm-up', everyMs: 0, goesOn: (orders) => orders < WARM_UP })
  const begin = await readingOf(session)
  say('begin', begin)
  const untilMs = systemClock.monotonicMs() + minutes * MINUTE_MS
  const orders = await serve(site, page, {
    name: 'soak',
    everyMs: MINUTE_MS / Number(options['per-minute']),
    goesOn: () => systemClock.monotonicMs() < untilMs,
  })
  const end = await readingOf(session)
  say('end', { minutes, orders, ...end })
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
    await site.injectSurely({ orderId: 'first' })
    await printer.nextTicket()
    const page = await (await browser.newContext({ viewport: { width: 1_280, height: 800 } })).newPage()
    await openDisplay(site, page)
    if (!(await soak(site, page))) process.exitCode = 1
  } finally {
    await browser.close()
    await site.stop()
    await printer.stop()
  }
}

await main()
