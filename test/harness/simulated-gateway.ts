// A gateway that speaks the real protocol and prints nothing: thousands of them fit into one process. It connects, says hello, waits as it is
// told, acknowledges jobs, reports them as printed, sends its status, and comes back as a box does when the connection is lost.
import { randomUUID } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { CONNECT_PATIENCE } from '#gateway/link/connect-patience.ts'
import { type AttemptEnd, ReconnectDelays, toldDelayMs } from '#gateway/link/reconnect-delay.ts'
import { type UpBody, upText } from '#gateway/link/up-messages.ts'
import type { Cancel, Clock } from '#shared/clock.ts'
import { openText } from '#shared/link-seal.ts'
import type { TicketEvidence } from '#shared/print-job.ts'
import { Signal } from '#shared/signal.ts'
import {
  CAP_DIGEST,
  CAP_ORDER_DETAILS,
  CAP_PRINT_JOBS,
  CAP_WAIT,
  type DownMessage,
  downMessage,
  LINK_LIMITS,
  type LinkTopics,
  type MessageOf,
  PROTOCOL,
} from '#shared/wire/gateway-link.ts'
import {
  connectPacket,
  type Packet,
  PacketSplitter,
  PING,
  pubackPacket,
  publishPacket,
  readPacket,
  subscribePacket,
} from './mqtt-light.ts'

export interface SimulatedIdentity {
  gatewayId: string
  token: string
  topics: LinkTopics
}

export interface SimulatedOptions extends SimulatedIdentity {
  port: number
  host?: string
  /** Source address, so that many of them do not run out of ports. */
  localAddress?: string
  /** Sent before anything else on each connection, such as a PROXY header. */
  preamble?: Buffer
  /** False: of an older release, that is not told to wait and is less patient. */
  knowsWait?: boolean
  clock: Clock
  random?: () => number
  /** A new job was acknowledged. */
  onJob?: (job: MessageOf<DownMessage, 'job'>) => void
  /** True: what it says it printed has evidence of one ticket; else none, and the order's paper is uncertain. */
  provesPaper?: boolean
  /** A job came, for the first time or again. */
  onArrived?: (job: MessageOf<DownMessage, 'job'>, known: KnownBefore) => void
}

/** What a gateway's disk says of a job that comes. `number`: it has this number of the stream. `job`: it has this job, by whichever number. */
export interface KnownBefore {
  number: boolean
  job: boolean
}

/** What a gateway of an older release has patience for: one time from the beginning until CONNACK. */
const OLDER = { answerMs: 8_000, subscribedMs: 5_000, welcomeMs: 5_000 } as const

export class SimulatedGateway {
  readonly gatewayId: string
  /** It was welcomed, or lost its connection. */
  readonly changed = new Signal()
  /** Connections that reached the relay's machine, tries that were refused there, what was said on them, and those given up because no answer came in time. */
  readonly counts = { attempts: 0, refused: 0, hellos: 0, waits: 0, welcomes: 0, jobs: 0, racks: 0, late: 0 }
  readonly #options: SimulatedOptions
  readonly #bootId = randomUUID()
  readonly #stream: string
  /** Jobs that it ever had, and of these the ones whose result the relay has not acknowledged. */
  readonly #jobs = new Set<string>()
  readonly #unreported = new Set<string>()
  #epoch = 0
  #last = 0
  readonly #delays: ReconnectDelays
  #welcomedAtMs = 0
  #running = false
  #welcomed = false
  #socket: Socket | null = null
  #packetId = 0
  #timers = new Set<Cancel>()
  #cancelPatience: Cancel = () => {}

  constructor(options: SimulatedOptions) {
    this.#options = options
    this.gatewayId = options.gatewayId
    this.#stream = `stream-${options.gatewayId}`
    this.#delays = new ReconnectDelays(options.random ?? Math.random)
  }

  get welcomed(): boolean {
    return this.#welcomed
  }

  start(): void {
    if (this.#running) return
    this.#running = true
    this.#welcomedAtMs = this.#options.clock.monotonicMs()
    this.#connect()
  }

  /** Leaves as after a power cut, for good. */
  stop(): void {
    this.#running = false
    this.#forgetTimers()
    this.#socket?.destroy()
  }

  /** The connection breaks; it comes back as a box does. */
  breaks(): void {
    this.#socket?.destroy()
  }

  say(body: UpBody): void {
    this.sayText(upText(body, { epoch: this.#epoch, nowMs: this.#options.clock.now() }))
  }

  /** Anything, as the text of a message. @returns false when the socket's buffer is full */
  sayText(text: string): boolean {
    this.#packetId = (this.#packetId % 65_535) + 1
    return this.#socket?.write(publishPacket(this.#options.topics.up, text, this.#packetId)) ?? true
  }

  hello(): void {
    const { knowsWait = true, clock } = this.#options
    this.counts.hellos++
    this.say({
      ...{ t: 'hello', proto: [...PROTOCOL], stream: this.#stream, last: this.#last, bootId: this.#bootId },
      ...{ app: 'simulated/1', cfgVer: 0, t0: clock.monotonicMs(), unreported: this.#unreported.size },
      caps: [CAP_DIGEST, 'job:order', CAP_PRINT_JOBS, CAP_ORDER_DETAILS, ...(knowsWait ? [CAP_WAIT] : [])],
    })
  }

  status(): void {
    const printer = { printerId: 'prn_1', name: 'Kitchen', stations: [], isDefault: true, state: 'online' as const }
    this.say({
      ...{ t: 'status', printers: [{ ...printer, reasons: [], queued: 0 }], cfgVer: 0, clockOffsetMs: 0 },
      ...{ queue: { queued: 0, held: 0, unreported: this.#unreported.size }, rssBytes: 60_000_000 },
    })
  }

  #connect(): void {
    const { host = '127.0.0.1', port, localAddress, knowsWait = true, clock } = this.#options
    const splitter = new PacketSplitter()
    let end: Exclude<AttemptEnd, 'lost'> = 'failed'
    const socket = connect({ host, port, noDelay: true, ...(localAddress !== undefined && { localAddress }) })
    this.#socket = socket
    this.#epoch++
    const giveUp = (): void => this.#giveUp()
    this.#patience(knowsWait ? CONNECT_PATIENCE.reachMs : OLDER.answerMs, giveUp)
    socket.on('connect', () => {
      this.counts.attempts++
      if (knowsWait) this.#patience(CONNECT_PATIENCE.answerMs, giveUp)
      this.#introduce(socket)
    })
    socket.on('data', (chunk) => {
      for (const packet of splitter.take(chunk)) this.#take(readPacket(packet))
    })
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNREFUSED') return
      end = 'refused'
      this.counts.refused++
    })
    socket.on('close', () => {
      this.#forgetTimers()
      const lost = this.#welcomed
      this.#welcomed = false
      if (lost) this.#welcomedAtMs = clock.monotonicMs()
      if (lost) this.changed.notify()
      if (!this.#running) return
      const waitMs = this.#delays.afterMs(lost ? 'lost' : end, clock.monotonicMs() - this.#welcomedAtMs)
      this.#after(waitMs, () => this.#connect())
    })
  }

  #giveUp(): void {
    this.counts.late++
    this.breaks()
  }

  #introduce(socket: Socket): void {
    const { gatewayId, token, topics, preamble, clock } = this.#options
    const envelope = { epoch: this.#epoch, nowMs: clock.now() }
    const will = { topic: topics.up, payload: upText({ t: 'will' }, envelope) }
    const { keepaliveSeconds } = LINK_LIMITS
    if (preamble) socket.write(preamble)
    socket.write(connectPacket({ name: gatewayId, password: token, keepaliveSeconds, will }))
  }

  #take(packet: Packet): void {
    const { topics } = this.#options
    if (packet.type === 'publish') {
      // A broker that is not acknowledged stops saying anything.
      if (packet.packetId !== null) this.#socket?.write(pubackPacket(packet.packetId))
      this.#hear(packet.payload)
    } else if (packet.type === 'connack' && packet.code === 0) {
      this.#patience(this.#limits.subscribedMs, () => this.#giveUp())
      const { clock } = this.#options
      this.#timers.add(clock.every(LINK_LIMITS.keepaliveSeconds * 1_000, () => this.#socket?.write(PING)))
      this.#socket?.write(subscribePacket([topics.down, topics.all]))
    } else if (packet.type === 'suback') {
      this.#patience(this.#limits.welcomeMs, () => this.#giveUp())
      this.hello()
    }
  }

  get #limits(): { subscribedMs: number; welcomeMs: number } {
    return this.#options.knowsWait === false ? OLDER : CONNECT_PATIENCE
  }

  #hear(payload: Buffer): void {
    const message = downMessage.safeParse(openText(payload).json).data
    if (!message) throw new Error(`the relay said what no gateway understands: ${payload.toString().slice(0, 200)}`)
    switch (message.t) {
      case 'welcome':
        this.#enter()
        return
      case 'wait':
        this.#waits(message)
        return
      case 'rehello':
        this.#after(message.withinMs * (this.#options.random ?? Math.random)(), () => this.hello())
        return
      case 'rack':
        this.counts.racks += message.jobIds.length
        for (const jobId of message.jobIds) this.#unreported.delete(jobId)
        return
      case 'job':
        if (this.#welcomed) this.#job(message)
        return
      case 'skip':
        if (message.seq === this.#last + 1) this.#last++
        this.say({ t: 'ack', stream: this.#stream, last: this.#last })
        return
      case 'cancel':
        this.say({ t: 'cmd.result', cmd: 'cancel', jobId: message.jobId, outcome: 'too_late' })
        return
      default:
        return
    }
  }

  #enter(): void {
    this.#cancelPatience()
    this.counts.welcomes++
    this.#delays.welcomed()
    if (!this.#welcomed) {
      const { clock } = this.#options
      this.#timers.add(clock.every(LINK_LIMITS.statusEveryMs, () => this.status()))
      this.#timers.add(clock.every(LINK_LIMITS.resultResendMs, () => this.#report(this.#unreported)))
    }
    this.#welcomed = true
    this.status()
    this.#report(this.#unreported)
    this.changed.notify()
  }

  #waits({ e, forMs }: MessageOf<DownMessage, 'wait'>): void {
    if (e !== this.#epoch || this.#options.knowsWait === false) return
    this.counts.waits++
    this.#patience(toldDelayMs(forMs, this.#options.random ?? Math.random), () => {
      this.#patience(this.#limits.welcomeMs, () => this.#giveUp())
      this.hello()
    })
  }

  #job(job: MessageOf<DownMessage, 'job'>): void {
    const { onJob, onArrived } = this.#options
    if (job.seq > this.#last + 1) {
      this.say({ t: 'nack', stream: this.#stream, last: this.#last, reason: 'gap' })
      return
    }
    onArrived?.(job, { number: job.seq <= this.#last, job: this.#jobs.has(job.jobId) })
    if (job.seq === this.#last + 1) this.#last++
    this.say({ t: 'ack', stream: this.#stream, last: this.#last })
    const isNew = !this.#jobs.has(job.jobId)
    this.#jobs.add(job.jobId)
    this.#unreported.add(job.jobId)
    this.#report([job.jobId])
    if (!isNew) return
    this.counts.jobs++
    onJob?.(job)
  }

  /** On paper, and said again until the relay has it. */
  #report(jobIds: Iterable<string>): void {
    const at = this.#options.clock.now()
    for (const jobId of jobIds) {
      const tickets = this.#options.provesPaper === true ? [ticketOf(jobId, at)] : []
      this.say({ t: 'result', jobId, state: 'printed', startedAt: at, endedAt: at, reason: null, tickets })
    }
  }

  /** One wait at a time: for the connection, for the welcome, or as the relay said. */
  #patience(ms: number, fn: () => void): void {
    this.#cancelPatience()
    this.#cancelPatience = this.#after(ms, fn)
  }

  #after(ms: number, fn: () => void): Cancel {
    const cancel = this.#options.clock.after(ms, () => {
      this.#timers.delete(cancel)
      fn()
    })
    this.#timers.add(cancel)
    return () => {
      this.#timers.delete(cancel)
      cancel()
    }
  }

  #forgetTimers(): void {
    for (const cancel of this.#timers) cancel()
    this.#timers.clear()
  }
}

function ticketOf(jobId: string, atMs: number): TicketEvidence {
  return {
    ticketId: `${jobId}.1`,
    ...{ printerId: 'prn_1', printerName: 'Kitchen', state: 'printed', possibleDuplicate: false },
    ...{ confirmation: 'confirmed', method: 'gs-r', attempts: 1, reason: null },
    ...{ firstByteAtMs: atMs, printedAtMs: atMs },
  }
}
