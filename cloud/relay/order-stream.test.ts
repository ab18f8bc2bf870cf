// What the dispatcher sends to one gateway over several connections, lost disks and cancels, on a real SQLite file.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { asId } from '#shared/ids.ts'
import { LinkDesk } from '#test/fixtures/link-desk.ts'
import { ONE_FAULT, ofOneRun } from '#test/harness/units-twice.ts'
import { revokeGateway } from './gateway-registry.ts'

let desk: LinkDesk

beforeEach(async () => {
  desk = await LinkDesk.open()
})

afterEach(async () => {
  vi.restoreAllMocks()
  await desk.close()
})

/** A connection ends and the next one sends hello: earlier messages are cleared. */
async function reconnect(change: Parameters<LinkDesk['hello']>[0]): Promise<void> {
  desk.dispatcher.drop(desk.gatewayId)
  desk.said.length = 0
  await desk.hello(change)
}

const session = () => desk.dispatcher.session(desk.gatewayId)

describe('a hello', () => {
  it('is answered with times for the clocks and the number that is on the gateway, and then the jobs follow', async () => {
    await desk.insert('pj_a')
    const receivedMs = desk.clock.now() - 3
    await desk.dispatcher.hello(desk.gatewayId, desk.helloOf({ t0: 77 }), receivedMs)
    await desk.quiet()
    expect(desk.said[0]).toMatchObject({ t: 'welcome', e: 1, t0: 77, t1: receivedMs, t2: desk.clock.now(), acked: 0 })
    expect(desk.said[0]?.['window']).toEqual({ jobs: 16, bytes: 262_144 })
    expect(desk.stream()).toEqual(['1 pj_a'])
  })

  it('of a gateway that was revoked is not answered, and no job goes out', async () => {
    await desk.insert('pj_a')
    await revokeGateway(desk.api.stores, desk.gatewayId)
    await desk.hello()
    expect(desk.said).toEqual([])
    expect(session()).toBeNull()
  })

  it.each([[[3, 4]], [[0, 0]]])('that supports only the versions %j is not answered', async (proto) => {
    await desk.hello({ proto: proto as [number, number] })
    expect(desk.said).toEqual([])
    expect(desk.api.logLines.join('')).toContain('no common protocol version')
  })

  it.each([[[1, 7]], [[0, 1]]])('that also supports this version, within %j, is answered', async (proto) => {
    await desk.hello({ proto: proto as [number, number] })
    expect(desk.of('welcome')).toHaveLength(1)
  })

  it('that reports more jobs than there are numbers is not answered: two jobs would get the same', async () => {
    await desk.hello({ last: 2 ** 53 - 1 })
    expect(desk.said).toEqual([])
    expect(desk.api.logLines.join('')).toContain('a job number that is too high')
    await desk.hello({ last: 2 ** 52 })
    for (const id of ['pj_a', 'pj_b', 'pj_c']) await desk.insert(id)
    await desk.quiet()
    expect(desk.stream()).toEqual([1, 2, 3].map((n) => `${2 ** 52 + n} pj_${'abc'[n - 1]}?`))
  })

  it('of an older connection of the same boot is late, and changes nothing', async () => {
    await desk.hello({ e: 5 })
    desk.said.length = 0
    await desk.hello({ e: 4 })
    expect(desk.said).toEqual([])
    expect(session()?.facts.epoch).toBe(5)
  })

  it('waits for the one before it: the last to arrive has the session', async () => {
    const both = [1, 2].map((e) => desk.dispatcher.hello(desk.gatewayId, desk.helloOf({ e }), 0))
    await Promise.all(both)
    expect(desk.of('welcome').map(({ e }) => e)).toEqual([1, 2])
    expect(desk.dispatcher.sessions.map(({ facts }) => facts.epoch)).toEqual([2])
  })

  ofOneRun(ONE_FAULT)(
    'that could not be read from the database leaves the gateway outside, and its next one is answered',
    async () => {
      vi.spyOn(desk.api.stores.gateways, 'byId').mockRejectedValueOnce(new Error('disk I/O error'))
      await desk.hello()
      expect(desk.said).toEqual([])
      await desk.hello({ e: 2 })
      expect(desk.of('welcome')).toHaveLength(1)
    },
  )
})

describe('a job that was sent and not acknowledged', () => {
  beforeEach(async () => {
    await desk.hello()
    await desk.insert('pj_a')
    await desk.quiet()
    expect(desk.stream()).toEqual(['1 pj_a'])
  })

  it('is sent again under its number after the next hello, unmarked: it never reached a disk', async () => {
    await reconnect({ e: 2 })
    expect(desk.stream()).toEqual(['1 pj_a'])
  })

  it('is on disk when the hello reports it, and is not sent again', async () => {
    await reconnect({ e: 2, last: 1 })
    expect(desk.stream()).toEqual([])
    expect(await desk.row('pj_a')).toMatchObject({ state: 'accepted', possible_duplicate: 0 })
  })

  it('is sent marked to a boot that began beside the last one: that is another disk, and the first may have printed it', async () => {
    await reconnect({ e: 2, bootId: 'boot-b', bootEpoch: 1 })
    expect(desk.stream()).toEqual(['1 pj_a?'])
  })

  it('is sent marked to such a boot also when it is too old to report its first epoch', async () => {
    await reconnect({ e: 1, bootId: 'boot-b' })
    expect(desk.stream()).toEqual(['1 pj_a?'])
  })

  it('goes out unmarked to a boot that began after the last one: the same disk, started again', async () => {
    await reconnect({ e: 2, bootId: 'boot-b', bootEpoch: 2 })
    expect(desk.stream()).toEqual(['1 pj_a'])
  })

  it('goes out marked to a box that could not prove its disk to be the newest: the newest may have printed it', async () => {
    await reconnect({ e: 2, bootId: 'boot-b', bootEpoch: 2, disk: 'bound-1' })
    await reconnect({ e: 3, bootId: 'boot-c', bootEpoch: 3, disk: 'bound-1' })
    expect(desk.of('job')).toMatchObject([{ seq: 1, possibleDuplicate: false }])
    await reconnect({ e: 4, bootId: 'boot-d', bootEpoch: 4, disk: 'bound-2' })
    expect(desk.of('job')).toMatchObject([{ seq: 1, possibleDuplicate: true }])
  })

  it('goes out marked to a disk that is new', async () => {
    await reconnect({ e: 2, stream: 'stream-b' })
    expect(desk.stream()).toEqual(['1 pj_a?'])
  })
})

describe('a job that the gateway had', () => {
  beforeEach(async () => {
    await desk.hello()
    await desk.insert('pj_a')
    await desk.quiet()
    desk.ack(1)
  })

  it('is sent marked when the disk went back behind it, also when its acknowledgement was not written yet', async () => {
    // Not cleared before: the hello arrives while the relay still has the older connection.
    desk.said.length = 0
    await desk.hello({ e: 2, last: 0 })
    expect(desk.stream()).toEqual(['1 pj_a?'])
  })

  it('is not doubted by a hello of the same connection that waited meanwhile, and was sent before the gateway got it', async () => {
    await desk.insert('pj_b')
    await desk.quiet()
    desk.said.length = 0
    await desk.hello({ last: 0 })
    expect(desk.of('welcome')).toMatchObject([{ acked: 1 }])
    expect(desk.stream()).toEqual(['2 pj_b'])
    expect(await desk.row('pj_a')).toMatchObject({ state: 'accepted', possible_duplicate: 0 })
  })

  it('is settled once: a final job does not go out again, its number goes out as a skip', async () => {
    await desk.quiet()
    const { dispatches } = desk.api.stores
    const outcome = { jobId: asId<'pj'>('pj_a'), state: 'printed' as const, evidence: [], atMs: 0 }
    await desk.api.db.unit((tx) => dispatches.settle(tx, outcome))
    await reconnect({ e: 2, last: 0 })
    expect(desk.stream()).toEqual(['1 skip'])
    desk.ack(1, { e: 2 })
    await desk.quiet()
    expect(desk.settled).toEqual([])
  })

  it('is asked for again, marked, when the gateway has no reports left and this database has no outcome', async () => {
    await reconnect({ e: 2, last: 1 })
    await desk.dispatcher.idle(session()!)
    await desk.quiet()
    expect(desk.stream()).toEqual(['2 pj_a?'])
    desk.said.length = 0
    desk.ack(2, { e: 2 })
    await desk.dispatcher.idle(session()!)
    await desk.quiet()
    expect(desk.stream()).toEqual([])
  })
})

it('a job that the gateway has got since its hello is not asked for: its own report may be older than the job', async () => {
  await desk.hello()
  await desk.insert('pj_a')
  await desk.quiet()
  desk.ack(1)
  await desk.clock.advance(25)
  await desk.quiet()
  await desk.dispatcher.idle(session()!)
  await desk.quiet()
  expect(desk.stream()).toEqual(['1 pj_a'])
  expect(await desk.row('pj_a')).toMatchObject({ state: 'accepted', possible_duplicate: 0 })
})

it('a gateway that has more than this database gave out continues above its number, marked while it cannot hand back what this database lacks', async () => {
  await desk.hello({ last: 7 })
  await desk.insert('pj_a')
  await desk.quiet()
  expect(desk.stream()).toEqual(['8 pj_a?'])
})

describe('a job that was taken back before the gateway had it', () => {
  beforeEach(async () => {
    await desk.hello()
    await desk.insert('pj_a')
    await desk.quiet()
  })

  it('is cancelled when its skip has arrived, and not before', async () => {
    await desk.takeBack('pj_a')
    await reconnect({ e: 2 })
    expect(desk.stream()).toEqual(['1 skip'])
    expect(desk.settled).toEqual([])
    desk.ack(1, { e: 2 })
    await desk.quiet()
    expect(desk.settled).toEqual([{ jobId: 'pj_a', state: 'cancelled', gatewayId: desk.gatewayId }])
  })

  it('is uncertain when an earlier disk may have printed it: no one reports such a job as not on paper', async () => {
    await reconnect({ e: 2, stream: 'stream-b' })
    expect(desk.stream()).toEqual(['1 pj_a?'])
    await desk.takeBack('pj_a')
    await reconnect({ e: 3, stream: 'stream-b' })
    expect(desk.stream()).toEqual(['1 skip'])
    desk.ack(1, { e: 3, stream: 'stream-b' })
    await desk.quiet()
    expect(desk.settled).toEqual([{ jobId: 'pj_a', state: 'uncertain', gatewayId: desk.gatewayId }])
  })

  it('is settled once, however often the skip is acknowledged', async () => {
    await desk.takeBack('pj_a')
    await reconnect({ e: 2 })
    for (let i = 0; i < 3; i++) desk.ack(1, { e: 2 })
    await desk.quiet()
    expect(desk.settled).toHaveLength(1)
  })

  it('is sent on the same connection, where it may be in flight, and is recalled as soon as the gateway has it', async () => {
    await desk.takeBack('pj_a')
    desk.api.stores.dispatches.changed.notify(desk.api.locationId)
    await desk.quiet()
    expect(desk.of('cancel')).toEqual([])
    desk.ack(1)
    await desk.quiet()
    expect(desk.of('cancel')).toMatchObject([{ jobId: 'pj_a' }])
    expect(desk.of('skip')).toEqual([])
  })

  it('and was answered is requested again when the box returns with another disk, where it waits or was printed, and only then', async () => {
    await reconnect({ e: 2, bootId: 'boot-b', bootEpoch: 2, last: 1, disk: 'bound-1' })
    await desk.takeBack('pj_a')
    desk.api.stores.dispatches.changed.notify(desk.api.locationId)
    await desk.quiet()
    const answer = { t: 'cmd.result', cmd: 'cancel', jobId: 'pj_a', outcome: 'cancelled' } as const
    desk.dispatcher.cancelAnswered(desk.gatewayId, { v: 1, id: 'm', ts: 0, e: 2, ...answer })
    await desk.quiet()
    await reconnect({ e: 3, bootId: 'boot-c', bootEpoch: 3, last: 1, disk: 'bound-1' })
    expect(desk.of('cancel')).toEqual([])
    await reconnect({ e: 4, bootId: 'boot-d', bootEpoch: 4, last: 1, disk: 'bound-2' })
    expect(desk.of('cancel')).toMatchObject([{ jobId: 'pj_a' }])
  })
})

describe('the stream state that a gateway reports', () => {
  beforeEach(async () => {
    await desk.hello({ e: 3 })
    await desk.insert('pj_a')
    await desk.quiet()
  })

  it('counts when it arrives on the connection that was welcomed', () => {
    desk.ack(1, { e: 3 })
    expect(session()?.acked).toBe(1)
  })

  it.each([
    { e: 2, of: 'an older connection' },
    { e: 4, of: 'a connection that was not welcomed' },
    { e: 3, stream: 'stream-b', of: 'another disk' },
  ])('does not count from $of: that disk has other numbers', ({ of: _, ...from }) => {
    desk.ack(1, from)
    expect(session()?.acked).toBe(0)
  })

  it('does not count after the gateway has gone', async () => {
    desk.dispatcher.drop(desk.gatewayId)
    desk.ack(1, { e: 3 })
    await desk.quiet()
    expect(await desk.row('pj_a')).toMatchObject({ state: 'sent' })
  })
})

describe('a refusal', () => {
  beforeEach(async () => {
    await desk.hello()
    await desk.insert('pj_a')
    await desk.insert('pj_b')
    await desk.quiet()
    desk.said.length = 0
  })

  it.each(['gap', 'corrupt'] as const)('of a %s sends everything from the missing number on, at once', (reason) => {
    desk.nack(1, reason)
    expect(desk.stream()).toEqual(['2 pj_b'])
  })

  it('of the message itself is not answered at once, so that the two do not loop', async () => {
    desk.nack(0, 'invalid')
    expect(desk.stream()).toEqual([])
    await desk.clock.advance(2_000)
    expect(desk.stream()).toEqual(['1 pj_a', '2 pj_b'])
  })
})

describe('a wake-up', () => {
  it('that arrives while an empty claim is being committed makes the dispatcher check once more, without the sweep', async () => {
    await desk.hello()
    const { dispatches } = desk.api.stores
    // A claim begins and finds nothing; the job is written behind it and shares its COMMIT.
    dispatches.inserted.notify(desk.api.locationId)
    await desk.insert('pj_a')
    await desk.quiet()
    expect(desk.stream()).toEqual(['1 pj_a'])
  })

  it('that was missed is made up for by the sweep', async () => {
    await desk.hello()
    await desk.insertElsewhere('pj_a')
    await desk.quiet()
    expect(desk.stream()).toEqual([])
    await desk.clock.advance(500)
    await desk.quiet()
    expect(desk.stream()).toEqual(['1 pj_a'])
  })

  it('is not needed by a job whose time comes later', async () => {
    await desk.hello()
    await desk.insert('pj_a', { availableAtMs: desk.clock.now() + 60_000 })
    await desk.clock.advance(59_000)
    await desk.quiet()
    expect(desk.stream()).toEqual([])
    await desk.clock.advance(1_500)
    await desk.quiet()
    expect(desk.stream()).toEqual(['1 pj_a'])
  })
})

it('a session whose stream another relay has written ends, and the gateway is asked for a hello', async () => {
  await desk.hello()
  await desk.api.db.unit((tx) =>
    tx.updateTable('gateways').set({ session_epoch: 9 }).where('id', '=', desk.gatewayId).execute(),
  )
  await desk.insert('pj_a')
  await desk.quiet()
  expect(desk.stream()).toEqual([])
  expect(desk.of('rehello')).toMatchObject([{ to: desk.gatewayId, withinMs: 0 }])
  expect(session()).toBeNull()
  expect(await desk.row('pj_a')).toMatchObject({ state: 'queued' })
})

describe('after the end', () => {
  it('nothing is sent, and what was acknowledged is on disk', async () => {
    await desk.hello()
    await desk.insert('pj_a')
    await desk.quiet()
    desk.ack(1)
    await desk.dispatcher.stop()
    expect(await desk.row('pj_a')).toMatchObject({ state: 'accepted' })
    desk.said.length = 0
    await desk.insert('pj_b')
    await desk.clock.advance(10_000)
    await desk.quiet()
    expect(desk.said).toEqual([])
  })

  it('of a connection its jobs wait for the next hello', async () => {
    await desk.hello()
    desk.dispatcher.drop(desk.gatewayId)
    desk.said.length = 0
    await desk.insert('pj_a')
    await desk.clock.advance(10_000)
    await desk.quiet()
    expect(desk.said).toEqual([])
    await desk.hello({ e: 2 })
    expect(desk.stream()).toEqual(['1 pj_a'])
  })
})
