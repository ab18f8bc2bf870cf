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

test('a client id that could not stand in a topic is refused', () => {
  for (const clientId of ['', 'a/b', '+', '#', 'A', 'a'.repeat(65), 'gw_a\n'])
    expect(readConnect({ clientId, username: clientId, clean: true, protocolVersion: 4 }).fault).toBe('client id')
})

test('the will of a CONNECT says its machine; when that is refused nothing of the will is read', () => {
  const payload = Buffer.from(JSON.stringify({ v: 1, id: 'w', ts: 1, e: 1, t: 'will', machine: 'm' }))
  const packet = { clientId: 'gw_a', username: 'gw_a', clean: true, will: { topic: topicsOf('gw_a').up, payload } }
  expect(readConnect(packet)).toEqual({ fault: null, machine: 'm' })
  expect(readConnect({ ...packet, clean: false })).toEqual({ fault: 'stored session', machine: null })
  expect(readConnect({ ...packet, username: 'gw_b' }).machine).toBeNull()
  expect(readConnect({ ...packet, will: { topic: 'elsewhere', payload } })).toEqual({
    fault: 'will topic',
    machine: null,
  })
})
