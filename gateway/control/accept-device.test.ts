// A person accepts another device as a printer: the one that was shown, and what waits prints there at once.
import { rmSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BoxServer } from '#test/doubles/box-server.ts'
import { KNOWS_ALL } from '#test/doubles/printer-rig.ts'
import type { PrinterAnswer } from './answers.ts'
import { ControlRefusal } from './control-refusal.ts'

const STRANGER = { mac: 'aa:aa:aa:00:00:01', maker: 'Nobody', model: 'POS-80', serial: 'N0', level: 'L2' as const }
const REFUSED = { kind: 'busy', reason: 'another-printer', detail: '' } as const

let box: BoxServer
beforeEach(async () => {
  box = new BoxServer()
  await box.core.queue.start()
  box.core.set('grill', { mac: '64:eb:8c:01:02:03', testedAtMs: 1 })
  const grill = record()
  box.core.printers.saveCapability(grill, KNOWS_ALL)
  box.core.printers.saveAnswers(grill, { maker: 'EPSON', model: 'TM-T88VI', serial: 'X1' })
})
afterEach(async () => {
  await box.core.stop()
  rmSync(box.core.dir, { recursive: true, force: true })
})

function record() {
  const found = box.core.printers.find('grill')
  if (!found) throw new Error('no grill')
  return found
}
async function shown(): Promise<PrinterAnswer> {
  const [grill] = (await box.control.perform('printers.list', {}, { asker: 'test' })) as PrinterAnswer[]
  if (!grill) throw new Error('no grill')
  return grill
}
const accept = (input: Record<string, unknown> = {}) =>
  box.control.perform('printers.accept', { printer: 'grill', ...input }, { asker: 'test' })

describe('the acceptance of another device', () => {
  it('at the printer’s own address forgets all data of the old device, and waiting tickets print at once', async () => {
    const grill = box.core.transport('grill')
    Object.assign(grill, { stranger: STRANGER, down: REFUSED })
    box.core.accept('pj_1')
    await box.core.pass(2_000)
    const { identity } = await shown()
    expect(identity.known).toMatchObject({ serial: 'X1', mac: '64:eb:8c:01:02:03', level: 'L3' })
    expect(identity.found).toMatchObject({ ...STRANGER, host: record().host })
    // The connection is closed and opened again: the new one has no record of another device.
    Object.assign(grill, { stranger: null, down: null })
    box.found = { ...STRANGER, host: record().host, port: record().port }
    await accept({ deviceId: identity.found?.deviceId })
    box.found = null
    await box.core.pass(2_000)
    const { mac, maker, model, serial } = STRANGER
    expect(record()).toMatchObject({
      ...{ capability: null, device: { answers: { maker, model, serial }, movedFrom: null } },
      settings: { mac, testedAtMs: null },
    })
    expect(grill.closed).toBe(true)
    expect(box.core.states()['pj_1-1']).toBe('printed')
    expect((await shown()).identity).toMatchObject({ known: { serial: 'N0' }, found: null })
  })

  it('at another address moves the printer there', async () => {
    box.found = { ...STRANGER, host: '192.168.1.66', port: 9100 }
    const accepted = (await accept()) as PrinterAnswer
    expect(accepted).toMatchObject({ host: '192.168.1.66', settings: { mac: STRANGER.mac } })
  })

  it('that does not identify itself forgets the answers of the old one', async () => {
    box.found = { mac: null, maker: null, model: null, serial: null, level: 'L0', host: record().host, port: 9100 }
    await accept()
    expect(record()).toMatchObject({ device: { answers: null }, capability: null, settings: { mac: null } })
  })

  it('gets the family of its maker and model, and the answer says so', async () => {
    box.found = { ...STRANGER, maker: 'XPRINTER', model: 'POS-58', host: record().host, port: 9100 }
    const before = record().profileId
    expect((await shown()).identity).toMatchObject({
      known: { profileId: before },
      found: { profileId: 'generic-58', isFamilyUnsure: false },
    })
    expect(await accept()).toMatchObject({
      profileId: 'generic-58',
      family: { before, now: 'generic-58', isUnsure: false },
    })
    expect(record().profileId).toBe('generic-58')
  })

  it('keeps the family when no model is known, and reports that it must be checked', async () => {
    const before = record().profileId
    box.found = { ...STRANGER, maker: 'Nobody', model: 'Q-1', host: record().host, port: 9100 }
    expect(await accept()).toMatchObject({ profileId: before, family: { before, now: before, isUnsure: true } })
  })

  it('keeps the family that a person chose for the same model', async () => {
    const { profileId } = record()
    box.found = { ...STRANGER, maker: 'EPSON', model: 'TM-T88VI', host: record().host, port: 9100 }
    expect(await accept()).toMatchObject({ family: { before: profileId, now: profileId, isUnsure: false } })
  })

  it('gets the family that a person chooses, if that family exists', async () => {
    box.found = { ...STRANGER, host: record().host, port: 9100 }
    await expect(accept({ profileId: 'no-such' })).rejects.toThrow('There is no profile no-such')
    const family = { now: 'generic-58', isUnsure: false }
    expect(await accept({ profileId: 'generic-58' })).toMatchObject({ profileId: 'generic-58', family })
  })

  it('has its check marked as not yet made until it was made', async () => {
    box.found = { ...STRANGER, host: record().host, port: record().port }
    box.core.transport('grill').health = { state: 'unknown', reasons: ['connecting-to-device'], hint: '', sinceMs: 0 }
    expect((await shown()).confirm).toMatchObject({ level: 'L3', isAsked: true })
    expect(await accept()).toMatchObject({ confirm: { isAsked: false }, identity: { known: { level: null } } })
  })

  it('is refused when none was seen, and when yet another one answers than was shown', async () => {
    await expect(accept()).rejects.toThrow(ControlRefusal)
    box.found = { ...STRANGER, host: '192.168.1.66', port: 9100 }
    const { identity } = await shown()
    box.found = { ...box.found, serial: 'N1' }
    await expect(accept({ deviceId: identity.found?.deviceId })).rejects.toThrow('a different device answers')
    expect(record().settings.mac).toBe('64:eb:8c:01:02:03')
  })
})
