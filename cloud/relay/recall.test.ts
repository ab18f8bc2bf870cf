// After a restore: a gateway hands back what the relay has lost before it gets anything new, and jobs in doubt are marked.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { RestoreStore } from '#cloud/storage/restore-store.ts'
import { CAP_HAND_BACK, type HandedBackJob } from '#shared/wire/hand-back.ts'
import { LinkDesk } from '#test/fixtures/link-desk.ts'
import { sealedOrder } from '#test/fixtures/sealed-orders.ts'
import { COUNTS, ofOneRun } from '#test/harness/units-twice.ts'
import { registerGateway } from './gateway-registry.ts'

let desk: LinkDesk
beforeEach(async () => {
  desk = await LinkDesk.open()
})
afterEach(async () => {
  vi.restoreAllMocks()
  await desk.close()
})

const CAPS = ['order-details', 'print-jobs', CAP_HAND_BACK]
const DAY_MS = 86_400_000

async function handBack(after: number, upTo: number, change: { jobs?: HandedBackJob[]; e?: number } = {}) {
  const { e = 1, jobs = [{ jobId: 'pj_old', seq: upTo, doc: null, notBefore: null, expiresAt: null }] } = change
  const message = { v: 1, id: 'm', ts: 0, e, t: 'hand-back', stream: 'stream-a', after, upTo, jobs } as const
  const isNews = desk.dispatcher.handedBack(desk.gatewayId, { ...message, jobs })
  await desk.quiet()
  return isNews
}
const recalls = () => desk.of('recall').map(({ after, upTo }) => [after, upTo])
/** The database is a copy on which the relay has just been started. */
async function restored(copiedAtMs = 0): Promise<void> {
  await desk.api.db.unit((tx) => tx.insertInto('marks').values({ name: 'copied', at: copiedAtMs }).execute())
  await desk.api.stores.watch.start()
}
/** A second gateway of the location, which sends hello when the test calls for it. */
async function second(locationId = desk.api.locationId) {
  const { gatewayId } = await registerGateway(desk.api.stores, { locationId, name: 'Second' })
  const hello = async (last = 0) => {
    const message = desk.helloOf({ caps: CAPS, stream: 'stream-b', last })
    await desk.dispatcher.hello(gatewayId, message, desk.clock.now())
    await desk.quiet()
  }
  return { gatewayId, hello }
}
/** The kitchen's papers from now on: `?` is the mark. */
async function printedNext(jobId: string): Promise<string | undefined> {
  await desk.insert(jobId)
  await desk.quiet()
  return desk.stream().at(-1)?.split(' ')[1]
}

describe('a gateway that has more than the relay gave out', () => {
  beforeEach(async () => {
    await desk.hello({ last: 7, caps: CAPS })
    await desk.insert('pj_a')
    await desk.quiet()
  })

  it('is asked for what the relay lacks of its own kitchen, and is sent nothing before all of it is stored', async () => {
    expect(desk.of('recall')).toMatchObject([
      { stream: 'stream-a', locationId: desk.api.locationId, after: 0, upTo: 7 },
    ])
    expect(desk.stream()).toEqual([])
    await handBack(0, 4)
    expect([recalls(), desk.stream()]).toEqual([
      [
        [0, 7],
        [4, 7],
      ],
      [],
    ])
    await handBack(4, 7)
    // The last one confirms that it is stored.
    expect([recalls().at(-1), desk.stream()]).toEqual([[7, 7], ['8 pj_a']])
  })

  it('continues where it was when the connection breaks, and is asked for nothing that is stored', async () => {
    await handBack(0, 4)
    desk.dispatcher.drop(desk.gatewayId)
    await desk.hello({ last: 7, e: 2, caps: CAPS })
    expect(recalls().at(-1)).toEqual([4, 7])
  })

  it('is still asked for what was open before the relay forgot yet more', async () => {
    await handBack(0, 4)
    desk.dispatcher.drop(desk.gatewayId)
    await desk.hello({ last: 9, e: 2, caps: CAPS })
    expect(recalls().at(-1)).toEqual([4, 9])
  })

  it('changes nothing with a piece that was not requested', async () => {
    await handBack(2, 7)
    await handBack(0, 9)
    await handBack(0, 0)
    await handBack(0, 7, { e: 9 })
    expect([recalls(), desk.stream()]).toEqual([[[0, 7]], []])
  })

  it('may not continue by pieces without an order: only the last may be empty', async () => {
    await handBack(0, 1, { jobs: [] })
    expect([recalls(), desk.stream()]).toEqual([[[0, 7]], []])
    await handBack(0, 7, { jobs: [] })
    expect([recalls().at(-1), desk.stream()]).toEqual([[7, 7], ['8 pj_a']])
  })

  it('is classified by its content: a piece is news that was requested and has an order that was lost', async () => {
    const jobs = [sealedOrder(desk.api, { seq: 1 })]
    const again = { jobs: [{ ...jobs[0]!, seq: 4 }] }
    expect(await handBack(3, 4, { jobs })).toBe(false)
    expect(await handBack(0, 1, { jobs })).toBe(true)
    expect(await handBack(0, 1, { jobs })).toBe(false)
    expect(await handBack(1, 3)).toBe(false)
    expect(await handBack(3, 4, again)).toBe(false)
    expect(await handBack(4, 7, { jobs: [] })).toBe(false)
    expect(recalls().at(-1)).toEqual([7, 7])
  })

  it('stores nothing with a piece that cannot be stored, and is asked for it again', async () => {
    const jobs = [sealedOrder(desk.api, { seq: 1 })]
    vi.spyOn(desk.api.db, 'unit').mockRejectedValueOnce(new Error('no disk'))
    expect(await handBack(0, 1, { jobs })).toBe(false)
    expect(desk.api.logLines.join('')).toContain('what a gateway handed back could not be stored')
    expect(await handBack(0, 1, { jobs })).toBe(true)
  })

  it('is asked again when it does not answer, and then sent what waits, marked', async () => {
    for (let n = 0; n < 3; n++) {
      await desk.clock.advance(5_000)
      await desk.quiet()
    }
    expect(recalls()).toEqual([
      [0, 7],
      [0, 7],
      [0, 7],
    ])
    expect(desk.stream()).toEqual(['8 pj_a?'])
  })
})

it('a gateway that would hand back without an end is asked a thousand times, then sent what waits, marked; its next hello continues', async () => {
  const last = 1_000_000_000_000
  await desk.hello({ last, caps: CAPS })
  await desk.insert('pj_a')
  for (let n = 0; n < 1_010; n++) await handBack(n, n + 1)
  expect([recalls().length, recalls().at(-1)]).toEqual([1_001, [1_000, 1_000]])
  expect(desk.stream()).toEqual([`${last + 1} pj_a?`])
  await desk.hello({ last, e: 2, caps: CAPS })
  expect(recalls().at(-1)).toEqual([1_000, last])
})

describe('what the relay cannot know', () => {
  it('is marked for a day where the gateway is older and hands nothing back', async () => {
    await desk.hello({ last: 7 })
    await desk.insert('pj_a')
    await desk.quiet()
    desk.ack(8)
    await desk.dispatcher.stop()
    // A hello does not restart the day.
    for (const e of [2, 3]) {
      await desk.clock.advance(DAY_MS / 2)
      await desk.hello({ last: 8, e })
    }
    await desk.dispatcher.start()
    await desk.insert('pj_b')
    await desk.quiet()
    expect([recalls(), desk.stream()]).toEqual([[], ['8 pj_a?', '9 pj_b']])
  })

  it('is marked at another gateway of the kitchen until the one that may have printed it is back', async () => {
    const { locationId } = desk.api
    const { gatewayId } = await registerGateway(desk.api.stores, { locationId, name: 'Second' })
    await desk.clock.advance(1)
    await restored()
    await desk.hello({ caps: CAPS })
    await desk.insert('pj_a')
    await desk.quiet()
    expect(desk.stream()).toEqual(['1 pj_a?'])
    await desk.dispatcher.hello(gatewayId, desk.helloOf({ caps: CAPS, stream: 'stream-b' }), desk.clock.now())
    await desk.quiet()
    await desk.insert('pj_b')
    await desk.quiet()
    expect(desk.stream()).toEqual(['1 pj_a?', '2 pj_b'])
  })

  it('is marked for a copy of any age: a gateway heard in the week before it may have printed since', async () => {
    const other = await second()
    const copiedAtMs = desk.clock.now() + DAY_MS
    desk.clock.jump(9 * DAY_MS)
    await restored(copiedAtMs)
    await desk.hello({ caps: CAPS })
    expect(await printedNext('pj_a')).toBe('pj_a?')
    await other.hello()
    expect(await printedNext('pj_b')).toBe('pj_b')
  })

  it('is nothing of one that was silent for a week when the copy was made', async () => {
    await second()
    const copiedAtMs = desk.clock.now() + 8 * DAY_MS
    desk.clock.jump(9 * DAY_MS)
    await restored(copiedAtMs)
    await desk.hello({ caps: CAPS })
    expect(await printedNext('pj_a')).toBe('pj_a')
  })

  it('is marked where the gateway has lost its disk as well', async () => {
    await desk.hello({ caps: CAPS })
    await desk.clock.advance(1)
    await restored()
    await desk.hello({ caps: CAPS, e: 2, stream: 'stream-new', bootId: 'boot-b' })
    await desk.insert('pj_a')
    await desk.quiet()
    expect([recalls(), desk.stream()]).toEqual([[], ['1 pj_a?']])
  })

  it('is nothing where the gateway is as far as the relay, or the relay was never restored', async () => {
    await desk.hello({ caps: CAPS })
    await desk.clock.advance(1)
    await restored()
    await desk.hello({ caps: CAPS, e: 2 })
    await desk.insert('pj_a')
    await desk.quiet()
    expect([recalls(), desk.stream()]).toEqual([[], ['1 pj_a']])
  })
})

describe('a database that was rolled back without a note', () => {
  /** The relay has just been started on it, and one gateway of the kitchen has not connected since. */
  const rolledBack = async () => {
    const other = await second()
    desk.clock.jump(8 * DAY_MS)
    await desk.api.stores.watch.start()
    return other
  }

  it('shows by the first gateway that is ahead: its kitchen is marked until the others are back', async () => {
    const other = await rolledBack()
    await desk.hello({ caps: CAPS, last: 3 })
    await handBack(0, 3)
    expect(await printedNext('pj_a')).toBe('pj_a?')
    await other.hello()
    expect(await printedNext('pj_b')).toBe('pj_b')
  })

  it('is not forgotten by a restart of the relay, and is over after a day', async () => {
    await rolledBack()
    await desk.hello({ caps: CAPS, last: 3 })
    await handBack(0, 3)
    desk.clock.jump(DAY_MS / 2)
    await desk.api.stores.watch.start()
    expect(await printedNext('pj_a')).toBe('pj_a?')
    desk.clock.jump(DAY_MS / 2)
    expect(await printedNext('pj_b')).toBe('pj_b')
  })

  it('puts no gateway in doubt that was heard since', async () => {
    const other = await rolledBack()
    await other.hello()
    await desk.hello({ caps: CAPS, last: 3 })
    await handBack(0, 3)
    expect(await printedNext('pj_a')).toBe('pj_a')
  })

  ofOneRun(COUNTS)(
    'is learnt once, however often a gateway is ahead of the relay again, and not any more after a day',
    async () => {
      await rolledBack()
      const looked = vi.spyOn(RestoreStore.prototype, 'notHeardSince')
      for (let e = 1; e <= 5; e++) await desk.hello({ caps: CAPS, e, last: e * 10 })
      expect(looked).toHaveBeenCalledTimes(1)
      desk.clock.jump(DAY_MS)
      for (let e = 6; e <= 10; e++) await desk.hello({ caps: CAPS, e, last: e * 10 })
      expect(looked).toHaveBeenCalledTimes(1)
    },
  )

  it('is not believed of other kitchens by a number alone', async () => {
    const elsewhere = desk.api.account.merchants.flatMap(({ locations }) => locations)
    const { locationId } = elsewhere.find((it) => it.locationId !== desk.api.locationId)!
    await second(locationId)
    await rolledBack()
    await desk.hello({ caps: CAPS, last: 1_000_000 })
    await handBack(0, 1_000_000)
    const { watch } = desk.api.stores
    expect([watch.isInDoubt(desk.api.locationId), watch.isInDoubt(locationId)]).toEqual([true, false])
    const isFirst = (at: typeof locationId) => watch.isFirstSince({ locationId: at, lastSeenAtMs: null })
    expect([isFirst(desk.api.locationId), isFirst(locationId)]).toEqual([true, false])
  })
})
