// Prints the state of the real printer at the terminal: at the start when it does not answer, and whenever it changes.
import { z } from 'zod'
import type { Clock } from '#shared/clock.ts'

const EVERY_MS = 1_000
const LIMIT_MS = 2_000
/** The fields of the gateway's GET /api/status that are printed. */
const statusBody = z.object({
  printers: z.array(z.object({ host: z.string(), port: z.number(), state: z.string(), hint: z.string() })),
})

export interface PrinterWatchDeps {
  clock: Clock
  say: (text: string) => void
  /** Ends the watch. */
  signal: AbortSignal
}

/** Watches until the signal. Resolves then; never rejects. A printer that is well from the start is not mentioned. */
export async function watchPrinter(gatewayUrl: string, { clock, say, signal }: PrinterWatchDeps): Promise<void> {
  let told = 'online'
  while (!signal.aborted) {
    const printer = await readPrinter(gatewayUrl, signal)
    const news = printer && printer.state !== 'unknown' ? `${printer.state} ${printer.hint}` : null
    if (printer && news && !(told === 'online' && printer.state === 'online') && news !== told) {
      say(`Printer ${printer.host}:${printer.port}: ${printer.hint}`)
      told = printer.state === 'online' ? 'online' : news
    }
    await clock.sleep(EVERY_MS, signal)
  }
}

async function readPrinter(gatewayUrl: string, signal: AbortSignal) {
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)])
    const response = await fetch(`${gatewayUrl}/api/status`, { signal: limit })
    return statusBody.parse(await response.json()).printers[0]
  } catch {
    // The gateway is being started again: asked again.
    return undefined
  }
}
