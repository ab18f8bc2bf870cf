// ESC/POS over a byte channel: matches answers to queries. Contains no policy.
import type { Clock } from '#shared/clock.ts'
import { Signal } from '#shared/signal.ts'
import type { ByteChannel } from './byte-channel.ts'
import { realTimeQuery } from './escpos-commands.ts'
import { cleanAnswer } from './identity.ts'
import { PaperCount } from './paper-count.ts'
import { conditionOfAsb, conditionOfRealTime } from './printer-status.ts'
import { type Dialogue, StatusConnection } from './status-connection.ts'
import { type Reply, StatusParser } from './status-parser.ts'

const ALL_STATUS = [1, 2, 3, 4]

export type EscposConnection = StatusConnection<EscposDialogue>

export function speakEscpos(channel: ByteChannel, clock: Clock): EscposConnection {
  return new StatusConnection(channel, clock, (connection) => new EscposDialogue(connection, clock))
}

export class EscposDialogue implements Dialogue {
  readonly replies = new Signal<Reply>()
  /** The received bytes, for a caller that does not know the printer's language yet. */
  readonly chunks = new Signal<Uint8Array>()
  /** True once all probe queries were sent on this connection. */
  learnt = false
  /** DLE EOT was answered on this connection. */
  dleEot = false
  /** Pushed status was enabled. */
  pushing = false
  /** The expected id came back while the printer reported no error: paper that ends right after it changes nothing. */
  idCameInPeace = false
  /**
   * A GS I answer came without a query. No other one on this connection can be matched to its query then, so none of them proves anything.
   * Pushed status is not an answer.
   */
  answersUnasked = false
  /**
   * Since it was ready it has sent bytes that answer nothing, as a serial line does while the device behind it starts. GS r proves nothing
   * here.
   */
  talksUnasked = false
  /** Number of times that it sent bytes that answer nothing. */
  strays = 0
  /** Bytes that look like a status are none: it sends unrequested bytes, and enough queries have shown that it does nothing else. */
  #isRubbish = false
  readonly #connection: StatusConnection
  readonly #clock: Clock
  readonly #parser = new StatusParser()
  /** In-order answers: the n-th answer belongs to the n-th query, so a late one is never taken for a newer one's. */
  #modelAsked = 0
  #modelAnswered = 0
  /** The expected answers of the open queries; null: any. */
  readonly #modelTexts: (string | null)[] = []
  #paperAsked = 0
  #paperAnswered = 0
  /** The row of GS r that should prove a ticket, and the number of queries before it. */
  #row: { count: PaperCount; behind: number } | null = null
  #expectedId: { id: string; seen: boolean } | null = null
  #clearsAsked = 0
  #cleared = 0
  #poll: { ns: readonly number[]; bytes: number[]; skip: number } | null = null
  /** Answers still expected for queries that were repeated or given up: they must not be taken for newer ones. */
  #surplus = 0

  constructor(connection: StatusConnection, clock: Clock) {
    this.#connection = connection
    this.#clock = clock
  }

  /** Registers a GS I n that is about to be sent; the result returns true once it is answered. `text`: only this text counts as the answer. */
  expectModel(text: string | null = null): () => boolean {
    const mine = ++this.#modelAsked
    this.#modelTexts.push(text)
    return () => this.#modelAnswered >= mine && !this.answersUnasked
  }

  /** Registers a GS r 1 that is about to be sent; the result returns true once it is answered. It proves nothing. */
  expectPaper(): () => boolean {
    const mine = ++this.#paperAsked
    return () => this.#paperAnswered >= mine
  }

  /** True once as many single bytes have arrived as GS r were sent, whether or not they were the answers. */
  get hasPaperAnswers(): boolean {
    return this.#paperAnswered === this.#paperAsked
  }

  /** Registers `times` GS r 1 that are about to be sent. `isComplete`: exactly this many answers have come, and nothing else. */
  expectPaperRow(times: number): { isComplete: () => boolean; answers: () => number } {
    const count = new PaperCount(times, this.#clock, () => this.#connection.activity.notify())
    if (this.talksUnasked || this.answersUnasked) count.spoil()
    this.#row = { count, behind: this.#paperAsked }
    this.#paperAsked += times
    return { isComplete: () => count.isComplete(this.#connection.end === 'fin'), answers: () => count.answers }
  }

  /** Registers a GS ( H with `id` that is about to be sent; the result returns true once it is answered. Other ids are ignored. */
  expectProcessId(id: string): () => boolean {
    const expected = { id, seen: false }
    this.#expectedId = expected
    this.idCameInPeace = false
    return () => expected.seen
  }

  /** Registers a DLE DC4 8 that is about to be sent; the result returns true once the buffers are empty. */
  expectCleared(): () => boolean {
    const before = this.#cleared
    this.#clearsAsked++
    return () => this.#cleared > before
  }

  /** Sends DLE EOT for each n. `pollAnswered` becomes true when all answers have arrived, and `condition` has their meaning. */
  poll(ns: readonly number[]): void {
    const open = this.#poll
    if (open && open.ns.join() === ns.join()) this.#surplus += ns.length
    else {
      this.#poll = { ns, bytes: [], skip: this.#surplus + (open ? open.ns.length - open.bytes.length : 0) }
      this.#surplus = 0
    }
    this.#connection.write(realTimeQuery(ns))
  }

  askStatus(): void {
    this.poll(ALL_STATUS)
  }

  forgetPoll(): void {
    this.#poll = null
    this.#surplus = 0
  }

  get pollAnswered(): boolean {
    return this.#poll === null
  }

  /** From now on its status is ignored on this connection. */
  disbelieveStatus(): void {
    this.#isRubbish = true
    this.#connection.condition = null
  }

  take(chunk: Uint8Array): void {
    this.chunks.notify(chunk)
    for (const reply of this.#parser.push(chunk)) {
      this.#takeReply(reply)
      this.replies.notify(reply)
    }
  }

  #takeReply(reply: Reply): void {
    if (reply.kind !== 'noise') this.#connection.answers++
    switch (reply.kind) {
      case 'asb':
        if (!this.#isRubbish) this.#connection.condition = conditionOfAsb(reply.bytes)
        return
      case 'real-time':
        this.#takeRealTime(reply.byte)
        return
      case 'block':
        if (reply.head === 0x5f) this.#takeModel(reply.text)
        // DLE DC4 8: 37 25 00
        else if (reply.head === 0x37 && reply.text === '%') this.#takeCleared()
        // GS ( H: 37 22 d1 d2 d3 d4 00
        else if (reply.head === 0x37 && this.#expectedId && reply.text === `"${this.#expectedId.id}`) {
          this.#expectedId.seen = true
          this.idCameInPeace ||= !this.#connection.condition?.blocked
        }
        return
      case 'bare':
        this.#takePaper(reply.byte)
        return
      case 'noise':
        if (!reply.isStrange) return
        this.strays++
        this.#noteTalk()
        return
    }
  }

  #takeModel(text: string): void {
    const expected = this.#modelTexts.shift()
    if (expected !== undefined) this.#modelAnswered++
    if (expected === null || expected === (cleanAnswer(text) ?? '')) return
    this.answersUnasked = true
    this.#connection.ready = false
    this.#row?.count.spoil()
  }

  #takePaper(byte: number): void {
    if (this.#paperAnswered === this.#paperAsked) {
      this.#noteTalk()
      return
    }
    this.#paperAnswered++
    if (this.#row && this.#paperAnswered > this.#row.behind) this.#row.count.take(byte)
  }

  /** Bytes before the first status query may be a greeting, which some printers send to each client. */
  #noteTalk(): void {
    this.#row?.count.spoil()
    if (!this.#connection.ready) return
    this.talksUnasked = true
    this.#connection.ready = false
  }

  /** Queries in the buffers were cleared with them and get no answer. If they stayed registered, later bytes would be matched to them. */
  #takeCleared(): void {
    if (this.#cleared === this.#clearsAsked) return
    this.#cleared++
    this.#modelAnswered = this.#modelAsked
    this.#modelTexts.length = 0
    this.#paperAnswered = this.#paperAsked
    this.#row?.count.spoil()
  }

  #takeRealTime(byte: number): void {
    const poll = this.#poll
    if (!poll) {
      this.#surplus = Math.max(0, this.#surplus - 1)
      return
    }
    if (poll.skip > 0) {
      poll.skip--
      return
    }
    poll.bytes.push(byte)
    if (poll.bytes.length < poll.ns.length) return
    this.#poll = null
    if (this.#isRubbish) return
    this.#connection.condition = conditionOfRealTime(new Map(poll.ns.map((n, i) => [n, poll.bytes[i] ?? 0])))
  }
}
