// Five levels of proof, and a small queue that prints as the print queue does and notes what was said of each copy: the bench of the failure cases.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect } from 'vitest'
import type { ConfirmMethod } from '#shared/print-job.ts'
import type { PrinterCapability } from '#shared/printer-profile.ts'
import { KNOWS_ALL, type PrinterRig, ticketDocument } from './printer-rig.ts'
import { MUTE, type PrinterModel } from './virtual-printer-status.ts'

export interface Level {
  name: string
  method: ConfirmMethod
  model: Partial<PrinterModel>
  capability: PrinterCapability | null
  /** `proof`: its "printed" is a fact. `status`: it is true as far as the status goes. `none`: bytes delivered, nothing more. */
  knows: 'proof' | 'status' | 'none'
}

export const LEVELS: readonly Level[] = [
  { name: 'GS ( H', method: 'gs-paren-h', model: {}, capability: KNOWS_ALL, knows: 'proof' },
  {
    name: 'GS I',
    method: 'gs-i',
    model: { gsParenH: false },
    capability: { ...KNOWS_ALL, gsParenH: false },
    knows: 'proof',
  },
  {
    name: 'GS r',
    method: 'gs-r',
    model: { gsParenH: false, gsI: false },
    capability: { ...KNOWS_ALL, gsParenH: false, gsI: false },
    knows: 'proof',
  },
  {
    name: 'DLE EOT only',
    method: 'dle-eot',
    model: { ...MUTE, dleEot: true, dleEnq: true, dleDc4: true },
    capability: { ...KNOWS_ALL, asb: false, gsParenH: false, gsI: false, gsR: false },
    knows: 'status',
  },
  { name: 'nothing', method: 'none', model: MUTE, capability: null, knows: 'none' },
]

/** What was said of a copy, and whether it stood whole on the paper at that moment. */
interface Said {
  name: string
  kind: 'printed' | 'uncertain' | 'not-sent'
  confirmation?: string
  method?: string
  reason?: string
  stood: boolean
}

export class Stage {
  readonly rig: PrinterRig
  readonly level: Level
  readonly said: Said[] = []
  readonly #sockets: Socket[] = []

  constructor(level: Level, rig: PrinterRig) {
    this.level = level
    this.rig = rig
  }

  /** As the print queue does it. */
  async print(...names: string[]): Promise<void> {
    for (const name of names) await this.#untilSettled(name)
  }

  async #untilSettled(name: string): Promise<void> {
    let isMarked = false
    let attempts = 0
    for (let contacts = 0; contacts < 400; contacts++) {
      const outcome = await this.rig.sendDocument(ticketDocument(name, 6, isMarked))
      const stood = this.rig.complete().includes(name)
      const { kind } = outcome
      const facts =
        outcome.kind === 'printed'
          ? { confirmation: outcome.confirmation, method: outcome.method }
          : { reason: outcome.kind === 'not-sent' ? outcome.readiness.reason : outcome.reason }
      this.said.push({ name, kind, ...facts, stood })
      if (outcome.kind === 'printed') return
      if (outcome.kind === 'uncertain') {
        isMarked = true
        if (++attempts >= (outcome.answering ? 25 : 3)) return
      }
      await this.rig.clock.sleep(15)
    }
    throw new Error(`no end: ${JSON.stringify(this.said.slice(-3))}`)
  }

  /** Another point of sale takes the printer. */
  async hold(): Promise<Socket> {
    const socket = connect(this.rig.printer.address)
    socket.on('error', () => {})
    this.#sockets.push(socket)
    await once(socket, 'connect')
    if (this.rig.printer.connections === 0) await this.rig.printer.onConnection.next()
    return socket
  }

  /** Something was said of any ticket. */
  async spoken(): Promise<void> {
    await expect.poll(() => this.said.length, { interval: 5 }).toBeGreaterThan(0)
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await this.rig.stop()
  }
}
