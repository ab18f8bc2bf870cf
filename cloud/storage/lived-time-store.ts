// The stored time that its relay has lived through: a start detects with it whether the clock has jumped meanwhile.
import type { EpochMs } from '#shared/clock.ts'
import type { RelayDatabase, Tx } from './database.ts'
import type { NewRow } from './schema.ts'

export interface LivedTime {
  knownMs: EpochMs
  /** Another time that the clock shows, and for how long the relay has run while it did; null: it shows the known one. */
  other: { atMs: EpochMs; forMs: number } | null
}

export class LivedTimeStore {
  readonly #db: RelayDatabase

  constructor(db: RelayDatabase) {
    this.#db = db
  }

  /** Null: none was kept yet. */
  async read(): Promise<LivedTime | null> {
    const rows = await this.#db.read.selectFrom('marks').select(['name', 'at']).execute()
    const marks = new Map(rows.map(({ name, at }) => [name, at]))
    const [knownMs, atMs, forMs] = [marks.get('known'), marks.get('other'), marks.get('otherFor')]
    if (knownMs === undefined) return null
    return { knownMs, other: atMs === undefined || forMs === undefined ? null : { atMs, forMs } }
  }

  async keep({ knownMs, other }: LivedTime): Promise<void> {
    const whole = (name: 'known' | 'other' | 'otherFor', at: number) => ({ name, at: Math.round(at) })
    await this.#db.unit(async (tx) => {
      await setMarks(tx, [whole('known', knownMs)])
      if (other === null) await tx.deleteFrom('marks').where('name', 'in', ['other', 'otherFor']).execute()
      else await setMarks(tx, [whole('other', other.atMs), whole('otherFor', other.forMs)])
    })
  }

  /** The latest time in any row, for a database that has stored none; null: it has no rows. */
  async newestRow(): Promise<EpochMs | null> {
    const { read } = this.#db
    const order = await read.selectFrom('orders').select('queued_at as at').orderBy('id', 'desc').limit(1).execute()
    const event = await read
      .selectFrom('events')
      .select('created_at as at')
      .orderBy('position', 'desc')
      .limit(1)
      .execute()
    const seen = await read
      .selectFrom('gateways')
      .select((e) => e.fn.max('last_seen_at').as('at'))
      .execute()
    const made = await read
      .selectFrom('accounts')
      .select((e) => e.fn.max('created_at').as('at'))
      .execute()
    const times = [...order, ...event, ...seen, ...made].flatMap(({ at }) => (at === null ? [] : [Number(at)]))
    return times.length === 0 ? null : Math.max(...times)
  }
}

async function setMarks(tx: Tx, marks: NewRow<'marks'>[]): Promise<void> {
  await tx
    .insertInto('marks')
    .values(marks)
    .onConflict((on) => on.column('name').doUpdateSet((e) => ({ at: e.ref('excluded.at') })))
    .execute()
}
