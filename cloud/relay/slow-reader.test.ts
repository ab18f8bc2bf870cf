// A subscriber's full socket: the delivery counts as done at once, the connection lives only if it drains.
import { duplexPair } from 'node:stream'
import { expect, test } from 'vitest'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { releaseSlowReader } from './slow-reader.ts'

function frozen() {
  const [conn, peer] = duplexPair()
  conn.on('error', () => {})
  const client = { conn, waitForDrain: (_done: () => void): void => expect.unreachable('aedes would wait') }
  const clock = new ManualClock()
  releaseSlowReader(client, { drainTimeoutMs: 5_000, clock })
  const deliver = (bytes: number) => {
    conn.write(Buffer.alloc(bytes))
    return new Promise<void>((resolve) => client.waitForDrain(resolve))
  }
  return { conn, peer, clock, deliver }
}

test('nobody waits, and a reader that comes back in time stays', async () => {
  const { conn, peer, clock, deliver } = frozen()
  await deliver(200_000)
  await clock.advance(4_000)
  peer.resume()
  await new Promise((resolve) => conn.once('drain', resolve))
  await clock.advance(60_000)
  expect(conn.destroyed).toBe(false)
})

test('one that does not read for five seconds is dropped', async () => {
  const { conn, clock, deliver } = frozen()
  await deliver(200_000)
  await deliver(200_000)
  await clock.advance(4_999)
  expect(conn.destroyed).toBe(false)
  await clock.advance(1)
  expect(conn.destroyed).toBe(true)
})

test('one with more than a megabyte waiting is dropped at once', async () => {
  const { conn, deliver } = frozen()
  for (let i = 0; i < 6; i++) await deliver(200_000)
  expect(conn.destroyed).toBe(true)
})

test('an aedes that works in another way is refused', () => {
  expect(() => releaseSlowReader({}, { drainTimeoutMs: 1, clock: new ManualClock() })).toThrow('another way')
})
