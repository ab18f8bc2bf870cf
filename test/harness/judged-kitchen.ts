// A restaurant that is judged from outside: by the paper of its printers, the events at its receiver, and what its client was promised.

import { systemClock } from '#shared/clock.ts'
import { FaultProxy } from '#test/doubles/fault-proxy.ts'
import { VirtualPrinter, type VirtualTicket } from '#test/doubles/virtual-printer.ts'
import { type ReceivedWebhook, WebhookReceiver } from '#test/doubles/webhook-receiver.ts'
import { JournalClient, judgeEvents } from './client.ts'
import { DUPLICATE_MARK, judgePaper } from './judge-paper.ts'
import { judgeTexts, TicketText, type WrongText } from './judge-text.ts'
import { seededRandom } from './random.ts'
import { Site, type SiteOptions } from './site.ts'

/** Longer than every timer of link, relay and webhooks: what has not come by then does not come. */
const PATIENCE_MS = 60_000
/** Of the sandbox merchant: ticket times are in it. */
const ZONE = 'America/New_York'
/** Cut off behind a ticket that broke in the middle; the whole one follows, marked. */
const INCOMPLETE = '** INCOMPLETE ABOVE **'
const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

export interface Judgement {
  /** Promised orders without a ticket. */
  lost: string[]
  /** Orders with more than one copy that carries no mark. */
  unmarkedDoubles: string[]
  wrongTexts: WrongText[]
  /** Orders without `order.printed`, and with more than one. */
  untold: string[]
  toldTwice: string[]
  /** Orders of which the event came before the paper. */
  toldBeforePaper: string[]
  /** Orders whose event tells another attempt or mark than the paper. */
  wrongProofs: string[]
  /** Events whose signature does not fit. */
  badSignatures: string[]
}

export const NOTHING_WRONG: Judgement = {
  lost: [],
  unmarkedDoubles: [],
  wrongTexts: [],
  untold: [],
  toldTwice: [],
  toldBeforePaper: [],
  wrongProofs: [],
  badSignatures: [],
}

export class JudgedKitchen {
  readonly printer = new VirtualPrinter()
  /** Further printers whose paper counts. */
  readonly others: VirtualPrinter[] = []
  readonly receiver = new WebhookReceiver()
  /** Between the gateway and the relay's broker. */
  readonly proxy: FaultProxy
  readonly random: () => number
  site!: Site
  client!: JournalClient
  readonly #toldBeforePaper: string[] = []
  /** Faults that a judgement has told already. */
  readonly #known = new Set<string>()
  #text!: TicketText

  constructor(seed: number) {
    this.random = seededRandom(seed)
    this.proxy = new FaultProxy(systemClock, seededRandom(seed + 1))
  }

  /** Starts everything and prints one order while nothing fails: by its ticket the text of the others is judged. */
  async start(options: Omit<SiteOptions, 'printers' | 'brokerPort'> = {}): Promise<void> {
    const { host, port } = await this.printer.start()
    await this.receiver.start()
    this.receiver.arrived.subscribe((received) => this.#whenTold(received))
    const entry = await this.proxy.start({ host: '127.0.0.1', port: 1 })
    this.site = new Site({
      ...options,
      printers: `kitchen=${host}:${port}`,
      brokerPort: () => {
        this.proxy.retarget({ host: '127.0.0.1', port: this.site.mqttPort })
        return entry.port
      },
    })
    await this.site.start()
    this.receiver.secret = (await this.site.listen(this.receiver.url)).body.secret
    this.client = new JournalClient(this.site, 0)
    const token = await this.order()
    await this.told(token)
    const [calm] = this.client.promised
    if (calm) this.#text = new TicketText(calm, this.#copiesOf(token)[0]?.text() ?? '', ZONE)
  }

  async stop(): Promise<void> {
    await this.site?.stop()
    await this.proxy.stop()
    await this.receiver.stop()
    for (const printer of [this.printer, ...this.others]) await printer.stop()
  }

  /** Injects one order with words of its own, now or for a moment to come. @returns its token */
  async order(when: { fireAt?: string } = {}): Promise<string> {
    const token = `T-${String(this.client.accepted.length + 1).padStart(6, '0')}`
    await this.client.inject(token, { note: `${token} ${this.#words()}`, qty: 2, ...when })
    return token
  }

  /** In short, nobody waits until both ends have noticed by themselves that a connection is dead or out of step. */
  endOfFaults(inShort: boolean): void {
    const { corrupt } = this.proxy
    corrupt.toClient = corrupt.toTarget = 0
    if (inShort) this.proxy.cutAll()
  }

  async orders(count: number, everyMs = 0): Promise<void> {
    for (let n = 0; n < count; n++) {
      await this.order()
      await systemClock.sleep(everyMs)
    }
  }

  /** Resolves with the `order.printed` of this order. */
  told(token: string): Promise<ReceivedWebhook> {
    return this.receiver.nextEvent(({ type, data }) => type === 'order.printed' && tokenOf(data) === token)
  }

  /** Resolves when all promised orders were told as printed, or nothing has arrived for a minute. */
  async untilQuiet(): Promise<void> {
    for (;;) {
      if (judgeEvents(this.receiver, 'order.printed', this.client.ids).missing.length === 0) return
      const before = this.receiver.received.length
      await this.receiver.arrived.next(undefined, AbortSignal.timeout(PATIENCE_MS)).catch(() => {})
      if (this.receiver.received.length === before) return
    }
  }

  /** Every ticket of all printers, in the order in which they were cut. What says itself that it is not whole is none. */
  get tickets(): VirtualTicket[] {
    return [this.printer, ...this.others]
      .flatMap(({ tickets }) => tickets)
      .filter((ticket) => !ticket.text().includes(INCOMPLETE))
      .sort((one, other) => one.cutAtMs - other.cutAtMs)
  }

  /** Promised orders that are not on paper yet. */
  unprinted(): string[] {
    return this.client.accepted.filter((token) => this.#copiesOf(token).length === 0)
  }

  /** Copies with the mark. */
  get marked(): number {
    return this.tickets.filter(isMarked).length
  }

  /** All that is wrong with paper and events so far; each fault is told once, so that one test does not fail for another's. */
  judge(): Judgement {
    const all = Object.entries(this.#judgeAll()).map(([name, faults]) => [
      name,
      faults.filter((fault: unknown) => {
        const key = JSON.stringify([name, fault])
        const isNew = !this.#known.has(key)
        this.#known.add(key)
        return isNew
      }),
    ])
    return Object.fromEntries(all) as Judgement
  }

  #judgeAll(): Judgement {
    const papers = this.tickets.map((ticket) => ticket.text())
    const { promised, accepted, ids } = this.client
    const { missing, doubled } = judgeEvents(this.receiver, 'order.printed', ids)
    return {
      lost: judgePaper(accepted, papers).lost,
      unmarkedDoubles: accepted.filter(
        (token) => this.#copiesOf(token).filter((ticket) => !isMarked(ticket)).length > 1,
      ),
      wrongTexts: judgeTexts(this.#text, promised, papers),
      untold: missing,
      toldTwice: doubled,
      toldBeforePaper: this.#toldBeforePaper,
      wrongProofs: this.receiver.received.flatMap((received) => this.#wrongProofOf(received)),
      badSignatures: this.receiver.received.flatMap(({ event, signatureValid }) => (signatureValid ? [] : [event.id])),
    }
  }

  #copiesOf(token: string): VirtualTicket[] {
    return this.tickets.filter((ticket) => ticket.text().includes(`order ${token}\n`))
  }

  #whenTold({ event: { type, data } }: ReceivedWebhook): void {
    if (type === 'order.printed' && this.#copiesOf(tokenOf(data)).length === 0)
      this.#toldBeforePaper.push(tokenOf(data))
  }

  #wrongProofOf({ event: { type, data } }: ReceivedWebhook): string[] {
    if (type !== 'order.printed') return []
    const { attempts, possibleDuplicate } = data['print'] as { attempts: number; possibleDuplicate: boolean }
    const fits = this.#copiesOf(tokenOf(data)).some(
      (ticket) => isMarked(ticket) === possibleDuplicate && ticket.text().includes(`  try ${attempts}  `),
    )
    return fits ? [] : [`${tokenOf(data)} ${JSON.stringify(data['print'])}`]
  }

  /** Always as long, so that all tickets have the same lines. */
  #words(): string {
    const letter = () => LETTERS[Math.floor(this.random() * LETTERS.length)]
    return [6, 5, 7].map((length) => Array.from({ length }, letter).join('')).join(' ')
  }
}

function tokenOf(data: Record<string, unknown>): string {
  return (data['order'] as { orderId: string }).orderId
}

function isMarked(ticket: VirtualTicket): boolean {
  return ticket.text().includes(DUPLICATE_MARK)
}
