// How many https handshakes in a second, and how many connections, are accepted: of one address, in total, and of addresses without a session. Dropped ones do not affect others.
import { EventEmitter } from 'node:events'
import type { Server } from 'node:net'
import { beforeEach, describe, expect, it } from 'vitest'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { CONNECTION_LIMITS, ConnectionCaps, type ConnectionLimits } from './connection-limits.ts'

const LIMITS = {
  ...CONNECTION_LIMITS,
  most: 1_000,
  mostPerAddress: 1_000,
  mostPerNetwork: 1_000,
  handshakesASecond: 3,
  allHandshakesASecond: 12,
  handshakesOfStrangersASecond: 8,
}

let clock: ManualClock
let caps: ConnectionCaps
let server: EventEmitter
let ports = 0
beforeEach(() => capsWith({}))
function capsWith(limits: Partial<ConnectionLimits>): void {
  clock = new ManualClock()
  server = new EventEmitter()
  caps = new ConnectionCaps({ ...LIMITS, ...limits }, clock)
  caps.watchHttps(server as unknown as Server)
}

/** How many of so many new connections of an address are let through, each of which waits for an answer. */
function through(remoteAddress: string, count: number): number {
  let passed = 0
  for (let n = 0; n < count; n++) if (!asking(remoteAddress).destroyed) passed++
  return passed
}

function asking(remoteAddress: string) {
  const socket = opened(remoteAddress)
  if (!socket.destroyed) server.emit('request', { socket, complete: true }, new EventEmitter())
  return socket
}

/** A new connection. What is dropped closes at once. */
function opened(remoteAddress: string) {
  const socket = Object.assign(new EventEmitter(), {
    remoteAddress,
    remotePort: ++ports,
    destroyed: false,
    destroy: () => {},
  })
  socket.destroy = () => {
    socket.destroyed = true
    socket.emit('close')
  }
  server.emit('connection', socket)
  return socket
}

describe('handshakes in one second', () => {
  it('are limited for one address', () => {
    expect([through('10.0.0.1', 5), through('10.0.0.2', 2)]).toEqual([3, 2])
  })

  it('are limited for all addresses together that have not signed in here', () => {
    const passed = ['10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.4'].map((address) => through(address, 3))
    expect(passed).toEqual([3, 3, 2, 0])
  })

  it('that were dropped for the sake of their own address do not count against the others', () => {
    expect(through('10.0.0.1', 100)).toBe(3)
    expect([through('10.0.0.2', 3), through('10.0.0.3', 3)]).toEqual([3, 2])
  })

  it('are counted anew in the next second, per address and in total', async () => {
    for (const address of ['10.0.0.1', '10.0.0.2', '10.0.0.3']) through(address, 3)
    await clock.advance(1_000)
    expect(['10.0.0.1', '10.0.0.2', '10.0.0.3'].map((address) => through(address, 3))).toEqual([3, 3, 2])
  })

  it('of this machine itself are not limited', () => {
    expect(through('127.0.0.1', 20)).toBe(20)
    expect(through('10.0.0.1', 3)).toBe(3)
  })
})

/** One device in the kitchen's network can have as many addresses as it likes. */
const STRANGE = Array.from({ length: 12 }, (_, n) => `10.0.1.${n}`)
const flood = (count: number) => STRANGE.reduce((passed, address) => passed + through(address, count), 0)

describe('an address that had a sign-in', () => {
  it('has room for its handshakes, whatever strangers open at how many addresses', () => {
    caps.signedInFrom('10.0.0.1')
    expect(flood(100)).toBe(8)
    expect([through('10.0.0.1', 5), through('10.0.0.2', 1)]).toEqual([3, 0])
  })

  it('shares the limit of all with others of its kind, and leaves strangers what they would have', () => {
    for (const address of STRANGE) caps.signedInFrom(address)
    expect(flood(3)).toBe(12)
    expect(through('10.0.0.1', 1)).toBe(0)
  })

  it('has room for its connections too', () => {
    capsWith({ most: 20, mostOfStrangers: 15, handshakesOfStrangersASecond: 100, allHandshakesASecond: 100 })
    caps.signedInFrom('10.0.0.1')
    expect(flood(3)).toBe(15)
    expect([through('10.0.0.2', 1), through('10.0.0.1', 3)]).toEqual([0, 3])
  })

  it('is this machine itself, where a proxy may relay many clients', () => {
    capsWith({ most: 20, mostOfStrangers: 15, handshakesOfStrangersASecond: 100, allHandshakesASecond: 100 })
    expect(through('127.0.0.1', 20)).toBe(20)
  })

  it('gives back the place of each connection that closes', async () => {
    capsWith({ most: 3, mostOfStrangers: 2 })
    const [first] = ['10.0.0.2', '10.0.0.3'].map((address) => asking(address))
    // Signed in while it was open: it was counted as a stranger and is given back as one.
    caps.signedInFrom('10.0.0.2')
    first?.emit('close')
    expect([through('10.0.0.4', 1), through('10.0.0.5', 1), through('10.0.0.2', 1)]).toEqual([1, 0, 1])
  })

  it('counts as unknown again after a day without a session', async () => {
    caps.signedInFrom('10.0.0.1')
    await clock.advance(24 * 3_600_000 - 1)
    flood(1)
    expect(through('10.0.0.1', 1)).toBe(1)
    await clock.advance(1_000)
    flood(1)
    expect(through('10.0.0.1', 1)).toBe(0)
  })

  it('is one of the last 256: the one that was longest unused goes', () => {
    caps.signedInFrom('10.0.0.1')
    caps.signedInFrom('10.0.0.2')
    for (let n = 0; n < 254; n++) caps.signedInFrom(`10.1.0.${n}`)
    caps.signedInFrom('10.0.0.1')
    caps.signedInFrom('10.2.0.1')
    flood(1)
    expect([through('10.0.0.1', 1), through('10.0.0.2', 1)]).toEqual([1, 0])
  })
})

describe('a device that has a whole /64 of IPv6', () => {
  const addresses = Array.from({ length: 200 }, (_, n) => `2001:db8::${n.toString(16)}`)

  it('holds as many connections as one address, while it is a stranger', () => {
    capsWith({
      mostPerAddress: 4,
      handshakesASecond: 1_000,
      handshakesOfStrangersASecond: 1_000,
      allHandshakesASecond: 1_000,
    })
    expect(addresses.reduce((passed, address) => passed + through(address, 1), 0)).toBe(4)
    expect(through('2001:db8:0:1::1', 1)).toBe(1)
  })

  it('gets as many handshakes as one address, while it is a stranger', () => {
    expect(addresses.reduce((passed, address) => passed + through(address, 1), 0)).toBe(3)
    expect(through('10.0.0.1', 1)).toBe(1)
  })

  it('holds half of all places where each of its addresses had a sign-in, and never all', () => {
    capsWith({ mostPerAddress: 4, mostPerNetwork: 6, handshakesASecond: 1_000, allHandshakesASecond: 1_000 })
    for (const address of addresses) caps.signedInFrom(address)
    expect(addresses.reduce((passed, address) => passed + through(address, 1), 0)).toBe(6)
    expect(through(addresses[0] ?? '', 1)).toBe(0)
  })
})

describe('where a share is used up', () => {
  it('its connection that was idle for longest goes for the newcomer, be it of one address or of all strangers', () => {
    capsWith({ mostPerAddress: 2, mostOfStrangers: 3 })
    const [first, second] = [opened('10.0.0.1'), opened('10.0.0.1')]
    const third = opened('10.0.0.1')
    expect([first, second, third].map(({ destroyed }) => destroyed)).toEqual([true, false, false])
    opened('10.0.0.2')
    const newcomer = opened('10.0.0.3')
    expect([second, third, newcomer].map(({ destroyed }) => destroyed)).toEqual([true, false, false])
  })

  it('a screen that receives its live feed stays', () => {
    capsWith({ mostPerAddress: 2 })
    const screens = [asking('10.0.0.1'), asking('10.0.0.1')]
    expect([opened('10.0.0.1'), ...screens].map(({ destroyed }) => destroyed)).toEqual([true, false, false])
  })
})
