// A gateway with its queue, real sockets and a real SQLite file in this process, for benches of many printers at once.
import { mkdtempSync, rmSync } from 'node:fs'
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
import type { BenchPrinter } from './bench-printer.ts'

/** Longer than a connection lingers: each printer is connected anew, the slower case. */
export const SETTLE_MS = 2_500

export type BenchGateway = ReturnType<typeof openGateway>

/** The first ticket of a printer's life teaches the gateway what it answers. It is the order of number 1. */
export async function getAcquainted(gateway: BenchGateway, printers: readonly BenchPrinter[], all: readonly number[]) {
  const printed = printers.map((printer) => printer.printed.next())
  gateway.accept([gateway.order(1, all)])
  await Promise.all(printed)
  await systemClock.sleep(SETTLE_MS)
}

/** A gateway with one printer at each of these ports: `S00`, `S01`, and so on. It knows nothing of them yet. */
export function openGateway(ports: readonly number[]) {
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
  return {
    queue,
    /** An order of this number with a line for each of these printers. */
    order: (seq: number, printers: readonly number[]) => job(seq, identity.stream(), printers),
    accept: (orders: readonly JobMessage[]) => intake.accept(orders),
    commits: () => db.commits,
    stop: async () => {
      await queue.stop()
      db.close()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

export const stationOf = (index: number): string => `S${String(index).padStart(2, '0')}`

function job(seq: number, stream: string, printers: readonly number[]): JobMessage {
  const now = systemClock.now()
  const items = printers.map((index) => ({
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
