// Port 9101 of a Star printer on the network: its status, out of band, also while another program holds port 9100.
import type { Clock } from '#shared/clock.ts'
import type { OpenChannel } from './byte-channel.ts'
import { FloodGuard } from './flood-guard.ts'
import { STATUS_PORT_QUERY } from './star-commands.ts'
import { type StarStatus, StarStatusParser } from './star-status.ts'

export interface StarStatusPortOptions {
  openChannel: OpenChannel
  clock: Clock
  /** For connecting and answering, each. */
  timeoutMs: number
}

export class StarStatusPort {
  readonly #options: StarStatusPortOptions

  constructor(options: StarStatusPortOptions) {
    this.#options = options
  }

  /** One connection, one query, one answer; null without an answer in time. Never rejects. */
  async ask(): Promise<StarStatus | null> {
    const { openChannel, clock, timeoutMs } = this.#options
    const channel = await openChannel({ timeoutMs, clock, signal: new AbortController().signal })
    if ('failed' in channel) return null
    const parser = new StarStatusParser()
    const guard = new FloodGuard(clock)
    const status = new Promise<StarStatus | null>((resolve) => {
      channel.onData((chunk) => {
        if (guard.isTooMuch(chunk.length)) return resolve(null)
        for (const reply of parser.push(chunk)) if (reply.kind === 'status') resolve(reply.status)
      })
      channel.activity.subscribe(() => {
        if (channel.end !== null) resolve(null)
      })
      channel.write(STATUS_PORT_QUERY)
    })
    const limit = new AbortController()
    const answer = await Promise.race([status, clock.sleep(timeoutMs, limit.signal).then(() => null)])
    limit.abort()
    channel.destroy()
    return answer
  }
}
