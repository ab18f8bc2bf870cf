// Registers and revokes gateways, and tracks which are online.
//
// presence: unknown -> online (hello) -> offline (will, bye, closed connection, 75 s of silence); at the relay's start everything is
// unknown for 15 s, then gateways that have not sent hello are offline.
import type { RelayDatabase, Tx } from '#cloud/storage/database.ts'
import type { DispatchStore } from '#cloud/storage/dispatch-store.ts'
import type { GatewayStore, PresenceChange } from '#cloud/storage/gateway-store.ts'
import type { Clock } from '#shared/clock.ts'
import { newGatewayToken } from '#shared/gateway-token.ts'
import { type GatewayId, type LocationId, newId } from '#shared/ids.ts'
import type { Logger } from '#shared/log.ts'
import { Rounds } from '#shared/rounds.ts'
import { SampledLog } from '#shared/sampled-log.ts'
import type { Service } from '#shared/service.ts'
import { LINK_LIMITS, type LinkTopics, SHARDS, shardOf, topicsFor } from '#shared/wire/gateway-link.ts'
import type { BrokerAuth } from './broker-auth.ts'
import { downText } from './down-messages.ts'

export interface RegisterDeps {
  db: RelayDatabase
  gateways: GatewayStore
  clock: Clock
  /** Gets the new credential when an external broker has its own list. */
  brokerAuth?: BrokerAuth
}

/**
 * Makes a gateway of a location. The token (256 bits, base64url) is its MQTT password and is shown only here: the database keeps its
 * SHA-256. Put the answer into the gateway's pairing file. A simulated kitchen of the location ends with it.
 */
export async function registerGateway(
  { db, gateways, clock, brokerAuth }: RegisterDeps,
  { locationId, name }: { locationId: LocationId; name: string },
): Promise<{ gatewayId: GatewayId; token: string; topics: LinkTopics }> {
  const made = await db.unit((tx) => insertGateway(tx, { gateways, clock }, { locationId, name }))
  await brokerAuth?.admit({ gatewayId: made.gatewayId, token: made.token })
  return made
}

/** The same as a part of the unit `tx`, where no external broker keeps a list. */
export async function insertGateway(
  tx: Tx,
  { gateways, clock }: Pick<RegisterDeps, 'gateways' | 'clock'>,
  { locationId, name }: { locationId: LocationId; name: string },
): Promise<{ gatewayId: GatewayId; token: string; topics: LinkTopics }> {
  const nowMs = clock.now()
  const gatewayId = newId('gw', nowMs)
  const { token, tokenHash } = newGatewayToken()
  const shard = shardOf(gatewayId)
  await gateways.insert(tx, { id: gatewayId, locationId, name, tokenHash, shard, createdAtMs: nowMs })
  return { gatewayId, token, topics: topicsFor(gatewayId, shard) }
}

/**
 * Removes a gateway's credential permanently. A running relay closes its connection within five seconds. Results of its open jobs can no
 * longer arrive: these jobs wait for the location's next gateway, marked as possible duplicates.
 * @returns the number of those jobs
 */
export async function revokeGateway(
  { db, gateways, dispatches, clock, brokerAuth }: RegisterDeps & { dispatches: DispatchStore },
  gatewayId: GatewayId,
): Promise<number> {
  const requeued = await db.unit((tx) => revokeInUnit(tx, { gateways, dispatches, clock }, gatewayId))
  await brokerAuth?.revoke(gatewayId)
  return requeued
}

/** The same as a part of the unit `tx`; a running relay strikes it from the list of an external broker within five seconds. */
export async function revokeInUnit(
  tx: Tx,
  { gateways, dispatches, clock }: Pick<RegisterDeps, 'gateways' | 'clock'> & { dispatches: DispatchStore },
  gatewayId: GatewayId,
): Promise<number> {
  await gateways.revoke(tx, gatewayId, clock.now())
  await dispatches.giveUpCancels(tx, gatewayId, clock.now())
  return (await dispatches.requeueAfterLostStream(tx, gatewayId)).length
}

export interface RegistryDeps {
  db: RelayDatabase
  gateways: GatewayStore
  publish(topic: string, payload: string): void
  /** Ends the session and the connection of a gateway. */
  expel(gatewayId: GatewayId): void
  /** Whether a connection of this gateway is open, welcomed or not. Absent for an external broker, which does not report it. */
  isConnected?: (gatewayId: GatewayId) => boolean
  /** The list of an external broker. */
  brokerAuth?: Pick<BrokerAuth, 'revoke'>
  clock: Clock
  log: Logger
}

const SWEEP_MS = 5_000
const UNKNOWN_MS = 15_000
/** The gateways of an external broker do not answer the relay's start at once: so much time for each of them, a minute at most. */
const REHELLO_EACH_MS = 5
const REHELLO_MAX_MS = 60_000
const REHELLO_AT_MOST_EVERY_MS = 2_000
/** The time of the last sign of life is written this rarely, and when it leaves: it is for people. */
const SEEN_EVERY_MS = 300_000
/** A revocation bears the time of its command, and may wait for the writer before it can be read. */
const REVOKED_LATE_MS = 600_000

export class GatewayRegistry implements Service {
  readonly #deps: RegistryDeps
  readonly #lines: SampledLog
  readonly #heard = new Map<GatewayId, { epoch: number; atMs: number; writtenMs: number }>()
  readonly #askedHello = new Map<GatewayId, number>()
  /** For each shard taken over from another relay, until when its gateways have time to answer. */
  readonly #called = new Map<number, number>()
  readonly #presence: PresenceWriter
  /** Gateways whose connections were closed because they were revoked, and that are still in an external broker's list. */
  readonly #expelled = new Set<GatewayId>()
  readonly #toStrike = new Set<GatewayId>()
  #startedMs = 0
  #revokedFromMs = 0
  readonly #sweeps: Rounds

  constructor(deps: RegistryDeps) {
    this.#deps = deps
    this.#lines = new SampledLog(deps.log, deps.clock)
    this.#presence = new PresenceWriter(deps)
    this.#sweeps = new Rounds({
      clock: deps.clock,
      everyMs: SWEEP_MS,
      pass: () => this.#sweep(),
      failed: (error) => deps.log.error({ err: error }, 'presence could not be checked'),
    })
  }

  async start(): Promise<void> {
    if (this.#sweeps.started) return
    this.#revokedFromMs = this.#deps.clock.now()
    await this.#forgetPresence()
    await this.#sweeps.start()
  }

  /** Another relay has ended: its gateways are unknown until they connect to this one or another. */
  relayDied(): Promise<void> {
    return this.#forgetPresence()
  }

  async #forgetPresence(): Promise<void> {
    const { db, gateways, clock } = this.#deps
    this.#startedMs = clock.monotonicMs()
    await db.unit((tx) => gateways.forgetPresence(tx))
  }

  /** Another relay may have written of those that are here that they are not: what is known of them is written at the next sweep. */
  returned(): void {
    for (const heard of this.#heard.values()) heard.writtenMs = Number.NEGATIVE_INFINITY
    this.#sweeps.wake()
  }

  /** Also works when nothing can be stored: every start records again which gateways are online. */
  async stop(): Promise<void> {
    await this.#sweeps.stop()
    await this.#writePresence()
  }

  /** The gateway sent hello, and its row already has it online. */
  welcomed(gatewayId: GatewayId, epoch: number): void {
    const now = this.#deps.clock.monotonicMs()
    this.#heard.set(gatewayId, { epoch, atMs: now, writtenMs: now })
  }

  /** A sign of life. */
  heard(gatewayId: GatewayId): void {
    const heard = this.#heard.get(gatewayId)
    if (heard) heard.atMs = this.#deps.clock.monotonicMs()
  }

  /**
   * The gateway disconnected. The end of an older connection is ignored, and so is that of one without a hello: another relay may have the gateway.
   * @param end `epoch` of the connection that ended, null: its current one; `hadSession`: its hello had been answered
   */
  gone(gatewayId: GatewayId, end: { epoch: number | null; hadSession: boolean; why: string }): void {
    const { epoch, why } = end
    const heard = this.#heard.get(gatewayId)
    if (!this.#mayEnd(heard, end)) return
    this.#heard.delete(gatewayId)
    this.#presence.note({
      ...{ gatewayId, presence: 'offline', epoch: epoch ?? heard?.epoch ?? null },
      seenAtMs: heard ? this.#wallTime(heard.atMs) : null,
    })
    if (heard) this.#lines.info(gatewayId, { gatewayId, epoch: heard.epoch, why }, 'gateway is gone')
    void this.#writePresence()
  }

  /** Never rejects: what could not be written stays noted for the next sweep. */
  async #writePresence(): Promise<void> {
    await this.#presence
      .flush()
      .catch((error: unknown) => this.#lines.error('presence', { err: error }, 'presence could not be written'))
  }

  /** For gateways that this relay has not heard from yet, a will is accepted until all of them are known to be connected or not. */
  #mayEnd(heard: { epoch: number } | undefined, end: { epoch: number | null; hadSession: boolean }): boolean {
    if (heard) return end.epoch === null || end.epoch === heard.epoch
    const isStarting = this.#deps.clock.monotonicMs() - this.#startedMs < UNKNOWN_MS
    return end.epoch !== null && (end.hadSession || isStarting)
  }

  /**
   * Requests a hello from the gateways of these shards: after a start, when the connection to the broker is back, or when they belonged to
   * another relay. Those that do not answer are offline then. @param shards null: all, of which this is the only relay
   */
  callShards(shards: readonly number[] | null): void {
    this.#callShards(shards).catch((error: unknown) =>
      this.#deps.log.error({ err: error }, 'gateways could not be called'),
    )
  }

  async #callShards(shards: readonly number[] | null): Promise<void> {
    const { gateways, clock, publish } = this.#deps
    const withinMs = Math.min((await gateways.count(shards)) * REHELLO_EACH_MS, REHELLO_MAX_MS)
    const answeredMs = clock.monotonicMs() + withinMs + UNKNOWN_MS
    const rehello = downText({ t: 'rehello', withinMs }, { epoch: 0, nowMs: clock.now() })
    for (const shard of shards ?? Array(SHARDS).keys()) {
      publish(topicsFor('', shard).all, rehello)
      if (shards !== null) this.#called.set(shard, answeredMs)
    }
  }

  /** Another relay serves these gateways now. */
  letGo(isGone: (gatewayId: GatewayId) => boolean): void {
    for (const gatewayId of this.#heard.keys()) if (isGone(gatewayId)) this.#heard.delete(gatewayId)
  }

  /** Requests a hello from one gateway: it sends messages as if it had a session, which this relay does not have. */
  call(gatewayId: GatewayId): void {
    const now = this.#deps.clock.monotonicMs()
    if (now - (this.#askedHello.get(gatewayId) ?? Number.NEGATIVE_INFINITY) < REHELLO_AT_MOST_EVERY_MS) return
    this.#askedHello.set(gatewayId, now)
    const envelope = { epoch: 0, nowMs: this.#deps.clock.now() }
    this.#deps.publish(topicsFor(gatewayId, shardOf(gatewayId)).down, downText({ t: 'rehello', withinMs: 0 }, envelope))
  }

  async #sweep(): Promise<void> {
    const { db, gateways, clock, expel } = this.#deps
    const now = clock.monotonicMs()
    for (const [gatewayId, heard] of this.#heard) {
      const { epoch, atMs } = heard
      if (now - atMs > LINK_LIMITS.presenceMs) {
        expel(gatewayId)
        this.gone(gatewayId, { epoch, hadSession: true, why: 'silence' })
      } else if (atMs - heard.writtenMs > SEEN_EVERY_MS) {
        heard.writtenMs = atMs
        this.#presence.note({ gatewayId, presence: 'online', epoch, seenAtMs: this.#wallTime(atMs) })
      }
    }
    await this.#presence.flush()
    const createdBeforeMs = clock.now() - UNKNOWN_MS
    if (now - this.#startedMs >= UNKNOWN_MS && (await gateways.hasUnknown(createdBeforeMs)))
      await db.unit((tx) => gateways.unknownToOffline(tx, createdBeforeMs))
    for (const [gatewayId, atMs] of this.#askedHello)
      if (now - atMs > REHELLO_AT_MOST_EVERY_MS) this.#askedHello.delete(gatewayId)
    await this.#settleCalled(now)
    await this.#expelRevoked()
  }

  /** The end of their connection may have been missed by every relay. */
  async #settleCalled(nowMs: number): Promise<void> {
    const due = [...this.#called].filter(([, answeredMs]) => answeredMs <= nowMs).map(([shard]) => shard)
    if (due.length === 0) return
    await this.#deps.gateways.absentToOffline(due)
    for (const shard of due) this.#called.delete(shard)
  }

  /** Removes each once, and closes its connection if it has one: its password may have been checked while it was being revoked. */
  async #expelRevoked(): Promise<void> {
    const { gateways, clock, expel, isConnected, brokerAuth, log } = this.#deps
    const revoked = await gateways.revokedSince(this.#revokedFromMs)
    for (const gatewayId of revoked) {
      const isNew = !this.#expelled.has(gatewayId)
      if (!isNew && !isConnected?.(gatewayId)) continue
      if (isNew) this.#toStrike.add(gatewayId)
      if (this.#heard.has(gatewayId)) log.warn({ gatewayId }, 'gateway was revoked: closing its connection')
      this.#heard.delete(gatewayId)
      expel(gatewayId)
    }
    this.#expelled.clear()
    for (const gatewayId of revoked) this.#expelled.add(gatewayId)
    this.#revokedFromMs = Math.max(this.#revokedFromMs, clock.now() - REVOKED_LATE_MS)
    if (this.#toStrike.size === 0) return
    // Last, because a disk may not take it: then it is tried again.
    await brokerAuth?.revoke(...this.#toStrike)
    this.#toStrike.clear()
  }

  /** @param monotonicMs a moment on the monotonic clock */
  #wallTime(monotonicMs: number): number {
    const { clock } = this.#deps
    return Math.round(clock.now() - (clock.monotonicMs() - monotonicMs))
  }
}

/** Changes in one unit: orders wait for the writer no longer than this takes. */
const MOST_IN_A_UNIT = 256

/** Writes which gateways are online, in batches: changes during one write go into the next, as one transaction and one statement. */
class PresenceWriter {
  readonly #deps: { db: RelayDatabase; gateways: Pick<GatewayStore, 'setPresence'> }
  /** The newest of each gateway. */
  readonly #waiting = new Map<GatewayId, PresenceChange>()
  #pass: Promise<void> | null = null

  constructor(deps: { db: RelayDatabase; gateways: Pick<GatewayStore, 'setPresence'> }) {
    this.#deps = deps
  }

  /** Takes the place of what was noted of this gateway and is not written yet. Written by the next `flush`. */
  note(change: PresenceChange): void {
    this.#waiting.set(change.gatewayId, change)
  }

  /** Resolves when everything that was noted is on disk. What could not be written stays noted. */
  flush(): Promise<void> {
    this.#pass ??= this.#writeAll().finally(() => {
      this.#pass = null
    })
    return this.#pass
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.size > 0) {
      const piece = [...this.#waiting.values()].slice(0, MOST_IN_A_UNIT)
      for (const { gatewayId } of piece) this.#waiting.delete(gatewayId)
      try {
        await this.#deps.db.unit((tx) => this.#deps.gateways.setPresence(tx, ...piece))
      } catch (error) {
        for (const change of piece)
          if (!this.#waiting.has(change.gatewayId)) this.#waiting.set(change.gatewayId, change)
        throw error
      }
    }
  }
}
