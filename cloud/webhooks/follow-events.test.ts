// Following events: each once, in the order of commits, and an error if that is not possible any more.
import { copyFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ListCursors } from '#cloud/storage/cursor.ts'
import type { RelayDatabase } from '#cloud/storage/database.ts'
import { EventStore } from '#cloud/storage/event-store.ts'
import { SqliteDatabase } from '#cloud/storage/sqlite/sqlite-database.ts'
import { asId, newId } from '#shared/ids.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { queryPlans } from '#test/fixtures/query-plans.ts'
import { WebhookSite } from '#test/fixtures/webhook-site.ts'
import { FILES, ofSqlite, PLANS } from '#test/harness/engines.ts'
import { assertProperty } from '#test/harness/property.ts'
import { listEvents } from './events.ts'
import { followEvents } from './follow-events.ts'
import { recordEvent } from './record-event.ts'

const DAY = 24 * 3_600_000
let clock: ManualClock
let site: WebhookSite
beforeEach(async () => {
  clock = new ManualClock()
  site = await WebhookSite.open({ clock })
})
afterEach(async () => {
  vi.restoreAllMocks()
  await site.close()
})

type Query = Partial<Parameters<typeof followEvents>[2]>
const follow = (after: string, query: Query = {}, merchant = site.merchant) =>
  followEvents(site, merchant, { limit: 100, ...query, after })
const idsOf = (page: { data: { id: string }[] }) => page.data.map(({ id }) => id)
const record = async (event: Parameters<typeof site.record>[0] = {}) => (await site.record(event)).eventId

/** All events that exist now, page by page. */
async function everything(after: string, query: Query = {}) {
  const ids: string[] = []
  for (let at = after; ; ) {
    const page = await follow(at, query)
    ids.push(...idsOf(page))
    at = page.nextCursor
    if (page.data.length === 0) return { ids, at }
  }
}

describe('a follower', () => {
  it('gets each event once, oldest first, and a cursor even with an empty page', async () => {
    const empty = await follow('start')
    expect(empty).toEqual({ data: [], nextCursor: expect.any(String) })
    const made = [await record(), await record(), await record()]
    const first = await follow(empty.nextCursor, { limit: 2 })
    const second = await follow(first.nextCursor, { limit: 2 })
    expect([...idsOf(first), ...idsOf(second)]).toEqual(made)
    const third = await follow(second.nextCursor)
    expect(third.data).toEqual([])
    const next = await record()
    expect(idsOf(await follow(third.nextCursor))).toEqual([next])
    expect(idsOf(await follow(second.nextCursor))).toEqual([next])
  })

  it('may begin at the first stored event, at an event, or with new events', async () => {
    const [one, two, three] = [await record(), await record(), await record()]
    expect(idsOf(await follow('start'))).toEqual([one, two, three])
    expect(idsOf(await follow(one))).toEqual([two, three])
    const now = await follow('now')
    expect(now.data).toEqual([])
    const four = await record()
    expect(idsOf(await follow(now.nextCursor))).toEqual([four])
  })

  it('gets the order of commits, independent of the clock and of ids', async () => {
    const made: string[] = []
    for (const ms of [0, -3_600_000, 5, -1]) {
      clock.jump(ms)
      made.push(await record())
    }
    expect((await everything('start', { limit: 1 })).ids).toEqual(made)
  })

  it('may filter by one type and one subject; other events advance the cursor', async () => {
    const subjectId = newId('ord', clock.now())
    const accepted = await record({ subjectId })
    await record()
    const printed = await record({ subjectId, type: 'order.printed' })
    const other = await record({ type: 'order.printed' })
    expect((await everything('start', { subjectId })).ids).toEqual([accepted, printed])
    expect((await everything('start', { type: 'order.printed' })).ids).toEqual([printed, other])
    expect((await everything('start', { subjectId, type: 'order.printed' })).ids).toEqual([printed])
    expect(idsOf(await follow(other, { subjectId }))).toEqual([])
  })

  it('sees what the list shows and nothing of others', async () => {
    const order = await record()
    const sku = await record({ type: 'sku.low_stock', audience: 'merchant' })
    const partner = { ...site.merchant, accountId: newId('acc', 1) }
    const elsewhere = { ...site.merchant, key: newId('mer', 1) }
    expect(idsOf(await follow('start', {}, partner))).toEqual([sku])
    expect(idsOf(await follow('start', {}, elsewhere))).toEqual([])
    expect(idsOf(await follow('start')).toReversed()).toEqual(
      idsOf(await listEvents(site, site.merchant, { limit: 9 })),
    )
    await expect(follow(order, {}, partner)).rejects.toMatchObject({ code: 'event.place_gone' })
  })

  it('misses nothing that is committed while a page is read, including types that are new since', async () => {
    const first = await record()
    let hops = 0
    const typesOf = site.events.typesOf.bind(site.events)
    vi.spyOn(site.events, 'typesOf').mockImplementation(async (kind) => {
      const types = await typesOf(kind)
      hops += 1
      // Between reading the types and reading the page.
      if (hops === 1) made.push(await record({ type: 'order.voided' }), await record())
      return types
    })
    const made = [first]
    expect((await everything('start')).ids).toEqual(made)
    expect(made).toHaveLength(3)
  })

  it('gets all events of the last day, page by page', async () => {
    const made = [await record(), await record(), await record(), await record(), await record()]
    clock.jump(2 * DAY)
    for (const limit of [1, 2, 5]) expect((await everything('start', { limit })).ids).toEqual(made)
  })

  it('cannot see from its cursor that others have events', async () => {
    await record()
    const at = (await follow('start')).nextCursor
    await site.record({ merchantKey: newId('mer', 1) })
    expect((await follow(at)).nextCursor).toBe(at)
  })

  it('can neither read nor forge a cursor', async () => {
    await record()
    const { position } = await site.db.read.selectFrom('events').select('position').executeTakeFirstOrThrow()
    for (const after of ['start', 'now']) {
      const { nextCursor } = await follow(after)
      for (const bytes of [nextCursor, Buffer.from(nextCursor, 'base64url').toString()])
        expect(bytes).not.toContain(String(position))
      const flipped = Buffer.from(nextCursor, 'base64url')
      flipped[flipped.length - 4] = (flipped.at(-4) ?? 0) ^ 1
      const refusal = { code: 'request.invalid', errors: [{ field: 'after' }] }
      await expect(follow(flipped.toString('base64url'))).rejects.toMatchObject(refusal)
    }
    const { accountId, key } = site.merchant
    const cursors = new ListCursors({ list: 'events, in commit order', of: [accountId, key], filters: {} })
    await expect(follow(cursors.encode({ at: position, id: '' }))).rejects.toMatchObject({ code: 'request.invalid' })
  })

  ofSqlite(PLANS)('reads no more than the page', async () => {
    await record()
    await record({ type: 'sku.restored', audience: 'merchant' })
    const plans = await queryPlans(site.file, async () => {
      const { nextCursor } = await follow('start')
      await follow(nextCursor, { type: 'order.voided' }).catch(() => {})
      await follow('start', { subjectId: 'ord_1' })
    })
    const steps = plans.flatMap((plan) => plan.steps).filter((step) => / events\b/.test(step))
    expect(steps.length).toBeGreaterThan(3)
    for (const step of steps)
      expect(step).toMatch(
        /^(SEARCH events USING (COVERING )?(INDEX (events_own|events_shared|sqlite_auto)|INTEGER PRIMARY)|SCAN events$)/,
      )
    // The only scan reads the last event.
    const scans = plans.filter((plan) => plan.steps.some((step) => /^SCAN events$/.test(step)))
    expect(scans.map(({ sql }) => sql)).toEqual(['select "position" from "events" order by "position" desc limit +?'])
  })
})

describe('pages', () => {
  const TYPES = ['order.accepted', 'order.printed', 'sku.silenced'] as const
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.record({ type: fc.constantFrom(...TYPES), shared: fc.boolean(), fails: fc.boolean() }) },
    { weight: 2, arbitrary: fc.record({ page: fc.integer({ min: 1, max: 4 }) }) },
    { weight: 1, arbitrary: fc.record({ jumpMs: fc.integer({ min: -5_000, max: 5_000 }) }) },
  )

  it('together have every event once, in order, for any sequence of reads and writes', async () => {
    await assertProperty(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), fc.constantFrom(undefined, ...TYPES), async (steps, type) => {
        const begin = (await follow('now', { type })).nextCursor
        let at = begin
        const made: string[] = []
        const told: string[] = []
        for (const one of steps) {
          if ('jumpMs' in one) clock.jump(one.jumpMs)
          else if ('page' in one) {
            const page = await follow(at, { type, limit: one.page })
            told.push(...idsOf(page))
            at = page.nextCursor
          } else {
            const unit = site.db.unit(async (tx) => {
              const audience = one.shared ? 'merchant' : 'account'
              const { eventId } = await recordEvent(tx, site, site.newEvent({ type: one.type, audience }))
              if (one.fails) throw new Error('refused')
              return eventId
            })
            const eventId = await unit.catch(() => null)
            if (eventId !== null && (type === undefined || type === one.type)) made.push(eventId)
          }
        }
        expect(made.slice(0, told.length)).toEqual(told)
        expect([...told, ...(await everything(at, { type })).ids]).toEqual(made)
        expect((await everything(begin, { type, limit: 3 })).ids).toEqual(made)
      }),
    )
  })
})

describe('a cursor that is gone', () => {
  const refused = (message: RegExp) => ({
    code: 'event.place_gone',
    status: 410,
    message: expect.stringMatching(message),
    errors: [{ field: 'after', message: 'send after=start, and skip events you already have' }],
  })

  it('because of its age is refused, be it a cursor or an event, and the first stored event can be used', async () => {
    const old = await record()
    const place = (await follow('start')).nextCursor
    const late = (await everything(place)).at
    await record()
    clock.jump(30 * DAY + 1)
    const young = await record()
    await site.forgetWebhooks().sweep()
    await expect(follow(place)).rejects.toMatchObject(
      refused(/^Cannot resume here: this place is older than 30 days, .* have been deleted\.$/),
    )
    await expect(follow(late)).rejects.toMatchObject(refused(/older than 30 days/))
    await expect(follow(old)).rejects.toMatchObject(
      refused(/^Cannot resume here: the event is older than 30 days, was lost in a restore, or never existed\.$/),
    )
    expect((await everything('start')).ids).toEqual([young])
  })

  it('is not the current position, if the last stored event is an old one that is still to be sent', async () => {
    await site.listen('http://127.0.0.1:1', ['order.voided'])
    await record({ type: 'order.voided' })
    await record()
    clock.jump(30 * DAY + 1)
    expect(await site.forgetWebhooks().sweep()).toMatchObject({ events: 1 })
    const { nextCursor } = await follow('now')
    expect((await follow(nextCursor)).data).toEqual([])
    const next = await record()
    expect(idsOf(await follow(nextCursor))).toEqual([next])
  })

  it('is refused too if the events after it are deleted while its page is read', async () => {
    await record()
    const place = (await follow('start')).nextCursor
    await record()
    clock.jump(30 * DAY + 1)
    const list = site.events.list.bind(site.events)
    vi.spyOn(site.events, 'list').mockImplementationOnce(async (...args) => {
      await site.forgetWebhooks().sweep()
      return list(...args)
    })
    await expect(follow(place)).rejects.toMatchObject(refused(/older than 30 days/))
  })

  it('does not happen to a follower of a quiet merchant that polls often enough', async () => {
    await record()
    let at = (await follow('start')).nextCursor
    for (let day = 0; day < 70; day++) {
      clock.jump(DAY)
      // Others have events.
      await site.record({ merchantKey: newId('mer', 1) })
      await site.forgetWebhooks().sweep()
      const page = await follow(at)
      expect(page.data).toEqual([])
      at = page.nextCursor
    }
    // And if there are no events at all.
    for (let day = 0; day < 70; day++) {
      clock.jump(DAY)
      await site.forgetWebhooks().sweep()
      at = (await follow(at)).nextCursor
    }
    const next = await record()
    expect(idsOf(await follow(at))).toEqual([next])
  })

  it('includes an old event that is kept because it is still to be sent, if others after it are deleted', async () => {
    const { webhookId } = await site.listen('http://127.0.0.1:9/', ['order.ready'])
    const waits = await record({ type: 'order.ready' })
    await record()
    clock.jump(31 * DAY)
    await site.forgetWebhooks().sweep()
    expect(webhookId).toBeTruthy()
    await expect(follow(waits)).rejects.toMatchObject(refused(/older than 30 days/))
    expect((await everything('start', { limit: 1 })).ids).toEqual([])
  })

  ofSqlite(FILES)(
    'of a past that a restored relay does not have is told, also when it has recorded new events since',
    async () => {
      await record()
      const known = (await follow('start')).nextCursor
      const copy = join(dirname(site.file), 'copy.db')
      await site.db.close()
      copyFileSync(site.file, copy)
      const db = await SqliteDatabase.open(site.file, (error) => expect.unreachable(String(error)))
      const on = (relay: RelayDatabase) => ({ ...site, db: relay, events: new EventStore(relay), clock })
      const write = (relay: RelayDatabase) => relay.unit((tx) => recordEvent(tx, site, site.newEvent()))
      clock.jump(10)
      const lost = (await write(db)).eventId
      const ahead = (await followEvents(on(db), site.merchant, { after: known, limit: 10 })).nextCursor
      await db.close()
      const restored = await SqliteDatabase.open(copy, (error) => expect.unreachable(String(error)))
      const followOn = (text: string) => followEvents(on(restored), site.merchant, { after: text, limit: 10 })
      await expect(followOn(ahead)).rejects.toMatchObject(refused(/restored from a backup/))
      clock.jump(10)
      const fresh = (await write(restored)).eventId
      await expect(followOn(ahead)).rejects.toMatchObject(refused(/restored from a backup/))
      await expect(followOn(lost)).rejects.toMatchObject(refused(/lost in a restore/))
      expect(idsOf(await followOn(known))).toEqual([fresh])
      await restored.close()
    },
  )

  it('includes the id of an event whose order is older than a restore, because it may have been sent elsewhere before', async () => {
    const restored = async () => {
      clock.jump(10)
      const at = { at: clock.now(), copied_at: 0, location_id: '' as const }
      await site.db.unit((tx) => tx.insertInto('restores').values(at).execute())
      clock.jump(10)
    }
    const order = () => {
      const made = { subjectId: newId('ord', clock.now()), atMs: clock.now() }
      clock.jump(10)
      return made
    }
    const [early, late] = [order(), order()]
    const told = await record({ ...early, type: 'order.accepted', sequence: 1 })
    await restored()
    const [again, fresh] = [await record({ ...late, sequence: 2 }), await record(order())]
    await restored()
    const refusal = refused(/may have sent it before/)
    await expect(follow(again)).rejects.toMatchObject(refusal)
    expect([idsOf(await follow(told)), idsOf(await follow(fresh))]).toEqual([[again, fresh], []])
    const twice = await record({ ...early, type: 'order.printed', sequence: 2 })
    await expect(follow(twice)).rejects.toMatchObject(refusal)
    expect(idsOf(await follow((await follow(told, { limit: 1 })).nextCursor))).toEqual([fresh, twice])
  })

  it('does not include unknown events and invalid text, which are refused differently', async () => {
    for (const after of [newId('evt', 1), 'evt_1', 'evt_nix'])
      await expect(follow(after)).rejects.toMatchObject(refused(/or never existed/))
    for (const after of ['end', 'x', 'ord_1'])
      await expect(follow(after)).rejects.toMatchObject({ code: 'request.invalid', errors: [{ field: 'after' }] })
  })
})

describe('the cursor of a follower', () => {
  const invalid = {
    code: 'request.invalid',
    errors: [{ field: 'after', message: expect.stringContaining('after=start') }],
  }

  it('is valid for its filters and its merchant only, and not for the list', async () => {
    for (let i = 0; i < 3; i++) await record()
    const place = (await follow('start', { limit: 1 })).nextCursor
    await expect(follow(place, { type: 'order.ready' })).rejects.toMatchObject(invalid)
    await expect(follow(place, { subjectId: 'ord_1' })).rejects.toMatchObject(invalid)
    await expect(follow(place, {}, { ...site.merchant, key: newId('mer', 1) })).rejects.toMatchObject(invalid)
    await expect(follow(place, {}, { ...site.merchant, accountId: newId('acc', 1) })).rejects.toMatchObject(invalid)
    const list = await listEvents(site, site.merchant, { limit: 1 })
    await expect(follow(list.nextCursor ?? '')).rejects.toMatchObject(invalid)
    const asCursor = listEvents(site, site.merchant, { limit: 1, cursor: place })
    await expect(asCursor).rejects.toMatchObject({ code: 'request.invalid', errors: [{ field: 'cursor' }] })
    expect(asId<'evt'>(idsOf(await follow(place))[0] ?? '')).toBeTruthy()
  })
})
