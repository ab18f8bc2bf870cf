// Another device at a printer's address gets no ticket and proves none, is shown with its own description, and prints at its own level once a person has accepted it.
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { NO_ANSWERS } from '#shared/printer-identity.ts'
import { type Device, DeviceBench } from '#test/doubles/device-bench.ts'
import { LEVELS, type Level } from '#test/doubles/print-stage.ts'
import { KNOWS_ALL, PrinterRig } from '#test/doubles/printer-rig.ts'
import { EPSON, MUTE } from '#test/doubles/virtual-printer-status.ts'
import { IdentityGuard } from './identity-guard.ts'

const GRILL_MAC = '64:eb:8c:01:02:03'
const OTHER_MAC = 'aa:aa:aa:00:00:01'
const OTHER = { name: 'POS-80', maker: 'Nobody', serial: 'N0B0DY' }

let bench: DeviceBench
afterEach(() => bench.stop())

/** The printer that is set up, at this level, after its first ticket. */
async function known(level: Pick<Level, 'model'>, mac: string | null = GRILL_MAC): Promise<DeviceBench> {
  bench = await new DeviceBench({ model: { ...EPSON, ...level.model }, mac }).start()
  expect((await bench.print()).kind).toBe('printed')
  return bench
}

const another = (level: Pick<Level, 'model'>, mac: string | null = OTHER_MAC): Device => ({
  model: { ...EPSON, ...OTHER, ...level.model, ...(level.model.gsI === false ? {} : OTHER) },
  mac,
})
const level = (method: Level['method']): Level => {
  const found = LEVELS.find((one) => one.method === method)
  if (!found) throw new Error(method)
  return found
}
const refused = { kind: 'not-sent', readiness: { reason: 'another-printer' } }

describe('a printer', () => {
  it('is identified once, and prints as before, also after a restart of the gateway', async () => {
    await known(level('gs-paren-h'))
    expect(bench.known.answers).toEqual({ maker: 'EPSON', model: 'TM-T88VI', serial: 'X2AB012345' })
    expect(await bench.print()).toMatchObject({ kind: 'printed', method: 'gs-paren-h', confirmation: 'confirmed' })
    await bench.restart()
    expect(await bench.print()).toMatchObject({ kind: 'printed', method: 'gs-paren-h', confirmation: 'confirmed' })
    expect(bench.printed).toBe(3)
    expect(bench.stranger).toBeNull()
  })

  it('without a serial number is identified by its model, and missing answers do not mix up its proofs', async () => {
    await known({ model: { gsParenH: false, serial: null } })
    expect(bench.known.answers).toEqual({ maker: 'EPSON', model: 'TM-T88VI', serial: null })
    for (let n = 0; n < 3; n++) expect(await bench.print()).toMatchObject({ kind: 'printed', method: 'gs-i' })
    expect(bench.printed).toBe(4)
  })

  it('that gives one text to every query has neither maker nor serial number', async () => {
    await known({ model: { maker: 'POS-80', name: 'POS-80', serial: 'POS-80' } })
    expect(bench.known.answers).toEqual({ maker: null, model: 'POS-80', serial: null })
  })

  it('is recognized while its cover is open, and prints when it is closed', async () => {
    await known(level('gs-paren-h'))
    bench.rig.printer.openCover()
    await bench.restart()
    expect(await bench.rig.prepare()).toMatchObject({ kind: 'blocked', reason: 'cover-open' })
    bench.rig.printer.closeCover()
    expect(await bench.print()).toMatchObject({ kind: 'printed', confirmation: 'confirmed' })
  })

  it('that was switched off and on is recognized', async () => {
    await known(level('gs-i'))
    await bench.swap({ model: {}, mac: GRILL_MAC })
    expect(await bench.print()).toMatchObject({ kind: 'printed', method: 'gs-i' })
  })

  it('that hangs is not taken for another one: it has its own hardware address', async () => {
    await known(level('gs-paren-h'))
    bench.rig.printer.manners.mute = true
    await bench.restart()
    for (let n = 0; n < 6; n++)
      expect(await bench.rig.prepare()).toMatchObject({ kind: 'busy', reason: 'not-responding' })
    bench.rig.printer.manners.mute = false
    expect(await bench.print()).toMatchObject({ kind: 'printed', confirmation: 'confirmed' })
  })
})

describe('a printer with its own hardware address that answers less than before', () => {
  it('gets no ticket, is offered as it is now, and prints at its new level once accepted', async () => {
    await known(level('gs-paren-h'))
    await bench.swap({ model: { gsI: false }, mac: GRILL_MAC })
    expect(await bench.print()).toMatchObject({ kind: 'not-sent', readiness: { reason: 'not-responding' } })
    expect(bench.printed).toBe(0)
    expect(bench.stranger).toEqual({ mac: GRILL_MAC, maker: null, model: null, serial: null, level: 'L3' })
    await bench.accept()
    expect(await bench.print()).toMatchObject({ kind: 'printed', method: 'gs-paren-h' })
  })

  it('continues automatically when it identifies itself again, and is offered no longer', async () => {
    await known(level('gs-paren-h'))
    await bench.swap({ model: { gsI: false }, mac: GRILL_MAC })
    await bench.print()
    await bench.swap({ model: { gsI: true }, mac: GRILL_MAC })
    expect(await bench.print()).toMatchObject({ kind: 'printed', method: 'gs-paren-h' })
    expect(bench.stranger).toBeNull()
  })

  it('may hang if only its status is answered: no false alarm at once', async () => {
    await known(level('gs-paren-h'))
    await bench.swap({ model: level('dle-eot').model, mac: GRILL_MAC })
    expect(await bench.print()).toMatchObject({ kind: 'not-sent', readiness: { reason: 'not-responding' } })
    expect(bench.stranger).toBeNull()
  })
})

describe('a printer where the kernel has no hardware address', () => {
  it('that is identified by its serial number gets another proof if one is false, and is not another printer', async () => {
    await known(level('gs-paren-h'), null)
    bench.rig.printer.manners.foreignProcessId = true
    expect(await bench.print()).toMatchObject({ kind: 'uncertain', reason: 'timed-out' })
    expect(await bench.print()).toMatchObject({ kind: 'printed', method: 'gs-i', confirmation: 'confirmed' })
  })
})

describe('another device at its address', () => {
  const pairs = LEVELS.flatMap((from) =>
    LEVELS.filter((to) => to !== from).map((to) => [from.method, to.method] as const),
  )

  it.each(pairs)(
    'at the place of a printer with %s gets no ticket, and once accepted prints with %s',
    async (from, to) => {
      await known(level(from))
      await bench.swap(another(level(to)))
      expect(await bench.print()).toMatchObject(refused)
      expect(bench.printed).toBe(0)
      expect(bench.stranger?.mac).toBe(OTHER_MAC)
      expect(bench.rig.transport.health).toMatchObject({ state: 'offline', reasons: ['another-printer'] })
      await bench.accept()
      expect(await bench.print()).toMatchObject({ kind: 'printed', method: to })
      expect(await bench.print()).toMatchObject({ kind: 'printed', method: to })
      expect(bench.printed).toBe(2)
      expect(bench.rig.transport.health.reasons).not.toContain('another-printer')
    },
  )

  it('is shown with its own description', async () => {
    await known(level('gs-paren-h'))
    await bench.swap(another(level('gs-i')))
    await bench.print()
    const { name: model, maker, serial } = OTHER
    expect(bench.stranger).toEqual({ mac: OTHER_MAC, maker, model, serial, level: 'L2' })
  })

  it('with the same hardware address and another serial number proves nothing and gets no ticket', async () => {
    await known(level('gs-paren-h'))
    await bench.swap(another(level('gs-paren-h'), GRILL_MAC))
    expect(await bench.print()).toMatchObject(refused)
    expect(bench.printed).toBe(0)
    expect(bench.stranger).toMatchObject({ mac: GRILL_MAC, serial: OTHER.serial, model: OTHER.name, level: 'L3' })
  })

  it('is shown in its current state if it was replaced behind the same hardware address and is identified again', async () => {
    await known(level('gs-paren-h'))
    await bench.swap(another(level('gs-i')))
    await bench.print()
    await bench.swap({ ...another(level('gs-paren-h')), model: { ...EPSON, ...OTHER, name: 'POS-58', serial: 'N2' } })
    expect(await bench.print()).toMatchObject(refused)
    expect(bench.stranger).toMatchObject({ mac: OTHER_MAC, model: OTHER.name, level: 'L2' })
    await bench.restart()
    expect(await bench.print()).toMatchObject(refused)
    expect(bench.stranger).toMatchObject({ mac: OTHER_MAC, model: 'POS-58', serial: 'N2', level: 'L3' })
  })

  it('is identified at the first contact, and gets no byte at the next, even if a ticket was cut off before', async () => {
    let heard = ''
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.on('data', (chunk) => {
        heard += chunk.toString('latin1')
      })
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    await known(level('gs-paren-h'))
    const rig = new PrinterRig({
      transport: {
        interrupted: true,
        identity: new IdentityGuard({
          known: () => ({ ...NO_ANSWERS, mac: GRILL_MAC }),
          placeNow: () => ({ address: '127.0.0.1', mac: OTHER_MAC }),
          isByName: false,
          learnt: () => {},
          clock: bench.rig.clock,
        }),
      },
    })
    rig.connect({ host: '127.0.0.1', port: (server.address() as AddressInfo).port })
    expect(await rig.send('A')).toMatchObject(refused)
    const atFirst = heard
    expect(await rig.send('A')).toMatchObject(refused)
    // Everything written to it has arrived when the connection's end has.
    server.close()
    await once(server, 'close')
    await rig.stop()
    expect(atFirst.startsWith('\x10\x04')).toBe(true)
    expect(heard).toBe(atFirst)
  })

  it('is found without a ticket, when the idle printer is checked', async () => {
    await known(level('gs-paren-h'))
    await bench.swap(another(level('gs-paren-h')))
    await bench.restart()
    expect(await bench.rig.prepare()).toMatchObject({ kind: 'busy', reason: 'another-printer' })
    expect(bench.rig.printer.tickets).toHaveLength(0)
  })

  it('is replaced by the known printer, which prints on automatically', async () => {
    await known(level('gs-paren-h'))
    await bench.swap(another(level('gs-i')))
    expect(await bench.print()).toMatchObject(refused)
    await bench.swap({ model: EPSON, mac: GRILL_MAC })
    expect(await bench.print()).toMatchObject({ kind: 'printed', method: 'gs-paren-h', confirmation: 'confirmed' })
    expect(bench.stranger).toBeNull()
  })

  it('that prints everything gets only queries', async () => {
    await known(level('gs-paren-h'))
    await bench.swap({ model: { ...EPSON, ...MUTE }, mac: OTHER_MAC })
    expect(await bench.print()).toMatchObject(refused)
    expect(bench.stranger).toEqual({ mac: OTHER_MAC, maker: null, model: null, serial: null, level: null })
    expect(bench.printed).toBe(0)
  })
})

describe('another device where the kernel has no hardware address', () => {
  it.each(['gs-paren-h', 'gs-i'] as const)('that identifies itself (%s) is another one at once', async (method) => {
    await known(level('gs-paren-h'), null)
    await bench.swap(another(level(method), null))
    expect(await bench.print()).toMatchObject(refused)
    await bench.accept()
    expect(await bench.print()).toMatchObject({ kind: 'printed', method })
  })

  it.each(['gs-r', 'dle-eot', 'none'] as const)(
    'and that is weaker (%s) and has no serial number becomes one, without a ticket, and prints once accepted',
    async (method) => {
      await known(level('gs-paren-h'), null)
      await bench.swap(another(level(method), null))
      expect(await bench.print()).toMatchObject(refused)
      expect(bench.printed).toBe(0)
      await bench.accept()
      expect(await bench.print()).toMatchObject({ kind: 'printed', method })
      expect(bench.printed).toBe(1)
    },
  )

  it('is identified even if it was detected by missing answers, and stays shown', async () => {
    await known(level('gs-paren-h'), null)
    const xprinter = { maker: 'XPRINTER', name: 'XP-Q200', serial: null }
    await bench.swap({ model: { ...EPSON, ...xprinter, gsParenH: false, gsR: false }, mac: null })
    const found = { mac: null, maker: 'XPRINTER', model: 'XP-Q200', serial: null, level: 'L2' }
    for (let contact = 0; contact < 3; contact++) {
      expect(await bench.print()).toMatchObject(refused)
      expect(bench.stranger).toEqual(found)
    }
    await bench.swap({ model: { name: 'XP-58' }, mac: null })
    expect(await bench.print()).toMatchObject(refused)
    expect(bench.stranger).toEqual({ ...found, model: 'XP-58' })
  })

  it('that replaces one whose ticket was cut off changes none of the recorded answers', async () => {
    await known(level('gs-paren-h'), null)
    await bench.restart()
    expect((await bench.print()).kind).toBe('printed')
    const before = bench.known.capability
    bench.rig.printer.resetBeforeAnswer()
    expect(await bench.print()).toMatchObject({ kind: 'uncertain' })
    await bench.swap({ model: { ...MUTE, ...OTHER, gsI: true }, mac: null })
    expect(await bench.print()).toMatchObject(refused)
    expect(bench.known.capability).toEqual(before)
    expect(bench.printed).toBe(0)
  })

  it('is detected by missing answers if the printer has never identified itself', async () => {
    await known({ model: { gsI: false } }, null)
    expect(bench.known).toMatchObject({
      answers: null,
      capability: { ...KNOWS_ALL, gsI: false, learntAtMs: expect.any(Number) },
    })
    await bench.swap(another({ model: { gsParenH: false, gsI: false } }, null))
    // Nothing distinguishes it before the first ticket, and that one proves nothing.
    expect(await bench.print()).toMatchObject({ kind: 'uncertain' })
    expect(await bench.print()).toMatchObject(refused)
  })
})
