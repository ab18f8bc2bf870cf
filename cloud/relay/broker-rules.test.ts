// The broker's rules as rules: topics, CONNECT.
import { expect, test } from 'vitest'
import { mayPublish, mayRead, readConnect, topicsOf } from './broker-rules.ts'

test('a gateway reads and writes its own topics and no others', () => {
  const own = topicsOf('gw_a')
  expect(mayRead('gw_a', own.down) && mayRead('gw_a', own.all)).toBe(true)
  for (const topic of [own.up, topicsOf('gw_b').down, '#', 'tr/v1/+/g/gw_a/down', `${own.down}/x`, ''])
    expect(mayRead('gw_a', topic), topic).toBe(false)
  expect(mayPublish('gw_a', { topic: own.up, qos: 1, retain: false })).toBe(true)
  expect(mayPublish('gw_a', { topic: own.up, qos: 1, retain: true })).toBe(false)
  expect(mayPublish('gw_a', { topic: own.up, qos: 2, retain: false })).toBe(false)
})

test('a client id that is invalid in a topic is refused', () => {
  for (const clientId of ['', 'a/b', '+', '#', 'A', 'a'.repeat(65), 'gw_a\n'])
    expect(readConnect({ clientId, username: clientId, clean: true, protocolVersion: 4 }).fault).toBe('client id')
})

test('the will of a CONNECT names its client; when that is refused nothing of the will is read', () => {
  const nobody = { machine: null, bootId: null, epoch: null, isBeside: false }
  const packetOf = (will: object) => {
    const payload = Buffer.from(JSON.stringify({ v: 1, id: 'w', ts: 1, e: 7, t: 'will', ...will }))
    return { clientId: 'gw_a', username: 'gw_a', clean: true, will: { topic: topicsOf('gw_a').up, payload } }
  }
  const packet = packetOf({ machine: 'm' })
  expect(readConnect(packet)).toEqual({ fault: null, said: { ...nobody, machine: 'm', epoch: 7 } })
  const second = packetOf({ machine: 'm', bootId: 'b', beside: true })
  expect(readConnect(second).said).toEqual({ machine: 'm', bootId: 'b', epoch: 7, isBeside: true })
  expect(readConnect({ ...packet, clean: false })).toEqual({ fault: 'stored session', said: nobody })
  expect(readConnect({ ...packet, username: 'gw_b' }).said).toEqual(nobody)
  const elsewhere = { ...packet, will: { ...packet.will, topic: 'elsewhere' } }
  expect(readConnect(elsewhere)).toEqual({ fault: 'will topic', said: nobody })
})
