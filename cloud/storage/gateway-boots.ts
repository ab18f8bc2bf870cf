// The last boots that connected as one gateway, at any relay: so that two boxes with one identity are also detected when they alternate
// between relays. A relay that runs alone remembers them itself, and writes nothing.
import type { GatewayId } from '#shared/ids.ts'
import { prepared, type RelayDatabase, type Tx } from './database.ts'
import { holding } from './hold.ts'

/** A hello as all relays on the database have it. */
export interface SeenBoot {
  bootId: string
  /** Whether it came from the machine that the gateway was first seen on. */
  isKnown: boolean
  /** It was not let in: another box uses the identity. */
  isRefused: boolean
  /** Id of the relay that got it. */
  relay: string
  /** On the database's clock. */
  atMs: number
}

/** Earlier boots, for the next hello. */
export interface Predecessors {
  /** It was first seen on this one. */
  machine: string | null
  /** Hellos at other relays, oldest first. */
  elsewhere: readonly SeenBoot[]
  /** The last one that was accepted, at any relay; null: not known any more. */
  lastIn: SeenBoot | null
  /** Others were refused since. */
  wasDisputed: boolean
  /** It is here still. */
  isOnline: boolean
  /** On the database's clock. */
  nowMs: number
}

/** So many boots are remembered: two that take turns show it by four. */
const MOST_BOOTS = 4

/** The sender of the current hello. */
interface Newcomer {
  bootId: string
  isKnown?: boolean
  isRefused?: boolean
}

export class GatewayBoots {
  readonly #db: RelayDatabase
  readonly #queries: ReturnType<typeof compile>

  constructor(db: RelayDatabase) {
    this.#db = db
    this.#queries = compile(db)
  }

  /** Null: there is no such gateway. */
  async predecessors(gatewayId: GatewayId): Promise<Predecessors | null> {
    const row = (await this.#queries.predecessors(this.#db.read, { id: gatewayId }))[0]
    if (row === undefined) return null
    const { machine, boots, presence, now: nowMs } = row
    const all = bootsOf(boots)
    const elsewhere = all.filter(({ relay }) => relay !== this.#db.replicaId)
    const lastIn = all.findLast(({ isRefused }) => !isRefused) ?? null
    const wasDisputed = all.at(-1) !== lastIn
    return { machine, elsewhere, lastIn, wasDisputed, isOnline: presence === 'online', nowMs }
  }

  /** A hello that was refused, because two boxes use one identity: recorded for the other relays. */
  async recordRefused(gatewayId: GatewayId, newcomer: Newcomer): Promise<void> {
    if (this.#db.replicaId === null) return
    await this.#db.unit(async (tx) => {
      const boots = await this.next(tx, gatewayId, { ...newcomer, isRefused: true })
      await tx.updateTable('gateways').set({ boots }).where('id', '=', gatewayId).execute()
    })
  }

  /** For `gateways.boots`: with this one as the last. */
  async next(tx: Tx, gatewayId: GatewayId, newcomer: Newcomer): Promise<string | null> {
    const relay = this.#db.replicaId
    if (relay === null) return null
    const row = (await this.#queries.held(tx, { id: gatewayId }))[0]
    const { bootId, isKnown = false, isRefused = false } = newcomer
    const before = bootsOf(row?.boots ?? null)
    const last = before.at(-1)
    // A box that only comes back takes no other's place.
    const others = last?.bootId === bootId && last.isRefused === isRefused ? before.slice(0, -1) : before
    return JSON.stringify([...others, { bootId, isKnown, isRefused, relay, atMs: row?.now ?? 0 }].slice(-MOST_BOOTS))
  }
}

function compile({ read }: RelayDatabase) {
  return {
    predecessors: prepared((p, words) =>
      read
        .selectFrom('gateways')
        .select(['machine', 'boots', 'presence', words.nowMs.as('now')])
        .where('id', '=', p('id')),
    ),
    held: holding((p, words) =>
      read
        .selectFrom('gateways')
        .select(['boots', words.nowMs.as('now')])
        .where('id', '=', p('id')),
    ),
  }
}

function bootsOf(text: string | null): SeenBoot[] {
  return text === null ? [] : (JSON.parse(text) as SeenBoot[])
}
