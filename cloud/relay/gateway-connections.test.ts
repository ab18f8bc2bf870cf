// When a gateway may have two connections at once, and when a new connection replaces another.
import { beforeEach, expect, test } from 'vitest'
import { asId, type GatewayId } from '#shared/ids.ts'
import { type GatewayConnection, GatewayConnections } from './gateway-connections.ts'

const GATEWAY: GatewayId = asId('gw_a')
let connections: GatewayConnections
beforeEach(() => {
  connections = new GatewayConnections()
})

function connection(said: Partial<GatewayConnection> = {}): GatewayConnection & { client: { closed: boolean } } {
  const client = { closed: false, connected: true, close: () => undefined }
  return { client, write: () => undefined, machine: 'm', bootId: 'boot', epoch: 1, isBeside: false, ...said }
}

test('a second connection of the same start runs beside the first, on request', () => {
  const [first, second] = [connection(), connection({ epoch: 2, isBeside: true })]
  expect(connections.enter(GATEWAY, first)).toEqual([])
  expect(connections.enter(GATEWAY, second)).toEqual([])
  expect([connections.of(GATEWAY), connections.count]).toEqual([[first, second], 2])
  expect(connections.left(GATEWAY, first.client)).toEqual({ gatewayId: GATEWAY, epoch: 1 })
  expect(connections.left(GATEWAY, first.client)).toBeNull()
  expect(connections.left(GATEWAY, second.client)).toEqual({ gatewayId: GATEWAY, epoch: null })
  expect([connections.has(GATEWAY), connections.count]).toEqual([false, 0])
})

test.each<[string, Partial<GatewayConnection>]>([
  ['it does not ask for it', { isBeside: false }],
  ['it is of another start', { isBeside: true, bootId: 'other' }],
  ['it is of another machine', { isBeside: true, machine: 'other' }],
  ['it says of no start that it is', { isBeside: true, bootId: null }],
])('it takes the place of all others where %s', (_, said) => {
  const before = [connection(said.bootId === null ? { bootId: null } : {}), connection({ epoch: 2, isBeside: true })]
  const replaced = before.flatMap((one) => connections.enter(GATEWAY, one))
  const last = connection({ epoch: 3, ...said })
  const taken = [...replaced, ...connections.enter(GATEWAY, last)]
  expect(taken).toEqual(before)
  expect(connections.of(GATEWAY)).toEqual([last])
})

test('no second one runs beside a first that has ended without notice', () => {
  const first = connection()
  connections.enter(GATEWAY, first)
  first.client.closed = true
  const second = connection({ epoch: 2, isBeside: true })
  expect([connections.living(GATEWAY), connections.mayStandBeside(GATEWAY, second)]).toEqual([null, false])
  expect(connections.enter(GATEWAY, second)).toEqual([first])
})

test('a third runs beside the one that was welcomed last, in place of the one that is about to end', () => {
  const [first, second] = [connection(), connection({ epoch: 2, isBeside: true })]
  for (const one of [first, second]) connections.enter(GATEWAY, one)
  const third = connection({ epoch: 3, isBeside: true })
  connections.welcomed(GATEWAY, 2)
  expect(connections.living(GATEWAY)).toBe(second)
  expect(connections.enter(GATEWAY, third)).toEqual([first])
  expect(connections.of(GATEWAY)).toEqual([second, third])
  // Of one that has ended meanwhile.
  connections.welcomed(GATEWAY, 1)
  expect(connections.living(GATEWAY)).toBe(second)
})
