// How many https handshakes in a second are let through: of one address, and of all together. What is dropped is nobody else's loss.
import { EventEmitter } from 'node:events'
import type { Server } from 'node:net'
import { beforeEach, describe, expect, it } from 'vitest'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { CONNECTION_LIMITS, ConnectionCaps } from './connection-limits.ts'

const LIMITS = {
  ...CONNECTION_LIMITS,
  most: 1_000,
  mostPerAddress: 1_000,
  handshakesASecond: 3,
  allHandshakesASecond: 8,
}

let clock: ManualClock
let server: EventEmitter
beforeEach(() => {
  clock = new ManualClock()
  server = new EventEmitter()
  new ConnectionCaps(LIMITS, clock).watchHttps(server as unknown as Server)
})

/** How many of so many new connections of an address are let through. */
function through(remoteAddress: string, count: number): number {
  let passed = 0
  for (let n = 0; n < count; n++) {
    const socket = Object.assign(new EventEmitter(), { remoteAddress, destroyed: false })
    server.emit('connection', Object.assign(socket, { destroy: () => Object.assign(socket, { destroyed: true }) }))
    if (!socket.destroyed) passed++
  }
  return passed
}

describe('handshakes in one second', () => {
  it('are limited for one address', () => {
    expect([through('10.0.0.1', 5), through('10.0.0.2', 2)]).toEqual([3, 2])
  })

  it('are limited for all addresses together', () => {
    const passed = ['10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.4'].map((address) => through(address, 3))
    expect(passed).toEqual([3, 3, 2, 0])
  })

  it('that were dropped for the sake of their own address do not count against the others', () => {
    expect(through('10.0.0.1', 100)).toBe(3)
    expect([through('10.0.0.2', 3), through('10.0.0.3', 3)]).toEqual([3, 2])
  })

  it('are counted anew in the next second, for each and for all', async () => {
    for (const address of ['10.0.0.1', '10.0.0.2', '10.0.0.3']) through(address, 3)
    await clock.advance(1_000)
    expect(['10.0.0.1', '10.0.0.2', '10.0.0.3'].map((address) => through(address, 3))).toEqual([3, 3, 2])
  })

  it('of this machine itself are not limited', () => {
    expect(through('127.0.0.1', 20)).toBe(20)
    expect(through('10.0.0.1', 3)).toBe(3)
  })
})
