// A voided order whose ticket went from printer to printer: the VOID slip is printed wherever paper of it may be.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FRY, GatewayCore, GRILL } from '#test/doubles/gateway-core.ts'
import { OFFLINE, type ScriptedTransport } from '#test/doubles/scripted-transport.ts'

const isVoid = ({ text }: { text: string }): boolean => text.includes('VOID') && !text.includes('WENT ELSEWHERE')
const voidsAt = (transport: ScriptedTransport): number => transport.sent.filter(isVoid).length

describe('VOID slips of a ticket that was moved', () => {
  let core: GatewayCore
  let grill: ScriptedTransport
  let fry: ScriptedTransport
  beforeEach(() => {
    core = new GatewayCore([GRILL, FRY])
    ;[grill, fry] = [core.transport('grill'), core.transport('fry')]
  })
  afterEach(async () => {
    expect(core.fatal).toEqual([])
    await core.stop()
  })
  /** A part of it is at the grill, which then failed. */
  const doubtAtGrill = async (): Promise<void> => {
    grill.outcomes.push(() => {
      grill.down = OFFLINE
      return grill.uncertain()
    })
    await core.queue.start()
    core.accept('pj_1')
    await core.pass(2_000)
  }

  it('are printed at the backup that printed it, and at the printer that may have a part of it when it is ready again', async () => {
    core.set('grill', { backupPrinterId: 'fry' })
    await doubtAtGrill()
    await core.pass(60_000)
    expect(core.states()['pj_1-1']).toBe('printed')
    expect(core.intake.cancel('pj_1')).toBe('too_late')
    await core.pass(1_000)
    expect([voidsAt(grill), voidsAt(fry)]).toEqual([0, 1])
    grill.down = null
    await core.pass(10_000)
    expect([voidsAt(grill), voidsAt(fry)]).toEqual([1, 1])
  })

  it('are printed where the doubtful copy is, and not where nothing was sent', async () => {
    await doubtAtGrill()
    fry.down = OFFLINE
    expect(await core.queue.moveAll('grill', 'fry')).toBe(1)
    expect(core.intake.cancel('pj_1')).toBe('too_late')
    await core.pass(1_000)
    grill.down = null
    fry.down = null
    await core.pass(20_000)
    expect([voidsAt(grill), voidsAt(fry)]).toEqual([1, 0])
  })

  it('are printed at the default printer if the one that has the paper was removed', async () => {
    await core.queue.start()
    const items = [{ umsId: 'f', name: 'Fries', qty: 1, modifiers: [], station: 'fry' }]
    core.accept('pj_1', { order: { items } })
    await core.result('pj_1')
    expect(core.queue.removePrinter('fry').ok).toBe(true)
    expect(core.intake.cancel('pj_1')).toBe('too_late')
    await core.pass(1_000)
    expect([voidsAt(grill), voidsAt(fry)]).toEqual([1, 0])
  })
})
