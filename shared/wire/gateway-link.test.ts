// The link's contract: topics, shards, and which messages pass.
import { describe, expect, it } from 'vitest'
import { downMessage, pairing, shardOf, topicsFor, upMessage } from './gateway-link.ts'

describe('topics', () => {
  it('use only characters that every broker takes', () => {
    for (const topic of Object.values(topicsFor('gw_01abc', shardOf('gw_01abc'))))
      expect(topic).toMatch(/^[a-z0-9_/-]+$/)
  })

  it('keep a gateway in its shard permanently', () => {
    // Boxes were paired with these: another rule would move them to topics that they do not know.
    expect(['gw_01hv0000000000000000000000', 'gw_01kahsrxm5e4nv6b0q3t7w9yzc', 'gw_x'].map(shardOf)).toEqual([
      41, 44, 36,
    ])
    expect(topicsFor('gw_x', 63)).toEqual({
      up: 'tr/v1/s3f/g/gw_x/up',
      down: 'tr/v1/s3f/g/gw_x/down',
      all: 'tr/v1/s3f/all',
    })
  })

  it('spread gateways over all 64 shards', () => {
    const shards = new Set(Array.from({ length: 4_000 }, (_, i) => shardOf(`gw_${i}`)))
    expect(shards.size).toBe(64)
  })
})

describe('messages', () => {
  const envelope = { v: 1, id: 'm1', ts: 1, e: 1 }

  it('pass with fields that a newer peer added', () => {
    expect(upMessage.safeParse({ ...envelope, t: 'ack', stream: 's', last: 3, colour: 'red' }).success).toBe(true)
  })

  it.each([
    { ...envelope, t: 'ack', stream: 's', last: -1 },
    { ...envelope, t: 'ack', stream: 's' },
    { ...envelope, v: 2, t: 'bye' },
    { ...envelope, t: 'dance' },
    'ack',
    null,
  ])('refuse %j', (message) => {
    expect(upMessage.safeParse(message).success).toBe(false)
  })

  it('keep the heartbeat of a gateway whose stations or health have values that this relay does not know', () => {
    const queue = { queued: 0, held: 0, unreported: 0 }
    const heartbeat = { ...envelope, t: 'status', printers: [], queue, cfgVer: 0, clockOffsetMs: null, rssBytes: 0 }
    const way = { kind: 'drone', id: 'd', name: 'Drone' }
    const told = upMessage.parse({ ...heartbeat, stations: [{ station: 'grill', way }], health: { critical: -1 } })
    expect(told).toMatchObject({ t: 'status', stations: undefined, health: undefined })
    const known = { stations: [{ station: null, way: { ...way, kind: 'backup' } }] }
    expect(upMessage.parse({ ...heartbeat, ...known })).toMatchObject(known)
  })

  it('take a job with any document, so that a bad one can be refused by number', () => {
    const job = { ...envelope, t: 'job', jobId: 'pj_1', stream: 's', seq: 1, notBefore: null, expiresAt: null }
    expect(downMessage.safeParse({ ...job, doc: { kind: 'poem' }, possibleDuplicate: false }).success).toBe(true)
  })
})

describe('pairing', () => {
  it('refuses a broker address that is not MQTT', () => {
    const topics = topicsFor('gw_x', 0)
    const good = { gatewayId: 'gw_x', token: 'x'.repeat(43), brokerUrl: 'mqtt://127.0.0.1:1883', topics }
    expect(pairing.safeParse(good).success).toBe(true)
    expect(pairing.safeParse({ ...good, brokerUrl: 'http://127.0.0.1' }).success).toBe(false)
  })
})
