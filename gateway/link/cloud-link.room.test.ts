// How a link reports its problem while it tries again and again.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer, type Server } from 'node:net'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { systemClock } from '#shared/clock.ts'
import { Signal } from '#shared/signal.ts'
import { topicsFor } from '#shared/wire/gateway-link.ts'
import { GatewayCore } from '#test/doubles/gateway-core.ts'
import { CloudLink } from './cloud-link.ts'

/** CONNACK: not authorized. */
const REFUSAL = Uint8Array.of(0x20, 0x02, 0x00, 0x05)

let core: GatewayCore
let broker: Server
let link: CloudLink
/** Passwords that were tried, as in CONNECT. */
let tried: string[]

beforeEach(async () => {
  core = new GatewayCore()
  tried = []
  broker = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', (connect) => {
      tried.push(connect.includes('next-password') ? 'next' : 'present')
      socket.end(REFUSAL)
      broker.emit('knock')
    })
  }).listen(0, '127.0.0.1')
  await once(broker, 'listening')
  const { port } = broker.address() as AddressInfo
  const { identity, intake, reports, relayTime } = core
  const status = {
    snapshot: () => ({ printers: [], queue: { queued: 0, held: 0, unreported: 0 } }),
    isPrinting: () => false,
    changed: new Signal(),
  }
  link = new CloudLink({
    pairing: {
      ...{
        gatewayId: 'gw_1',
        token: 'present-password',
        nextToken: 'next-password',
        merchantName: 'Bistro',
        timeZone: 'UTC',
      },
      ...{ brokerUrl: `mqtt://127.0.0.1:${port}`, topics: topicsFor('gw_1', 0) },
    },
    ...{ identity, intake, reports, relayTime, status, clock: systemClock, random: () => 0 },
    ...{ log: pino({ level: 'silent' }), app: 'test' },
  })
})
afterEach(async () => {
  await link.stop()
  broker.close()
  await core.stop()
})

it('of a box that was revoked while its password changed: it stays refused, whichever password is tried next', async () => {
  const troubles: (string | null)[] = []
  link.changed.subscribe(() => troubles.push(link.state.trouble))
  await link.start()
  while (tried.length < 8) await once(broker, 'knock')
  expect(new Set(tried)).toEqual(new Set(['next', 'present']))
  expect(troubles.slice(troubles.indexOf('refused'))).toEqual(['refused'])
})
