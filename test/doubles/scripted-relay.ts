// A relay as `listen` sees it, without a network, and one life of the listener that talks to it, on a clock that the test moves.
import { type AttemptResult, ListenJournal } from '#cloud/cli/listen-journal.ts'
import { type Away, Listener } from '#cloud/cli/listener.ts'
import { Signal } from '#shared/signal.ts'
import type { StreamDelivery } from '#shared/wire/api/listeners.ts'
import { ManualClock } from './manual-clock.ts'

export const OK: AttemptResult = { status: 204, ms: 1 }
/** What the relay hears of an attempt that was broken off. */
export const RESET = { deliveryId: 'dlv_1', number: 1, error: 'reset', again: true }
export const delivery = (number = 1, deliveryId = 'dlv_1'): StreamDelivery => ({
  ...{ deliveryId, number, eventId: 'evt_1', type: 'order.ready', headers: {}, body: '{"data":{}}' },
})

/** Answers as the relay does; a test sends messages down the stream that is open. */
export class ScriptedRelay {
  readonly calls: { path: string; body: Record<string, unknown> }[] = []
  readonly happened = new Signal<void>()
  streams = 0
  /** Statuses of the next answers to results; 200 when there is none. */
  resultStatuses: number[] = []
  /** Numbers of attempts that it has recorded of each delivery, all of them failed. */
  recorded: Record<string, number[]> = {}
  #down: ReadableStreamDefaultController<Uint8Array> | null = null

  readonly fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const path = new URL(url).pathname
    if (path.endsWith('/stream')) return this.#open(init.signal)
    if (init.method === 'GET') return this.#deliveryAt(path)
    this.calls.push({ path, body: JSON.parse(String(init.body)) })
    const status = (path.endsWith('/result') ? this.resultStatuses.shift() : null) ?? 200
    queueMicrotask(() => this.happened.notify())
    const answer =
      status < 300 ? { webhookId: 'we_1', secret: 'whsec_x', expiresAt: '' } : { code: 'x', message: 'No', status }
    return Response.json(answer, { status, headers: { 'x-request-id': 'req_1' } })
  }

  #deliveryAt(path: string): Response {
    const attempts = (this.recorded[path.split('/').at(-1) ?? ''] ?? []).map((number) => ({ number }))
    const state = attempts.length === 0 ? 'pending' : 'failed'
    return Response.json({ state, attempts }, { headers: { 'x-request-id': 'req_1' } })
  }

  #open(signal: AbortSignal | null | undefined): Response {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#down = controller
        signal?.addEventListener('abort', () => controller.error(signal.reason))
      },
    })
    this.streams++
    this.say('ready', { webhookId: 'we_1', waiting: 0 })
    this.happened.notify()
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  }

  say(event: string, data: object): void {
    this.#down?.enqueue(new TextEncoder().encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`))
  }

  cut(): void {
    this.#down?.error(new Error('cut'))
  }

  async until(is: () => boolean): Promise<void> {
    while (!is()) await this.happened.next()
  }

  get results(): Record<string, unknown>[] {
    return this.calls.filter(({ path }) => path.endsWith('/result')).map(({ body }) => body)
  }
}

export type Target = (delivery: StreamDelivery, over: AbortSignal) => Promise<AttemptResult>

/** One life of the program, which keeps its place in `file`. */
export function listening(
  { relay, file }: { relay: ScriptedRelay; file: string },
  target: Target = async () => OK,
  random = () => 0,
) {
  const clock = new ManualClock()
  const stopped = new AbortController()
  const [posted, lost, away]: [StreamDelivery[], string[], Away[]] = [[], [], []]
  const connection = { apiKey: 'sk_sandbox_x', baseUrl: 'http://relay.example', fetch: relay.fetch, clock }
  const listener = new Listener({
    ...{ connection, clock, random, wanted: { merchantId: 'M-TEST-001' } },
    journal: ListenJournal.open(file),
    target: (given, over) => {
      posted.push(given)
      relay.happened.notify()
      return target(given, over)
    },
    onAttempt: () => {},
    onReady: () => {},
    onLost: (why) => void lost.push(why),
    onAway: (how) => void away.push(how),
  })
  const ended = listener.run(stopped.signal)
  return { clock, posted, lost, away, ended, stop: () => stopped.abort() }
}
