// A busy kitchen: 12 printers at one gateway get 20 tickets each at once; then the same with one of them frozen. Real sockets, real SQLite file.
// The printers run in the same process as the gateway, so every figure includes their work too: on a box of its own it is less.
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { OrderIntake } from '#gateway/orders/accept-order.ts'
import { openTransport } from '#gateway/printers/open-transport.ts'
import { PrintQueue } from '#gateway/queue/print-queue.ts'
import { openGatewayDatabase } from '#gateway/storage/database.ts'
import { HistoryStore } from '#gateway/storage/history-store.ts'
import { IdentityStore } from '#gateway/storage/identity-store.ts'
import { JobStore } from '#gateway/storage/job-store.ts'
import { OutageStore } from '#gateway/storage/outage-store.ts'
import { PrinterStore } from '#gateway/storage/printer-store.ts'
import { ReportStore } from '#gateway/storage/report-store.ts'
import { RoutingStore } from '#gateway/storage/routing-store.ts'
import { TicketActs } from '#gateway/storage/ticket-acts.ts'
import { systemClock } from '#shared/clock.ts'
import { profileById } from '#shared/tickets/printer-profiles.ts'
import type { JobMessage } from '#shared/wire/gateway-link.ts'
import { BenchPrinter } from './bench-printer.ts'
import { median } from './figures.ts'

const PRINTERS = 12
const TICKETS = 20
/** Longer than a connection lingers: each printer is connected anew, the slower case. */
const SETTLE_MS = 2_500

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
  await getAcquainted(gateway, printers)
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
    gateway.accept(1, TICKETS + 1)
  })
  await gateway.stop()
  await Promise.all(printers.map((printer) => printer.stop()))
  await frozen?.stop()
  return run
}

/** The first ticket of a printer's life teaches the gateway what it answers. */
async function getAcquainted(
  gateway: { accept: (first: number, last: number) => void },
  printers: readonly BenchPrinter[],
) {
  const all = printers.map((printer) => printer.printed.next())
  gateway.accept(0, 1)
  await Promise.all(all)
  await systemClock.sleep(SETTLE_MS)
}

function openGateway(ports: readonly number[]) {
  const dir = mkdtempSync(join(tmpdir(), 'twelve-printers-'))
  const db = openGatewayDatabase(join(dir, 'gateway.db'), { exclusive: true })
  const log = pino({ level: 'silent' })
  const [clock, random] = [systemClock, Math.random]
  const time = clock
  const [identity, reports, printers] = [new IdentityStore(db), new ReportStore(db), new PrinterStore(db)]
  const jobs = new JobStore(db, reports, time)
  const acts = new TicketActs(jobs)
  const setting = { host: '127.0.0.1', profileId: 'epson-thermal-203' }
  const settings = ports.map((port, index) => ({
    ...setting,
    name: stationOf(index),
    port,
    stations: [stationOf(index)],
  }))
  printers.apply(settings, clock.now())
  const shared = { jobs, printers, clock, log, time }
  const intake = new OrderIntake({ ...shared, db, identity, routing: new RoutingStore(db) })
  const queue = new PrintQueue({
    ...shared,
    acts,
    outages: new OutageStore(jobs.door, acts),
    history: new HistoryStore(db),
    reports,
    random,
    createTransport: ({ host, port, profileId, capability }, interrupted) =>
      openTransport({
        address: { host, port },
        profile: profileById(profileId),
        capability,
        exclusive: false,
        interrupted,
        clock,
        random,
        log,
      }),
    onFatal: (error) => {
      throw error
    },
  })
  const orders = Array.from({ length: TICKETS + 1 }, (_, index) => job(index + 1, identity.stream(), ports.length))
  return {
    queue,
    accept: (first: number, last: number) => intake.accept(orders.slice(first, last)),
    commits: () => db.commits,
    stop: async () => {
      await queue.stop()
      db.close()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

const stationOf = (index: number): string => `S${String(index).padStart(2, '0')}`

function job(seq: number, stream: string, stations: number): JobMessage {
  const now = systemClock.now()
  const items = Array.from({ length: stations }, (_, index) => ({
    umsId: `U-${index}`,
    name: 'Cheeseburger',
    qty: 1,
    note: `B-${String(index).padStart(2, '0')}${String(seq).padStart(4, '0')}`,
    modifiers: [{ umsId: 'M-1', name: 'no onion' }],
    station: stationOf(index),
  }))
  const order = {
    serviceOrderId: `ord_${seq}`,
    orderId: `O-${seq}`,
    merchantId: 'M-1',
    locationId: 'loc_1',
    source: 'kiosk',
    posOrderId: null,
    queuedAtMs: now,
    fireAtMs: null,
    readyByMs: null,
    timeZone: 'UTC',
    items,
  }
  const envelope = { v: 1, t: 'job', id: `m${seq}`, ts: now, e: 1 } as const
  const when = { notBefore: null, expiresAt: null, possibleDuplicate: false }
  return { ...envelope, jobId: `pj_${seq}`, stream, seq, doc: { kind: 'order', order }, ...when }
}

/** Accepts connections and never reads a byte. */
async function openFrozen(): Promise<{ port: number; stop: () => Promise<void> }> {
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
