// Tickets that wait for a person: in doubt with the policy hold, and old ones after an outage.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { GatewayCore, GRILL } from '#test/doubles/gateway-core.ts'
import { OFFLINE, type ScriptedTransport } from '#test/doubles/scripted-transport.ts'

const MINUTE_MS = 60_000
const ids = (transport: ScriptedTransport) => transport.sent.map(({ attemptId }) => attemptId.replace(/\.\d+$/, ''))
const isMarked = ({ text }: { text: string }): boolean => text.includes('POSSIBLE DUPLICATE')
const isSlip = ({ text }: { text: string }): boolean => text.includes('They are held')

let core: GatewayCore
let grill: ScriptedTransport
const use = (next: GatewayCore): void => {
  core = next
  grill = core.transport('grill')
}
beforeEach(() => use(new GatewayCore([GRILL])))
afterEach(async () => {
  expect(core.fatal).toEqual([])
  await core.stop()
})

describe('a printer with the policy hold', () => {
  beforeEach(async () => {
    core.set('grill', { doubt: 'hold' })
    grill.outcomes.push(() => grill.uncertain())
  })
  const start = async (): Promise<void> => {
    await core.queue.start()
    core.accept('pj_1')
    core.accept('pj_2')
    await core.pass(2_000)
  }

  it('parks the ticket, does not report it yet, and prints the next one', async () => {
    await start()
    expect(core.states()).toEqual({ 'pj_1-1': 'parked', 'pj_2-1': 'printed' })
    expect(core.history.list({ limit: 9, state: 'parked' })).toMatchObject([{ ticketId: 'pj_1-1', reason: 'doubt' }])
    expect(core.reports.open(9).map(({ jobId }) => jobId)).toEqual(['pj_2'])
    expect(grill.sent.map(isMarked)).toEqual([false, false])
  })

  it.each([
    ['on-paper', { state: 'printed', tickets: [{ confirmation: 'assumed', method: 'person', attempts: 1 }] }],
    ['dismiss', { state: 'uncertain', reason: 'dismissed' }],
  ] as const)('ends it as the person says: %s', async (how, result) => {
    await start()
    expect(core.queue.resolveParked('pj_1-1', how)).toEqual({ ok: true, ticketId: 'pj_1-1' })
    expect(await core.result('pj_1')).toMatchObject(result)
    expect(core.queue.resolveParked('pj_1-1', how)).toEqual({ ok: false, reason: 'not-parked' })
    await core.pass(2_000)
    expect(grill.sent).toHaveLength(2)
  })

  it('prints it with a mark when the person releases it, also after a crash', async () => {
    await start()
    use(core.crash())
    await core.queue.start()
    expect(core.queue.releaseAll('grill')).toBe(1)
    expect(await core.result('pj_1')).toMatchObject({ state: 'printed', tickets: [{ possibleDuplicate: true }] })
    expect(grill.sent.map(isMarked)).toEqual([true])
  })

  it('parks a ticket that a crash has interrupted', async () => {
    grill.outcomes.unshift(() => new Promise(() => {}))
    await core.queue.start()
    core.accept('pj_1')
    await grill.sends(1)
    use(core.crash())
    await core.queue.start()
    await core.pass(2_000)
    expect(core.states()).toEqual({ 'pj_1-1': 'parked' })
    expect(grill.sent).toEqual([])
  })

  it('cancels a parked ticket with its order, and prints a VOID slip, because it may be on paper', async () => {
    await start()
    expect(core.intake.cancel('pj_1')).toBe('too_late')
    expect((await core.result('pj_1')).state).toBe('uncertain')
    await core.pass(1_000)
    expect(grill.sent.at(-1)?.text).toContain('VOID')
  })
})

describe('a printer with a limit for old tickets', () => {
  const wait = async (n: number): Promise<void> => {
    for (let i = 1; i <= n; i++) core.accept(`pj_${i}`)
    await core.pass(20 * MINUTE_MS)
  }

  it('prints one slip after the outage, parks old tickets, and prints recent ones', async () => {
    core.set('grill', { staleAfterMs: 10 * MINUTE_MS })
    grill.down = OFFLINE
    await core.queue.start()
    await wait(3)
    core.accept('pj_young')
    grill.down = null
    await core.pass(2_000)
    expect(grill.sent.map(isSlip)).toEqual([true, false])
    expect(grill.sent[0]?.text).toMatch(/3 TICKETS WAITED 18:00-18:20[\s\S]*#O-pj_1 from 18:00/)
    expect(ids(grill)[1]).toBe('pj_young-1')
    expect(core.states()).toMatchObject({ 'pj_1-1': 'parked', 'pj_3-1': 'parked', 'pj_young-1': 'printed' })
    expect(core.queue.printers()[0]).toMatchObject({ parked: 3, queued: 0 })
    core.accept('pj_next')
    await core.result('pj_next')
    expect(core.queue.releaseAll('grill')).toBe(3)
    await core.pass(1_000)
    expect(ids(grill).slice(3)).toEqual(['pj_1-1', 'pj_2-1', 'pj_3-1'])
    expect(grill.sent.some(isMarked)).toBe(false)
  })

  it('never parks what a person has released again, nor a reprint that a person requested', async () => {
    core.set('grill', { staleAfterMs: 10 * MINUTE_MS })
    await core.queue.start()
    core.accept('pj_done')
    await core.result('pj_done')
    grill.down = OFFLINE
    await wait(2)
    grill.down = null
    await core.pass(2_000)
    expect(core.states()).toMatchObject({ 'pj_1-1': 'parked', 'pj_2-1': 'parked' })
    grill.down = OFFLINE
    expect(core.queue.releaseAll('grill')).toBe(2)
    core.queue.reprint('pj_done-1')
    await core.pass(20 * MINUTE_MS)
    grill.down = null
    await core.pass(5_000)
    expect(core.states()).toMatchObject({ 'pj_1-1': 'printed', 'pj_2-1': 'printed', 'pj_done-1-r1': 'printed' })
    expect(grill.sent.filter(isSlip)).toHaveLength(1)
  })

  it('prints at most the given number of newest tickets', async () => {
    core.set('grill', { staleAboveTickets: 2 })
    grill.down = OFFLINE
    await core.queue.start()
    await wait(5)
    grill.down = null
    await core.pass(2_000)
    expect(ids(grill).slice(1)).toEqual(['pj_4-1', 'pj_5-1'])
    expect(grill.sent.filter(isSlip)).toHaveLength(1)
  })

  it('checks what waited while the program was down, before the first ticket', async () => {
    core.set('grill', { staleAfterMs: 10 * MINUTE_MS })
    await wait(2)
    use(core.crash())
    await core.queue.start()
    await core.pass(2_000)
    expect(grill.sent.map(isSlip)).toEqual([true])
    use(core.crash())
    await core.queue.start()
    await core.pass(2_000)
    expect(grill.sent).toEqual([])
    expect(core.states()).toMatchObject({ 'pj_1-1': 'parked', 'pj_2-1': 'parked' })
  })

  it('checks again when a ticket continues after a long stop in its middle', async () => {
    core.set('grill', { staleAfterMs: 10 * MINUTE_MS })
    let goOn = (): void => {}
    grill.outcomes.push(() => new Promise((resolve) => (goOn = () => resolve(grill.printed()))))
    await core.queue.start()
    core.accept('pj_1')
    await grill.sends(1)
    grill.show('offline')
    core.accept('pj_2')
    await core.pass(20 * MINUTE_MS)
    goOn()
    await core.pass(2_000)
    expect(core.states()).toMatchObject({ 'pj_1-1': 'printed', 'pj_2-1': 'parked' })
    expect(grill.sent.map(isSlip)).toEqual([false, true])
  })

  it('is off by default: everything prints, however late', async () => {
    grill.down = OFFLINE
    await core.queue.start()
    await wait(4)
    grill.down = null
    await core.pass(2_000)
    expect(ids(grill)).toEqual(['pj_1-1', 'pj_2-1', 'pj_3-1', 'pj_4-1'])
  })

  it('leaves a dismissed old ticket cancelled: nothing of it was on paper', async () => {
    core.set('grill', { staleAfterMs: 10 * MINUTE_MS })
    await wait(1)
    await core.queue.start()
    await core.pass(2_000)
    expect(core.queue.resolveParked('pj_1-1', 'dismiss').ok).toBe(true)
    expect(await core.result('pj_1')).toMatchObject({ state: 'cancelled', reason: 'dismissed' })
  })
})
