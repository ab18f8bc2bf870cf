// Printers at a device file: both languages, and failures of a cable. The device is a pseudo terminal, the printer behind it virtual.
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { PrinterCapability, PrinterProfile } from '#shared/printer-profile.ts'
import { Signal } from '#shared/signal.ts'
import { KNOWS_ALL, PROFILE, SHORT, ticketDocument } from '#test/doubles/printer-rig.ts'
import { UnhurriedClock } from '#test/doubles/unhurried-clock.ts'
import { VirtualPrinter } from '#test/doubles/virtual-printer.ts'
import { MUTE } from '#test/doubles/virtual-printer-status.ts'
import { VirtualStarPrinter } from '#test/doubles/virtual-star-printer.ts'
import { KNOWS_ETB, STAR_PROFILE, starDocument } from '#test/doubles/virtual-star-rig.ts'
import { UsbCable } from '#test/doubles/virtual-usb-cable.ts'
import { openTransport } from './open-transport.ts'
import type { PrinterHealth, PrinterTransport, SendOutcome } from './transport.ts'

interface Side {
  printer: VirtualPrinter | VirtualStarPrinter
  paperOut(afterLines: number): void
  loadPaper(): void
  profile: PrinterProfile
  documentOf: typeof ticketDocument
  known: PrinterCapability
}

let clock: UnhurriedClock
let cable: UsbCable
let side: Side
let transport: PrinterTransport
let health: Signal<PrinterHealth>
let learnt: PrinterCapability[]
let attempts = 0
beforeEach(() => {
  clock = new UnhurriedClock()
  clock.start()
  health = new Signal()
  learnt = []
})
afterEach(async () => {
  await side.printer.stop()
  await cable.stop()
  await transport.close()
  clock.stop()
})

function epson(options: { mute?: boolean; msPerLine?: number } = {}): Side {
  const model = options.mute ? MUTE : {}
  const printer = new VirtualPrinter({ clock, model, msPerLine: options.msPerLine ?? 0 })
  return {
    printer,
    paperOut: (after) => printer.paperOut(after),
    loadPaper: () => printer.loadPaper(),
    profile: PROFILE,
    documentOf: ticketDocument,
    known: KNOWS_ALL,
  }
}

function star(): Side {
  const printer = new VirtualStarPrinter({ clock, model: { lengthBytes: false } })
  const set = (paper: 'ok' | 'out', after = 0): void =>
    printer.change((parts) => {
      parts.paper = paper
    }, after)
  return {
    printer,
    paperOut: (after) => set('out', after),
    loadPaper: () => set('ok'),
    profile: STAR_PROFILE,
    documentOf: starDocument,
    known: KNOWS_ETB,
  }
}

async function plugIn(made: Side, capability: PrinterCapability | null = made.known): Promise<void> {
  side = made
  cable = new UsbCable(await made.printer.start())
  await cable.start()
  connect(capability)
}

function connect(capability: PrinterCapability | null): void {
  transport = openTransport({
    address: { host: cable.path, port: 0 },
    profile: side.profile,
    capability,
    exclusive: false,
    interrupted: false,
    clock,
    random: Math.random,
    log: pino({ level: 'silent' }),
    timeouts: { ...SHORT, probeMs: 600, learnMs: 400, confirmMs: 1_500 },
  })
  transport.onHealth((now) => health.notify(now))
  transport.onCapability((capability) => learnt.push(capability))
}

function send(name: string, lines?: number): Promise<SendOutcome> {
  return transport.send(side.documentOf(name, lines), `att_${++attempts}`, new AbortController().signal)
}

function complete(lines = 6): string[] {
  return side.printer.tickets.flatMap(
    (ticket) => new RegExp(`^(\\S+) line ${lines}$`, 'm').exec(ticket.text())?.[1] ?? [],
  )
}

describe.each([
  ['ESC/POS', epson, 'gs-paren-h'],
  ['Star', star, 'star-etb'],
] as const)('%s over USB', (_, make, method) => {
  it('is probed and proves its tickets as over the network', async () => {
    await plugIn(make(), null)
    expect(await send('A')).toMatchObject({ kind: 'printed', confirmation: 'confirmed', method })
    const looks = learnt.length
    expect(looks).toBeGreaterThan(0)
    expect(await send('B')).toMatchObject({ kind: 'printed', confirmation: 'confirmed', method })
    expect(learnt).toHaveLength(looks)
    expect(complete()).toEqual(['A', 'B'])
  })

  it('prints again after the device was closed: one program at a time has it', async () => {
    await plugIn(make())
    await send('A')
    await clock.sleep(2 * SHORT.lingerMs)
    expect(await send('B')).toMatchObject({ kind: 'printed', method })
    await transport.close()
    connect(side.known)
    expect(await send('C')).toMatchObject({ kind: 'printed', method })
    expect(complete()).toEqual(['A', 'B', 'C'])
  })

  it('unplugged: nothing sent, reported if it lasts; printed when the cable is back', async () => {
    await plugIn(make())
    await cable.unplug()
    const announced = health.next(({ state }) => state === 'offline')
    expect(await send('A')).toMatchObject({
      kind: 'not-sent',
      readiness: { kind: 'offline', reason: 'connecting-to-device', detail: expect.stringContaining('ENOENT') },
    })
    expect(await announced).toMatchObject({ reasons: ['connecting-to-device'] })
    await cable.plugIn()
    expect(await send('A')).toMatchObject({ kind: 'printed', method })
    expect(complete()).toEqual(['A'])
  })

  it('paper out in the middle: blocked, continues after the reload, no second copy', async () => {
    await plugIn(make())
    side.paperOut(3)
    const outcome = send('A')
    expect(await health.next(({ state }) => state === 'offline')).toMatchObject({ reasons: ['media-empty'] })
    expect(complete()).toEqual([])
    side.loadPaper()
    expect(await outcome).toMatchObject({ kind: 'printed', method })
    expect(complete()).toEqual(['A'])
  })

  it('unplugged in the middle: in doubt; the next ticket is complete and separate from the broken one', async () => {
    await plugIn(make())
    side.paperOut(3)
    const outcome = send('A')
    await health.next(({ state }) => state === 'offline')
    await cable.unplug()
    expect(await outcome).toMatchObject({ kind: 'uncertain', reason: 'connecting-to-device' })
    side.printer.powerCycle()
    side.loadPaper()
    await cable.plugIn()
    await expect.poll(() => send('B'), { interval: 50 }).toMatchObject({ kind: 'printed', method })
    expect(complete()).toEqual(['B'])
    expect(side.printer.tickets[0]?.text()).toContain('INCOMPLETE ABOVE')
  })

  it('plugged into a frozen printer: not responding, no byte of the ticket', async () => {
    await plugIn(make())
    side.printer.freeze()
    expect(await send('A')).toMatchObject({ kind: 'not-sent', readiness: { kind: 'busy', reason: 'not-responding' } })
    side.printer.thaw()
    await expect.poll(() => send('B'), { interval: 50 }).toMatchObject({ kind: 'printed' })
    expect(complete()).toEqual(['B'])
  })
})

describe('without any answer over USB', () => {
  it('assumed once the device has accepted everything', async () => {
    await plugIn(epson({ mute: true }), null)
    expect(await send('A')).toMatchObject({ kind: 'printed', confirmation: 'assumed', method: 'none' })
    await expect.poll(() => complete()).toEqual(['A'])
  })

  it('a device that accepts no more: in doubt', async () => {
    await plugIn(epson({ mute: true }), null)
    side.printer.freeze()
    expect(await send('A', 30_000)).toMatchObject({ kind: 'uncertain', reason: 'timed-out', answering: false })
  })
})
