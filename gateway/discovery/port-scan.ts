// Finds devices that accept connections on the raw printing port. Connects and closes; sends nothing, because a laser printer prints whatever it gets.
import { connect } from 'node:net'
import type { Clock } from '#shared/clock.ts'

export interface ScanOptions {
  hosts: readonly string[]
  port: number
  clock: Clock
  signal: AbortSignal
  /** @param peer IP address of the device that accepted the connection */
  onOpen: (host: string, peer: string) => void
}

const AT_ONCE = 32
const WAIT_MS = 300

/** Resolves when every host was tried, or soon after the abort. */
export async function scanPort({ hosts, port, clock, signal, onOpen }: ScanOptions): Promise<void> {
  const left = [...hosts]
  const walk = async (): Promise<void> => {
    for (let host = left.shift(); host !== undefined && !signal.aborted; host = left.shift()) {
      const peer = await whoAccepts(host, port, { clock, signal })
      if (peer !== null) onOpen(host, peer)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, walk))
}

function whoAccepts(
  host: string,
  port: number,
  { clock, signal }: { clock: Clock; signal: AbortSignal },
): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect({ host, port })
    const end = (peer: string | null): void => {
      cancel()
      signal.removeEventListener('abort', abort)
      // Nothing was written, so this ends the connection in good order.
      socket.destroy()
      resolve(peer)
    }
    const abort = (): void => end(null)
    const cancel = clock.after(WAIT_MS, abort)
    signal.addEventListener('abort', abort, { once: true })
    socket.once('connect', () => end(socket.remoteAddress ?? host))
    socket.once('error', abort)
  })
}
