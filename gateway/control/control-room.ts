// The control room as one part of the gateway: operations, socket, discovery, the watch over addresses.
import { PrinterDiscovery } from '#gateway/discovery/discovery.ts'
import type { Identity } from '#gateway/printers/identify-printer.ts'
import { usbDeviceFiles } from '#gateway/printers/usb-channel.ts'
import { LocalSocketInUse } from '#shared/local/local-socket.ts'
import type { Logger } from '#shared/log.ts'
import type { Service } from '#shared/service.ts'
import { addressNote } from './address-notes.ts'
import { AddressWatch } from './address-watch.ts'
import type { ControlContext } from './context.ts'
import { Control } from './control.ts'
import { ControlServer } from './control-server.ts'
import { FirstPrinter } from './first-printer.ts'
import { controlHandlers } from './handlers.ts'

export interface ControlRoomOptions extends Omit<ControlContext, 'discovery' | 'identify'> {
  /** Asks a device what it is. Never rejects; ends early when the signal is aborted. */
  identify: (address: { host: string; port: number; isAllowed?: boolean }, signal: AbortSignal) => Promise<Identity>
  /** Path of the control socket. */
  socketPath: string
  /** CIDRs that are searched for printers; empty: the machine's own private networks. */
  networks: readonly string[]
  /** The kernel's table of hardware addresses. */
  arpFile: string
  /** The installer allowed a box that is not set up to print its set-up ticket by itself. */
  printsSetupTicket: boolean
}

export class ControlRoom implements Service {
  /** The operations, for the page as well. */
  readonly control: Control
  readonly #log: Logger
  readonly #socketPath: string
  readonly #server: ControlServer
  readonly #watch: AddressWatch
  readonly #firstPrinter: FirstPrinter
  readonly #discovery: PrinterDiscovery
  readonly #stopping = new AbortController()

  constructor({ socketPath, networks, arpFile, printsSetupTicket, identify, ...options }: ControlRoomOptions) {
    const { clock, log } = options
    const discovery = new PrinterDiscovery({ clock, log, networks, arpFile })
    const context: ControlContext = {
      ...options,
      discovery,
      identify: (address) => identify(address, this.#stopping.signal),
    }
    const watch = new AddressWatch(context)
    const control = new Control(
      controlHandlers(context, {
        notesOf: (printer) => [
          ...watch.notesOf(printer).map(addressNote),
          ...context.addresses.notesOf(printer),
          ...context.cloudPrinters.notesOf(printer).map((text) => ({ key: 'cloud', values: {}, text })),
        ],
        foundOf: (printer) => watch.foundOf(printer),
      }),
      log,
    )
    this.control = control
    this.#server = new ControlServer({ path: socketPath, control, log })
    this.#log = log
    this.#socketPath = socketPath
    this.#watch = watch
    this.#firstPrinter = new FirstPrinter({ ...context, deviceFiles: usbDeviceFiles }, printsSetupTicket)
    this.#discovery = discovery
  }

  /** @throws LocalSocketInUse. Any other error of the socket is logged, and the gateway continues: the kitchen comes first. */
  async start(): Promise<void> {
    try {
      await this.#server.start()
    } catch (error) {
      if (error instanceof LocalSocketInUse) throw error
      const path = this.#socketPath
      this.#log.error(
        { err: error, path },
        'no control socket: commands do not work until GATEWAY_CONTROL_SOCKET is right',
      )
    }
    await this.#watch.start()
    await this.#firstPrinter.start()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#server.stop()
    const looked = this.#firstPrinter.stop()
    await this.#discovery.cancel()
    await this.#watch.stop()
    await looked
  }
}
