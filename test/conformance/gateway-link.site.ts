// One relay, one gateway and a wire between them that can be broken: real stores in real files, real sockets, a kitchen that notes its paper.
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { type Logger, pino } from 'pino'
import { registerGateway } from '#cloud/relay/gateway-registry.ts'
import type { JobResult } from '#cloud/relay/gateway-reports.ts'
import { Relay } from '#cloud/relay/relay.ts'
import type { RelayDatabase } from '#cloud/storage/database.ts'
import { DispatchStore } from '#cloud/storage/dispatch-store.ts'
import { GatewayStore } from '#cloud/storage/gateway-store.ts'
import { HandBackStore } from '#cloud/storage/hand-back-store.ts'
import { SqliteDatabase } from '#cloud/storage/sqlite/sqlite-database.ts'
import { type Clock, systemClock } from '#shared/clock.ts'
import { type AccountId, asId, type GatewayId, type LocationId, type MerchantKey, newId } from '#shared/ids.ts'
import { sealText } from '#shared/link-seal.ts'
import { kitchenOrder } from '#shared/order.ts'
import type { JobDoc } from '#shared/wire/gateway-link.ts'
import { packetOf } from '#test/doubles/mqtt-wire.ts'
import type { BrokerUnderTest } from './gateway-link.brokers.ts'
import { GatewaySide } from './gateway-link.gateway.ts'

export const LOCATION: LocationId = asId('loc')
const ACCOUNT: AccountId = asId('acc')
const MERCHANT: MerchantKey = asId('mer')

const log: Logger = pino({ level: process.env['LINK_LOG'] ?? 'silent' })

/** What stands on the paper of a job: long enough to be hit when bits are flipped. */
export function noteOf(jobId: string): string {
  return `${jobId}: ${'no salt, and the bread beside it; '.repeat(8)}`
}

export class RelaySide {
  readonly file: string
  readonly broker: BrokerUnderTest
  /** Of the relay from its next start on. */
  clock: Clock = systemClock
  /** Results that changed something, in the order of recording. */
  readonly recorded: JobResult[] = []
  readonly unknown: string[] = []
  db!: RelayDatabase
  dispatches!: DispatchStore
  gateways!: GatewayStore
  relay!: Relay

  constructor(dir: string, broker: BrokerUnderTest) {
    this.file = join(dir, 'relay.db')
    this.broker = broker
  }

  get port(): number {
    return this.broker.port(this.relay.mqttPort)
  }

  async start(): Promise<void> {
    this.db = await SqliteDatabase.open(this.file, () => {})
    this.dispatches = new DispatchStore(this.db)
    this.gateways = new GatewayStore(this.db)
    this.relay = await this.startBeside()
  }

  /** One more relay on the same database, with a broker of its own where that is embedded. */
  async startBeside(): Promise<Relay> {
    const { db, dispatches, gateways, clock } = this
    const relay = new Relay({
      ...{ db, dispatches, gateways, clock, log, random: Math.random, config: this.broker.relayConfig() },
      recordResult: (result) => this.#record(result),
      recordKitchenFact: async () => 'unknown' as const,
      // Its orders have no rows: what comes back is only counted through.
      takeBackOrders: (piece) => this.#countThrough(piece),
    })
    await relay.start()
    return relay
  }

  /** Notes how far the gateway has come. */
  async #countThrough({ gatewayId, upTo, end }: { gatewayId: GatewayId; upTo: number; end: number }): Promise<null> {
    const range = upTo >= end ? null : { after: upTo, upTo: end }
    await this.db.unit((tx) => new HandBackStore(this.db).setRange(tx, gatewayId, { range, nowMs: 0 }))
    return null
  }

  async stop(): Promise<void> {
    await this.relay.stop()
    await this.db.close()
  }

  /** Whatever is not on disk is lost. */
  async crash(): Promise<void> {
    const closed = this.db.close()
    await this.relay.stop()
    await closed
  }

  /** Makes the file what it was at `backup`. The relay must not run. */
  restore(backup: string): void {
    for (const end of ['', '-wal', '-shm']) rmSync(this.file + end, { force: true })
    copyFileSync(backup, this.file)
  }

  backup(to: string): void {
    const db = new Database(this.file)
    db.prepare('vacuum into ?').run(to)
    db.close()
  }

  /** Inserts a job and wakes the dispatcher, as an injected order does. `doc`: instead of a soup; it may be none that anybody can read. */
  async order(
    jobId: string,
    {
      availableAtMs = 0,
      notBeforeMs = null,
      doc,
    }: { availableAtMs?: number; notBeforeMs?: number | null; doc?: object } = {},
  ): Promise<void> {
    const soup: JobDoc = {
      kind: 'order',
      order: kitchenOrder.parse({
        serviceOrderId: newId('ord', systemClock.now()),
        orderId: jobId,
        merchantId: 'M',
        locationId: LOCATION,
        source: 'test',
        queuedAtMs: systemClock.now(),
        timeZone: 'UTC',
        items: [{ umsId: 'u', name: 'Soup', qty: 1, note: noteOf(jobId) }],
      }),
    }
    const times = { availableAtMs, notBeforeMs, expiresAtMs: null, createdAtMs: systemClock.now() }
    await this.db.unit((tx) =>
      this.dispatches.insert(tx, {
        ...{ id: asId<'pj'>(jobId), orderId: null, locationId: LOCATION, doc: (doc as JobDoc | undefined) ?? soup },
        ...times,
      }),
    )
    this.dispatches.changed.notify(LOCATION)
  }

  async cancel(jobId: string): Promise<string> {
    const answer = await this.db.unit((tx) => this.dispatches.requestCancel(tx, asId(jobId), systemClock.now()))
    this.dispatches.changed.notify(LOCATION)
    return answer
  }

  async state(jobId: string): Promise<string | undefined> {
    const row = await this.db.read
      .selectFrom('dispatches')
      .select('state')
      .where('id', '=', asId<'pj'>(jobId))
      .executeTakeFirst()
    return row?.state
  }

  async states(): Promise<Record<string, number>> {
    const rows = await this.db.read.selectFrom('dispatches').select('state').execute()
    const counts: Record<string, number> = {}
    for (const { state } of rows) counts[state] = (counts[state] ?? 0) + 1
    return counts
  }

  async #record(result: JobResult): Promise<'recorded' | 'already' | 'unknown'> {
    const { jobId, state, tickets } = result
    const settled = await this.db.unit((tx) =>
      this.dispatches.settle(tx, { jobId, state, evidence: tickets, atMs: systemClock.now() }),
    )
    if (settled) {
      this.recorded.push(result)
      return 'recorded'
    }
    if (await this.dispatches.ownerOf(jobId)) return 'already'
    this.unknown.push(jobId)
    return 'unknown'
  }
}

export class Site {
  readonly dir = mkdtempSync(join(tmpdir(), 'link-'))
  readonly relay: RelaySide
  readonly broker: BrokerUnderTest
  gateway!: GatewaySide
  proxyPort = 0

  constructor(broker: BrokerUnderTest) {
    this.broker = broker
    this.relay = new RelaySide(this.dir, broker)
  }

  async start({ gateway = true } = {}): Promise<void> {
    await this.broker.start()
    await this.relay.start()
    await this.#merchant()
    const { db, gateways } = this.relay
    const brokerAuth = this.broker.auth
    const deps = { db, gateways, clock: systemClock, ...(brokerAuth && { brokerAuth }) }
    this.gateway = new GatewaySide(this.dir, await registerGateway(deps, { locationId: LOCATION, name: 'g' }))
    this.proxyPort = (await this.gateway.proxy.start({ host: '127.0.0.1', port: this.relay.port })).port
    if (!gateway) return
    await this.gateway.start(this.proxyPort)
    await this.online()
  }

  async stop(): Promise<void> {
    await this.gateway.stop().catch(() => undefined)
    await this.gateway.proxy.stop()
    await this.relay.stop()
    await this.broker.stop()
    rmSync(this.dir, { recursive: true, force: true })
  }

  async startRelay(): Promise<void> {
    await this.relay.start()
    this.gateway.proxy.retarget({ host: '127.0.0.1', port: this.relay.port })
  }

  /** A second box with a copy of the gateway's disk. */
  twin(): GatewaySide {
    const dir = mkdtempSync(join(this.dir, 'twin-'))
    this.gateway.db.sqlite.prepare('vacuum into ?').run(join(dir, 'gateway.db'))
    return new GatewaySide(dir, this.gateway.pairing)
  }

  /** Says `move` to the gateway, as a relay that is about to stop; whatever relay answers next, it may be the same. */
  async askToMove(withinMs = 20_000): Promise<void> {
    const { gatewayId, topics } = this.gateway.pairing
    const e = (await this.relay.gateways.byId(gatewayId))?.sessionEpoch ?? 0
    const text = sealText(JSON.stringify({ v: 1, id: 'move', ts: systemClock.now(), e, t: 'move', withinMs }))
    const topic = Buffer.from(topics.down)
    this.gateway.proxy.inject(packetOf(0x30, Buffer.from([0, topic.length]), topic, Buffer.from(text)))
  }

  startGateway(): Promise<void> {
    return this.gateway.start(this.proxyPort)
  }

  online(): Promise<void> {
    return until(() => this.gateway.link.state.connected)
  }

  async #merchant(): Promise<void> {
    await this.relay.db.unit(async (tx) => {
      await tx.insertInto('accounts').values({ id: ACCOUNT, name: 'a', plan: 'sandbox', created_at: 0 }).execute()
      const merchant = { account_id: ACCOUNT, public_id: 'M-TEST-1', environment: 'sandbox' as const, name: 'm' }
      const times = { time_zone: 'UTC', prep_minutes: 1, fire_at_horizon_ms: 0, created_at: 0 }
      await tx
        .insertInto('merchants')
        .values({ id: MERCHANT, ...merchant, ...times })
        .execute()
      const location = { id: LOCATION, merchant_id: MERCHANT, name: 'l', is_default: 1, created_at: 0 }
      await tx.insertInto('locations').values(location).execute()
    })
  }
}

/** Resolves as soon as `condition` holds; looks every few milliseconds. */
export async function until(condition: () => boolean | Promise<boolean>, withinMs = 100_000): Promise<void> {
  const deadline = performance.now() + withinMs
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`not within ${withinMs} ms: ${condition}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
