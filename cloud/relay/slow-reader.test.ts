// A gateway's full socket: no other gateway waits for it, and the connection stays open only if it drains.
import { duplexPair } from 'node:stream'
import { expect, test, vi } from 'vitest'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { slowReaderWriter } from './slow-reader.ts'

function frozen() {
  const [conn, peer] = duplexPair()
  conn.on('error', () => {})
  const clock = new ManualClock()
  const write = slowReaderWriter(conn, { drainTimeoutMs: 5_000, clock })
  const deliver = (bytes: number) => write(Buffer.alloc(bytes))
  return { conn, peer, clock, deliver }
}

test('a reader that resumes in time stays, and has five seconds again the next time', async () => {
  const { conn, peer, clock, deliver } = frozen()
  for (let i = 0; i < 2; i++) {
    deliver(200_000)
    deliver(200_000)
    await clock.advance(4_000)
    const drained = new Promise((resolve) => conn.once('drain', resolve))
    peer.resume()
    await drained
    peer.pause()
  }
  await clock.advance(60_000)
  expect(conn.destroyed).toBe(false)
})

test('a connection that fills and drains again and again gathers no listeners', async () => {
  const { conn, peer, deliver } = frozen()
  const listeners = conn.listenerCount('close')
  for (let i = 0; i < 3; i++) {
    deliver(200_000)
    const drained = new Promise((resolve) => conn.once('drain', resolve))
    peer.resume()
    await drained
    peer.pause()
  }
  expect(conn.listenerCount('close')).toBe(listeners)
})

test('one that does not read for five seconds is dropped', async () => {
  const { conn, clock, deliver } = frozen()
  deliver(200_000)
  await clock.advance(4_000)
  deliver(200_000)
  await clock.advance(999)
  expect(conn.destroyed).toBe(false)
  await clock.advance(1)
  expect(conn.destroyed).toBe(true)
})

test('one with more than a megabyte waiting is dropped at once', () => {
  const { conn, deliver } = frozen()
  for (let i = 0; i < 6; i++) deliver(200_000)
  expect(conn.destroyed).toBe(true)
})

test('nothing is written to a connection that was dropped', () => {
  const { conn, deliver } = frozen()
  const write = vi.spyOn(conn, 'write')
  conn.destroy()
  deliver(1)
  expect(write).not.toHaveBeenCalled()
})
