// What rules and settings of printers make of an order at the gateway: its tickets, its result, its trace, its slips.
import { PNG } from 'pngjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DEFAULT_PRINTER_SETTINGS, type PrinterSettings } from '#shared/printer-settings.ts'
import { routingRules } from '#shared/tickets/routing-rules.ts'
import { FRY, GatewayCore, GRILL } from '#test/doubles/gateway-core.ts'

const FRONT = { ...GRILL, name: 'Front', port: 9102, stations: [] }
const RECEIPT = { currency: 'USD', totalCents: 1900, tipCents: 0 }

let core: GatewayCore
beforeEach(() => {
  core = new GatewayCore([GRILL, FRY, FRONT])
})
afterEach(() => core.stop())

const set = (printerId: string, change: Partial<PrinterSettings>) =>
  expect(core.printers.update(printerId, { settings: { ...DEFAULT_PRINTER_SETTINGS, ...change } })).toMatchObject({
    ok: true,
  })
const rules = (...list: object[]) =>
  core.routing.save(routingRules.parse(list.map((rule, index) => ({ name: `Rule ${index + 1}`, ...rule }))))
const paper = (printerId: string) => core.transport(printerId).sent.map(({ text }) => text)

describe('an order with routing rules', () => {
  it('goes to the routed printers, also after a power cut, and each ticket shows the reason', async () => {
    rules({ when: { umsId: 'U-1' }, print: { printerIds: ['fry'], station: 'PASS' }, stop: true })
    core.accept('pj_1')
    core = core.crash()
    expect(core.history.ticket('pj_1-1')?.trace).toEqual([{ items: [0], why: "rule 'Rule 1' yes -> Fry" }])
    await core.queue.start()
    expect(await core.result('pj_1')).toMatchObject({ state: 'printed', tickets: [{ printerId: 'fry' }] })
    expect(paper('fry')[0]).toContain('PASS')
  })

  it('leaves what waits where it is when they change', () => {
    core.accept('pj_1')
    rules({ print: { printerIds: ['fry'] }, stop: true })
    core.accept('pj_2')
    expect(core.history.ticket('pj_1-1')?.ticket.printerId).toBe('grill')
    expect(core.history.ticket('pj_2-1')?.ticket.printerId).toBe('fry')
  })
})

describe('a printer of receipts and labels', () => {
  const order = {
    receipt: RECEIPT,
    items: [{ umsId: 'U-1', name: 'Tea', qty: 2, modifiers: [], station: 'grill', priceCents: 950 }],
  }

  it('prints them, and they are no part of the result that the relay gets', async () => {
    set('front', { papers: ['receipt', 'label'] })
    await core.queue.start()
    core.accept('pj_1', { order })
    const result = await core.result('pj_1')
    expect(result.tickets.map(({ printerId }) => printerId)).toEqual(['grill'])
    await expect.poll(() => paper('front').length).toBe(3)
    expect(paper('front').join('\n')).toMatch(/1\/2[\s\S]*2\/2[\s\S]*TOTAL USD/)
    expect(paper('grill')[0]).not.toContain('9.50')
  })

  it('puts the picture of the restaurant on receipts only', async () => {
    const picture = new PNG({ width: 16, height: 8 })
    picture.data.fill(255)
    core.logo.save(PNG.sync.write(picture))
    set('front', { papers: ['receipt', 'label'] })
    await core.queue.start()
    core.accept('pj_1', { order })
    await expect.poll(() => paper('front').length).toBe(3)
    expect([...paper('grill'), ...paper('front')].map((text) => text.includes('\x1dv0'))).toEqual([
      false,
      false,
      false,
      true,
    ])
  })

  it('does not hold the result up when it is off', async () => {
    set('front', { papers: ['receipt'] })
    core.transport('front').readiness.push({ kind: 'offline', reason: 'timed-out', detail: '' })
    await core.queue.start()
    core.accept('pj_1', { order })
    expect(await core.result('pj_1')).toMatchObject({ state: 'printed' })
  })

  it('prints none of what waits there when the order is taken back', async () => {
    set('front', { papers: ['receipt', 'label'] })
    core.accept('pj_1', { order })
    core.intake.cancel('pj_1')
    expect(core.states()).toEqual(
      Object.fromEntries(['pj_1-1', 'pj_1-2', 'pj_1-3', 'pj_1-4'].map((id) => [id, 'cancelled'])),
    )
  })

  it('gets no VOID slip: the kitchen does', async () => {
    set('front', { papers: ['receipt', 'label'] })
    await core.queue.start()
    core.accept('pj_1', { order })
    await core.result('pj_1')
    await expect.poll(() => paper('front').length).toBe(3)
    core.intake.cancel('pj_1', true)
    await expect.poll(() => paper('grill').at(-1)).toContain('VOID')
    core.accept('pj_2', { order })
    await expect.poll(() => paper('front').length).toBe(6)
    expect(paper('front').join('')).not.toContain('VOID')
  })
})

describe('a printer that wants one ticket per line, or copies', () => {
  const items = ['Soup', 'Pie'].map((name) => ({ umsId: name, name, qty: 1, modifiers: [], station: 'grill' }))

  it('gets them, marked, and each is part of the result', async () => {
    set('grill', { split: 'per-item', copies: 2 })
    await core.queue.start()
    core.accept('pj_1', { order: { items } })
    expect((await core.result('pj_1')).tickets).toHaveLength(4)
    expect(paper('grill').map((text) => /COPY 2\/2/.test(text))).toEqual([false, true, false, true])
    expect(paper('grill')[2]).toMatch(/TICKET 2\/2[\s\S]*Pie/)
  })
})
