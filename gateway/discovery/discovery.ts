// Searches the local network for printers: on request, with results that stream in; quietly, for one that is unreachable. One search at a time.

import { createSocket } from 'node:dgram'
import { networkInterfaces } from 'node:os'
import type { Clock, EpochMs } from '#shared/clock.ts'
import { isInNetwork } from '#shared/ipv4.ts'
import type { Logger } from '#shared/log.ts'
import { Signal } from '#shared/signal.ts'
import { ARP_FILE, readArpTable } from './arp-table.ts'
import { ENPC_PORT, ENPC_QUERY } from './epson-enpc.ts'
import { type FoundPrinter, mergeSighting, type Sighting } from './found-printer.ts'
import { type LocalNetwork, localNetworks } from './local-networks.ts'
import { scanPort } from './port-scan.ts'
import { type Search, searchNetwork } from './search-network.ts'

export interface DiscoveryOptions {
  clock: Clock
  log: Logger
  /** CIDRs to search instead of the machine's own private networks. */
  networks?: readonly string[]
  /** Default: /proc/net/arp. */
  arpFile?: string
}

/** The state of a person's search. */
export interface DiscoveryView {
  /** 0 before the first run. */
  run: number
  state: 'never' | 'running' | 'done' | 'cancelled'
  startedAtMs: EpochMs | null
  endedAtMs: EpochMs | null
  /** Networks that are searched; empty: this machine has no private network. */
  networks: readonly string[]
  printers: readonly FoundPrinter[]
}

/** The kernel sends three requests, one a second; a present device answers the first. */
const HARDWARE_WITHIN_MS = 500

const NEVER: DiscoveryView = {
  run: 0,
  state: 'never',
  startedAtMs: null,
  endedAtMs: null,
  networks: [],
  printers: [],
}

interface Running {
  kind: 'asked' | 'quiet'
  abort: AbortController
  done: Promise<void>
}

export class PrinterDiscovery {
  /** The view has changed: a device more, or the end of the run. */
  readonly changed = new Signal()
  readonly #options: DiscoveryOptions
  #view = NEVER
  #running: Running | null = null

  constructor(options: DiscoveryOptions) {
    this.#options = options
  }

  get view(): DiscoveryView {
    return this.#view
  }

  /** Begins a run, or joins the one that goes on. @param known addresses that need no scan: their printers are set up */
  begin(known: ReadonlySet<string>): DiscoveryView {
    if (this.#running?.kind === 'asked') return this.#view
    // A person does not wait for us.
    this.#running?.abort.abort()
    const { clock, log } = this.#options
    const networks = this.#networks()
    this.#view = {
      run: this.#view.run + 1,
      state: 'running',
      startedAtMs: clock.now(),
      endedAtMs: null,
      networks: networks.map(({ cidr }) => cidr),
      printers: [],
    }
    log.info({ networks: this.#view.networks }, 'discovery: looking for printers')
    const abort = new AbortController()
    const onSighting = (sighting: Sighting): void => this.#show({ printers: merged(this.#view.printers, sighting) })
    const search = { signal: abort.signal, scan: true, known, onSighting }
    const done = this.#search(networks, search, () => this.#view.printers)
    const run: Running = { kind: 'asked', abort, done }
    this.#running = run
    run.done = run.done.then(() => this.#end(run))
    return this.#view
  }

  /** Searches without showing it. @returns null when a search runs already, or a person's search replaced it */
  async quietly(known: ReadonlySet<string>, scan: boolean): Promise<readonly FoundPrinter[] | null> {
    if (this.#running) return null
    let found: readonly FoundPrinter[] = []
    const abort = new AbortController()
    const onSighting = (sighting: Sighting): void => {
      found = merged(found, sighting)
    }
    const search = { signal: abort.signal, scan, known, onSighting }
    const run: Running = { kind: 'quiet', abort, done: this.#search(this.#networks(), search, () => found) }
    this.#running = run
    await run.done
    if (this.#running === run) this.#running = null
    return abort.signal.aborted ? null : this.#withHardware(found)
  }

  /** Ends the search that goes on; what it found stays. */
  async cancel(): Promise<void> {
    const running = this.#running
    running?.abort.abort()
    await running?.done
  }

  /** Resolves when no run goes on. */
  async untilDone(): Promise<DiscoveryView> {
    await this.#running?.done
    return this.#view
  }

  /** Hardware address of an IP address (never a name) that this machine has spoken to lately, or null. */
  macOf(address: string): string | null {
    return this.#arp().get(address) ?? null
  }

  /** The IP address of the device that accepts a connection there; null: none. Sends nothing; afterwards the kernel has the hardware address. */
  async knock(host: string, port: number): Promise<string | null> {
    let taker: string | null = null
    const { clock } = this.#options
    const onOpen = (_: string, peer: string): void => {
      taker = peer
    }
    await scanPort({ hosts: [host], port, clock, signal: new AbortController().signal, onOpen })
    return taker
  }

  #networks(): LocalNetwork[] {
    return localNetworks(networkInterfaces(), this.#options.networks)
  }

  /** Afterwards the kernel has the hardware address of every device that was found and is present. */
  async #search(
    networks: readonly LocalNetwork[],
    asked: Omit<Search, 'clock' | 'isThere'>,
    found: () => readonly FoundPrinter[],
  ): Promise<void> {
    const { clock } = this.#options
    const isThere = (address: string): boolean => this.macOf(address) !== null
    const search = { ...asked, clock, isThere }
    await Promise.all(networks.map((network) => searchNetwork(network, search)))
    if (asked.signal.aborted) return
    const addresses = found().map(({ address }) => address)
    await Promise.all(networks.map((network) => askEach(addresses, network)))
    if (!addresses.every(isThere)) await clock.sleep(HARDWARE_WITHIN_MS, asked.signal)
  }

  #end(run: Running): void {
    const { clock, log } = this.#options
    this.#running = null
    const state = run.abort.signal.aborted ? 'cancelled' : 'done'
    this.#show({ state, endedAtMs: clock.now(), printers: this.#withHardware(this.#view.printers) })
    log.info({ found: this.#view.printers.length, state }, 'discovery: ended')
  }

  /** The kernel has the addresses of our contacts. A device's own claim does not count. */
  #withHardware(found: readonly FoundPrinter[]): FoundPrinter[] {
    const table = this.#arp()
    return found.map((one) => ({ ...one, mac: table.get(one.address) ?? null }))
  }

  #arp(): ReadonlyMap<string, string> {
    return readArpTable(this.#options.arpFile ?? ARP_FILE)
  }

  #show(change: Partial<DiscoveryView>): void {
    this.#view = { ...this.#view, ...change }
    this.changed.notify()
  }
}

function merged(found: readonly FoundPrinter[], sighting: Sighting): readonly FoundPrinter[] {
  const known = found.find(({ address }) => address === sighting.address)
  const entry = mergeSighting(known, sighting)
  return known ? found.map((one) => (one === known ? entry : one)) : [...found, entry]
}

// Asks each device by itself what discovery asks everybody: to send it, the kernel must find out the hardware address, whatever answers were forged under that address before.

/** Resolves when the questions are out; a network that cannot be asked gets none. Their answers are not listened to. */
async function askEach(addresses: readonly string[], network: LocalNetwork): Promise<void> {
  const asked = addresses.filter((address) => isInNetwork(network.cidr, address) && address !== network.address)
  if (asked.length === 0) return
  const socket = createSocket('udp4')
  try {
    await new Promise<void>((resolve, reject) => {
      socket.on('error', reject)
      socket.bind(0, network.address, resolve)
    })
    // One that cannot be reached does not delay the others.
    for (const address of asked) await new Promise((sent) => socket.send(ENPC_QUERY, ENPC_PORT, address, sent))
  } catch {
    // The network has gone meanwhile.
  } finally {
    socket.close()
  }
}
