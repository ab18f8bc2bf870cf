// What 1,000 orders cost the card: bytes that the gateway's process has the disk write, from the order at the relay to the ticket's report.
import { readFileSync } from 'node:fs'
import { VirtualPrinter } from '#test/doubles/virtual-printer.ts'
import { Site } from '#test/harness/site.ts'

const ORDERS = 1_000
/** As a full kitchen: a few orders wait for their ticket at a time. */
const AT_ONCE = 4
const PRINTED_WITHIN_MS = 120_000

/** Bytes that a process has dirtied, by its own account (proc(5), io: write_bytes). */
function writtenBytes(pid: number): number {
  const [, bytes = '0'] = /^write_bytes: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8')) ?? []
  return Number(bytes)
}

async function main(): Promise<void> {
  const printer = new VirtualPrinter({ keep: 'texts' })
  const { port } = await printer.start()
  const site = new Site({ printers: `Grill=127.0.0.1:${port}/epson-thermal-203@grill` })
  try {
    await site.start()
    await site.injectSurely({ orderId: 'warm-up' })
    const before = writtenBytes(site.gateway.pid)
    let next = 0
    const one = async (): Promise<void> => {
      while (next < ORDERS) await site.injectSurely({ orderId: `wear-${next++}` })
    }
    await Promise.all(Array.from({ length: AT_ONCE }, one))
    const deadline = performance.now() + PRINTED_WITHIN_MS
    while (printer.tickets.length <= ORDERS) {
      if (performance.now() > deadline)
        throw new Error(`only ${printer.tickets.length - 1} of ${ORDERS} orders were printed`)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    const bytes = writtenBytes(site.gateway.pid) - before
    process.stdout.write(
      `${JSON.stringify({ orders: ORDERS, megabytes: Math.round(bytes / 1e5) / 10, bytesPerOrder: Math.round(bytes / ORDERS) })}\n`,
    )
  } finally {
    await site.stop()
    await printer.stop()
  }
}

await main()
