// Two pages of the kitchen display on one real box, random hands on both, links that lag and break: no press changes another order than the one that its page showed.
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { callControl } from '#gateway/cli/control-client.ts'
import type { BoardOrder } from '#shared/wire/kitchen.ts'
import { FaultProxy } from '#test/doubles/fault-proxy.ts'
import { VirtualPrinter } from '#test/doubles/virtual-printer.ts'
import { inDrill, overNight, playRounds } from '#test/harness/drill.ts'
import { gatewayProgram } from '#test/harness/gateway-program.ts'
import { KitchenScreen } from '#test/harness/kitchen-screen.ts'
import { drillSeed, seededRandom } from '#test/harness/random.ts'
import { Site } from '#test/harness/site.ts'
import { launchChromium } from './chromium.ts'
import { type Deed, HandOnPage, type Sight } from './hand-on-page.ts'

const SEED = drillSeed()
const ROUNDS = overNight(3_000, 300, 60)
/** A slow machine plays fewer: a round is waiting, but also two pages that are drawn anew. */
const AT_MOST_MS = 15 * 60_000
/** So many orders are open all the time: three pages. */
const OPEN = 14
const SLOWEST_MS = 250

type Does = 'enter' | 'enter on theirs' | 'tap' | 'strike' | 'digit' | 'undo' | 'turn' | 'nothing'
const DOES: readonly Does[] = [
  ...(['enter', 'enter', 'enter on theirs', 'enter on theirs', 'tap', 'tap', 'tap', 'strike'] as const),
  ...(['digit', 'undo', 'turn', 'nothing'] as const),
]

interface Planned {
  hand: HandOnPage
  does: Does
  sight: Sight
}

const random = seededRandom(SEED)
const chance = (share: number): boolean => random() < share
const oneOf = <T>(all: readonly T[]): T | undefined => all[Math.floor(random() * all.length)]

const printer = new VirtualPrinter()
/** What the box itself says, over a link that is well. */
const watcher = new KitchenScreen('watcher')
const proxies = [new FaultProxy(), new FaultProxy()]
const hands: HandOnPage[] = []
const deeds: Deed[] = []
/** Presses of Enter that are held to what was seen before them, and those that found nothing because another page had taken it. */
const judged = { enters: 0, lost: 0 }
let site: Site
let browser: Browser
let injected = 0

const displayCode = async (name: string, stations: readonly string[] = []): Promise<string> => {
  const added = await callControl(join(site.dir, 'gateway/control.sock'), 'displays.add', { name, stations })
  return (added as { code: string }).code
}
const isOpen = ({ readyAtMs, voidedAtMs }: BoardOrder): boolean => readyAtMs === null && voidedAtMs === null
const openOrders = (): BoardOrder[] => [...watcher.orders.values()].filter(isOpen)

async function injectOne(): Promise<void> {
  injected++
  const line = (umsId: string) => ({ umsId, qty: 1, price: 9.5 })
  const items = [line('UMS-BURGER-01'), line('UMS-FRIES-01')]
  await site.injectSurely({ orderId: `two-${injected}`, print: false, details: { items, total: 19 } })
}

/** What the people outside the kitchen do: orders come, and now and then one is called off. */
async function guests(): Promise<void> {
  while (openOrders().length + injected - watcher.seen.size < OPEN) await injectOne()
  const called = chance(0.06) ? oneOf(openOrders()) : undefined
  if (!called) return
  const body = { merchantId: site.merchantId, reason: 'guest left' }
  expect((await site.call('POST', `/v1/order/${called.orderId}/void`, body)).status).toBeLessThan(500)
}

function disturb(proxy: FaultProxy): void {
  proxy.delayMs = chance(0.3) ? 0 : Math.floor(random() * SLOWEST_MS)
  proxy.blackHole(chance(0.1))
  if (chance(0.06)) proxy.cutAll()
}

async function act({ hand, does, sight }: Planned): Promise<void> {
  const { targets } = sight
  if (does === 'enter' || does === 'enter on theirs') await hand.press('Enter')
  else if (does === 'digit') await hand.press(String(1 + Math.floor(random() * Math.max(1, sight.cards.length))))
  else if (does === 'undo') await hand.press('r')
  else if (does === 'turn') await hand.press(chance(0.5) ? 'PageDown' : 'PageUp')
  else if (does === 'tap' || does === 'strike') {
    const target = oneOf(targets.filter(({ isLine }) => isLine === (does === 'strike')))
    if (target) await hand.tapAt(target)
  }
}

/** The other page bumps what this one has selected, and this one presses in the moment in which it sees that, or sooner. */
async function takeFrom(other: HandOnPage, { hand, sight }: Planned): Promise<void> {
  const theirs = (await other.look()).targets.find(
    ({ order, words, isLine }) => order === sight.selected && !isLine && words !== 'Start',
  )
  if (!theirs) return
  await other.tapAt(theirs)
  if (chance(0.8)) await hand.untilAnotherIsSelected(sight.selected)
}

/** Each act of a page is on the order that was shown at its press; by Enter, on the one that was seen before it, too. */
function judge({ hand, does, sight }: Planned, news: readonly Deed[]): void {
  for (const deed of news) {
    const said = `${hand.name}: ${JSON.stringify(deed)} after ${does}, seen ${sight.selected}`
    expect(deed.by, said).not.toBeNull()
    if (deed.key === 'r') expect(deed.undo, said).toContain(`Order ${watcher.orders.get(deed.orderId)?.number}:`)
    else expect(deed.orderId, said).toBe(deed.shown)
    // Nothing was selected in between: whoever looked has not been told of another order.
    if (deed.key !== 'Enter' || deed.since.includes(null)) continue
    judged.enters++
    expect(deed.orderId, said).toBe(deed.since[0])
  }
  if (does === 'enter on theirs' && !news.some(({ key }) => key === 'Enter')) judged.lost++
}

async function round(): Promise<void> {
  for (const proxy of proxies) disturb(proxy)
  const outside = guests()
  // Now and then nobody presses for a while: freed places close, and what waited comes.
  if (chance(0.2)) for (const { page } of hands) await page.locator('.hole').first().waitFor({ state: 'detached' })
  const planned: Planned[] = []
  for (const hand of hands) planned.push({ hand, does: oneOf(DOES) ?? 'nothing', sight: await hand.look() })
  if (chance(0.5)) planned.reverse()
  for (const [at, one] of planned.entries()) {
    const other = hands.find((hand) => hand !== one.hand)
    // Whoever is last looked before the other pressed.
    if (one.does === 'enter on theirs' && other) {
      await takeFrom(other, one)
      // A touch selects: whoever stands there has seen that.
      for (const theirs of planned.slice(at)) if (theirs.hand === other) theirs.sight = await other.look()
    }
    await act(one)
    // A drawer hides tickets: R opens one when there is nothing to take back.
    if (one.does === 'undo') await one.hand.press('Escape')
  }
  for (const one of planned) {
    const news = await one.hand.newDeeds()
    deeds.push(...news)
    judge(one, news)
  }
  await outside
}

/** Of all pages; a void stands on a display until somebody there has seen it. */
async function idsOf({ page }: HandOnPage): Promise<Set<string>> {
  const ids = new Set<string>()
  const next = page.getByRole('button', { name: 'Next page' })
  const previous = page.getByRole('button', { name: 'Previous page' })
  while (await previous.isEnabled()) await previous.click()
  for (;;) {
    for (const card of await page.locator('.card:not(.level-void)').all())
      ids.add((await card.getAttribute('data-order')) ?? '')
    if (await next.isDisabled()) return ids
    await next.click()
  }
}

beforeAll(async () => {
  const { host, port } = await printer.start()
  site = new Site({ printers: `kitchen=${host}:${port}`, gatewayProgram: gatewayProgram() })
  await site.start()
  await watcher.signIn(site.gatewayUrl, await displayCode('Watcher'))
  await watcher.watch(site.gatewayUrl)
  browser = await launchChromium()
  for (const [index, proxy] of proxies.entries()) {
    const { host: name, port: at } = await proxy.start({
      host: '127.0.0.1',
      port: Number(new URL(site.gatewayUrl).port),
    })
    const hand = await HandOnPage.on(browser, { name: `page ${index + 1}`, url: `http://${name}:${at}` })
    hands.push(hand)
    await hand.page.goto(`/kitchen/#code=${await displayCode(`Line ${index + 1}`, ['grill', 'fry'])}`)
    await hand.page.getByRole('button', { name: 'Start shift' }).click()
  }
})

afterAll(async () => {
  await browser?.close()
  watcher.close()
  for (const proxy of proxies) await proxy.stop()
  await site.stop()
  await printer.stop()
})

it(`a press changes the order that its page showed and no other, seed ${SEED}`, {
  timeout: inDrill(3_600_000, 180_000),
}, async () => {
  for (let n = 0; n < OPEN; n++) await injectOne()
  for (const { page } of hands) await page.locator('.counts-bar').getByText(`${OPEN} open`).waitFor()
  const rounds = await playRounds({ most: ROUNDS, atMostMs: AT_MOST_MS }, round)
  console.log(`${rounds} of ${ROUNDS} rounds, ${deeds.length} acts; ${JSON.stringify(judged)}`)
  // Both kinds of press have done something, and some of Enter found nothing.
  expect(deeds.filter(({ by }) => by === 'finger').length).toBeGreaterThan(rounds / 10)
  expect(judged.enters).toBeGreaterThan(rounds / 20)
})

it('what was sent is what was pressed, and an untouched order is unchanged', async () => {
  for (const proxy of proxies) {
    proxy.delayMs = 0
    proxy.blackHole(false)
  }
  const all = new Map(deeds.map((deed) => [deed.id, deed]))
  for (const { page, sent } of hands) {
    await expect.poll(() => page.evaluate("JSON.parse(localStorage['ticketrail.taps'] ?? '[]').length")).toBe(0)
    for (const { id, kind, orderId } of sent.values()) expect(all.get(id)).toMatchObject({ kind, orderId })
  }
  const did = (orderId: string, kinds: readonly string[]): boolean =>
    deeds.some((deed) => deed.orderId === orderId && kinds.includes(deed.kind))
  for (const { orderId, readyAtMs, pickedUpAtMs, struckLines, stations } of watcher.orders.values()) {
    if (readyAtMs !== null) expect(did(orderId, ['ready'])).toBe(true)
    if (pickedUpAtMs !== null) expect(did(orderId, ['pick-up'])).toBe(true)
    if (struckLines.length > 0) expect(did(orderId, ['strike'])).toBe(true)
    if (stations.some(({ startedAtMs }) => startedAtMs !== null)) expect(did(orderId, ['start', 'ready'])).toBe(true)
  }
})

it('in the end both pages show the state of the box', async () => {
  const known = () => openOrders().map(({ orderId }) => orderId)
  expect(known().length).toBeGreaterThan(OPEN / 2)
  for (const hand of hands) {
    // Each turn of a page is a touch, and after each what comes waits for a moment. Taps that a bad network held back change what is known.
    const differs = async () => {
      const shown = [...(await idsOf(hand))]
      const open = known()
      return [...shown.filter((id) => !open.includes(id)), ...open.filter((id) => !shown.includes(id))]
    }
    await expect.poll(differs, { interval: 2_000 }).toEqual([])
    expect(hand.visitor.complaints.filter((words) => !/ERR_/.test(words))).toEqual([])
  }
})
