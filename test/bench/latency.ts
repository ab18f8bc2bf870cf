// Latency from the client's request to the printer's socket: our whole path, and beside it the bare floor of the same hops.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cpuMsOf } from '#test/guard/process-cpu.ts'
import { Site, type SiteOptions } from '#test/harness/site.ts'
import { BenchPrinter, type PrintedTicket } from './bench-printer.ts'
import { childWithPorts } from './child.ts'
import { percentile } from './figures.ts'
import { offer, type Sent } from './load.ts'

export interface Latency {
  offered: number
  printed: number
  /** Request sent -> first ticket byte at the printer's socket, milliseconds. Includes the HTTP request, so it is stricter than "accepted". */
  firstByte: { p50: number; p99: number }
  /** Request sent -> confirmation given by the printer. */
  confirmed: { p50: number; p99: number }
  /** Request sent -> answer received. */
  answer: { p50: number; p99: number }
}

export interface OurLatency extends Latency {
  /** Processor time of relay and gateway together for each order, milliseconds: it limits how many orders a second a machine can take. */
  cpuMs: number
}

/** Collects tickets and resolves when `count` different tokens were printed, or after `timeoutMs` of silence. */
function collect(
  printer: BenchPrinter,
  count: number,
  timeoutMs: number,
): { done: Promise<Map<string, PrintedTicket>> } {
  const seen = new Map<string, PrintedTicket>()
  const done = new Promise<Map<string, PrintedTicket>>((resolve) => {
    let timer = setTimeout(() => resolve(seen), timeoutMs)
    printer.printed.subscribe((ticket) => {
      if (!seen.has(ticket.token)) seen.set(ticket.token, ticket)
      clearTimeout(timer)
      timer = setTimeout(() => resolve(seen), seen.size >= count ? 0 : timeoutMs)
    })
  })
  return { done }
}

function summarize(sent: readonly Sent[], printed: Map<string, PrintedTicket>): Latency {
  const firstByte: number[] = []
  const confirmed: number[] = []
  const answer: number[] = []
  for (const row of sent) {
    const ticket = printed.get(row.token)
    if (ticket) {
      firstByte.push(ticket.firstByteAt - row.sentAt)
      confirmed.push(ticket.confirmedAt - row.sentAt)
    }
    if (row.answeredAt !== null) answer.push(row.answeredAt - row.sentAt)
  }
  const both = (values: number[]) => ({ p50: percentile(values, 50), p99: percentile(values, 99) })
  return {
    offered: sent.length,
    printed: printed.size,
    firstByte: both(firstByte),
    confirmed: both(confirmed),
    answer: both(answer),
  }
}

export interface SiteBench {
  site: Site
  printer: BenchPrinter
  stop(): Promise<void>
}

export async function openSite(options: Omit<SiteOptions, 'printers'> = {}): Promise<SiteBench> {
  const printer = new BenchPrinter()
  const port = await printer.start()
  const site = new Site({ printers: `kitchen=127.0.0.1:${port}`, ...options })
  await site.start()
  return {
    site,
    printer,
    async stop() {
      await site.stop()
      await printer.stop()
    },
  }
}

let nextNumber = 0

/** Our path at a steady rate. The first orders warm it up and are not counted. */
export async function measureOurs(
  { site, printer }: SiteBench,
  perSecond: number,
  seconds: number,
): Promise<OurLatency> {
  const used = (): number => cpuMsOf(site.cloud.pid) + cpuMsOf(site.gateway.pid)
  const load = (rate: number, duration: number) => {
    const firstNumber = nextNumber
    nextNumber += Math.round(rate * duration)
    const { done } = collect(printer, Math.round(rate * duration), 15_000)
    const sent = offer({
      url: site.cloudUrl,
      path: '/v1/order/inject',
      headers: { authorization: `Bearer ${site.apiKey}` },
      body: (token) => JSON.stringify(site.orderBody({ orderId: token, note: token })),
      perSecond: rate,
      seconds: duration,
      firstNumber,
    })
    return Promise.all([sent, done])
  }
  await load(50, 2)
  const before = used()
  const [sent, printed] = await load(perSecond, seconds)
  return { ...summarize(sent, printed), cpuMs: (used() - before) / sent.length }
}

/** The bare floor: the same hops and commits without any of our work. */
export async function measureFloor(perSecond: number, seconds: number): Promise<Latency> {
  const dir = mkdtempSync(join(tmpdir(), 'ticketrail-floor-'))
  const printer = new BenchPrinter()
  const printerPort = await printer.start()
  const relay = await childWithPorts('floor-relay.ts', [join(dir, 'relay.db')])
  const gateway = await childWithPorts('floor-gateway.ts', [
    join(dir, 'gateway.db'),
    String(relay.ports['mqtt']),
    String(printerPort),
  ])
  const load = async (rate: number, duration: number, firstNumber: number) => {
    const { done } = collect(printer, Math.round(rate * duration), 5_000)
    const sent = await offer({
      url: `http://127.0.0.1:${relay.ports['http']}`,
      path: '/inject',
      headers: {},
      body: (token) => JSON.stringify({ token, text: 'x'.repeat(400) }),
      perSecond: rate,
      seconds: duration,
      firstNumber,
    })
    return summarize(sent, await done)
  }
  await load(50, 2, 0)
  const latency = await load(perSecond, seconds, 500_000)
  await gateway.stop()
  await relay.stop()
  await printer.stop()
  rmSync(dir, { recursive: true, force: true })
  return latency
}
