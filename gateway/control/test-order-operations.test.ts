// The test order end to end: from wrong settings in real stores to the results of the check, with numbers read off paper.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { TestOrders } from '#gateway/orders/test-order.ts'
import { BoxServer } from '#test/doubles/box-server.ts'
import { FRY, GRILL } from '#test/doubles/gateway-core.ts'
import type { TestOrderAnswer } from './answers.ts'

/** In the order of the store: the default one first, then by id. */
const PASS = { ...GRILL, name: 'Pass', port: 9102, stations: [] }

let box: BoxServer
beforeEach(async () => {
  box = new BoxServer({ printers: [PASS, FRY, GRILL] })
  await box.kitchen.start()
  await box.core.queue.start()
  box.access.users.add({ name: 'Tea', role: 'technician', password: 'x' }, box.core.clock.now())
})
afterEach(async () => {
  await box.kitchen.stop()
  await box.core.stop()
})

const perform = (name: string, body: unknown = {}) => box.control.perform(name, body, { asker: 'test' })
const paper = (printerId: string) =>
  box.core
    .transport(printerId)
    .sent.map(({ text }) => text)
    .join('\n')
const identify = () => {
  for (const id of ['pass', 'grill', 'fry']) box.core.set(id, { testedAtMs: box.core.relayTime.now() })
}

async function place(): Promise<TestOrderAnswer> {
  const placed = (await perform('orders.test')) as TestOrderAnswer
  await box.core.clock.advance(0)
  return placed
}
const progress = async ({ printJobId }: TestOrderAnswer) =>
  (await perform('orders.progress', { printJobId })) as TestOrderAnswer
const type = async ({ printJobId }: TestOrderAnswer, printer: string, number: string) =>
  (await perform('orders.number', { printJobId, printer, number })) as TestOrderAnswer

/** What is not proved, when all that can come has come. */
async function wrong(placed: TestOrderAnswer): Promise<string[]> {
  const { check } = await progress(placed)
  return check.lines.filter(({ state }) => state !== 'proved').map(({ name, why }) => `${name} ${why}`)
}
const isPrinted = (placed: TestOrderAnswer) =>
  expect.poll(async () => (await progress(placed)).tickets.every(({ state }) => state === 'printed'))
/** The four digits behind the name of a line. */
const numberOf = (text: string, line: RegExp): string =>
  new RegExp(`${line.source}:\\s+(\\d{4})`, 'i').exec(text)?.[1] ?? ''

describe('a test order', () => {
  it('is green when identified printers have it on paper by their own proof', async () => {
    identify()
    const placed = await place()
    await isPrinted(placed).toBe(true)
    expect(await wrong(placed)).toEqual([])
    expect((await progress(placed)).check.isGreen).toBe(true)
  })

  it('is not green while Health warns, and shows the sentence of Health', async () => {
    identify()
    const placed = await place()
    await isPrinted(placed).toBe(true)
    await perform('settings.put', { timeZone: 'Asia/Kolkata' })
    expect((await progress(placed)).check).toMatchObject({
      health: [{ finding: { key: 'time-zones-differ', act: { operation: 'settings.put' } }, leftOutBy: null }],
      isGreen: false,
    })
    await perform('guide.put', { leftOut: [{ kind: 'health', id: 'time-zones-differ' }] })
    expect((await progress(placed)).check.isGreen).toBe(true)
  })

  it('asks for the number on each paper while the printers have not been told apart', async () => {
    const placed = await place()
    await isPrinted(placed).toBe(true)
    expect(await wrong(placed)).toEqual(['Pass type-number', 'Fry type-number', 'Grill type-number'])
    await expect(type(placed, 'Grill', numberOf(paper('fry'), /for fry/))).resolves.toMatchObject({
      check: { isGreen: false },
    })
    expect(await wrong(placed)).toContain('Grill swapped')
    for (const [printer, line] of [
      ['Pass', /Test item/],
      ['Grill', /for grill/],
      ['Fry', /for fry/],
    ] as const)
      await type(placed, printer, numberOf(paper(printer.toLowerCase()), line))
    expect(await wrong(placed)).toEqual([])
    // Reading the number has identified the printer permanently.
    expect(box.core.printers.find('grill')?.settings.testedAtMs).not.toBeNull()
  })

  it('asks again when a printer was renamed after its number was read', async () => {
    identify()
    await box.core.clock.advance(1_000)
    await perform('printers.update', { printer: 'Grill', name: 'Plancha' })
    const placed = await place()
    await isPrinted(placed).toBe(true)
    expect(await wrong(placed)).toEqual(['Plancha type-number'])
  })

  it('refuses a number that is on none of its papers', async () => {
    const placed = await place()
    const numbers = ['pass', 'grill', 'fry'].map((id) => numberOf(paper(id), /Test item.*/))
    const other = ['0000', '0001', '0002', '0003'].find((number) => !numbers.includes(number)) ?? ''
    await expect(type(placed, 'Grill', other)).rejects.toMatchObject({ said: { key: 'test-order.unknown-number' } })
  })

  it('prints an own number at a printer that no order reaches, and reports that it gets nothing', async () => {
    identify()
    box.core.printers.update('fry', { stations: [] })
    const placed = await place()
    await isPrinted(placed).toBe(true)
    await expect.poll(() => paper('fry')).toMatch(/TEST TICKET/)
    expect(await wrong(placed)).toEqual(['Fry no-work'])
    await perform('guide.put', { leftOut: [{ kind: 'printer', id: 'fry' }] })
    expect((await progress(placed)).check).toMatchObject({ isGreen: true })
  })

  it('proves a printer that is only a backup by its own number', async () => {
    identify()
    box.core.printers.update('fry', { stations: [], settings: { testedAtMs: null } })
    box.core.set('grill', { backupPrinterId: 'fry' })
    const placed = await place()
    await expect.poll(() => paper('fry')).toMatch(/TEST TICKET/)
    await isPrinted(placed).toBe(true)
    await expect.poll(() => wrong(placed)).toEqual(['Fry type-number'])
    const number = /ticket:\D*(\d{4})/.exec(paper('fry'))?.[1] ?? ''
    await type(placed, 'Fry', number)
    expect(await wrong(placed)).toEqual([])
  })

  it('reports a paused printer, a station without a place and a typing error in one answer', async () => {
    identify()
    await perform('printers.pause', { printer: 'Fry' })
    const items = ['Gril', 'Wok'].map((station) => ({ umsId: 'u', name: 'x', qty: 1, modifiers: [], station }))
    box.core.accept('pj_1', { order: { items } })
    await box.core.clock.advance(0)
    const placed = await place()
    await expect.poll(() => paper('grill')).toMatch(/TEST ORDER/)
    await expect
      .poll(() => wrong(placed))
      .toEqual(['Fry paused', 'fry printer-silent', 'grill like', 'Gril no-place', 'Wok no-place'])
  })

  it('is green in a kitchen of screens alone once its screen has shown it', async () => {
    for (const id of ['grill', 'fry', 'pass']) box.core.queue.removePrinter(id)
    box.display('Line')
    const [{ displayId } = { displayId: '' }] = box.kitchen.displays.all()
    await perform('displays.update', { displayId, stations: ['Grill'] })
    const [display] = box.kitchen.displays.all()
    if (!display) throw new Error('no display')
    const placed = await place()
    const orderId = box.core.history.testOrder(placed.printJobId)?.serviceOrderId ?? ''
    box.kitchen.present(display, { rendered: [orderId], noticed: [], onShift: true })
    expect(await wrong(placed)).toEqual([])
    expect((await progress(placed)).check.isGreen).toBe(true)
  })

  it('has a line for each station of a screen, and waits for each screen to show it', async () => {
    identify()
    const browser = box.display('Expo')
    expect(browser).toBeDefined()
    const [display] = box.kitchen.displays.all()
    if (!display) throw new Error('no display')
    const placed = await place()
    await isPrinted(placed).toBe(true)
    expect(await wrong(placed)).toContain('Expo screen-off')
    const orderId = box.core.history.testOrder(placed.printJobId)?.serviceOrderId ?? ''
    box.kitchen.present(display, { rendered: [orderId], noticed: [], onShift: true })
    expect(await wrong(placed)).toEqual([])
    // What was shown once stays proved when the order has left the screen.
    await box.core.clock.advance(31 * 60_000)
    box.kitchen.present(display, { rendered: [], noticed: [], onShift: true })
    expect(await wrong(placed)).toEqual([])
  })

  it('names the runner’s screen without sign-in and the guests’ board that is off, until each has drawn its board', async () => {
    identify()
    for (const [name, kind] of [
      ['Runner', 'runner'],
      ['Guests', 'pick-up'],
    ] as const)
      await perform('displays.add', { name, kind, stations: [], language: 'en', backupPrinter: null })
    const [guests, runner] = ['Guests', 'Runner'].map((name) =>
      box.kitchen.displays.all().find((one) => one.name === name),
    )
    if (!guests || !runner) throw new Error('no display')
    const signIn = async ({ displayId }: typeof guests) => {
      const { code } = (await perform('displays.code', { displayId })) as { code: string }
      expect(box.kitchen.displays.claim(code, box.core.relayTime.now(), (token) => token)).not.toBeNull()
      box.kitchen.presence.attach(displayId)
    }
    const { presence } = box.kitchen
    const here = (display: typeof guests, boardAtMs?: number) => {
      if (!presence.isFed(display.displayId)) presence.attach(display.displayId)
      box.kitchen.present(display, { rendered: [], noticed: [], onShift: false, boardAtMs })
    }
    await signIn(guests)
    const beforeMs = box.core.relayTime.now()
    await box.core.clock.advance(1_000)
    const placed = await place()
    await isPrinted(placed).toBe(true)
    expect((await wrong(placed)).toSorted()).toEqual(['Guests screen-off', 'Runner not-signed-in'])
    expect((await progress(placed)).check.isGreen).toBe(false)
    await signIn(runner)
    here(runner, box.core.relayTime.now())
    // It is on, but what it shows is older than the test.
    here(guests, beforeMs)
    expect(await wrong(placed)).toEqual(['Guests board-not-drawn'])
    here(guests, box.core.relayTime.now())
    expect((await progress(placed)).check.isGreen).toBe(true)
    // The next test starts again.
    await box.core.clock.advance(60_000)
    const next = await place()
    await isPrinted(next).toBe(true)
    expect((await wrong(next)).toSorted()).toEqual(['Guests screen-off', 'Runner screen-off'])
    here(runner)
    expect(await wrong(next)).toContain('Runner board-not-drawn')
  })

  it('has no numbers of a test that was sent before the program started', async () => {
    const { intake, relayTime: time } = box.core
    const jobId = new TestOrders({ intake, time, site: { timeZone: 'UTC' } }).place([{ station: null, number: '4711' }])
    const before = (await perform('orders.progress', { printJobId: jobId })) as TestOrderAnswer
    expect(before.canTypeNumbers).toBe(false)
    await expect(type(before, 'Grill', '4711')).rejects.toMatchObject({ said: { key: 'test-order.numbers-gone' } })
  })
})
