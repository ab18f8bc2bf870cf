// One printer address at which devices are swapped, the store's memory of the device, and a person who accepts another one: the bench of a printer's identity.
import { IdentityGuard, type Stranger } from '#gateway/printers/identity-guard.ts'
import type { SendOutcome } from '#gateway/printers/transport.ts'
import { type DeviceAnswers, NO_ANSWERS } from '#shared/printer-identity.ts'
import type { PrinterCapability } from '#shared/printer-profile.ts'
import { PrinterRig } from './printer-rig.ts'
import type { PrinterModel } from './virtual-printer-status.ts'

export interface Device {
  model: Partial<PrinterModel>
  /** The kernel's hardware address; null: it knows none. */
  mac: string | null
}

/** Most tickets that are offered to a device before it must be judged. */
const MOST_TRIES = 8

export class DeviceBench {
  rig: PrinterRig
  known: { mac: string | null; answers: DeviceAnswers | null; capability: PrinterCapability | null }
  #device: Device
  #tickets = 0

  /** A printer that nobody has spoken to yet. */
  constructor(device: Device) {
    this.#device = device
    this.known = { mac: device.mac, answers: null, capability: null }
    this.rig = this.#makeRig()
  }

  async start(): Promise<this> {
    await this.rig.start()
    this.#listen()
    return this
  }

  get stranger(): Stranger | null {
    return this.rig.transport.stranger ?? null
  }

  get printed(): number {
    return this.rig.printer.tickets.length
  }

  /** The gateway starts again. */
  async restart(): Promise<void> {
    const { address } = this.rig.printer
    await this.rig.transport.close()
    this.rig.connect(address, this.known.capability)
    this.#listen()
  }

  /** Another device gets the address: its cable is put in where the first one's was. */
  async swap(device: Device): Promise<void> {
    const { printer } = this.rig
    printer.powerCycle()
    await printer.refuse()
    // A connection that was kept is seen to be dead as soon as its end is read.
    while ((await this.rig.prepare()).kind === 'ready') await new Promise(setImmediate)
    this.#device = device
    Object.assign(printer.model, device.model)
    printer.tickets.length = 0
    await printer.listenAgain()
  }

  /** One ticket, as the worker sends it: asked again until the device takes it, or stands out as another one. */
  async print(): Promise<SendOutcome> {
    const name = `T${++this.#tickets}`
    for (let tries = 1; ; tries++) {
      const outcome = await this.rig.send(name)
      const isLeft = outcome.kind === 'not-sent' && outcome.readiness.reason !== 'another-printer'
      if (!isLeft || tries >= MOST_TRIES) return outcome
    }
  }

  /** A person accepts the device that was found: the store forgets the old one, and a new line opens. */
  async accept(): Promise<void> {
    const { stranger } = this
    if (!stranger) throw new Error('no other device was seen')
    const { mac, maker, model, serial } = stranger
    const answers = [maker, model, serial].every((one) => one === null) ? null : { maker, model, serial }
    this.known = { mac, answers, capability: null }
    await this.restart()
  }

  async stop(): Promise<void> {
    await this.rig.stop()
  }

  #makeRig(): PrinterRig {
    const rig = new PrinterRig({
      printer: { model: this.#device.model },
      capability: null,
      transport: () => ({
        identity: new IdentityGuard({
          known: () => ({ ...(this.known.answers ?? NO_ANSWERS), mac: this.known.mac }),
          placeNow: () => ({ address: '127.0.0.1', mac: this.#device.mac }),
          isByName: false,
          learnt: (answers) => {
            this.known.answers = answers
          },
          clock: rig.clock,
        }),
      }),
    })
    return rig
  }

  #listen(): void {
    this.rig.transport.onCapability((capability) => {
      this.known.capability = capability
    })
  }
}
