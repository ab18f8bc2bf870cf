// One TCP connection to a printer: bytes out with back-pressure, replies in, its end told apart (FIN, reset). Knows no policy.
import { connect, type Socket } from 'node:net'
import type { Clock } from '#shared/clock.ts'
import { Signal } from '#shared/signal.ts'
import { realTimeQuery } from './escpos-commands.ts'
import { conditionOfAsb, conditionOfRealTime, type PrinterCondition } from './printer-status.ts'
import { type Reply, StatusParser } from './status-parser.ts'

export interface ConnectFailure {
  failed: true
  /** Node's error code, `ETIMEDOUT` after our own timeout, `ABORT_ERR` after the signal. */
  code: string
}

export interface ConnectOptions {
  address: { host: string; port: number }
  timeoutMs: number
  clock: Clock
  signal: AbortSignal
}

/** Never rejects. Half-open sockets are allowed: the peer's FIN must not end our side in the middle of a ticket. */
export function connectToPrinter(options: ConnectOptions): Promise<PrinterConnection | ConnectFailure> {
  const { address, timeoutMs, clock, signal } = options
  return new Promise((resolve) => {
    if (signal.aborted) return resolve({ failed: true, code: 'ABORT_ERR' })
    const socket = connect({
      ...address,
      allowHalfOpen: true,
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: 10_000,
    })
    const fail = (code: string): void => {
      settle()
      socket.on('error', () => {})
      socket.destroy()
      resolve({ failed: true, code })
    }
    const onAbort = (): void => fail('ABORT_ERR')
    const onError = (error: NodeJS.ErrnoException): void => fail(error.code ?? 'UNKNOWN')
    const cancel = clock.after(timeoutMs, () => fail('ETIMEDOUT'))
    const settle = (): void => {
      cancel()
      signal.removeEventListener('abort', onAbort)
      socket.off('error', onError)
    }
    signal.addEventListener('abort', onAbort, { once: true })
    socket.once('error', onError)
    socket.once('connect', () => {
      settle()
      resolve(new PrinterConnection(socket, clock))
    })
  })
}

export class PrinterConnection {
  /** Fires after anything happened: bytes came, bytes went, the connection ended. */
  readonly activity = new Signal()
  readonly replies = new Signal<Reply>()
  /** What it last said of itself, pushed or asked; null when it has said nothing on this connection. */
  condition: PrinterCondition | null = null
  /** Null while open. `fin`: the peer closed its side in order. */
  end: 'fin' | 'broken' | null = null
  endCode = ''
  halfClosed = false
  /** Set when the learning questions were put on this connection. */
  learnt = false
  /** DLE EOT was answered on this connection. */
  dleEot = false
  /** It was asked and may take a ticket. */
  ready = false
  readonly #socket: Socket
  readonly #clock: Clock
  readonly #parser = new StatusParser()
  /** In-order answers come in order: the n-th answer belongs to the n-th question, so a late one is never taken for a newer one's. */
  #modelAsked = 0
  #modelAnswered = 0
  #paperAsked = 0
  #paperAnswered = 0
  /** Answers of any kind so far. */
  #answers = 0
  #expectedId: { id: string; seen: boolean } | null = null
  #poll: { ns: readonly number[]; bytes: number[]; skip: number } | null = null
  /** Answers still to come to questions that were repeated or given up: they must not be taken for newer ones. */
  #surplus = 0

  constructor(socket: Socket, clock: Clock) {
    this.#socket = socket
    this.#clock = clock
    socket.on('data', (chunk) => this.#onData(chunk))
    socket.on('drain', () => this.activity.notify())
    socket.on('end', () => this.#onEnd('fin', 'FIN'))
    socket.on('error', (error: NodeJS.ErrnoException) => this.#onEnd('broken', error.code ?? 'UNKNOWN'))
    socket.on('close', () => this.#onEnd('broken', 'CLOSED'))
  }

  get open(): boolean {
    return this.end === null && !this.halfClosed && !this.#socket.destroyed
  }

  /** Bytes that the operating system has not taken yet. */
  get unsentBytes(): number {
    return this.#socket.writableLength
  }

  /** Hands bytes over. False: wait for `unsentBytes` to become 0 before more. */
  write(bytes: Uint8Array): boolean {
    if (bytes.length === 0) return true
    return this.#socket.write(bytes, () => this.activity.notify())
  }

  /** Notes a GS I 67 (`model`) or GS r 1 (`paper`) that is about to be written; its answer has come when the result says true. */
  expect(kind: 'model' | 'paper'): () => boolean {
    if (kind === 'model') {
      const mine = ++this.#modelAsked
      return () => this.#modelAnswered >= mine
    }
    const mine = ++this.#paperAsked
    return () => this.#paperAnswered >= mine
  }

  /** Notes a GS ( H with `id` that is about to be written; its answer has come when the result says true. Ids of others are ignored. */
  expectProcessId(id: string): () => boolean {
    const expected = { id, seen: false }
    this.#expectedId = expected
    return () => expected.seen
  }

  /** Asks DLE EOT for each n; `pollAnswered` becomes true when all answers are there, and `condition` says what they mean. */
  poll(ns: readonly number[]): void {
    const open = this.#poll
    if (open && open.ns.join() === ns.join()) this.#surplus += ns.length
    else {
      this.#poll = { ns, bytes: [], skip: this.#surplus + (open ? open.ns.length - open.bytes.length : 0) }
      this.#surplus = 0
    }
    this.write(realTimeQuery(ns))
  }

  /** Gives an open question up as lost, with everything before it. */
  forgetPoll(): void {
    this.#poll = null
    this.#surplus = 0
  }

  get pollAnswered(): boolean {
    return this.#poll === null
  }

  /** Resolves true as soon as `done` holds, false after `ms`, at the connection's end or when `signal` aborts. */
  async until(done: () => boolean, ms: number, signal?: AbortSignal): Promise<boolean> {
    const deadline = this.#clock.monotonicMs() + ms
    while (!done()) {
      const left = deadline - this.#clock.monotonicMs()
      if (left <= 0 || signal?.aborted || this.end !== null) return false
      await this.nextActivity(left, signal)
    }
    return true
  }

  /**
   * As `until`, but a slow printer that is still answering gets its time: after each answer it may be silent for `quietMs` again,
   * or for twice as long as its first answer took, up to `limitMs` in all.
   */
  async untilQuiet(done: () => boolean, quietMs: number, limitMs: number, signal?: AbortSignal): Promise<boolean> {
    const startedAt = this.#clock.monotonicMs()
    const answersBefore = this.#answers
    let patienceMs = quietMs
    for (let heard = answersBefore; !done(); heard = this.#answers) {
      const leftMs = startedAt + limitMs - this.#clock.monotonicMs()
      const news = (): boolean => done() || this.#answers !== heard
      if (!(await this.until(news, Math.min(patienceMs, leftMs), signal))) return false
      if (heard === answersBefore) patienceMs = Math.max(quietMs, 2 * (this.#clock.monotonicMs() - startedAt))
    }
    return true
  }

  /** Resolves at the next activity, or after `ms`, or when `signal` aborts. */
  nextActivity(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        cancel()
        stop()
        signal?.removeEventListener('abort', done)
        resolve()
      }
      const stop = this.activity.subscribe(done)
      const cancel = this.#clock.after(Math.max(0, ms), done)
      signal?.addEventListener('abort', done, { once: true })
    })
  }

  /** Sends our FIN after what is buffered, and goes on reading. */
  halfClose(): void {
    if (this.halfClosed || this.#socket.destroyed) return
    this.halfClosed = true
    this.#socket.end()
  }

  /** Half-closes and waits for the peer's end; then lets go. `reset` drops what the kernel still holds, so that it cannot print later. */
  async retire(finMs: number, reset: boolean): Promise<void> {
    this.halfClose()
    await this.until(() => this.end !== null, finMs)
    this.destroy(reset)
  }

  destroy(reset = false): void {
    if (this.#socket.destroyed) return
    if (reset && this.end !== 'fin') this.#socket.resetAndDestroy()
    else this.#socket.destroy()
  }

  #onData(chunk: Uint8Array): void {
    for (const reply of this.#parser.push(chunk)) {
      this.#take(reply)
      this.replies.notify(reply)
    }
    this.activity.notify()
  }

  #take(reply: Reply): void {
    if (reply.kind !== 'noise') this.#answers++
    switch (reply.kind) {
      case 'asb':
        this.condition = conditionOfAsb(reply.bytes)
        return
      case 'real-time':
        this.#takeRealTime(reply.byte)
        return
      case 'block':
        if (reply.head === 0x5f && this.#modelAnswered < this.#modelAsked) this.#modelAnswered++
        // GS ( H: 37 22 d1 d2 d3 d4 00
        else if (reply.head === 0x37 && this.#expectedId && reply.text === `"${this.#expectedId.id}`) {
          this.#expectedId.seen = true
        }
        return
      case 'bare':
        if (this.#paperAnswered < this.#paperAsked) this.#paperAnswered++
        return
      case 'noise':
        return
    }
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
    this.condition = conditionOfRealTime(new Map(poll.ns.map((n, i) => [n, poll.bytes[i] ?? 0])))
  }

  #onEnd(end: 'fin' | 'broken', code: string): void {
    // A clean FIN stays clean when the socket then closes; a reset after it does not count against it.
    if (this.end === null) {
      this.end = end
      this.endCode = code
    }
    this.activity.notify()
  }
}
