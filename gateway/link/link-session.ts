// The protocol on one connection: hello and welcome, jobs in the order of arrival, results, status. docs/wire-protocol.md has the rules.
//
// Everything that arrives in one turn of the event loop is processed together: neighbouring jobs share one commit, and one cumulative
// acknowledgement follows at the end.
import type { OrderIntake, StreamPosition } from '#gateway/orders/accept-order.ts'
import type { Cancel, Clock } from '#shared/clock.ts'
import type { Logger } from '#shared/log.ts'
import { SampledLog } from '#shared/sampled-log.ts'
import {
  CAP_ANOTHER_PRINTER,
  CAP_ASK,
  CAP_DIGEST,
  CAP_KITCHEN,
  CAP_ORDER_DETAILS,
  type DownMessage,
  type JobMessage,
  LINK_LIMITS,
  type MessageOf,
  type PrinterReport,
} from '#shared/wire/gateway-link.ts'
import { type Heard, isBelieved, type RelayKind, readDown } from './down-messages.ts'
import { Introduction, type IntroductionEvents, type IntroductionOptions } from './introduction.ts'
import { KitchenSender } from './kitchen-sender.ts'
import type { LinkStatus } from './link-options.ts'
import { ReportSender } from './report-sender.ts'
import { type UpBody, upText } from './up-messages.ts'

export interface SessionOptions extends IntroductionOptions {
  epoch: number
  /** Stores the jobs that arrived together in one commit. @returns the current position of the stream. */
  takeJobs(jobs: readonly JobMessage[], taking: TakingJobs): StreamPosition
}

export interface TakingJobs {
  intake: OrderIntake
  clock: Clock
  log: Logger
  gatewayId: string
  /** The relay sealed them. */
  isSealed: boolean
}

export interface SessionEvents extends IntroductionEvents {
  onWelcome(): void
  /** The relay gave the next password. */
  onNextToken?(token: string): void
  /** The relay is about to stop: it closes this connection after so long. */
  onMove?(withinMs: number): void
}

/** The same gap is complained about this rarely: each message behind it would do. And so is what was changed on its way. */
const NACK_EVERY_MS = 500
const STATUS_DEBOUNCE_MS = 100
const RESEND_CHECK_MS = 1_000

export class LinkSession {
  readonly epoch: number
  readonly #options: SessionOptions
  readonly #publish: (message: string) => void
  readonly #introduction: Introduction
  readonly #sender: ReportSender
  readonly #kitchen: KitchenSender | null
  readonly #warnings: SampledLog
  #inbox: Arrived[] = []
  #working = false
  /** A later connection has sent the number on the disk: no more jobs are accepted here. */
  #isHeld = false
  /** The relay got an idle status since its last welcome. */
  #saidIdle = false
  /** The state that the relay has. */
  #caps: readonly string[] = []
  #relay: RelayKind = 'unknown'
  #ended = false
  #nacked = { last: -1, atMs: Number.NEGATIVE_INFINITY }
  #events: SessionEvents | null = null
  #cancels: Cancel[] = []
  #cancelStatus: Cancel | null = null

  constructor(options: SessionOptions, publish: (message: string) => void) {
    this.#options = options
    this.#publish = publish
    this.epoch = options.epoch
    this.#warnings = new SampledLog(options.log, options.clock, 1)
    this.#introduction = new Introduction(options, (body) => this.#say(body))
    this.#sender = new ReportSender(options.reports, options.clock)
    this.#kitchen = options.kitchen
      ? new KitchenSender({ ...options, facts: options.kitchen }, (facts) => this.#say({ t: 'kitchen', facts }))
      : null
  }

  /** The connection is open: sends hello. */
  begin(welcomeTimeoutMs: number, events: SessionEvents): void {
    this.#events = events
    this.#introduction.begin(welcomeTimeoutMs, events)
  }

  /** The relay has answered our hello. */
  get welcomed(): boolean {
    return this.#introduction.welcomed
  }

  /**
   * A second connection sends hello now, with the last number on disk: everything that comes here from now on would be above that number,
   * so it waits.
   */
  hold(): void {
    this.#isHeld = true
    this.#introduction.isSuperseded = true
  }

  /** Nothing came of it, for now: what has waited is taken. */
  resume(): void {
    this.#isHeld = false
    if (this.#inbox.length > 0) this.#workSoon()
  }

  /** A message on the relay's topic: parsed or refused, never an exception. */
  receive(payload: Buffer): void {
    if (this.#ended) return
    const heard = readDown(payload)
    if (!isBelieved(heard, this.#relay)) this.#disbelieve(heard)
    else if (typeof heard.message === 'string') this.#refuse(heard.message)
    else this.#take(heard.message, heard.seal === 'sealed')
  }

  #take(message: DownMessage, isSealed: boolean): void {
    switch (message.t) {
      case 'welcome':
        // Of our other connection: at one broker both receive it.
        if (message.e === this.epoch) this.#welcome(message)
        return
      case 'move':
        if (message.e === this.epoch && this.welcomed) this.#events?.onMove?.(message.withinMs)
        return
      case 'rehello':
        this.#introduction.asked(message.withinMs)
        return
      case 'wait':
        // On another connection it was meant for the box that had this place before.
        if (message.e === this.epoch) this.#introduction.told(message.forMs)
        return
      case 'rack':
        this.#sender.acknowledged(message.jobIds)
        this.#sendReports()
        this.#sayIdleOnce()
        return
      case 'kack':
        this.#kitchen?.acknowledged(message.facts)
        return
      case 'told':
        this.#told(message)
        return
      case 'recall':
        this.#handBack(message)
        return
      case 'job':
      case 'skip':
      case 'cancel':
        // Not ours yet: it was meant for the box that had this place before, a copied card. After its welcome the gateway is sent its own jobs again.
        if (!this.welcomed) return
        this.#inbox.push({ message, isSealed })
        this.#workSoon()
        return
      case 'config':
        if (this.welcomed) void this.#configure(message)
        return
      case 'cred':
        if (this.welcomed) this.#events?.onNextToken?.(message.next)
        return
    }
  }

  end(): void {
    this.#ended = true
    this.#introduction.end()
    this.#cancelStatus?.()
    this.#kitchen?.stop()
    for (const cancel of this.#cancels.splice(0)) cancel()
  }

  #welcome({ t0, t1, t2, caps }: MessageOf<DownMessage, 'welcome'>): void {
    const { relayTime, clock, reports, status, identity } = this.#options
    relayTime.observe({ t0, t1, t2, t3: clock.monotonicMs() })
    identity.rememberTime(relayTime.now(), 'from-relay')
    if (this.#introduction.accepted()) {
      this.#cancels.push(
        reports.changed.subscribe(() => this.#sendReports()),
        status.changed.subscribe(() => this.#statusSoon()),
        clock.every(RESEND_CHECK_MS, () => this.#sendReports()),
        clock.every(LINK_LIMITS.statusEveryMs, () => this.#sendStatus()),
      )
      this.#events?.onWelcome()
    }
    // The relay may be another one than before: what was under way to the old one is not.
    this.#sender.reset()
    this.#caps = caps
    this.#relay = caps.includes(CAP_DIGEST) ? 'sealing' : 'older'
    if (caps.includes(CAP_KITCHEN)) this.#kitchen?.start(caps.includes(CAP_ORDER_DETAILS))
    this.#saidIdle = false
    this.#sendStatus()
    this.#sendReports()
    this.#options.doubt?.welcomed(
      caps.includes(CAP_ASK) ? (jobIds) => this.#say({ t: 'ask', jobIds: [...jobIds] }) : null,
    )
  }

  #told({ jobs }: MessageOf<DownMessage, 'told'>): void {
    try {
      this.#options.doubt?.told(jobs)
    } catch (error) {
      this.#options.log.error({ err: error }, 'what the relay said of waiting jobs could not be stored')
    }
  }

  /** The relay was restored: it asks for what it has forgotten. */
  #handBack(recall: MessageOf<DownMessage, 'recall'>): void {
    const { forgotten, identity, log } = this.#options
    if (!forgotten || !this.welcomed || recall.stream !== identity.stream()) return
    try {
      forgotten.stored(recall.after)
      const piece = forgotten.piece(recall)
      if (piece) this.#say({ t: 'hand-back', ...piece })
      else this.#kitchen?.start(this.#caps.includes(CAP_ORDER_DETAILS))
    } catch (error) {
      log.error({ err: error }, 'orders that the relay has lost could not be read')
    }
  }

  #workSoon(): void {
    if (this.#working) return
    this.#working = true
    setImmediate(() => {
      this.#working = false
      if (!this.#ended && !this.#isHeld) this.#work()
    })
  }

  /** In the order of arrival; one acknowledgement for all of it. */
  #work(): void {
    const inbox = this.#inbox
    this.#inbox = []
    const { identity, log } = this.#options
    const stream = identity.stream()
    let position: StreamPosition | null = null
    try {
      for (let i = 0; i < inbox.length; ) {
        const { message, isSealed = false } = inbox[i] ?? {}
        if (message?.t === 'cancel') this.#cancel(message)
        else if (message?.stream !== stream) this.#refuse('another stream')
        else if (position?.gap) {
          // Comes again behind what is missing.
        } else if (message.t === 'skip') position = this.#options.intake.skip(message.seq)
        else {
          const jobs = jobsFrom(inbox.slice(i), stream, isSealed)
          const { gatewayId } = this.#options.pairing
          position = this.#options.takeJobs(jobs, { ...this.#options, gatewayId, isSealed })
          i += jobs.length
          continue
        }
        i++
      }
    } catch (error) {
      // A full disk, most likely. Nothing was taken: the relay keeps it and comes back ever more slowly.
      log.error({ err: error }, 'jobs could not be stored')
      this.#say({ t: 'nack', stream, last: identity.lastSeq(), reason: 'full' })
      return
    }
    if (position?.unreadable !== undefined) this.#refuse(`job: ${position.unreadable}`)
    else if (position?.gap) this.#complain('gap')
    else if (position) this.#acknowledge(stream, position.last)
  }

  /** In the next turn: what was taken is laid out and sent to its printer first. */
  #acknowledge(stream: string, last: number): void {
    setImmediate(() => {
      if (!this.#ended) this.#say({ t: 'ack', stream, last })
    })
  }

  #cancel({ jobId, orderVoided, reason }: MessageOf<DownMessage, 'cancel'>): void {
    const outcome = this.#options.intake.cancel(jobId, orderVoided, reason)
    this.#say({ t: 'cmd.result', cmd: 'cancel', jobId, outcome })
  }

  async #configure({ ver, sha256, doc }: MessageOf<DownMessage, 'config'>): Promise<void> {
    const { config } = this.#options
    if (!config) return this.#refuse('unknown type config')
    this.#say({ t: 'config.result', ...(await config.apply({ ver, sha256, doc })) })
    this.#sendStatus()
  }

  /** A number is missing, or what may have been one was changed on its way: the relay sends again what we do not have. */
  #complain(reason: 'gap' | 'corrupt'): void {
    const { identity, clock } = this.#options
    const [now, last] = [clock.monotonicMs(), identity.lastSeq()]
    if (this.#nacked.last === last && now - this.#nacked.atMs < NACK_EVERY_MS) return
    this.#nacked = { last, atMs: now }
    this.#say({ t: 'nack', stream: identity.stream(), last, reason })
  }

  /** It is damaged, or lacks the seal that this relay's messages have: what matters comes again. */
  #disbelieve({ seal, message }: Heard): void {
    const type = typeof message === 'string' ? null : message.t
    // Meant for the box that had this place before.
    if (this.#relay === 'unknown' && seal === 'unsealed' && type !== 'welcome') return
    this.#warnings.warn('damaged', { seal }, 'message from the relay is damaged, or lacks its seal: dropped')
    if (this.#relay === 'sealing') this.#complain('corrupt')
    else this.#introduction.again()
  }

  #refuse(what: string): void {
    const { identity, log } = this.#options
    const detail = what.slice(0, 200)
    log.warn({ detail }, 'message from the relay could not be understood')
    const reason = what.startsWith('unknown type') ? 'unsupported' : 'invalid'
    this.#say({ t: 'nack', stream: identity.stream(), last: identity.lastSeq(), reason, detail })
  }

  #sendReports(): void {
    if (!this.welcomed || this.#ended) return
    this.#sender.send(({ payload }) => this.#say({ t: 'result', ...payload }))
  }

  #statusSoon(): void {
    this.#cancelStatus ??= this.#options.clock.after(STATUS_DEBOUNCE_MS, () => this.#sendStatus())
  }

  /**
   * A restored relay requests lost results when it gets an idle status. A welcome that crosses a result
   * on its way would make it wait for the next regular status.
   */
  #sayIdleOnce(): void {
    const { reports, status } = this.#options
    if (this.#saidIdle || !this.welcomed || !reports.isEmpty()) return
    if (!status.isPrinting()) this.#sendStatus()
  }

  #sendStatus(): void {
    this.#cancelStatus?.()
    this.#cancelStatus = null
    if (this.#ended) return
    const { status, relayTime, rssBytes, config } = this.#options
    const snapshot = status.snapshot()
    this.#saidIdle ||= isIdle(snapshot)
    this.#say({
      t: 'status',
      ...snapshot,
      printers: reportsFor(this.#caps, snapshot.printers),
      cfgVer: config?.version() ?? 0,
      clockOffsetMs: relayTime.offsetMs(),
      rssBytes: rssBytes?.() ?? 0,
    })
  }

  #say(body: UpBody): void {
    this.#publish(upText(body, { epoch: this.epoch, nowMs: this.#options.relayTime.now() }))
  }
}

function isIdle({ queue: { queued, unreported } }: ReturnType<LinkStatus['snapshot']>): boolean {
  return queued + unreported === 0
}

// Messages of the stream as they arrived in one turn, and which of them are taken in one commit.
type Sequenced = MessageOf<DownMessage, 'job' | 'skip' | 'cancel'>

interface Arrived {
  message: Sequenced
  isSealed: boolean
}

/** The jobs of our stream that follow each other, proven alike. */
function jobsFrom(inbox: readonly Arrived[], stream: string, isSealed: boolean): JobMessage[] {
  const jobs: JobMessage[] = []
  for (const { message, isSealed: isThis } of inbox) {
    if (message.t !== 'job' || message.stream !== stream || isThis !== isSealed) break
    jobs.push(message)
  }
  return jobs
}

// The gateway's messages to a relay of an older version, with the values that it supports. Pure.

/** @param caps of the relay's welcome; a relay without a printer reason would refuse the whole status */
export function reportsFor(caps: readonly string[], printers: readonly PrinterReport[]): PrinterReport[] {
  if (caps.includes(CAP_ANOTHER_PRINTER)) return [...printers]
  return printers.map((printer) => ({
    ...printer,
    reasons: printer.reasons.map((reason) => (reason === 'another-printer' ? 'not-responding' : reason)),
  }))
}
