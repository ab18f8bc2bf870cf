// The kitchen of sandbox locations that no gateway is paired with. It takes their jobs from the outbox like a gateway, renders the very
// tickets that a gateway would send to its printers, keeps them, and reports through the same door.
//
// A job's way: claimed at once, printed 300 ms later (or at its notBefore), kept, reported. All of it is in the database, so a start
// goes on where the last one ended. A job that is cancelled before it is printed never prints; one that was printed gets a VOID slip.

import type { RecordResult } from '#cloud/relay/gateway-reports.ts'
import type { RelayDatabase, Tx } from '#cloud/storage/database.ts'
import { isFinal } from '#cloud/storage/dispatch-states.ts'
import type { DispatchStore } from '#cloud/storage/dispatch-store.ts'
import type { PrintJobStore } from '#cloud/storage/print-job-store.ts'
import type { KitchenAt, KitchenJob, SandboxKitchenStore } from '#cloud/storage/sandbox-kitchen-store.ts'
import type { SandboxTicketStore } from '#cloud/storage/sandbox-ticket-store.ts'
import type { Cancel, Clock } from '#shared/clock.ts'
import type { LocationId, PrintJobId } from '#shared/ids.ts'
import type { Logger } from '#shared/log.ts'
import type { Service } from '#shared/service.ts'
import { hasVoidSlip } from '#shared/tickets/route-job.ts'
import type { TextRaster } from '#shared/tickets/text-raster.ts'
import { jobDoc } from '#shared/wire/gateway-link.ts'
import { type JobToPrint, type PrintedTicket, printJob, unprintedEvidence, voidSlips } from './print-job.ts'

export interface SimulatedKitchenDeps {
  db: RelayDatabase
  dispatches: DispatchStore
  printJobs: PrintJobStore
  sandboxKitchens: SandboxKitchenStore
  sandboxTickets: SandboxTicketStore
  recordResult: RecordResult
  /** Draws what printers have no characters for; without one such characters are transliterated. */
  raster?: TextRaster | null
  /** Customers' data, names on paper too, are kept no longer than this. */
  retentionDays: number
  clock: Clock
  /** Determines what is old enough to be deleted. */
  deletionClock: Pick<Clock, 'now'>
  log: Logger
}

/** What a fast printer needs for a ticket. */
const PRINT_MS = 300
/** The poll behind the wake-ups: finds jobs whose time has come, and whatever a wake-up missed. */
const SWEEP_MS = 1_000
const AGAIN_MS = 1_000
const CLAIM_JOBS = 64
const CLAIM_BYTES = 8_388_608
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Paper is kept for a week, and thrown away in pieces that hold no order up. */
const KEPT_DAYS = 7
const PRUNE_PIECE = 200

export class SimulatedKitchen implements Service {
  readonly #deps: SimulatedKitchenDeps
  /** Claimed jobs, and how to call off their printing. */
  readonly #held = new Map<PrintJobId, Cancel>()
  readonly #printing = new Set<PrintJobId>()
  /** Locations to read, in the order in which they called. */
  readonly #waiting = new Set<LocationId>()
  readonly #working = new Set<Promise<void>>()
  /** Locations without a simulated kitchen since the last sweep: real ones call with every order. The next sweep checks again. */
  readonly #elsewhere = new Set<LocationId>()
  #looking = false
  #stops: Cancel[] = []

  constructor(deps: SimulatedKitchenDeps) {
    this.#deps = deps
  }

  async start(): Promise<void> {
    if (this.#stops.length > 0) return
    const { dispatches, sandboxKitchens, clock } = this.#deps
    this.#stops = [
      dispatches.changed.subscribe((locationId) => {
        if (!this.#elsewhere.has(locationId)) this.#look(locationId)
      }),
      clock.every(SWEEP_MS, () => this.#background(this.#sweep(), 'sandbox jobs could not be looked for')),
      clock.every(HOUR_MS, () => this.#background(this.#prune(), 'old sandbox tickets could not be removed')),
    ]
    for (const job of await sandboxKitchens.open()) this.#hold(job)
    this.#background(this.#sweep(), 'sandbox jobs could not be looked for')
  }

  /** Finishes the tickets that are being printed; the others print after the next start. */
  async stop(): Promise<void> {
    for (const stop of this.#stops.splice(0)) stop()
    for (const cancel of this.#held.values()) cancel()
    this.#held.clear()
    this.#waiting.clear()
    while (this.#working.size > 0) await Promise.allSettled([...this.#working])
  }

  get #stopped(): boolean {
    return this.#stops.length === 0
  }

  async #sweep(): Promise<void> {
    const { dispatches, sandboxKitchens, clock } = this.#deps
    this.#elsewhere.clear()
    for (const locationId of await dispatches.locationsWithQueued(clock.now())) this.#look(locationId)
    for (const locationId of await sandboxKitchens.locationsWithCancels()) this.#look(locationId)
  }

  /** One pass at a time; a location that calls meanwhile is read again. */
  #look(locationId: LocationId): void {
    this.#waiting.add(locationId)
    if (this.#looking || this.#stopped) return
    this.#looking = true
    this.#background(this.#lookAtAll(), 'sandbox jobs could not be claimed')
  }

  async #lookAtAll(): Promise<void> {
    for (const locationId of this.#waiting) {
      this.#waiting.delete(locationId)
      try {
        await this.#lookAt(locationId)
      } catch (error) {
        this.#deps.log.error(
          { locationId, err: error },
          'sandbox jobs could not be claimed; the next sweep tries again',
        )
      }
    }
    // In the same tick as the last check of the list: a wake-up in between would wait for the sweep.
    this.#looking = false
  }

  async #lookAt(locationId: LocationId): Promise<void> {
    const kitchen = await this.#deps.sandboxKitchens.at(locationId)
    if (kitchen === null) {
      this.#elsewhere.add(locationId)
      return
    }
    while (await this.#claim(locationId));
    await this.#answerCancels(kitchen)
  }

  /** Takes what waits. @returns true when there may be more */
  async #claim(locationId: LocationId): Promise<boolean> {
    const { db, dispatches, sandboxKitchens, clock } = this.#deps
    const nowMs = clock.now()
    if (this.#stopped || !(await dispatches.hasQueued(locationId, nowMs))) return false
    const claimed = await db.unit(async (tx) => {
      // Read again inside: a gateway may have been paired meanwhile, and the stream must have no hole.
      const kitchen = await sandboxKitchens.at(locationId, tx)
      if (kitchen === null) return []
      const { gatewayId, stream, lastSeq: afterSeq } = kitchen
      const window = { maxJobs: CLAIM_JOBS, maxBytes: CLAIM_BYTES, atLeastOne: true }
      const jobs = (await dispatches.claim(tx, { ...kitchen, ...window, nowMs })) ?? []
      const upToSeq = jobs.at(-1)?.seq ?? afterSeq
      await dispatches.accept(tx, { gatewayId, stream, afterSeq, upToSeq, nowMs })
      return jobs
    })
    for (const job of claimed) this.#hold({ ...job, claimedAtMs: nowMs })
    return claimed.length > 0
  }

  #hold({ jobId, claimedAtMs, notBeforeMs }: Pick<KitchenJob, 'jobId' | 'claimedAtMs' | 'notBeforeMs'>): void {
    const dueAtMs = Math.max(claimedAtMs, notBeforeMs ?? 0) + PRINT_MS
    this.#printIn(jobId, Math.max(0, dueAtMs - this.#deps.clock.now()))
  }

  #printIn(jobId: PrintJobId, ms: number): void {
    if (this.#stopped) return
    const print = async (): Promise<void> => {
      this.#held.delete(jobId)
      this.#printing.add(jobId)
      try {
        await this.#print(jobId)
      } catch (error) {
        this.#deps.log.error({ printJobId: jobId, err: error }, 'the simulated kitchen could not print; it tries again')
        this.#printIn(jobId, AGAIN_MS)
      } finally {
        this.#printing.delete(jobId)
      }
    }
    const cancel = this.#deps.clock.after(ms, () => this.#background(print(), 'a sandbox job could not be printed'))
    this.#held.set(jobId, cancel)
  }

  async #print(jobId: PrintJobId): Promise<void> {
    const { db, sandboxKitchens, recordResult, log } = this.#deps
    const job = await sandboxKitchens.job(jobId)
    // Taken over by a gateway, or settled: nothing to do.
    if (job === null || isFinal(job.state)) return
    // By the kitchen of another relay, or by one that ended before it could report it.
    const isPrinted = await this.#isOnPaper(job)
    if (job.cancelRequested && !isPrinted) return this.#takeBack(job, 'cancelled')
    const toPrint = await this.#toPrint(job)
    if (!isPrinted && job.expiresAtMs !== null && job.expiresAtMs <= toPrint.nowMs)
      return this.#takeBack(job, 'expired')
    const { state, paper, evidence } = await printJob(toPrint)
    const keep = async (tx: Tx): Promise<boolean> => {
      const current = await sandboxKitchens.job(jobId, tx)
      if (current === null || isFinal(current.state) || current.cancelRequested) return false
      await this.#keep(tx, job, { paper, printedAtMs: toPrint.nowMs })
      return true
    }
    if (!isPrinted && !(await db.unit(keep))) return this.#look(job.locationId)
    const { orderId, gatewayId } = job
    const outcome = await recordResult({ jobId, state, tickets: evidence, endedAtMs: toPrint.nowMs, gatewayId })
    const ids = { serviceOrderId: orderId ?? undefined, printJobId: jobId, gatewayId }
    log.info({ ...ids, tickets: paper.length, state, outcome }, 'printed by the simulated kitchen')
  }

  /** It has tickets. Once its cancel is on disk, none is kept that was not kept before. */
  async #isOnPaper({ accountId, merchantKey: key, jobId }: KitchenJob): Promise<boolean> {
    return (await this.#deps.sandboxTickets.ofJob({ accountId, key }, jobId)).length > 0
  }

  /** Nothing of it was printed, and nothing will be. */
  async #takeBack(job: KitchenJob, state: 'cancelled' | 'expired'): Promise<void> {
    const { recordResult, log } = this.#deps
    const { jobId, gatewayId } = job
    const toPrint = await this.#toPrint(job)
    const tickets = unprintedEvidence(toPrint, state)
    await recordResult({ jobId, state, tickets, endedAtMs: toPrint.nowMs, gatewayId })
    log.info({ printJobId: jobId, gatewayId, state }, 'not printed by the simulated kitchen')
  }

  /** Jobs that a client cancelled: those that wait never print, those on paper get a VOID slip. */
  async #answerCancels(kitchen: KitchenAt): Promise<void> {
    for (const asked of await this.#deps.sandboxKitchens.cancels(kitchen.gatewayId)) {
      // Just being printed: the next sweep finds it on paper.
      if (this.#printing.has(asked.jobId)) continue
      // As it is at another relay: that one reports it.
      if (!isFinal(asked.state) && (await this.#isOnPaper(asked))) continue
      this.#held.get(asked.jobId)?.()
      this.#held.delete(asked.jobId)
      if (!isFinal(asked.state)) await this.#takeBack(asked, 'cancelled')
      await this.#cancelled(asked)
    }
  }

  async #cancelled(job: KitchenJob): Promise<void> {
    const { dispatches, db, clock, log } = this.#deps
    const slips = job.state === 'printed' || job.state === 'uncertain' ? await this.#slipsOf(job) : []
    await db.unit(async (tx) => {
      await this.#keep(tx, job, { paper: slips, printedAtMs: clock.now() })
      await dispatches.cancelAnswered(tx, job.jobId, clock.now())
    })
    log.info({ printJobId: job.jobId, slips: slips.length }, 'cancel answered by the simulated kitchen')
  }

  /** As a gateway prints them: a reprint's printer gets one only when the order is called off and has none there yet. */
  async #slipsOf(job: KitchenJob): Promise<PrintedTicket[]> {
    const toPrint = await this.#toPrint(job)
    const kind = toPrint.doc?.kind
    if (kind === undefined || !hasVoidSlip(kind, job.isOrderVoided)) return []
    const slips = await voidSlips(toPrint, job.voidReason)
    if (kind !== 'reprint' || job.orderId === null) return slips
    const known = await this.#deps.sandboxTickets.voidedAt(job.orderId)
    const first = new Map(slips.toReversed().map((slip) => [slip.printerId, slip]))
    return [...first.values()].filter(({ printerId }) => !known.includes(printerId))
  }

  async #toPrint(job: KitchenJob): Promise<JobToPrint> {
    const { jobId, notBeforeMs, possibleDuplicate } = job
    const { printJobs, clock, raster = null } = this.#deps
    const kitchens = await printJobs.kitchensAt(job.locationId)
    const routes = kitchens.find(({ gatewayId }) => gatewayId === job.gatewayId)?.printers ?? []
    const { data: doc } = jobDoc.safeParse(JSON.parse(job.doc))
    return { jobId, doc: doc ?? null, routes, notBeforeMs, possibleDuplicate, nowMs: clock.now(), raster }
  }

  async #keep(
    tx: Tx,
    job: KitchenJob,
    { paper, printedAtMs }: { paper: readonly PrintedTicket[]; printedAtMs: number },
  ): Promise<void> {
    await this.#deps.sandboxTickets.insert(
      tx,
      paper.map((ticket) => ({
        ticket_id: ticket.ticketId,
        print_job_id: job.jobId,
        merchant_id: job.merchantKey,
        account_id: job.accountId,
        printer_id: ticket.printerId,
        printer_name: ticket.printerName,
        kind: ticket.kind,
        profile_id: ticket.profileId,
        bytes: ticket.bytes,
        text: ticket.text,
        printed_at: printedAtMs,
      })),
    )
  }

  async #prune(): Promise<void> {
    const { db, sandboxTickets, retentionDays, deletionClock } = this.#deps
    const beforeMs = deletionClock.now() - Math.min(KEPT_DAYS, retentionDays) * DAY_MS
    while (!this.#stopped && (await sandboxTickets.hasOlder(beforeMs)))
      await db.unit((tx) => sandboxTickets.prune(tx, beforeMs, PRUNE_PIECE))
  }

  /** Work that only the stop waits for. A failure is not fatal: the next sweep tries again. */
  #background(work: Promise<void>, failure: string): void {
    const watched = work
      .catch((error: unknown) => this.#deps.log.error({ err: error }, failure))
      .finally(() => this.#working.delete(watched))
    this.#working.add(watched)
  }
}
