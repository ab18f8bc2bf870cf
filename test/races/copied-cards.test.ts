// Two boxes with one identity (a copied card) at two relays on one database are told apart as at one. On SQLite one relay is alone: nothing
// is left for another.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LinkDesk } from '#test/fixtures/link-desk.ts'
import { isOnPostgres } from '#test/harness/engines.ts'

let desks: [LinkDesk, LinkDesk]
let epoch: number
beforeEach(async () => {
  const first = await LinkDesk.open()
  desks = [first, await first.beside()]
  epoch = 0
})
afterEach(async () => {
  await desks[1].close()
  await desks[0].close()
})

type Change = Parameters<LinkDesk['helloOf']>[0]

/** A hello at this relay. @returns whether it was let in, or why not */
async function greets(relay: 0 | 1, bootId: string, change: Change = {}): Promise<'welcome' | 'twins' | 'nothing'> {
  const desk = desks[relay]
  desk.said.length = 0
  desk.twins.length = 0
  epoch += 1
  await desk.hello({ bootId, e: epoch, ...change })
  if (desk.twins.length > 0) return 'twins'
  return desk.of('welcome').length > 0 ? 'welcome' : 'nothing'
}

/** Its relay has seen it go. */
async function leaves(relay: 0 | 1): Promise<void> {
  const { gatewayId, api, dispatcher } = desks[relay]
  dispatcher.left(gatewayId, null)
  dispatcher.drop(gatewayId)
  dispatcher.ended(gatewayId, { placeIsFree: true })
  await api.db.unit((tx) =>
    api.stores.gateways.setPresence(tx, { gatewayId, presence: 'offline', epoch: null, seenAtMs: null }),
  )
}

describe.runIf(isOnPostgres)('two clones', () => {
  it('of which each keeps to its relay are found after as many hellos as at one', async () => {
    expect([await greets(0, 'a'), await greets(1, 'b'), await greets(0, 'a'), await greets(1, 'b')]).toEqual([
      ...['welcome', 'welcome', 'welcome', 'twins'],
    ])
    // The one that returned first stays, wherever they come.
    expect([await greets(0, 'a'), await greets(1, 'b'), await greets(0, 'b'), await greets(1, 'a')]).toEqual([
      ...['welcome', 'twins', 'twins', 'welcome'],
    ])
  })

  it('with the same machine id are found, too', async () => {
    const machine = 'm'
    await greets(0, 'first', { machine })
    const verdicts = []
    for (let n = 0; n < 4; n++) verdicts.push(await greets(n % 2 === 0 ? 0 : 1, n % 2 === 0 ? 'a' : 'b', { machine }))
    expect(verdicts).toEqual(['welcome', 'welcome', 'welcome', 'twins'])
  })

  it('give the place free when the right one has left', async () => {
    for (const [n, boot] of ['a', 'b', 'a', 'b'].entries()) await greets(n % 2 === 0 ? 0 : 1, boot)
    await greets(0, 'a')
    await leaves(0)
    expect(await greets(1, 'b')).toBe('welcome')
  })
})

describe.runIf(isOnPostgres)('a copy in another machine', () => {
  it('is not let in at one relay while the known machine is at the other', async () => {
    await greets(0, 'a', { machine: 'home' })
    await greets(0, 'a', { machine: 'home' })
    expect(await greets(1, 'x', { machine: 'copy' })).toBe('twins')
    await leaves(0)
    expect(await greets(1, 'x', { machine: 'copy' })).toBe('welcome')
    expect(await greets(0, 'a2', { machine: 'home' })).toBe('welcome')
    expect(await greets(1, 'x', { machine: 'copy' })).toBe('twins')
  })

  it('is let in when the relay of the known machine has died', async () => {
    await greets(0, 'a', { machine: 'home' })
    await greets(0, 'a', { machine: 'home' })
    const { api } = desks[1]
    await api.db.unit((tx) => api.stores.gateways.forgetPresence(tx))
    expect(await greets(1, 'x', { machine: 'copy' })).toBe('welcome')
  })
})

describe('one box', () => {
  it('that restarts and moves between relays is welcome, however often', async () => {
    const verdicts = new Set<string>()
    for (const [n, boot] of ['a', 'a', 'b', 'b', 'b', 'c', 'd', 'd', 'e'].entries())
      verdicts.add(await greets(n % 2 === 0 ? 0 : 1, boot))
    expect([...verdicts]).toEqual(['welcome'])
  })

  it('leaves the last four of its boots for other relays, none where the relay is alone', async () => {
    for (const boot of ['a', 'b', 'c', 'd', 'd', 'e']) await greets(0, boot)
    const { boots } = await desks[0].api.db.read
      .selectFrom('gateways')
      .select('boots')
      .where('id', '=', desks[0].gatewayId)
      .executeTakeFirstOrThrow()
    const seen = boots === null ? null : (JSON.parse(boots) as { bootId: string }[]).map(({ bootId }) => bootId)
    expect(seen).toEqual(isOnPostgres ? ['b', 'c', 'd', 'e'] : null)
  })
})
