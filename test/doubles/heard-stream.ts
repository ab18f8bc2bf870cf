// A stream of a listener without a network, and the program at its end: its server is asked once for each attempt, whatever comes again.
import type { Listener } from '#cloud/storage/listener-store.ts'
import type { ListenerDesk, Pipe } from '#cloud/webhooks/listener-desk.ts'
import { recordResult } from '#cloud/webhooks/listeners.ts'
import { ServiceError } from '#shared/errors.ts'
import { Signal } from '#shared/signal.ts'
import type { ListenerResultBody, StreamDelivery } from '#shared/wire/api/listeners.ts'
import type { WebhookSite } from '#test/fixtures/webhook-site.ts'

export class HeardStream implements Pipe {
  readonly messages: { event: string; data: unknown }[] = []
  readonly #heard = new Signal()
  readonly #closed: () => void
  isOpen = true

  private constructor(closed: () => void) {
    this.#closed = closed
  }

  static async open(desk: ListenerDesk, listener: Listener, mayListen = async () => true): Promise<HeardStream> {
    let stream: HeardStream | null = null
    await desk.open(listener, (closed) => (stream = new HeardStream(closed)), mayListen)
    if (stream === null) throw new Error('the desk opened no stream')
    return stream
  }

  send(event: string, data: unknown): void {
    if (!this.isOpen) return
    this.messages.push({ event, data })
    this.#heard.notify()
  }

  async drained(): Promise<void> {}

  close(): void {
    this.isOpen = false
    this.#closed()
  }

  cut(): void {
    this.close()
  }

  get deliveries(): StreamDelivery[] {
    return this.messages.filter(({ event }) => event === 'delivery').map(({ data }) => data as StreamDelivery)
  }

  get reason(): string | null {
    const bye = this.messages.find(({ event }) => event === 'bye')
    return bye === undefined ? null : (bye.data as { reason: string }).reason
  }

  /** Resolves when so many deliveries have come. */
  async heard(count: number): Promise<StreamDelivery[]> {
    while (this.deliveries.length < count) await this.#heard.next(undefined, AbortSignal.timeout(30_000))
    return this.deliveries
  }

  async ended(): Promise<string | null> {
    while (this.reason === null) await this.#heard.next(undefined, AbortSignal.timeout(30_000))
    return this.reason
  }
}

/** Records what the developer's server answered. @returns the state, or the code of the refusal */
export async function tell(
  { site, desk }: { site: WebhookSite; desk: ListenerDesk },
  listener: Listener,
  result: Pick<ListenerResultBody, 'deliveryId' | 'number'> & Partial<ListenerResultBody>,
): Promise<string> {
  const { listeners, clock, log } = site
  try {
    const body = { ...(result.error === undefined && { status: 204 }), ms: 3, ...result }
    const { state, repeated } = await recordResult({ listeners, desk, clock, log }, listener, body)
    return repeated ? `${state}, as before` : state
  } catch (error) {
    if (error instanceof ServiceError) return error.code
    throw error
  }
}
