// Tickets on a disk that may be an older image: held until the relay has answered which of their jobs have ended, at most for five seconds. Then they print, marked.
import { isDiskFull } from '#gateway/storage/database.ts'
import type { DiskVerdict } from '#gateway/storage/disk-proof.ts'
import { withdrawSettled } from '#gateway/storage/settled-job.ts'
import type { TicketDoor } from '#gateway/storage/ticket-door.ts'
import type { Cancel, Clock } from '#shared/clock.ts'
import type { Logger } from '#shared/log.ts'
import type { Service } from '#shared/service.ts'
import { LINK_LIMITS, type ToldJob } from '#shared/wire/gateway-link.ts'

export interface DoubtDeskOptions {
  disk: DiskVerdict
  door: TicketDoor
  /** Whether there is a relay to ask. */
  isPaired: () => boolean
  clock: Clock
  log: Logger
}

/** From the start of the gateway. A kitchen waits no longer for a relay that may be away. */
const WAIT_MS = 5_000
const AGAIN_MS = 1_000
const REST_PRINTS = 'what waited on the older copy prints now, marked'
const NOTHING_PRINTS = 'nothing that waited on the older copy prints: the relay had the results of all of it'

export class DoubtDesk implements Service {
  readonly #options: DoubtDeskOptions
  /** Jobs without an answer from the relay yet. */
  readonly #open: Set<string>
  /** What it is being asked, on the present connection. */
  #asked: readonly string[] = []
  #ask: ((jobIds: readonly string[]) => void) | null = null
  #withdrawn = 0
  #cancelWait: Cancel = () => {}

  constructor(options: DoubtDeskOptions) {
    this.#options = options
    this.#open = new Set(options.disk.jobIds)
  }

  /** How many of the marked tickets were taken out, because the relay had the results of their jobs. */
  get withdrawn(): number {
    return this.#withdrawn
  }

  /** What waits is held back until the relay has answered. */
  get isHolding(): boolean {
    return this.#options.door.claims.isHeld
  }

  /** Before the queue starts: from then on nothing is claimed until the relay has answered, or its time is over. */
  async start(): Promise<void> {
    const { door, isPaired, clock } = this.#options
    if (this.#open.size === 0 || !isPaired()) return
    door.claims.hold()
    this.#cancelWait = clock.after(WAIT_MS, () => this.#release('the relay did not answer'))
  }

  async stop(): Promise<void> {
    this.#cancelWait()
    this.#ask = null
  }

  /** @param ask sends one question; null: this relay is older and cannot be asked */
  welcomed(ask: ((jobIds: readonly string[]) => void) | null): void {
    if (this.#open.size === 0) return
    this.#ask = ask
    this.#asked = []
    if (ask === null) this.#release('the relay is older and cannot tell what has ended')
    else this.#askNext()
  }

  /** @throws SqliteError when the disk refuses the write: the relay is asked again after the next welcome */
  told(jobs: readonly ToldJob[]): void {
    const { door } = this.#options
    for (const { jobId, state } of jobs) {
      if (!this.#open.has(jobId)) continue
      if (state === 'on-paper' || state === 'ended')
        this.#withdrawn += withdrawSettled(door, jobId, state === 'on-paper')
      this.#open.delete(jobId)
    }
    // What it does not answer now, it will not answer the next time either.
    for (const jobId of this.#asked) this.#open.delete(jobId)
    this.#askNext()
  }

  #askNext(): void {
    this.#asked = [...this.#open].slice(0, LINK_LIMITS.askJobs)
    if (this.#asked.length > 0) this.#ask?.(this.#asked)
    else this.#release('the relay has answered')
  }

  #release(why: string): void {
    const { disk, door, clock, log } = this.#options
    this.#cancelWait()
    if (!door.claims.isHeld) return
    try {
      door.releaseClaims()
      const marked = disk.marked - this.#withdrawn
      log.warn({ why, withdrawn: this.#withdrawn, marked }, marked === 0 ? NOTHING_PRINTS : REST_PRINTS)
    } catch (error) {
      if (!isDiskFull(error)) throw error
      this.#cancelWait = clock.after(AGAIN_MS, () => this.#release(why))
    }
  }
}
