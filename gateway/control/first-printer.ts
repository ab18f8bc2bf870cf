// A box without a screen: while it is not set up, it searches for a printer and prints the address of its page there. Only if the installer has allowed it.
// The code for the first user is printed only by USB: in the network, the first device that answers as a printer may be an attacker's.
import type { Identity } from '#gateway/printers/identify-printer.ts'
import { isDevice } from '#gateway/printers/usb-channel.ts'
import type { Cancel } from '#shared/clock.ts'
import { DEFAULT_PRINTER_SETTINGS } from '#shared/printer-settings.ts'
import { Rounds } from '#shared/rounds.ts'
import type { Service } from '#shared/service.ts'
import type { ControlContext } from './context.ts'
import { printSetupTicket } from './setup-operations.ts'

type FirstPrinterContext = Pick<
  ControlContext,
  | 'queue'
  | 'printers'
  | 'discovery'
  | 'identify'
  | 'users'
  | 'setupCode'
  | 'box'
  | 'pageUrls'
  | 'https'
  | 'site'
  | 'time'
  | 'clock'
  | 'log'
> & {
  /** Device files at which a printer may hang. */
  deviceFiles: () => readonly string[]
}

/** By then the installer's terminal has had its code. */
const FIRST_LOOK_AFTER_MS = 10_000
const LOOK_EVERY_MS = 60_000
const NAME = 'Printer 1'

export class FirstPrinter implements Service {
  readonly #context: FirstPrinterContext
  readonly #isAllowed: boolean
  readonly #rounds: Rounds
  #cancelFirst: Cancel | null = null

  constructor(context: FirstPrinterContext, isAllowed: boolean) {
    this.#context = context
    this.#isAllowed = isAllowed
    this.#rounds = new Rounds({
      clock: context.clock,
      everyMs: LOOK_EVERY_MS,
      pass: () => this.#look(),
      failed: (error) => context.log.error({ err: error }, 'looking for a first printer failed; tried again later'),
    })
  }

  async start(): Promise<void> {
    if (!this.#isAllowed || !this.#isWanted()) return
    await this.#rounds.start()
    this.#cancelFirst = this.#context.clock.after(FIRST_LOOK_AFTER_MS, () => this.#rounds.wake())
  }

  async stop(): Promise<void> {
    this.#cancelFirst?.()
    await this.#rounds.stop()
  }

  /** Also the guard against a second ticket: from the first one on there is a printer. */
  #isWanted(): boolean {
    const { users, printers } = this.#context
    return !this.#rounds.stopping && users.count() === 0 && printers.all().length === 0
  }

  async #look(): Promise<void> {
    const { discovery, deviceFiles } = this.#context
    if (!this.#isWanted()) return
    if (await this.#printAtFirst(deviceFiles().map((host) => ({ host, port: 0 })))) return
    if (!this.#isWanted()) return
    const found = (await discovery.quietly(new Set(), true)) ?? []
    await this.#printAtFirst(found.map(({ address: host, port }) => ({ host, port })))
  }

  /** True when one of them prints, or it is not needed any more. */
  async #printAtFirst(places: readonly { host: string; port: number }[]): Promise<boolean> {
    for (const place of places) {
      const identity = await this.#context.identify(place)
      // Somebody may have set the box up meanwhile.
      if (!this.#isWanted()) return true
      if (answersInRealTime(identity) && this.#print(place, identity)) return true
    }
    return false
  }

  #print(address: { host: string; port: number }, { suggestion }: Extract<Identity, { kind: 'printer' }>): boolean {
    const { queue, discovery, setupCode, box, log } = this.#context
    const mac = isDevice(address.host) ? null : discovery.macOf(address.host)
    const settings = { ...DEFAULT_PRINTER_SETTINGS, mac }
    const facts = { name: NAME, ...address, profileId: suggestion.profileId, stations: [] }
    const added = queue.addPrinter({ ...facts, settings })
    if (!added.ok) return false
    // A code that was shown on the terminal stays valid.
    const code = isDevice(address.host) && box.setupCode() === null ? setupCode.make() : null
    printSetupTicket(this.#context, added.printer, code)
    log.info({ printer: NAME, host: address.host }, 'the first printer was found: it prints the set-up ticket')
    return true
  }
}

/** Office printers listen on the same port, and would print sheets of signs: only an answer to DLE EOT with its fixed bits counts. */
function answersInRealTime(identity: Identity): identity is Extract<Identity, { kind: 'printer' }> {
  return identity.kind === 'printer' && identity.language === 'escpos' && identity.capability?.dleEot === true
}
