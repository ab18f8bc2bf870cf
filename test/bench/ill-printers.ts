// Printers that were away, and printers that are ill: how soon twelve print again when they are back, and what 22 ill ones cost the healthy ones beside them.
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { resetSocket } from '#gateway/printers/reset-socket.ts'
import { systemClock } from '#shared/clock.ts'
import { BenchPrinter } from './bench-printer.ts'
import { median, percentile } from './figures.ts'
import { type BenchGateway, getAcquainted, openGateway, SETTLE_MS } from './many-printers.ts'
import { openFrozen } from './twelve-printers.ts'

const TWELVE = 12
const HEALTHY = 10
const ILL = 22
const EVERY_MS = 100
/** Tickets that wait at each ill printer from the beginning. */
const BACKLOG = 5

/** All ports closed for `awaySeconds` with a ticket waiting at each; all open again -> first ticket byte, milliseconds. */
export async function measureTwelveBack(awaySeconds: number): Promise<{ median: number; worst: number }> {
  const printers = Array.from({ length: TWELVE }, () => new BenchPrinter())
  const ports = await Promise.all(printers.map((printer) => printer.start()))
  const gateway = openGateway(ports)
  await gateway.queue.start()
  const all = [...ports.keys()]
  await getAcquainted(gateway, printers, all)
  await Promise.all(printers.map((printer) => printer.stop()))
  gateway.accept([gateway.order(2, all)])
  await systemClock.sleep(awaySeconds * 1_000)
  const back = ports.map(() => new BenchPrinter())
  const printed = back.map((printer) => printer.printed.next())
  const opened = await Promise.all(
    back.map(async (printer, index) => {
      await printer.start(ports[index])
      return performance.now()
    }),
  )
  const waits = (await Promise.all(printed)).map(({ firstByteAt }, index) => firstByteAt - (opened[index] ?? 0))
  await gateway.stop()
  await Promise.all(back.map((printer) => printer.stop()))
  return { median: median(waits), worst: Math.max(...waits) }
}

/**
 * First byte of a ticket at ten healthy printers, p99 in milliseconds, alone and beside ill ones. Rounds in turns.
 * The tickets of all rounds are one sample: those of one order come together, so that a single round's p99 would be its worst order.
 */
export async function measureBesideIll(
  rounds: number,
  seconds: number,
): Promise<{ alone: number; beside: number; ratio: number }> {
  // Not counted: the first kitchen of a process compiles what the others find ready.
  await serve([], 1)
  const waits: { alone: number[]; beside: number[] } = { alone: [], beside: [] }
  for (let round = 0; round < rounds; round++) {
    waits.alone.push(...(await serve([], seconds)))
    const ill = await openIll()
    waits.beside.push(...(await serve(ill, seconds)))
    await Promise.all(ill.map(({ stop }) => stop()))
  }
  const [alone, beside] = [percentile(waits.alone, 99), percentile(waits.beside, 99)]
  return { alone, beside, ratio: beside / alone }
}

interface Ill {
  port: number
  stop: () => Promise<unknown>
}

async function serve(ill: readonly Ill[], seconds: number): Promise<number[]> {
  const printers = Array.from({ length: HEALTHY }, () => new BenchPrinter())
  const ports = await Promise.all(printers.map((printer) => printer.start()))
  // Half of the ill ones stand before the healthy ones, half behind.
  const before = ill.slice(0, ill.length / 2).map(({ port }) => port)
  const after = ill.slice(ill.length / 2).map(({ port }) => port)
  const gateway = openGateway([...before, ...ports, ...after])
  await gateway.queue.start()
  const healthy = [...ports.keys()].map((index) => before.length + index)
  const others = [...Array(before.length + ports.length + after.length).keys()].filter((at) => !healthy.includes(at))
  await getAcquainted(gateway, printers, healthy)
  let seq = 1
  if (others.length > 0) gateway.accept(Array.from({ length: BACKLOG }, () => gateway.order(++seq, others)))
  // That 110 tickets come at once is work for 22 well printers too: what is asked is what they cost while they are ill.
  await systemClock.sleep(SETTLE_MS)
  const waits = await offer(gateway, { printers, healthy, firstSeq: seq + 1, count: (seconds * 1_000) / EVERY_MS })
  await gateway.stop()
  await Promise.all(printers.map((printer) => printer.stop()))
  return waits
}

async function offer(
  gateway: BenchGateway,
  load: { printers: readonly BenchPrinter[]; healthy: readonly number[]; firstSeq: number; count: number },
): Promise<number[]> {
  const { printers, healthy, firstSeq, count } = load
  const sentAt = new Map<string, number>()
  const waits: number[] = []
  const all = Promise.withResolvers<void>()
  const stops = printers.map((printer) =>
    printer.printed.subscribe(({ token, firstByteAt }) => {
      waits.push(firstByteAt - (sentAt.get(token.slice(-4)) ?? Number.NaN))
      if (waits.length === count * printers.length) all.resolve()
    }),
  )
  for (let index = 0; index < count; index++) {
    const order = gateway.order(firstSeq + index, healthy)
    sentAt.set(String(firstSeq + index).padStart(4, '0'), performance.now())
    gateway.accept([order])
    await systemClock.sleep(EVERY_MS)
  }
  await all.promise
  for (const stop of stops) stop()
  return waits
}

/** 22: closed ports, frozen ones, ones that reset each client, ones that hang up at once, ones that read and never answer. */
async function openIll(): Promise<Ill[]> {
  const kinds = [
    openClosed,
    openFrozen,
    () => openServer(resetSocket),
    () => openServer(hangUp),
    () => openServer(swallow),
  ]
  return Promise.all(Array.from({ length: ILL }, (_, index) => (kinds[index % kinds.length] ?? openClosed)()))
}

const hangUp = (socket: Socket): unknown => socket.end()
const swallow = (socket: Socket): unknown => socket.resume()

/** A port at which nobody listens. */
async function openClosed(): Promise<Ill> {
  const server = await openServer(hangUp)
  await server.stop()
  return { port: server.port, stop: async () => {} }
}

async function openServer(serve: (socket: Socket) => unknown): Promise<Ill> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    serve(socket)
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
