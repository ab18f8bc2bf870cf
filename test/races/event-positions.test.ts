// Two relays record events of one merchant while somebody follows them: no event comes to stand before a place that the follower has passed.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openStores } from '#cloud/storage/stores.ts'
import { followEvents } from '#cloud/webhooks/follow-events.ts'
import { recordEvent } from '#cloud/webhooks/record-event.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { deadlocksOf, openSecondRelayDatabase } from '#test/fixtures/fresh-relay-database.ts'
import { WebhookSite } from '#test/fixtures/webhook-site.ts'
import { atOnce, failures, race, resultOf, turn, when } from './race.ts'

let site: WebhookSite
let second: Awaited<ReturnType<typeof openSecondRelayDatabase>>
beforeEach(async () => {
  site = await WebhookSite.open({ clock: new ManualClock() })
  second = await openSecondRelayDatabase(site.db)
})
afterEach(async () => {
  await second.close()
  await site.close()
  expect(deadlocksOf(site.db)).toBe(0)
})

/** Units of one to three events, which take longer or shorter after their last. @returns the ids of the events */
async function write(handle: 0 | 1, round: number): Promise<string[]> {
  const db = handle === 0 ? site.db : second
  const ids: string[] = []
  for (let unit = 0; unit < 4; unit++) {
    const events = Array.from({ length: 1 + ((unit + round + handle) % 3) }, () => site.newEvent())
    ids.push(
      ...(await db.unit(async (tx) => {
        const recorded: string[] = []
        for (const event of events) recorded.push((await recordEvent(tx, site, event)).eventId)
        for (let i = 0; i < (unit * 7 + round * 3 + handle) % 5; i++)
          await tx.selectFrom('merchants').select('id').execute()
        return recorded
      })),
    )
  }
  return ids
}

describe('a follower of the events', () => {
  it('is given each event of two relays once, in rising order, and misses none', async () => {
    const { events } = openStores(second)
    const deps = { events, clock: site.clock, secretBox: site.secretBox }
    const limit = 100
    let after = (await followEvents(deps, site.merchant, { after: 'now', limit })).nextCursor
    await race(async (round) => {
      const seen: string[] = []
      let isWriting = true
      const follow = async (): Promise<void> => {
        for (let isLast = false; !isLast; ) {
          // SQLite answers within the turn: the writers must have one, too.
          await turn()
          isLast = !isWriting
          const page = await followEvents(deps, site.merchant, { after, limit })
          after = page.nextCursor
          seen.push(...page.data.map(({ id }) => id))
        }
      }
      const following = follow()
      const results = await atOnce(
        () => write(0, round),
        () => write(1, round),
      )
      isWriting = false
      const [followed] = await atOnce(() => following)
      const written = results.flatMap((result) => resultOf(result) ?? [])
      const missed = written.filter((id) => !seen.includes(id))
      return [
        ...failures([...results, followed]),
        ...when(missed.length > 0, 'an event was skipped'),
        ...when(new Set(seen).size !== seen.length, 'an event was given twice'),
        ...when(seen.length > written.length, 'more events were given than were written'),
      ]
    })
  })

  it('that reads the list of them from the last position on misses none either', async () => {
    const { events } = openStores(second)
    const owner = { ...site.merchant, merchantKey: site.merchant.key }
    let last = 0
    await race(async (round) => {
      const positions: number[] = []
      let count = 0
      let isWriting = true
      const follow = async (): Promise<void> => {
        for (let isLast = false; !isLast; ) {
          // SQLite answers within the turn: the writers must have one, too.
          await turn()
          isLast = !isWriting
          const rows = await events.list(owner, { above: last }, { order: 'asc', limit: 1_000 })
          last = rows.at(-1)?.position ?? last
          count += rows.length
          positions.push(...rows.map(({ position }) => position))
        }
      }
      const following = follow()
      const results = await atOnce(
        () => write(0, round),
        () => write(1, round),
      )
      isWriting = false
      const [followed] = await atOnce(() => following)
      const written = results.flatMap((result) => resultOf(result) ?? []).length
      const rising = positions.every((position, i) => i === 0 || position > (positions[i - 1] ?? 0))
      return [
        ...failures([...results, followed]),
        ...when(count < written, 'an event was skipped'),
        ...when(!rising, 'the positions do not rise'),
      ]
    })
  })
})
