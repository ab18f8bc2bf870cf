// Looks for printers on the local network when somebody asks: makers' own protocols, mDNS, then a connect-only scan. One run at a time.
import { networkInterfaces } from 'node:os'
import type { Clock, EpochMs } from '#shared/clock.ts'
import type { Logger } from '#shared/log.ts'
import { Signal } from '#shared/signal.ts'
import { ARP_FILE, readArpTable } from './arp-table.ts'
import { ENPC_PORT, ENPC_QUERY, readEnpcReply } from './epson-enpc.ts'
import { type FoundPrinter, mergeSighting, type Sighting } from './found-printer.ts'
import { type LocalNetwork, localNetworks } from './local-networks.ts'
import { browseMdns } from './mdns-browse.ts'
import { scanPort } from './port-scan.ts'
import { readSdpReply, SDP_PORT, SDP_QUERY } from './star-sdp.ts'
import { surveyUdp } from './udp-survey.ts'

export interface DiscoveryOptions {
  clock: Clock
  log: Logger
  /** CIDRs to look into instead of the machine's own private networks. */
  networks?: readonly string[]
  /** Default: /proc/net/arp. */
  arpFile?: string
}

/** A run as it stands: results stream in. */
export interface DiscoveryView {
  /** 0 before the first run. */
  run: number
  state: 'never' | 'running' | 'done' | 'cancelled'
  startedAtMs: EpochMs | null
  endedAtMs: EpochMs | null
  /** Networks that are looked into; empty: this machine has no private network. */
  networks: readonly string[]
  printers: readonly FoundPrinter[]
}

const RAW_PORT = 9100
/** Epson's own guide lets a printer take two seconds to answer. */
const ANSWER_WINDOW_MS = 2_000

const NEVER: DiscoveryView = {
  run: 0,
  state: 'never',
  startedAtMs: null,
  endedAtMs: null,
  networks: [],
  printers: [],
}

export class PrinterDiscovery {
  /** The view has changed: a device more, or the end of the run. */
  readonly changed = new Signal()
  readonly #options: DiscoveryOptions
  #view = NEVER
  #running: { abort: AbortController; done: Promise<void> } | null = null

  constructor(options: DiscoveryOptions) {
    this.#options = options
  }

  get view(): DiscoveryView {
    return this.#view
  }

  /** Begins a run, or joins the one that goes on. @param known addresses that need no scan: their printers are set up */
  begin(known: ReadonlySet<string>): DiscoveryView {
    if (this.#running) return this.#view
    const { clock, log, networks: only = [] } = this.#options
    const networks = localNetworks(networkInterfaces(), only)
    const abort = new AbortController()
    this.#view = {
      run: this.#view.run + 1,
      state: 'running',
      startedAtMs: clock.now(),
      endedAtMs: null,
      networks: networks.map(({ cidr }) => cidr),
      printers: [],
    }
    log.info({ networks: this.#view.networks }, 'discovery: looking for printers')
    this.#running = { abort, done: this.#run(networks, known, abort.signal) }
    return this.#view
  }

  /** Ends the run that goes on; what it found stays. */
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

  /** Hardware address of a host that this machine has spoken to lately, or null. */
  macOf(address: string): string | null {
    return readArpTable(this.#options.arpFile ?? ARP_FILE).get(address) ?? null
  }

  async #run(networks: readonly LocalNetwork[], known: ReadonlySet<string>, signal: AbortSignal): Promise<void> {
    await Promise.all(networks.map((network) => this.#search(network, known, signal)))
    this.#addHardwareAddresses()
    this.#running = null
    this.#show({ state: signal.aborted ? 'cancelled' : 'done', endedAtMs: this.#options.clock.now() })
    this.#options.log.info({ found: this.#view.printers.length, state: this.#view.state }, 'discovery: ended')
  }

  async #search(network: LocalNetwork, known: ReadonlySet<string>, signal: AbortSignal): Promise<void> {
    const { clock } = this.#options
    const common = { network, clock, windowMs: ANSWER_WINDOW_MS, signal }
    const hear =
      (read: (message: Uint8Array, address: string) => Sighting | null) =>
      (message: Uint8Array, address: string): void => {
        const sighting = read(message, address)
        if (sighting) this.#saw(sighting)
      }
    await Promise.all([
      surveyUdp({ port: ENPC_PORT, query: ENPC_QUERY }, { ...common, onReply: hear(readEnpcReply) }),
      surveyUdp({ port: SDP_PORT, query: SDP_QUERY }, { ...common, onReply: hear(readSdpReply) }),
      browseMdns({ ...common, onSighting: (sighting) => this.#saw(sighting) }),
    ])
    // Last: who has told of itself need not be knocked at, and a printer that is set up may be printing.
    const told = new Set(this.#view.printers.map(({ address }) => address))
    const hosts = network.hosts.filter((host) => !known.has(host) && !told.has(host))
    const onOpen = (address: string): void =>
      this.#saw({ method: 'port-9100', address, port: RAW_PORT, mac: null, model: null, name: null })
    await scanPort({ hosts, port: RAW_PORT, clock, signal, onOpen })
  }

  #saw(sighting: Sighting): void {
    const { printers } = this.#view
    const known = printers.find(({ address }) => address === sighting.address)
    const merged = mergeSighting(known, sighting)
    this.#show({ printers: known ? printers.map((one) => (one === known ? merged : one)) : [...printers, merged] })
  }

  #addHardwareAddresses(): void {
    const table = readArpTable(this.#options.arpFile ?? ARP_FILE)
    const printers = this.#view.printers.map((one) => ({ ...one, mac: one.mac ?? table.get(one.address) ?? null }))
    this.#view = { ...this.#view, printers }
  }

  #show(change: Partial<DiscoveryView>): void {
    this.#view = { ...this.#view, ...change }
    this.changed.notify()
  }
}
