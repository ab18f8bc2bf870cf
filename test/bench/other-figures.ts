// The figures beside latency: first event at the client, recovery of a printer, memory of the gateway.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Site } from '#test/harness/site.ts'
import { BenchPrinter } from './bench-printer.ts'
import { percentile } from './figures.ts'
import { measureOurs, openSite, type SiteBench } from './latency.ts'
import { offer } from './load.ts'

/**
 * Acceptance (answer received) -> `order.accepted` at a loopback receiver, milliseconds; an event that came before the answer counts as 0.
 * @param hear makes events of the site come to this address
 */
export async function measureAcceptedEvent(
  perSecond: number,
  seconds: number,
  hear: (site: Site, url: string) => Promise<unknown> = (site, url) => site.listen(url),
): Promise<{ p50: number; p99: number; count: number }> {
  const arrived = new Map<string, number>()
  const receiver = createServer((request, response) => {
    const at = performance.now()
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      const event = JSON.parse(body)
      if (event.type === 'order.accepted') arrived.set(event.data.order.orderId, at)
      response.end()
    })
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const bench = await openSite()
  await hear(bench.site, `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`)
  const sent = await offer({
    url: bench.site.cloudUrl,
    path: '/v1/order/inject',
    headers: { authorization: `Bearer ${bench.site.apiKey}` },
    body: (token) => JSON.stringify(bench.site.orderBody({ orderId: token, note: token })),
    perSecond,
    seconds,
  })
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  const waits = sent
    .filter((row) => row.answeredAt !== null && arrived.has(row.token))
    .map((row) => Math.max(0, (arrived.get(row.token) ?? 0) - (row.answeredAt ?? 0)))
  await bench.stop()
  receiver.closeAllConnections()
  receiver.close()
  return { p50: percentile(waits, 50), p99: percentile(waits, 99), count: waits.length }
}

/** Printer's port closed for `awaySeconds` with one order waiting; port open again -> first ticket byte, milliseconds. */
export async function measureRecovery(awaySeconds: number): Promise<number> {
  const probe = new BenchPrinter()
  const port = await probe.start()
  const site = new Site({ printers: `kitchen=127.0.0.1:${port}` })
  await site.start()
  const first = probe.printed.next()
  await site.injectSurely({ orderId: 'B-000000', note: 'B-000000' })
  await first
  await probe.stop()
  await site.injectSurely({ orderId: 'B-000001', note: 'B-000001' })
  await new Promise((resolve) => setTimeout(resolve, awaySeconds * 1_000))
  const back = new BenchPrinter()
  const printed = back.printed.next((ticket) => ticket.token === 'B-000001')
  await back.start(port)
  const openAt = performance.now()
  const ticket = await printed
  await site.stop()
  await back.stop()
  return ticket.firstByteAt - openAt
}

/** Megabytes of a program. `own`: what the system cannot take back (RssAnon). `all`: with the pages of files that the kernel chose to map (VmRSS). */
export interface Resident {
  own: number
  all: number
}

export interface Memory {
  idle: Resident
  after2k: Resident
  after10k: Resident
}

/** Memory of the gateway from compiled code (as at `npm start` and at every start but the first): idle after start, after 2,000 orders (warm) and after 10,000. */
export async function measureMemory(): Promise<Memory> {
  const bench: SiteBench = await openSite()
  await new Promise((resolve) => setTimeout(resolve, 3_000))
  await bench.site.restartGateway()
  const resident = (): Resident => {
    const text = readFileSync(`/proc/${bench.site.gateway.pid}/status`, 'utf8')
    const megabytes = (field: string) => Number(new RegExp(`${field}:\\s+(\\d+)`).exec(text)?.[1] ?? Number.NaN) / 1024
    return { own: megabytes('RssAnon'), all: megabytes('VmRSS') }
  }
  await new Promise((resolve) => setTimeout(resolve, 5_000))
  const idle = resident()
  await measureOurs(bench, 190, 10)
  const after2k = resident()
  await measureOurs(bench, 265, 30)
  await new Promise((resolve) => setTimeout(resolve, 3_000))
  const after10k = resident()
  await bench.stop()
  return { idle, after2k, after10k }
}
