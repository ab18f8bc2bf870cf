// After the database was put back to an earlier state: the kitchens of which the relay cannot determine what they have printed. Jobs sent to them are marked then.
import type { Tx } from '#cloud/storage/database.ts'
import type { HandBackStore } from '#cloud/storage/hand-back-store.ts'
import type { KitchenGateway, Restore, RestoreStore } from '#cloud/storage/restore-store.ts'
import { type Clock, toIso } from '#shared/clock.ts'
import type { GatewayId, LocationId } from '#shared/ids.ts'
import type { Logger } from '#shared/log.ts'

export interface RestoreWatchDeps {
  handBacks: HandBackStore
  restores: RestoreStore
  clock: Pick<Clock, 'now'>
  log: Logger
}

/** A gateway's row in the database at the time of its hello. */
export interface Newcomer {
  locationId: LocationId
  lastSeenAtMs: number | null
}

const DAY_MS = 86_400_000
/** Longer than a client repeats an order. */
const DOUBT_MS = DAY_MS
/** A gateway that was last connected so long before the copy was made has printed nothing after it. */
const SILENT_MS = 7 * DAY_MS

export class RestoreWatch {
  readonly #deps: RestoreWatchDeps
  /** By location: its gateways that may have printed what the relay has forgotten, and until when that matters. */
  readonly #doubts = new Map<LocationId, Map<GatewayId, number>>()
  /** Of the last day, as far as they are known. */
  #restores: Restore[] = []
  #startedMs: number

  constructor(deps: RestoreWatchDeps) {
    this.#deps = deps
    this.#startedMs = deps.clock.now()
  }

  /** Before any gateway may connect. */
  async start(): Promise<void> {
    const { handBacks, restores, clock, log } = this.#deps
    const nowMs = clock.now()
    this.#startedMs = nowMs
    const copiedAtMs = await restores.noteCopy(nowMs)
    if (copiedAtMs !== null)
      log.warn(
        { copiedAt: toIso(copiedAtMs) },
        'the database is a copy: gateways are asked for the orders that it lacks',
      )
    this.#restores = await restores.list(nowMs - DOUBT_MS)
    for (const restore of this.#restores) this.#doubtAll(restore, await this.#silentSince(restore))
    for (const { gatewayId, locationId, sinceMs } of await handBacks.withOpenRange())
      this.#doubt(locationId, gatewayId, sinceMs + DOUBT_MS)
  }

  /** A gateway has not handed back yet what this relay has lost, or never will. @param sinceMs when that was first detected */
  beginDoubt(locationId: LocationId, gatewayId: GatewayId, sinceMs: number): void {
    this.#doubt(locationId, gatewayId, sinceMs + DOUBT_MS)
  }

  /**
   * Called in the transaction of its hello: a gateway has more than this relay sent. If no known restore explains it, the database was
   * rolled back without a note before this start, and what else its kitchen has printed is not known either, until its other gateways connect.
   * @returns a function to call after the commit
   */
  async noteAhead(tx: Tx, { locationId, lastSeenAtMs }: Newcomer): Promise<() => void> {
    if (this.isFirstSince({ locationId, lastSeenAtMs })) return () => {}
    const restore = { atMs: this.#startedMs, copiedAtMs: lastSeenAtMs ?? 0, locationId }
    await this.#deps.restores.note(tx, restore)
    if (!this.#isNews(restore)) return () => {}
    const silent = await this.#silentSince(restore, tx)
    return () => {
      if (this.#learn(restore)) this.#doubtAll(restore, silent)
    }
  }

  /**
   * A piece was stored. An order in it that only this relay can have sealed, and no longer has, proves the rollback, which a gateway's number
   * alone does not: then every kitchen is in doubt whose gateways have not connected since this start.
   */
  async handedBack(): Promise<void> {
    const { restores, clock, log } = this.#deps
    const all = await restores.list(clock.now() - DOUBT_MS)
    for (const restore of all) {
      if (!this.#learn(restore)) continue
      this.#doubtAll(restore, await this.#silentSince(restore))
      log.warn(
        { since: toIso(restore.atMs), seen: toIso(restore.copiedAtMs) },
        'the database was rolled back without a note: what kitchens print that have not been heard since is marked for a day',
      )
    }
  }

  /** The relay has everything again that it had sent to this gateway. */
  clearDoubt(locationId: LocationId, gatewayId: GatewayId): void {
    const gateways = this.#doubts.get(locationId)
    gateways?.delete(gatewayId)
    if (gateways?.size === 0) this.#doubts.delete(locationId)
  }

  /** Whether an order for this location may already be on paper there without the relay's knowledge. */
  isInDoubt(locationId: LocationId): boolean {
    const gateways = this.#doubts.get(locationId)
    if (gateways === undefined) return false
    const nowMs = this.#deps.clock.now()
    for (const [gatewayId, untilMs] of gateways) if (untilMs <= nowMs) this.clearDoubt(locationId, gatewayId)
    return this.#doubts.has(locationId)
  }

  /** Whether the database is known to have gone back, and this gateway connects for the first time since. */
  isFirstSince({ locationId, lastSeenAtMs }: Newcomer): boolean {
    const nowMs = this.#deps.clock.now()
    return this.#restores.some(
      (restore) =>
        nowMs - restore.atMs < DOUBT_MS &&
        (restore.locationId === null || restore.locationId === locationId) &&
        (lastSeenAtMs ?? 0) < restore.atMs,
    )
  }

  /** Whether it counts, and is not known. */
  #isNews({ atMs, locationId }: Restore): boolean {
    const isKnown = this.#restores.some((one) => one.atMs === atMs && one.locationId === locationId)
    return !isKnown && this.#deps.clock.now() - atMs < DOUBT_MS
  }

  /** Forgets those that do not count any more: a gateway can be ahead again and again. @returns whether it is news */
  #learn(restore: Restore): boolean {
    const nowMs = this.#deps.clock.now()
    this.#restores = this.#restores.filter(({ atMs }) => nowMs - atMs < DOUBT_MS)
    if (!this.#isNews(restore)) return false
    this.#restores.push(restore)
    return true
  }

  #silentSince(restore: Restore, tx?: Tx): Promise<KitchenGateway[]> {
    return this.#deps.restores.notHeardSince(restore, restore.copiedAtMs - SILENT_MS, tx)
  }

  #doubtAll(restore: Restore, silent: readonly KitchenGateway[]): void {
    for (const { gatewayId, locationId } of silent) this.#doubt(locationId, gatewayId, restore.atMs + DOUBT_MS)
  }

  #doubt(locationId: LocationId, gatewayId: GatewayId, untilMs: number): void {
    const gateways = this.#doubts.get(locationId) ?? new Map<GatewayId, number>()
    gateways.set(gatewayId, Math.max(untilMs, gateways.get(gatewayId) ?? 0))
    this.#doubts.set(locationId, gateways)
  }
}
