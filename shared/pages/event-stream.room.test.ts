// A feed over a real socket: an event of any size reaches a page that reads, and a page that does not read is cut off.
import { type AddressInfo, connect, type Socket } from 'node:net'
import fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { EventStream } from './event-stream.ts'

const MIB = 1_048_576

let app: FastifyInstance
let stream: EventStream
let hasGone: boolean
let page: Socket
let heard: string

beforeEach(async () => {
  hasGone = false
  heard = ''
  app = fastify()
  const opened = new Promise<void>((resolve) => {
    app.get('/', async (_request, reply) => {
      stream = new EventStream(reply, () => {
        hasGone = true
      })
      resolve()
      return reply
    })
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  page = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  page.on('error', () => undefined)
  page.on('data', (bytes) => {
    heard += bytes.toString()
  })
  page.write('GET / HTTP/1.1\r\nHost: box\r\n\r\n')
  await opened
})

afterEach(async () => {
  page.destroy()
  await app.close()
})

describe('a feed', () => {
  it('brings a board of several megabytes, and what follows it in the same moment', async () => {
    stream.send('hello', { orders: 'x'.repeat(5 * MIB) })
    for (let n = 0; n < 10; n++) stream.send('patch', { n, orders: 'y'.repeat(MIB / 20) })
    stream.send('beat', { nowMs: 1 })
    await expect.poll(() => heard.includes('event: beat')).toBe(true)
    expect([heard.length > 5.5 * MIB, hasGone]).toEqual([true, false])
  })

  it('is cut off when the page does not read', async () => {
    page.pause()
    for (let mib = 0; mib < 100 && !hasGone; mib++) {
      stream.send('patch', { orders: 'z'.repeat(MIB / 2) })
      await new Promise(setImmediate)
    }
    await expect.poll(() => hasGone).toBe(true)
  })
})
