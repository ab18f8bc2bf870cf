// A busy kitchen: 12 printers at one gateway get 20 tickets each at once; then the same with one of them frozen. Real sockets, real SQLite file.
// The printers run in the same process as the gateway, so every figure includes their work too: on a box of its own it is less.
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { BenchPrinter } from './bench-printer.ts'
import { median } from './figures.ts'
import { getAcquainted, openGateway } from './many-printers.ts'

const PRINTERS = 12
const TICKETS = 20

export interface BusyKitchen {
  /** Since the jobs came, before they were on disk: the first byte of the slowest printer's first ticket. */
  firstByteMs: number
  /** Every ticket of the printers that work is confirmed. */
  allConfirmedMs: number
  /** Commits of the gateway's database for all of it. */
  commits: number
}

export interface TwelvePrinters {
  /** Medians of the rounds, and the worst first byte of all. */
  well: BusyKitchen & { worstFirstByteMs: number }
  oneFrozen: BusyKitchen & { worstFirstByteMs: number }
}

export async function measureTwelvePrinters(rounds: number): Promise<TwelvePrinters> {
  // Not counted: the first kitchen of a process compiles what the others find ready.
  await serveKitchen(false)
  const well: BusyKitchen[] = []
  const oneFrozen: BusyKitchen[] = []
  for (let round = 0; round < rounds; round++) {
    well.push(await serveKitchen(false))
    oneFrozen.push(await serveKitchen(true))
  }
  return { well: summary(well), oneFrozen: summary(oneFrozen) }
}

function summary(runs: readonly BusyKitchen[]): TwelvePrinters['well'] {
  return {
    firstByteMs: median(runs.map((run) => run.firstByteMs)),
    allConfirmedMs: median(runs.map((run) => run.allConfirmedMs)),
    commits: median(runs.map((run) => run.commits)),
    worstFirstByteMs: Math.max(...runs.map((run) => run.firstByteMs)),
  }
}

async function serveKitchen(hasFrozen: boolean): Promise<BusyKitchen> {
  const frozen = hasFrozen ? await openFrozen() : null
  const printers = Array.from({ length: hasFrozen ? PRINTERS - 1 : PRINTERS }, () => new BenchPrinter())
  const ports = await Promise.all(printers.map((printer) => printer.start()))
  // In the middle, so that there are printers before it and after it.
  if (frozen) ports.splice(PRINTERS / 2, 0, frozen.port)
  const gateway = openGateway(ports)
  await gateway.queue.start()
  const all = [...ports.keys()]
  const orders = Array.from({ length: TICKETS }, (_, index) => gateway.order(index + 2, all))
  await getAcquainted(gateway, printers, all)
  const firstBytes = new Map<string, number>()
  let confirmed = 0
  const run = await new Promise<BusyKitchen>((resolve) => {
    let startedAt = 0
    const before = gateway.commits()
    for (const printer of printers)
      printer.printed.subscribe(({ token, firstByteAt, confirmedAt }) => {
        const station = token.slice(0, 4)
        if (!firstBytes.has(station)) firstBytes.set(station, firstByteAt - startedAt)
        if (++confirmed < printers.length * TICKETS) return
        const firstByteMs = Math.max(...firstBytes.values())
        resolve({ firstByteMs, allConfirmedMs: confirmedAt - startedAt, commits: gateway.commits() - before })
      })
    startedAt = performance.now()
    gateway.accept(orders)
  })
  await gateway.stop()
  await Promise.all(printers.map((printer) => printer.stop()))
  await frozen?.stop()
  return run
}

/** Accepts connections and never reads a byte. */
export async function openFrozen(): Promise<{ port: number; stop: () => Promise<void> }> {
  const sockets = new Set<Socket>()
  const server = createServer({ pauseOnConnect: true }, (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    stop: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
