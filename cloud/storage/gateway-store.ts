// Gateways and their printers in the database: credentials, streams, presence, last reported printer states.
import { sql } from 'kysely'
import type { GatewayId, LocationId } from '#shared/ids.ts'
import type { PrinterReport } from '#shared/wire/gateway-link.ts'
import { type Db, prepared, type RelayDatabase, type Tx, wordsOf } from './database.ts'
import { endSimulation } from './end-simulation.ts'
import { GatewayBoots } from './gateway-boots.ts'
import { holding, holdRow } from './hold.ts'
import { ofDeadRelays } from './replica-store.ts'
import type { GatewaysTable } from './schema-gateways.ts'

export type Presence = GatewaysTable['presence']

/** Fields of a gateway's status, as JSON; null: not reported. */
export type TextStanding = Pick<GatewaysTable, 'stations' | 'health'> &
  Partial<Pick<GatewaysTable, 'routing'>> & { gatewayId: GatewayId }

export interface Gateway {
  gatewayId: GatewayId
  locationId: LocationId
  name: string
  shard: number
  stream: string | null
  ackedSeq: number
  /** Highest sequence number given out on `stream`. */
  lastSeq: number
  sessionEpoch: number
  bootId: string | null
  /** The machine on which it was first seen; null before, and while it does not report one. */
  machine: string | null
  /** Of its last session; null: not reported. */
  disk: string | null
  presence: Presence
  lastSeenAtMs: number | null
  revoked: boolean
  /** The simulated kitchen of a sandbox location: it has no connection, and its presence is its own to set. */
  simulated: boolean
}

/** What a gateway's hello changes. */
export interface HelloRecord {
  gatewayId: GatewayId
  stream: string
  ackedSeq: number
  lastSeq: number
  sessionEpoch: number
  bootId: string
  /** It comes from the machine that the gateway was first seen on. */
  isKnown?: boolean
  /** Stored when none is stored yet; absent: not reported. */
  machine?: string | null
  /** Absent: not reported. */
  disk?: string | null
  appVersion: string
  caps: readonly string[]
  nowMs: number
}

/** `epoch`: only if this is still the gateway's session; null = whatever its session. `seenAtMs` null: as it was. */
export interface PresenceChange {
  gatewayId: GatewayId
  presence: Presence
  epoch: number | null
  seenAtMs: number | null
}

export class GatewayStore {
  /** Of its last hellos. */
  readonly boots: GatewayBoots
  readonly #db: RelayDatabase
  readonly #queries: ReturnType<typeof compile>

  constructor(db: RelayDatabase) {
    this.#db = db
    this.boots = new GatewayBoots(db)
    this.#queries = compile(db)
  }

  /**
   * A new gateway that has never connected: presence unknown. `tokenHash` is the hex SHA-256 of its token. It prints from now on: if the
   * location had a simulated kitchen, that one ends, and what it had not printed yet waits for the gateway.
   */
  async insert(
    tx: Tx,
    gateway: {
      id: GatewayId
      locationId: LocationId
      name: string
      tokenHash: string
      shard: number
      createdAtMs: number
      /** What it runs on. */
      hardware?: string
    },
  ): Promise<void> {
    await endSimulation(tx, gateway.locationId, gateway.createdAtMs)
    await tx
      .insertInto('gateways')
      .values({
        id: gateway.id,
        location_id: gateway.locationId,
        name: gateway.name,
        token_hash: gateway.tokenHash,
        shard: gateway.shard,
        acked_seq: 0,
        last_seq: 0,
        session_epoch: 0,
        presence: 'unknown',
        hardware: gateway.hardware ?? null,
        created_at: gateway.createdAtMs,
      })
      .execute()
  }

  /** The gateway, or null. Reads inside `tx` when given: then it also sees what that unit wrote. */
  async byId(gatewayId: GatewayId, on: Db | Tx = this.#db.read): Promise<Gateway | null> {
    const row = (await this.#queries.byId(on, { id: gatewayId }))[0]
    return row ? toGateway(row) : null
  }

  /** Gateways of a location, oldest first, without revoked ones. */
  async ofLocation(locationId: LocationId, on: Db | Tx = this.#db.read): Promise<Gateway[]> {
    const rows = await on
      .selectFrom('gateways')
      .selectAll()
      .where('location_id', '=', locationId)
      .where('revoked_at', 'is', null)
      .orderBy('created_at')
      .execute()
    return rows.map(toGateway)
  }

  /** How many gateways may connect. @param shards of these only; null: all */
  async count(shards: readonly number[] | null = null): Promise<number> {
    const row = await this.#db.read
      .selectFrom('gateways')
      .select((e) => e.fn.countAll<number>().as('n'))
      .where('revoked_at', 'is', null)
      .where('simulated', '=', 0)
      .$if(shards !== null, (query) => query.where('shard', 'in', [...(shards ?? [])]))
      .executeTakeFirst()
    return row?.n ?? 0
  }

  /** What a connection is checked against, by the name it gives, which proves nothing; null for an unknown, revoked or simulated one. */
  async tokenHash(userName: string): Promise<string | null> {
    return (await this.#queries.tokenHash(this.#db.read, { id: userName }))[0]?.token_hash ?? null
  }

  /** Of the name that a connection gives: the machine that the gateway was first seen on; null when none is known. */
  async machine(userName: string): Promise<string | null> {
    return (await this.#queries.machine(this.#db.read, { id: userName }))[0]?.machine ?? null
  }

  async recordHello(tx: Tx, hello: HelloRecord): Promise<void> {
    const boots = await this.boots.next(tx, hello.gatewayId, hello)
    await tx
      .updateTable('gateways')
      .set((e) => ({
        stream: hello.stream,
        acked_seq: hello.ackedSeq,
        last_seq: hello.lastSeq,
        session_epoch: hello.sessionEpoch,
        boot_id: hello.bootId,
        machine: e.fn.coalesce('machine', e.val(hello.machine ?? null)),
        disk: hello.disk ?? null,
        app_version: hello.appVersion,
        caps: JSON.stringify(hello.caps),
        presence: 'online',
        last_seen_at: hello.nowMs,
        relay_id: this.#db.replicaId,
        boots,
      }))
      .where('id', '=', hello.gatewayId)
      .execute()
  }

  /** Its facts other than its printers. */
  async recordFacts(
    tx: Tx,
    facts: { gatewayId: GatewayId; clockOffsetMs: number | null; queue: string },
  ): Promise<void> {
    await tx
      .updateTable('gateways')
      .set({ clock_offset_ms: facts.clockOffsetMs, queue: facts.queue })
      .where('id', '=', facts.gatewayId)
      .execute()
  }

  /** How its stations can be served, and its health, as JSON; null: not reported. */
  async recordStanding(tx: Tx, { gatewayId, stations, health, routing = null }: TextStanding): Promise<void> {
    await tx.updateTable('gateways').set({ stations, health, routing }).where('id', '=', gatewayId).execute()
  }

  /** All of them by one statement. Two changes of one gateway are not among them. */
  async setPresence(tx: Tx, ...changes: readonly PresenceChange[]): Promise<void> {
    const rows = changes
      .map(({ gatewayId, presence, epoch, seenAtMs }) => ({ id: gatewayId, presence, epoch, seen: seenAtMs }))
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    if (wordsOf(tx).locksRows)
      await sql`select from gateways where id = any(${rows.map(({ id }) => id)}) order by id for no key update`.execute(
        tx,
      )
    const columns = { id: 'text', presence: 'text', epoch: 'integer', seen: 'integer' } as const
    await sql`update gateways set presence = v.presence, last_seen_at = coalesce(v.seen, gateways.last_seen_at)
      from ${wordsOf(tx).rowsOf(JSON.stringify(rows), 'v', columns)}
      where gateways.id = v.id and gateways.session_epoch = coalesce(v.epoch, gateways.session_epoch)`.execute(tx)
  }

  /** A relay starts, or one has ended: the gateways that were connected there are unknown until they connect again. */
  async forgetPresence(tx: Tx): Promise<void> {
    const gone = tx
      .selectFrom('gateways')
      .select('id')
      .where('presence', '!=', 'unknown')
      .where('simulated', '=', 0)
      .where(ofDeadRelays(this.#db, 'relay_id'))
      .orderBy(this.#db.words.unindexed('id'))
      .forNoKeyUpdate()
    await tx.updateTable('gateways').set({ presence: 'unknown' }).where('id', 'in', gone).execute()
  }

  /** Gateways that should have connected by now and have not become offline. @returns their ids */
  async unknownToOffline(tx: Tx, createdBeforeMs: number): Promise<GatewayId[]> {
    const rows = await this.#queries.unknownToOffline(tx, { before: createdBeforeMs })
    return rows.map((row) => row.id)
  }

  /** Gateways of these shards that are online as another relay saw it, although this one has the shards and has called them. */
  async absentToOffline(shards: readonly number[]): Promise<void> {
    const me = this.#db.replicaId
    await this.#db.unit((tx) =>
      tx
        .updateTable('gateways')
        .set({ presence: 'offline' })
        .where('presence', '=', 'online')
        .where('simulated', '=', 0)
        .where((e) => e.or([e('relay_id', 'is', null), e('relay_id', '!=', me)]))
        .where('shard', 'in', (e) =>
          e
            .selectFrom('shards')
            .select('shard')
            .where('owner', '=', me)
            .where('shard', 'in', [...shards]),
        )
        .execute(),
    )
  }

  async hasUnknown(createdBeforeMs: number): Promise<boolean> {
    return (await this.#queries.unknown(this.#db.read, { before: createdBeforeMs })).length > 0
  }

  async revoke(tx: Tx, gatewayId: GatewayId, nowMs: number): Promise<void> {
    await tx
      .updateTable('gateways')
      .set({ revoked_at: nowMs, presence: 'offline' })
      .where('id', '=', gatewayId)
      .where('revoked_at', 'is', null)
      .execute()
  }

  /** Gateways revoked at or after `sinceMs`, by whichever program did it. */
  async revokedSince(sinceMs: number): Promise<GatewayId[]> {
    const rows = await this.#queries.revokedSince(this.#db.read, { since: sinceMs })
    return rows.map((row) => row.id)
  }

  /** Makes the printers of a gateway what it has just reported, in its order: by it the gateway chooses between printers of one station. */
  async replacePrinters(
    tx: Tx,
    gatewayId: GatewayId,
    { printers, nowMs }: { printers: readonly PrinterReport[]; nowMs: number },
  ): Promise<void> {
    await holdRow(tx, 'gateways', gatewayId)
    await tx.deleteFrom('printers').where('gateway_id', '=', gatewayId).execute()
    const byId = new Map(printers.map((printer) => [printer.printerId, printer]))
    for (const [place, printer] of [...byId.values()].entries())
      await tx
        .insertInto('printers')
        .values({ ...printerRow(gatewayId, printer, nowMs), stand_in: printer.standIn ?? null, place })
        .execute()
  }
}

/** A printer as it was reported, without its place among the others. */
export function printerRow(gatewayId: GatewayId, printer: PrinterReport, nowMs: number) {
  return {
    gateway_id: gatewayId,
    printer_id: printer.printerId,
    name: printer.name,
    stations: JSON.stringify(printer.stations),
    is_default: printer.isDefault ? (1 as const) : (0 as const),
    state: printer.state,
    reasons: JSON.stringify(printer.reasons),
    updated_at: nowMs,
  }
}

function compile({ read }: RelayDatabase) {
  return {
    ...compilePresence(read),
    byId: holding((p) => read.selectFrom('gateways').selectAll().where('id', '=', p('id'))),
    machine: prepared((p) => read.selectFrom('gateways').select('machine').where('id', '=', p('id'))),
    tokenHash: prepared((p) =>
      read
        .selectFrom('gateways')
        .select('token_hash')
        .where('id', '=', p('id'))
        .where('revoked_at', 'is', null)
        .where('simulated', '=', sql.lit(0)),
    ),
  }
}

/** Literals, as in the partial indexes gateways_unknown and gateways_revoked. */
function compilePresence(read: Db) {
  const unknown = sql.lit('unknown' as const)
  return {
    unknown: prepared((p) =>
      read
        .selectFrom('gateways')
        .select('id')
        .where('presence', '=', unknown)
        .where('simulated', '=', sql.lit(0))
        .where('created_at', '<=', p('before'))
        .limit(sql.lit(1)),
    ),
    unknownToOffline: prepared((p, words) =>
      read
        .updateTable('gateways')
        .set({ presence: sql.lit('offline' as const) })
        .where('id', 'in', (e) =>
          e
            .selectFrom('gateways')
            .select('id')
            .where('presence', '=', unknown)
            .where('simulated', '=', sql.lit(0))
            .where('created_at', '<=', p('before'))
            .orderBy(words.unindexed('id'))
            .forNoKeyUpdate(),
        )
        .returning('id'),
    ),
    revokedSince: prepared((p) =>
      read
        .selectFrom('gateways')
        .select('id')
        .where('revoked_at', 'is not', null)
        .where('revoked_at', '>=', p('since'))
        .where('simulated', '=', 0),
    ),
  }
}

function toGateway(row: GatewaysTable): Gateway {
  return {
    gatewayId: row.id,
    locationId: row.location_id,
    name: row.name,
    shard: row.shard,
    stream: row.stream,
    ackedSeq: row.acked_seq,
    lastSeq: row.last_seq,
    sessionEpoch: row.session_epoch,
    bootId: row.boot_id,
    machine: row.machine,
    disk: row.disk,
    presence: row.presence,
    lastSeenAtMs: row.last_seen_at,
    revoked: row.revoked_at !== null,
    simulated: row.simulated === 1,
  }
}
