// A hello whose connection ends while it is processed, on a real SQLite file.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { RelayDatabase } from '#cloud/storage/database.ts'
import { StorageRefusal } from '#cloud/storage/storage-refusal.ts'
import { LinkDesk } from '#test/fixtures/link-desk.ts'

let desk: LinkDesk

beforeEach(async () => {
  desk = await LinkDesk.open()
})
afterEach(() => desk.close())

/** Something happens when the next unit wants to write, or when it is on disk. */
function atNextUnit(moment: 'before' | 'behind', happens: () => void): void {
  const { db } = desk.api
  const unit: RelayDatabase['unit'] = db.unit.bind(db)
  db.unit = async (work, options) => {
    db.unit = unit
    if (moment === 'before') happens()
    const result = await unit(work, options)
    if (moment === 'behind') happens()
    return result
  }
}

const gateway = () => desk.api.stores.gateways.byId(desk.gatewayId)

describe('a connection that ends', () => {
  it('before its hello is written: nothing is written, and no one is welcomed', async () => {
    atNextUnit('before', () => desk.dispatcher.left(desk.gatewayId, null))
    await desk.hello()
    expect(desk.said).toEqual([])
    expect(desk.dispatcher.session(desk.gatewayId)).toBeNull()
    expect(await gateway()).toMatchObject({ presence: 'unknown', stream: null, sessionEpoch: 0 })
    expect(desk.missed).toEqual([])
  })

  it('while it is written: no one is welcomed, and the gateway is known to have left', async () => {
    atNextUnit('behind', () => desk.dispatcher.left(desk.gatewayId, 1))
    await desk.hello()
    expect(desk.said).toEqual([])
    expect(desk.dispatcher.session(desk.gatewayId)).toBeNull()
    expect(desk.missed).toEqual([[desk.gatewayId, 1]])
  })

  it('and was an older one changes nothing for the one that is there', async () => {
    atNextUnit('before', () => desk.dispatcher.left(desk.gatewayId, 1))
    await desk.hello({ e: 2 })
    expect(desk.of('welcome')).toMatchObject([{ e: 2 }])
    expect(await gateway()).toMatchObject({ presence: 'online', sessionEpoch: 2 })
  })

  it('leaves the next hello to be answered as ever', async () => {
    atNextUnit('behind', () => desk.dispatcher.left(desk.gatewayId, null))
    await desk.hello({ e: 1 })
    await desk.hello({ e: 2 })
    expect(desk.of('welcome')).toMatchObject([{ e: 2 }])
  })
})

describe('a gateway that cannot be answered in time', () => {
  it('gets a sealed message on its connection, only if it declared that it supports it', async () => {
    const { db } = desk.api
    const unit: RelayDatabase['unit'] = db.unit.bind(db)
    const stillness = Promise.withResolvers<void>()
    db.unit = async (work, options) => {
      await stillness.promise
      return unit(work, options)
    }
    const hello = desk.helloOf({ e: 7, proto: [1, 2], caps: ['digest', 'wait'] })
    const answered = desk.dispatcher.hello(desk.gatewayId, hello, desk.clock.now())
    await desk.clock.advance(5_000)
    expect(desk.said).toMatchObject([{ t: 'wait', to: desk.gatewayId, e: 7, d: expect.any(String) }])
    db.unit = unit
    stillness.resolve()
    await answered
    expect(desk.of('welcome')).toMatchObject([{ e: 7 }])
  })
})

describe('a hello that cannot be stored, because the disk is full', () => {
  /** Each unit is refused until `db.unit` is put back. */
  function refuseUnits(): () => void {
    const { db } = desk.api
    const unit: RelayDatabase['unit'] = db.unit.bind(db)
    db.unit = () => Promise.reject(new StorageRefusal('full'))
    return () => {
      db.unit = unit
    }
  }

  const says = (change: Parameters<LinkDesk['helloOf']>[0]) =>
    desk.dispatcher.hello(desk.gatewayId, desk.helloOf(change), desk.clock.now())

  it('is retried soon, on the same connection; with a longer delay at each refusal', async () => {
    const thereIsRoom = refuseUnits()
    await says({ e: 3, caps: ['digest', 'wait'] })
    await says({ e: 3, caps: ['digest', 'wait'] })
    expect(desk.said).toMatchObject([
      { t: 'wait', e: 3, forMs: 2_001 },
      { t: 'wait', e: 3, forMs: 2_002 },
    ])
    thereIsRoom()
    await desk.hello({ e: 3, caps: ['digest', 'wait'] })
    expect(desk.of('welcome')).toMatchObject([{ e: 3 }])
  })

  it('differs from a fault of the relay, after which no one is asked to retry', async () => {
    desk.api.db.unit = () => Promise.reject(new Error('a fault'))
    await says({ caps: ['digest', 'wait'] })
    expect(desk.said).toEqual([])
  })

  it('gets no answer for a gateway that does not support the message', async () => {
    refuseUnits()
    await says({ caps: ['digest'] })
    expect(desk.said).toEqual([])
  })
})

it('a hello is counted by what led to it', async () => {
  await desk.hello({ e: 1 })
  await desk.hello({ e: 1 })
  await desk.hello({ e: 2 })
  await desk.hello({ e: 3, bootId: 'boot-b', bootEpoch: 3 })
  await desk.hello({ e: 4, bootId: 'boot-c', bootEpoch: 2 })
  await desk.hello({ e: 5, bootId: 'boot-c', stream: 'stream-b' })
  expect(desk.counted).toEqual(['first', 'asked', 'reconnect', 'boot', 'another_disk', 'memory_lost'])
})
