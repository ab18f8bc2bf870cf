// One connection to a broker whose answers were changed on their way: it ends, so that the next attempt follows, or nothing is lost.
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Clock, systemClock } from '#shared/clock.ts'
import { topicsFor } from '#shared/wire/gateway-link.ts'
import { HurriedClock } from '#test/doubles/hurried-clock.ts'
import { Connection } from './connection.ts'

const CONNECT = 1
const SUBSCRIBE = 8
const ACCEPTED = Uint8Array.of(0x20, 2, 0, 0)
const topics = topicsFor('gw_1', 0)

let broker: Server
let connection: Connection
let ends: string[]
let received: string[]
/** What the broker answers to SUBSCRIBE, given its two bytes of packet id. */
let answer: (idHigh: number, idLow: number) => Uint8Array | null
let client: Socket
/** The limits of the connection run on it: as they are, where an answer comes. */
let clock: Clock

beforeEach(async () => {
  clock = systemClock
  ends = []
  received = []
  broker = createServer((socket) => {
    client = socket
    socket.on('error', () => {})
    socket.on('data', (packet) => {
      const type = (packet[0] ?? 0) >> 4
      if (type === CONNECT) socket.write(ACCEPTED)
      if (type !== SUBSCRIBE) return
      const suback = answer(packet[2] ?? 0, packet[3] ?? 0)
      if (suback) socket.write(suback)
    })
  }).listen(0, '127.0.0.1')
  await once(broker, 'listening')
})
afterEach(() => {
  connection.close('test over')
  broker.close()
})

/** Resolves when messages can come and go: `ready`, or with what the connection ended with. */
function open(): Promise<string> {
  const { port } = broker.address() as AddressInfo
  const brokerUrl = `mqtt://127.0.0.1:${port}`
  return new Promise((resolve) => {
    connection = new Connection(
      {
        pairing: { gatewayId: 'gw_1', token: 'x'.repeat(32), brokerUrl, topics, merchantName: '', timeZone: 'UTC' },
        ...{ clientId: 'gw_1', will: '{}', keepaliveSeconds: 20, clock },
        onMessage: (payload) => received.push(payload.toString()),
        onEnd: (_, detail) => {
          ends.push(detail)
          resolve(detail)
        },
      },
      () => resolve('ready'),
    )
    connection.open()
  })
}

function publish(topic: string, text: string, flags = 0): void {
  const name = Buffer.from(topic)
  const payload = Buffer.from(text)
  client.write(
    Buffer.concat([Uint8Array.of(0x30 | flags, 2 + name.length + payload.length, 0, name.length), name, payload]),
  )
}

describe('a subscription', () => {
  it('that is granted makes the connection ready', async () => {
    answer = (high, low) => Uint8Array.of(0x90, 4, high, low, 1, 1)
    expect(await open()).toBe('ready')
  })

  it.each([
    ['to the way down', [0x80, 1]],
    ['to all', [1, 0x80]],
  ])('that is refused, %s, ends the connection', async (_, codes) => {
    answer = (high, low) => Uint8Array.of(0x90, 4, high, low, ...codes)
    expect(await open()).toContain('subscription')
  })

  it.each([
    ['never', () => null],
    ['under another packet id', (high: number, low: number) => Uint8Array.of(0x90, 4, high, low ^ 1, 1, 1)],
  ])('that is answered %s ends the connection: nothing would ever arrive on it', async (_, answered) => {
    answer = answered
    clock = new HurriedClock(100)
    expect(await open()).toContain('subscription')
    expect(ends).toHaveLength(1)
  })
})

describe('a message', () => {
  beforeEach(async () => {
    answer = (high, low) => Uint8Array.of(0x90, 4, high, low, 1, 1)
    await open()
  })

  it('is accepted on any topic: its seal shows whether it is intact', async () => {
    publish('tr/v1/s00/g/gw_1/dowm', 'first')
    publish(topics.down, 'second')
    await expect.poll(() => received).toEqual(['first', 'second'])
  })

  it('that a broker has kept is old, and does not arrive', async () => {
    publish(topics.down, 'kept', 0x01)
    publish(topics.down, 'new')
    await expect.poll(() => received).toEqual(['new'])
  })
})
