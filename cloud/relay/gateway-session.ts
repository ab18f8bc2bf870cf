// One gateway from its hello to its end: what it was sent, what it has, and which cancels it was sent. In memory only; the next hello
// rebuilds it from the database.
//
// next() gives what to send: first numbers that were given out before this hello and are not on the gateway's disk, then new claims.
// A number whose job is final or was cancelled is sent as `skip`, so that the stream has no gap.

import type { RelayDatabase } from '#cloud/storage/database.ts'
import { isFinal } from '#cloud/storage/dispatch-states.ts'
import type { DispatchStore, OutgoingJob } from '#cloud/storage/dispatch-store.ts'
import type { RecallRange } from '#cloud/storage/hand-back-store.ts'
import type { Cancel, Clock } from '#shared/clock.ts'
import type { GatewayId, LocationId } from '#shared/ids.ts'
import type { Logger } from '#shared/log.ts'
import type { SampledLog } from '#shared/sampled-log.ts'
import { jobDoc, LINK_LIMITS } from '#shared/wire/gateway-link.ts'
import { topicsOf } from './broker-rules.ts'
import { downText, type Envelope, jobText } from './down-messages.ts'
import { foldDetails } from './fold-details.ts'
import type { LinkObserver } from './link-observer.ts'
import { SendWindow } from './send-window.ts'

export interface SessionDeps {
  db: RelayDatabase
  dispatches: DispatchStore
  publish(topic: string, payload: string): void
  clock: Clock
  log: Logger
  /** Outlives a session: a new hello must not reset its counts. */
  lines: SampledLog
  /** Whether an order for this location may already be on paper there without this relay's knowledge. */
  isInDoubt(locationId: LocationId): boolean
  observer?: LinkObserver | undefined
}

export interface SessionFacts {
  gatewayId: GatewayId
  locationId: LocationId
  stream: string
  epoch: number
  bootId: string
  /** Last number on the gateway's disk. */
  acked: number
  /** Highest number given out on this stream. */
  lastSeq: number
  /** True when this is a new connection: nothing of an older one is still under way, so a job that was not accepted can be taken back. */
  fresh: boolean
  /** It is older than the kitchen's details of an order, and gets their words in the fields that it supports. */
  isWithoutDetails: boolean
  /** It is older than the seal of messages: its unsealed messages are accepted. */
  isWithoutDigests: boolean
  /** It opens a second connection when it is asked to. */
  canMove: boolean
  /** Numbers of jobs that it hands back before it is sent others; null: this relay has forgotten nothing of it. */
  recall: RecallRange | null
}

export type Outgoing = { kind: 'job'; job: OutgoingJob } | { kind: 'skip'; seq: number; job: OutgoingJob | null }

/** Acceptances are written together with the next claim, or after this time. */
const PERSIST_AFTER_MS = 25
/** Without progress the wait for an acknowledgement doubles this often: a frozen gateway is not flooded. */
const MAX_DOUBLINGS = 4
const CLAIM = { name: 'claim' } as const
/** A gateway that misses one number sends a nack for each message that follows. */
const REWIND_AT_MOST_EVERY_MS = 100

export class GatewaySession {
  readonly facts: SessionFacts
  readonly #deps: SessionDeps
  readonly #window: SendWindow
  readonly #down: string
  /** Jobs that were taken back before the gateway had them: cancelled for good once their skip is acknowledged. */
  readonly #skipped = new Map<number, OutgoingJob>()
  #lastSeq: number
  #persisted: number
  #closed = false
  /** It hands back what the relay has forgotten: what waits may be among it. */
  #isHeld: boolean
  #timeouts = 0
  #rewoundAt = Number.NEGATIVE_INFINITY
  #cancelAckTimer: Cancel | null = null
  #cancelPersist: Cancel | null = null

  constructor(facts: SessionFacts, deps: SessionDeps) {
    this.facts = facts
    this.#deps = deps
    this.#window = new SendWindow(facts.acked)
    this.#lastSeq = facts.lastSeq
    this.#persisted = facts.acked
    this.#isHeld = facts.recall !== null
    this.#down = topicsOf(facts.gatewayId).down
  }

  get closed(): boolean {
    return this.#closed
  }

  get acked(): number {
    return this.#window.acked
  }

  get hasRoom(): boolean {
    return (
      !this.#closed && !this.#isHeld && this.#window.roomJobs > 0 && (this.#window.roomBytes > 0 || this.#window.empty)
    )
  }

  /** True while numbers that were given out earlier are still to be sent. */
  get behind(): boolean {
    return this.#window.last < this.#lastSeq
  }

  /** What to send next, already committed; empty when there is nothing or no room. Closes itself when another session took over. */
  async next(): Promise<Outgoing[]> {
    if (!this.hasRoom) return []
    return this.behind ? this.#handedOutBefore() : this.#claim()
  }

  /** Publishes and remembers it until it is acknowledged. */
  send(outgoing: Outgoing): void {
    if (this.#closed) return
    const seq = outgoing.kind === 'job' ? outgoing.job.seq : outgoing.seq
    const payload =
      outgoing.kind === 'job'
        ? jobText(this.#readable(outgoing.job), this.facts.stream, this.#envelope())
        : downText({ t: 'skip', stream: this.facts.stream, seq }, this.#envelope())
    if (outgoing.kind === 'skip' && outgoing.job && !isFinal(outgoing.job.state)) this.#skipped.set(seq, outgoing.job)
    const jobId = outgoing.kind === 'job' ? outgoing.job.jobId : null
    this.#window.add({ seq, jobId, bytes: outgoing.kind === 'job' ? outgoing.job.bytes : 0, payload })
    this.#deps.publish(this.#down, payload)
    this.#armAckTimer()
  }

  #readable(job: OutgoingJob): OutgoingJob {
    if (!this.facts.isWithoutDetails) return job
    const doc = jobDoc.safeParse(JSON.parse(job.doc))
    return doc.success ? { ...job, doc: JSON.stringify(foldDetails(doc.data)) } : job
  }

  /** Any message that is not part of the sequence. */
  say(body: Parameters<typeof downText>[0]): void {
    if (!this.#closed) this.#deps.publish(this.#down, downText(body, this.#envelope()))
  }

  /** The gateway's disk has everything up to `last`. @returns the jobs that are cancelled by it: their skip arrived. */
  acknowledged(last: number): OutgoingJob[] {
    const done = this.#window.acknowledge(last)
    if (done === null) {
      const { gatewayId } = this.facts
      this.#deps.lines.warn(gatewayId, { gatewayId, last }, 'acknowledgement of a number that was never sent')
      return []
    }
    if (done.length === 0) return []
    this.#timeouts = 0
    this.#armAckTimer(true)
    this.#persistSoon()
    const cancelled = done.flatMap(({ seq }) => this.#skipped.get(seq) ?? [])
    for (const { seq } of done) this.#skipped.delete(seq)
    return cancelled
  }

  /** Sends again everything that is not acknowledged. */
  rewind(): void {
    const now = this.#deps.clock.monotonicMs()
    if (this.#closed || now - this.#rewoundAt < REWIND_AT_MOST_EVERY_MS) return
    this.#rewoundAt = now
    if (!this.#window.empty) this.#deps.observer?.rewound()
    for (const { payload } of this.#window.unacked) this.#deps.publish(this.#down, payload)
    this.#armAckTimer(true)
  }

  /** From now on it is sent jobs. */
  release(): void {
    this.#isHeld = false
  }

  close(): void {
    this.#closed = true
    this.#cancelAckTimer?.()
    this.#cancelPersist?.()
  }

  /** Writes what was acknowledged and is not in the database yet. */
  async persist(): Promise<void> {
    this.#cancelPersist?.()
    this.#cancelPersist = null
    if (this.#persisted < this.acked)
      this.#hasPersisted(await this.#deps.db.unit((tx) => this.#persistIn(tx), { name: 'acks' }))
  }

  async #claim(): Promise<Outgoing[]> {
    const { db, dispatches, clock } = this.#deps
    const { claimed, upToSeq } = await db.unit(async (tx) => {
      const upToSeq = await this.#persistIn(tx)
      const claimed = await dispatches.claim(tx, {
        ...this.facts,
        lastSeq: this.#lastSeq,
        isInDoubt: this.#deps.isInDoubt(this.facts.locationId),
        maxJobs: this.#window.roomJobs,
        maxBytes: this.#window.roomBytes,
        atLeastOne: this.#window.empty,
        nowMs: clock.now(),
      })
      return { claimed, upToSeq }
    }, CLAIM)
    this.#hasPersisted(upToSeq)
    if (claimed === null) this.close()
    const jobs = claimed ?? []
    this.#lastSeq = jobs.at(-1)?.seq ?? this.#lastSeq
    return jobs.map((job) => ({ kind: 'job', job }))
  }

  async #handedOutBefore(): Promise<Outgoing[]> {
    const { gatewayId, stream, fresh } = this.facts
    const afterSeq = this.#window.last
    const count = Math.min(this.#lastSeq - afterSeq, this.#window.roomJobs)
    const rows = await this.#deps.dispatches.claimedAfter({ gatewayId, stream, afterSeq, count })
    const bySeq = new Map(rows.map((job) => [job.seq, job]))
    const batch: Outgoing[] = []
    let bytes = 0
    for (let seq = afterSeq + 1; seq <= afterSeq + count; seq++) {
      const job = bySeq.get(seq) ?? null
      if (job === null || isFinal(job.state) || (fresh && job.cancelRequested)) {
        batch.push({ kind: 'skip', seq, job })
        continue
      }
      bytes += job.bytes
      if (bytes > this.#window.roomBytes && !(this.#window.empty && batch.length === 0)) break
      batch.push({ kind: 'job', job })
    }
    return batch
  }

  /** @returns what is in the database when the unit is: it may be undone, or run again */
  async #persistIn(tx: Parameters<DispatchStore['accept']>[0]): Promise<number> {
    const { gatewayId, stream } = this.facts
    const upToSeq = this.acked
    if (upToSeq <= this.#persisted) return this.#persisted
    const nowMs = this.#deps.clock.now()
    await this.#deps.dispatches.accept(tx, { gatewayId, stream, afterSeq: this.#persisted, upToSeq, nowMs })
    return upToSeq
  }

  #hasPersisted(upToSeq: number): void {
    this.#persisted = Math.max(this.#persisted, upToSeq)
  }

  #persistSoon(): void {
    this.#cancelPersist ??= this.#deps.clock.after(PERSIST_AFTER_MS, () => {
      this.persist().catch((error: unknown) =>
        // Not fatal: the gateway's next hello contains the same number.
        this.#deps.lines.warn(
          'sessions',
          { gatewayId: this.facts.gatewayId, err: error },
          'acceptance could not be stored',
        ),
      )
    })
  }

  #armAckTimer(again = false): void {
    if (this.#cancelAckTimer && !again) return
    this.#cancelAckTimer?.()
    this.#cancelAckTimer = null
    if (this.#window.empty) return
    const waitMs = LINK_LIMITS.ackTimeoutMs * 2 ** Math.min(this.#timeouts, MAX_DOUBLINGS)
    this.#cancelAckTimer = this.#deps.clock.after(waitMs, () => {
      this.#timeouts++
      this.rewind()
    })
  }

  #envelope(): Envelope {
    return { epoch: this.facts.epoch, nowMs: this.#deps.clock.now() }
  }
}
