// What one order costs the dispatcher, counted on a real SQLite file: the same with ten other gateways and with ten thousand.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { SqliteConnection } from '#cloud/storage/sqlite/sqlite-connection.ts'
import { asId, type LocationId } from '#shared/ids.ts'
import { LinkDesk } from '#test/fixtures/link-desk.ts'
import { workEnded as turn } from '#test/harness/databases-at-work.ts'
import { ofSqlite } from '#test/harness/engines.ts'
import { GatewaySession, type SessionFacts } from './gateway-session.ts'
import { OrderDispatcher } from './order-dispatcher.ts'
import { SessionIndex } from './session-index.ts'

let desk: LinkDesk
let dispatcher: OrderDispatcher
let sessions: SessionIndex
let looks: number
let statements: number

beforeEach(async () => {
  desk = await LinkDesk.open()
  await desk.dispatcher.stop()
  sessions = new SessionIndex()
  dispatcher = new OrderDispatcher({
    ...desk.api.stores,
    sessions,
    publish: desk.publish,
    settle: async () => undefined,
    onTwins: () => undefined,
    onMissed: () => undefined,
  })
  await dispatcher.start()
  await dispatcher.hello(desk.gatewayId, desk.helloOf(), desk.clock.now())
  await desk.quiet()
})

afterEach(async () => {
  vi.restoreAllMocks()
  await dispatcher.stop()
  await desk.close()
})

/** A gateway of a location of its own that counts every access. */
function bystander(n: number): void {
  const facts: SessionFacts = {
    ...{ gatewayId: asId(`gw_${n}`), locationId: asId<'loc'>(`loc_${n}`), stream: 's', epoch: 1, bootId: 'b' },
    ...{ acked: 0, lastSeq: 0, fresh: true, isWithoutDetails: false, isWithoutDigests: false, canMove: false },
    recall: null,
  }
  const session = new GatewaySession(facts, {
    ...desk.api.stores,
    publish: desk.publish,
    isInDoubt: () => false,
    lines: silent,
  })
  sessions.set(facts.gatewayId, session)
  Object.defineProperty(session, 'facts', {
    get: () => {
      looks++
      return facts
    },
  })
  Object.defineProperty(session, 'behind', {
    get: () => {
      looks++
      return false
    },
  })
}

const silent = { warn: () => undefined } as unknown as ConstructorParameters<typeof GatewaySession>[1]['lines']

function countStatements(): void {
  for (const method of ['rows', 'executeQuery'] as const) {
    const real = SqliteConnection.prototype[method] as (...all: unknown[]) => unknown
    vi.spyOn(SqliteConnection.prototype, method).mockImplementation(function (
      this: SqliteConnection,
      ...all: unknown[]
    ) {
      statements++
      return real.apply(this, all) as never
    })
  }
}

/** Two orders one after the other and a sweep, each until everything is sent: accesses to other gateways, and to the database. */
async function work(): Promise<{ looks: number; statements: number; said: string[] }> {
  await desk.quiet()
  desk.said.length = 0
  looks = 0
  statements = 0
  for (const id of ['pj_a', 'pj_b']) {
    await desk.insert(id)
    desk.api.stores.dispatches.changed.notify(desk.api.locationId)
    await desk.quiet()
  }
  await desk.clock.advance(500)
  await turn()
  await desk.quiet()
  return { looks, statements, said: desk.stream() }
}

describe('an order', () => {
  ofSqlite('how many statements SQLite runs')(
    'costs as many statements and looks beside 10,000 gateways as beside 10, and none of them is asked',
    async () => {
      countStatements()
      for (let n = 0; n < 10; n++) bystander(n)
      const few = await work()
      await desk.api.db.unit((tx) => tx.deleteFrom('dispatches').execute())
      await dispatcher.hello(desk.gatewayId, desk.helloOf({ e: 2, stream: 'stream-b' }), desk.clock.now())
      for (let n = 10; n < 10_000; n++) bystander(n)
      const many = await work()
      expect(few.said).toEqual(['1 pj_a', '2 pj_b'])
      expect(many).toEqual(few)
      expect(few.looks).toBe(0)
      expect(few.statements).toBeGreaterThan(0)
    },
  )
})

it('a session that could not be updated is checked by the next sweep', async () => {
  await desk.insert('pj_a')
  desk.api.stores.dispatches.changed.notify(desk.api.locationId)
  await desk.quiet()
  desk.said.length = 0
  vi.spyOn(desk.api.stores.dispatches, 'claimedAfter').mockRejectedValueOnce(new Error('disk I/O error'))
  await dispatcher.hello(desk.gatewayId, desk.helloOf({ e: 2 }), desk.clock.now())
  await desk.quiet()
  expect(desk.stream()).toEqual([])
  await desk.clock.advance(500)
  await desk.quiet()
  expect(desk.stream()).toEqual(['1 pj_a'])
})

describe('the sessions of a location', () => {
  const of = (gateway: string, location: string) => ({
    facts: { gatewayId: asId<'gw'>(gateway), locationId: asId<'loc'>(location) } as SessionFacts,
  })
  const at = (index: SessionIndex<ReturnType<typeof of>>, location: string): string[] =>
    [...index.at(asId(location) as LocationId)].map(({ facts }) => facts.gatewayId)

  it('are those that arrived and have not left', () => {
    const index = new SessionIndex<ReturnType<typeof of>>()
    for (const session of [of('gw_a', 'x'), of('gw_b', 'x'), of('gw_c', 'y')])
      index.set(session.facts.gatewayId, session)
    expect([at(index, 'x'), at(index, 'y'), at(index, 'z')]).toEqual([['gw_a', 'gw_b'], ['gw_c'], []])
    index.delete(asId('gw_a'))
    index.delete(asId('gw_a'))
    index.delete(asId('gw_c'))
    expect([at(index, 'x'), at(index, 'y')]).toEqual([['gw_b'], []])
  })

  it('follow a gateway whose newer session is of another location', () => {
    const index = new SessionIndex<ReturnType<typeof of>>()
    index.set(asId('gw_a'), of('gw_a', 'x'))
    const moved = of('gw_a', 'y')
    index.set(asId('gw_a'), moved)
    expect([at(index, 'x'), at(index, 'y'), [...index.values()]]).toEqual([[], ['gw_a'], [moved]])
  })
})
