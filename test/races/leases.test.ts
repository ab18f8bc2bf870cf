// What one relay does for all: of two relays that look at one free lease at once, one takes it, and only that one believes that it has it.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ReplicaStore } from '#cloud/storage/replica-store.ts'
import { atOnce, failures, race, resultOf, when } from './race.ts'
import { TwoRelays } from './two-relays.ts'

let relays: TwoRelays
beforeEach(async () => {
  relays = await TwoRelays.open()
})
afterEach(() => relays.close())

describe('two relays that check one free lease at once', () => {
  it('one has it', async () => {
    const [a, b] = [new ReplicaStore(relays.a.db), new ReplicaStore(relays.b.db)]
    const me = (id: string) => ({ id, version: '0', draining: false })
    await a.join(['fire'])
    await race(async () => {
      await relays.db.unit((tx) => tx.updateTable('leases').set({ holder: '', until: 0 }).execute())
      const results = await atOnce(
        () => a.beat(me('r_a')),
        () => b.beat(me('r_b')),
      )
      const holders = results.filter((result) => resultOf(result)?.held.has('fire'))
      return [
        ...failures(results),
        ...when(holders.length > 1, 'both have it'),
        ...when(holders.length === 0, 'nobody has it'),
      ]
    })
    expect(await relays.db.read.selectFrom('leases').select('name').execute()).toEqual([{ name: 'fire' }])
  })
})
