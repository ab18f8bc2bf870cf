// The screens that are not the cooks', in chromium against the real gateway and relay: the guests' board, which knows numbers only, and the runner's.
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callControl } from '#gateway/cli/control-client.ts'
import type { TestOrderAnswer } from '#gateway/control/answers.ts'
import type { ActKind } from '#shared/wire/kitchen.ts'
import { VirtualPrinter } from '#test/doubles/virtual-printer.ts'
import { gatewayProgram } from '#test/harness/gateway-program.ts'
import { KitchenScreen } from '#test/harness/kitchen-screen.ts'
import { Site } from '#test/harness/site.ts'
import { accessibilityFaults } from './accessibility.ts'
import { BOX_LOCAL_NAME, launchChromium } from './chromium.ts'
import { stopTime } from './page-time.ts'
import { keepFaces, keepScreen } from './screens.ts'
import { hearTones, tones } from './tones.ts'
import { newVisitor, type Visitor } from './visitor.ts'

const printer = new VirtualPrinter()
const cook = new KitchenScreen('cook')
let site: Site
let browser: Browser
let guests: Visitor
let runner: Visitor
let guestsId = ''
/** Everything that the feed of the guests' board has brought. */
let heard = ''

const WIDTHS = [390, 800, 1_280, 1_920]
/** How long a second tap is none, and how long what was taken keeps its place; with the second in which the page looks. */
const DEAF_MS = 500
const TAKEN_SHOWN_MS = 7_000
const GUEST = 'Marguerite Canary'

const control = (operation: string, body: unknown) =>
  callControl(join(site.dir, 'gateway/control.sock'), operation, body) as Promise<Record<string, string>>
const address = (path: string): string => `http://${BOX_LOCAL_NAME}:${new URL(site.gatewayUrl).port}${path}`

/** @returns its id, and the number that people say */
async function inject(orderId: string, details: object = {}): Promise<{ id: string; number: string }> {
  const note = `canary note of ${orderId}`
  const answer = await site.injectSurely({ orderId, note, details: { customer: { name: GUEST }, ...details } })
  const id: string = answer.body.serviceOrderId
  await expect.poll(() => cook.orders.has(id)).toBe(true)
  return { id, number: cook.orders.get(id)?.number ?? '' }
}
const act = async (kind: ActKind, id: string): Promise<void> => {
  expect(await cook.send(site.gatewayUrl, cook.act(kind, id))).toMatchObject([{ outcome: 'done' }])
}
const facesOf = (page: Page, name: string) =>
  keepFaces(page, `kitchen-${name}`, accessibilityFaults, { fullPage: false, widths: WIDTHS })

async function newScreen(name: string, kind: string): Promise<{ visitor: Visitor; displayId: string }> {
  const visitor = await newVisitor(browser, { url: address(''), height: 900 })
  const { path = '', displayId = '' } = await control('displays.add', { name, kind })
  await hearTones(visitor.page)
  await visitor.page.clock.install()
  if (kind === 'pick-up') {
    const session = await visitor.context.newCDPSession(visitor.page)
    await session.send('Network.enable')
    session.on('Network.eventSourceMessageReceived', ({ data }) => {
      heard += data
    })
  }
  await visitor.page.goto(address(path))
  return { visitor, displayId }
}

beforeAll(async () => {
  const { host, port } = await printer.start()
  site = new Site({ printers: `kitchen=${host}:${port}`, gatewayProgram: gatewayProgram() })
  await site.start()
  browser = await launchChromium()
  const { code = '' } = await control('displays.add', { name: 'Expo' })
  await cook.signIn(site.gatewayUrl, code)
  await cook.watch(site.gatewayUrl)
  const board = await newScreen('Guests', 'pick-up')
  guests = board.visitor
  guestsId = board.displayId
  runner = (await newScreen('Runner', 'runner')).visitor
})

afterAll(async () => {
  cook.close()
  await browser?.close()
  await site.stop()
  await printer.stop()
})

describe("the guests' board", () => {
  const column = (name: string) => guests.page.getByRole('region', { name, exact: true })

  it('needs no touch: a number is prepared, then ready, called by a chime and marked for a minute', async () => {
    const { page } = guests
    await column('Ready').waitFor()
    expect(await page.getByRole('button', { name: 'Start shift' }).count()).toBe(0)
    // Chromium makes no sound before a touch; a screen that may needs none.
    await page.getByRole('button', { name: 'Sound off: tap' }).click()
    await page.getByRole('button', { name: 'Sound off: tap' }).waitFor({ state: 'detached' })
    const { id, number } = await inject('kind-1', { orderType: 'takeaway' })
    await column('Preparing').getByText(number, { exact: true }).waitFor()
    expect(await tones(page)).toEqual([])
    await act('ready', id)
    await column('Ready').locator('.fresh').getByText(number, { exact: true }).waitFor()
    expect(await column('Preparing').getByText(number, { exact: true }).count()).toBe(0)
    expect(await tones(page)).toEqual([784, 1_046])
    await page.reload()
    await column('Ready').locator('.fresh').getByText(number, { exact: true }).waitFor()
    expect(await tones(page)).toEqual([])
  })

  it('gets and shows numbers only: no guest, no dish, no note, anywhere', async () => {
    const { number } = await inject('kind-2')
    await column('Preparing').getByText(number, { exact: true }).waitFor()
    const shown = await guests.page.evaluate('document.documentElement.outerHTML')
    const dish = [...cook.orders.values()][0]?.lines[0]?.name ?? ''
    expect(dish).not.toBe('')
    for (const word of ['Marguerite', 'Canary', 'canary', dish, 'kind-2']) {
      expect(shown).not.toContain(word)
      expect(heard).not.toContain(word)
    }
    expect(heard).toContain(number)
  })

  it('leaves out dine-in orders, and removes what was picked up', async () => {
    const seated = await inject('kind-seated', { orderType: 'dine-in', table: '12' })
    const fetched = await inject('kind-fetched')
    await column('Preparing').getByText(fetched.number, { exact: true }).waitFor()
    await act('pick-up', fetched.id)
    await column('Preparing').getByText(fetched.number, { exact: true }).waitFor({ state: 'detached' })
    expect(await guests.page.getByText(seated.number, { exact: true }).count()).toBe(0)
    await act('ready', seated.id)
  })

  it('shows first names once its display is set to', async () => {
    await control('displays.update', { displayId: guestsId, showNames: true })
    await column('Preparing').getByText('Marguerite').first().waitFor()
    expect(heard).not.toContain('Canary')
  })

  it('can be read across the room and fits every screen, wide and high, light and dark', async () => {
    const { page } = guests
    const more = []
    for (let n = 0; n < 14; n++) more.push(await inject(`kind-many-${n}`))
    for (const { id } of more.slice(0, 6)) await act('ready', id)
    await column('Ready')
      .getByText(more[5]?.number ?? '', { exact: true })
      .waitFor()
    expect(await facesOf(page, 'pick-up-names')).toEqual([])
    await control('displays.update', { displayId: guestsId, showNames: false })
    await page.getByText('Marguerite').first().waitFor({ state: 'detached' })
    expect(await facesOf(page, 'pick-up')).toEqual([])
    for (const [width, height] of [
      [1_920, 1_080],
      [1_080, 1_920],
    ] as const) {
      await page.setViewportSize({ width, height })
      const unreadable = () =>
        page.locator('.pick-up .number').evaluateAll((all) =>
          all.flatMap((it) => {
            const { scrollWidth, clientWidth, textContent } = it
            const isCut = scrollWidth > clientWidth + 1 || it.getBoundingClientRect().bottom > innerHeight
            return isCut || Number.parseFloat(getComputedStyle(it).fontSize) < 60 ? [textContent] : []
          }),
        )
      await expect.poll(unreadable).toEqual([])
      expect(await page.locator('.pick-up .number').count()).toBe(16)
      await keepScreen(page, `kitchen-pick-up-${width}x${height}`, false)
    }
    await page.setViewportSize({ width: 1_280, height: 900 })
  })

  it('shows that it is not up to date when the box does not answer', async () => {
    site.gateway.signal('SIGSTOP')
    try {
      await guests.page.getByText('Not updated since').waitFor()
      expect(await accessibilityFaults(guests.page)).toEqual([])
    } finally {
      site.gateway.signal('SIGCONT')
    }
    await guests.page.getByText('Not updated since').waitFor({ state: 'detached' })
  })
})

describe('a runner', () => {
  const card = (id: string) => runner.page.locator(`[data-order="${id}"]`)
  const pickedUpAtMs = (id: string) => cook.orders.get(id)?.pickedUpAtMs ?? null
  /** The page is deaf for half a second after a tap, and its time stands: that long after the tap that the box has heard. */
  const tap = async (id: string, name: 'Picked up' | 'Undo'): Promise<void> => {
    await card(id)
      .getByRole('button', name === 'Undo' ? { name } : { name, exact: true })
      .click()
    await expect.poll(() => (pickedUpAtMs(id) === null) === (name === 'Undo')).toBe(true)
    await runner.page.clock.runFor(DEAF_MS)
  }

  it('sees what is ready, by table and with its age, and takes it by one tap, which can be taken back in its place', async () => {
    const { page } = runner
    await page.getByRole('button', { name: 'Start shift' }).click()
    const first = await inject('run-1', { orderType: 'dine-in', table: '7', guests: 2, allergens: ['sesame'] })
    const second = await inject('run-2', { orderType: 'dine-in', table: '7' })
    const open = await inject('run-open')
    await act('ready', first.id)
    await act('ready', second.id)
    await card(second.id).waitFor()
    const table = page.locator('.run', { has: page.getByRole('heading', { name: 'Table 7' }) })
    expect(await table.locator('.run-order').count()).toBe(2)
    expect(await card(first.id).textContent()).toMatch(/\d:\d\d/)
    expect(await card(first.id).textContent()).toContain('ALLERGY: sesame')
    expect(await card(open.id).count()).toBe(0)
    expect(await facesOf(page, 'runner')).toEqual([])
    await stopTime(page)
    await tap(first.id, 'Picked up')
    await tap(first.id, 'Undo')
    await tap(first.id, 'Picked up')
    await page.clock.runFor(TAKEN_SHOWN_MS)
    await card(first.id).waitFor({ state: 'detached' })
    await page.clock.resume()
    expect(await card(second.id).count()).toBe(1)
  })

  it('calls back what was picked up, and a second tap of the same finger takes nothing', async () => {
    const { page } = runner
    const id = await inject('run-3')
    await act('ready', id.id)
    await card(id.id).waitFor()
    const before = await page.locator('.run-order:not(.taken)').count()
    await stopTime(page)
    await card(id.id).getByRole('button', { name: 'Picked up', exact: true }).dblclick()
    await expect.poll(() => pickedUpAtMs(id.id)).toBeTypeOf('number')
    expect(await page.locator('.run-order:not(.taken)').count()).toBe(before - 1)
    await page.clock.runFor(TAKEN_SHOWN_MS)
    await page.clock.resume()
    await card(id.id).waitFor({ state: 'detached' })
    expect(pickedUpAtMs(id.id)).toBeTypeOf('number')
    await page.getByRole('button', { name: 'Recall' }).click()
    await page.getByRole('article', { name: id.number }).getByRole('button', { name: 'Call back' }).click()
    await page.getByRole('button', { name: 'Recall' }).click()
    await card(id.id).waitFor()
  })
})

it('both prove themselves in the last check of the box: what they draw is newer than the test', async () => {
  const answer = async (operation: string, body: object) =>
    (await control(operation, body)) as unknown as TestOrderAnswer
  const { printJobId } = await answer('orders.test', {})
  const standing = async () => {
    const { check } = await answer('orders.progress', { printJobId })
    return check.lines
      .flatMap(({ name, why }) => (['Guests', 'Runner'].includes(name) ? `${name} ${why}` : []))
      .toSorted()
  }
  await expect.poll(standing, { timeout: 100_000 }).toEqual(['Guests board-drawn', 'Runner board-drawn'])
})

it('no screen had anything to complain of', () => {
  expect([...guests.complaints, ...runner.complaints].filter((words) => !/ERR_/.test(words))).toEqual([])
})

it.each([
  ['es-MX', 'Agregar esta pantalla', 'Un código tiene 8 letras y cifras.', 'Este código no existe'],
  ['zh-CN', '添加此屏幕', '代码由 8 位字母和数字组成。', '代码不存在'],
  ['nl', 'Add this screen', 'A code has 8 letters and digits.', 'This code is not known'],
])('a screen that nobody has signed in speaks as its browser asks for, English at worst: %s', async (...words) => {
  const [locale, title, noCode, wrongCode] = words
  const { context, page } = await newVisitor(browser, { url: address(''), locale })
  await page.goto(address('/kitchen/'))
  await page.getByRole('heading', { name: title }).waitFor()
  for (const [code, why] of [
    ['12', noCode],
    ['ABCD2345', wrongCode],
  ] as const) {
    await page.getByRole('textbox').fill(code)
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText(why).waitFor()
  }
  // Its own language counts from then on.
  const { path = '' } = await control('displays.add', { name: `Screen ${locale}`, kind: 'runner' })
  await page.goto('about:blank')
  await page.goto(address(path))
  await page.getByRole('button', { name: 'Start shift' }).waitFor()
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('en')
  await context.close()
})
