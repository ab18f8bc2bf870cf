// A restaurant with a kitchen and a bar, each with its printer, a client that journals its orders, and a receiver of its events.
import { VirtualPrinter, type VirtualPrinterOptions } from '#test/doubles/virtual-printer.ts'
import { WebhookReceiver } from '#test/doubles/webhook-receiver.ts'
import { JournalClient } from './client.ts'
import { Site } from './site.ts'

export class TwoPrinterSite {
  readonly kitchen: VirtualPrinter
  readonly bar = new VirtualPrinter()
  readonly receiver = new WebhookReceiver()
  #started: { site: Site; client: JournalClient } | null = null

  constructor(kitchen: VirtualPrinterOptions = {}) {
    this.kitchen = new VirtualPrinter(kitchen)
  }

  get site(): Site {
    return this.#running.site
  }

  get client(): JournalClient {
    return this.#running.client
  }

  get #running() {
    if (!this.#started) throw new Error('start the restaurant first')
    return this.#started
  }

  async start(): Promise<void> {
    const [kitchen, bar] = [await this.kitchen.start(), await this.bar.start()]
    await this.receiver.start()
    const site = new Site({ printers: `kitchen=${kitchen.host}:${kitchen.port},bar=${bar.host}:${bar.port}@bar` })
    this.#started = { site, client: new JournalClient(site, 0) }
    await site.start()
    this.receiver.secret = (await site.listen(this.receiver.url)).body.secret
  }

  async stop(): Promise<void> {
    await this.#started?.site.stop()
    await this.receiver.stop()
    await this.kitchen.stop()
    await this.bar.stop()
  }

  /** Injects one order for the kitchen and resolves with its token. */
  async inject(): Promise<string> {
    await this.client.inject()
    return this.client.accepted.at(-1) ?? ''
  }

  /** The event that this order was printed, there already or still to come. */
  printedEvent(token: string): ReturnType<WebhookReceiver['nextEvent']> {
    return this.receiver.nextEvent(
      ({ type, data }) =>
        type === 'order.printed' &&
        (data['order'] as { serviceOrderId: string }).serviceOrderId === this.client.ids.get(token),
      120_000,
    )
  }
}
