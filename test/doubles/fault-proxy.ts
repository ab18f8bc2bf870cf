// A TCP proxy on loopback that breaks connections on demand: cut, refuse, black hole, one way deaf, half-open, delay, throttle, flipped bits, cut after n bytes.
import { createServer, connect as dial, type Server, type Socket } from 'node:net'
import { resetSocket } from '#gateway/printers/reset-socket.ts'
import { type Clock, systemClock } from '#shared/clock.ts'
import { giveBack, ownPort } from './own-port.ts'

interface Pair {
  client: Socket
  upstream: Socket
  /** One leg is gone and the other was not told: nothing passes any more. */
  halfOpen: boolean
}

export interface ProxyTarget {
  host: string
  port: number
}

/** Bytes and timing of one direction. */
export type Direction = 'toTarget' | 'toClient'

/** What may wait in a delay line before the sender is held up. */
const MAX_HELD_BYTES = 1_048_576

export class FaultProxy {
  /** Each chunk waits this long, in both directions; order is kept. */
  delayMs = 0
  /** Bytes per second in each direction; null = unlimited. */
  throttleBytesPerSecond: number | null = null
  /** Cuts a connection once this many more bytes of it have passed in `cutDirection`; null = never. Counted per connection. */
  cutAfterBytes: number | null = null
  cutDirection: Direction = 'toClient'
  /** Share of the chunks, 0 to 1, of which one bit is flipped, in each direction. */
  readonly corrupt = { toTarget: 0, toClient: 0 }
  /** Bits flipped so far. */
  flipped = 0
  /** Connections accepted so far. */
  accepted = 0
  /** Bytes that a deaf direction has swallowed so far. */
  swallowed = 0
  /** Chunks that wait now because of `delayMs` or `throttleBytesPerSecond`. */
  lagging = 0
  readonly #clock: Clock
  readonly #random: () => number
  #target: ProxyTarget | null = null
  #server: Server | null = null
  #port = 0
  #hole = false
  readonly #deaf = { toTarget: false, toClient: false }
  readonly #pairs = new Set<Pair>()
  readonly #waiting: (() => void)[] = []

  /** @param random chooses the chunks to corrupt and their bits; each number in [0, 1) */
  constructor(clock: Clock = systemClock, random: () => number = Math.random) {
    this.#clock = clock
    this.#random = random
  }

  /** Listens on 127.0.0.1 (any port, the same one again after `refuse`) and forwards to `target`. */
  async start(target: ProxyTarget): Promise<{ host: string; port: number }> {
    this.#target = target
    this.#port ||= await ownPort()
    await this.#listen()
    return { host: '127.0.0.1', port: this.#port }
  }

  /** New connections go there from now on: the program behind came back on another port. */
  retarget(target: ProxyTarget): void {
    this.#target = target
  }

  /** Connections that stand now. */
  get open(): number {
    return this.#pairs.size
  }

  /** Puts bytes of the test's own on the way to every client, between two chunks. */
  inject(bytes: Buffer): void {
    for (const { client } of this.#pairs) client.write(bytes)
  }

  /** Resets every connection (RST). New ones are let through. */
  cutAll(): void {
    for (const pair of [...this.#pairs]) kill(pair)
  }

  /** Resets every connection towards one side only; the other side keeps one that leads nowhere, until it gives it up itself. New ones are let through. */
  halfOpen(told: 'client' | 'target'): void {
    for (const pair of [...this.#pairs]) {
      pair.halfOpen = true
      resetSocket(told === 'client' ? pair.client : pair.upstream)
    }
  }

  /** On: nothing passes and nobody is told, as when a cable is pulled. Off: what waited passes on. */
  blackHole(on: boolean): void {
    this.#hole = on
    if (on) return
    for (const resume of this.#waiting.splice(0)) resume()
  }

  /** On: bytes of one direction are swallowed for good, the other works, nobody is told. */
  deafen(direction: Direction, on: boolean): void {
    this.#deaf[direction] = on
  }

  /** On: the port answers with a refusal, as when the program behind is down. Present connections are reset. */
  async refuse(on: boolean): Promise<void> {
    if (!on) {
      if (!this.#server) await this.#listen()
      return
    }
    const server = this.#server
    this.#server = null
    this.cutAll()
    if (server) await new Promise<void>((resolve) => server.close(() => resolve()))
  }

  async stop(): Promise<void> {
    this.#hole = false
    for (const resume of this.#waiting.splice(0)) resume()
    await this.refuse(true)
    giveBack(this.#port)
  }

  #listen(): Promise<void> {
    const server = createServer({ noDelay: true, allowHalfOpen: true }, (client) => this.#accept(client))
    this.#server = server
    return new Promise((resolve, reject) => {
      server.once('error', reject)
      server.listen(this.#port, '127.0.0.1', resolve)
    })
  }

  #accept(client: Socket): void {
    const target = this.#target
    if (!target) return void client.destroy()
    this.accepted++
    const upstream = dial({ ...target, noDelay: true, allowHalfOpen: true })
    const pair = { client, upstream, halfOpen: false }
    this.#pairs.add(pair)
    const gone = (): void => {
      if (pair.halfOpen && !(client.destroyed && upstream.destroyed)) return
      if (!this.#pairs.delete(pair)) return
      // In a black hole the other side does not hear of it either.
      void this.#passable().then(() => kill(pair))
    }
    for (const socket of [client, upstream]) {
      socket.on('error', () => socket.destroy())
      socket.on('close', gone)
    }
    this.#pipe(client, upstream, 'toTarget', pair)
    this.#pipe(upstream, client, 'toClient', pair)
  }

  #pipe(from: Socket, to: Socket, direction: Direction, pair: Pair): void {
    let passed = 0
    let line: Promise<void> = Promise.resolve()
    const next = (work: () => Promise<void>): void => {
      line = line.then(work).catch(() => kill(pair))
    }
    let held = 0
    from.on('data', (chunk: Buffer) => {
      const dueAt = this.#clock.monotonicMs() + this.delayMs
      held += chunk.length
      if (held > MAX_HELD_BYTES) from.pause()
      next(async () => {
        await this.#lag(chunk.length, dueAt)
        await this.#passable()
        if (this.#deaf[direction] || pair.halfOpen) this.swallowed += chunk.length
        else {
          const left =
            this.cutAfterBytes !== null && direction === this.cutDirection ? this.cutAfterBytes - passed : null
          passed += chunk.length
          const part = left === null ? chunk : chunk.subarray(0, Math.max(0, left))
          await write(to, this.#maybeCorrupted(part, direction))
          if (left !== null && passed >= left) return kill(pair)
        }
        held -= chunk.length
        from.resume()
      })
    })
    from.on('end', () =>
      next(async () => {
        await this.#passable()
        if (pair.halfOpen) from.end()
        else if (!this.#deaf[direction]) to.end()
      }),
    )
  }

  #maybeCorrupted(chunk: Buffer, direction: Direction): Buffer {
    if (chunk.length === 0 || this.#random() >= this.corrupt[direction]) return chunk
    const bit = Math.floor(this.#random() * chunk.length * 8)
    const changed = Buffer.from(chunk)
    changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
    this.flipped++
    return changed
  }

  async #lag(bytes: number, dueAt: number): Promise<void> {
    const throttle = this.throttleBytesPerSecond
    const waitMs = throttle ? (bytes * 1_000) / throttle : dueAt - this.#clock.monotonicMs()
    if (waitMs <= 0) return
    this.lagging++
    await this.#clock.sleep(waitMs)
    this.lagging--
  }

  #passable(): Promise<void> {
    return this.#hole ? new Promise((resolve) => this.#waiting.push(resolve)) : Promise.resolve()
  }
}

function write(socket: Socket, chunk: Buffer): Promise<void> {
  if (socket.destroyed || chunk.length === 0) return Promise.resolve()
  return new Promise((resolve) => socket.write(chunk, () => resolve()))
}

function kill({ client, upstream }: Pair): void {
  resetSocket(client)
  resetSocket(upstream)
}
