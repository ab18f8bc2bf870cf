// A relay that is set to listen on `localhost`, where that name has two addresses.
import { randomBytes } from 'node:crypto'
import dns from 'node:dns'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLogger } from '#shared/log.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { Cloud } from './cloud.ts'
import { readCloudConfig } from './config.ts'

let dir: string
let cloud: Cloud
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'ticketrail-localhost-'))
  // Elsewhere the second is ::1, which not every machine has.
  const addressesOf = (host: string) => (host === 'localhost' ? ['127.0.0.1', '127.0.0.2'] : [host])
  vi.spyOn(dns, 'lookup').mockImplementation(((host: string, _options: unknown, done: (...args: unknown[]) => void) => {
    const addresses = addressesOf(host).map((address) => ({ address, family: 4 }))
    setImmediate(() => done(null, addresses))
  }) as unknown as typeof dns.lookup)
  const config = readCloudConfig({
    ...{ CLOUD_DATABASE: join(dir, 'relay.db'), CLOUD_HTTP_HOST: 'localhost' },
    ...{ CLOUD_HTTP_PORT: '0', CLOUD_MQTT_PORT: '0', CLOUD_MASTER_KEY: randomBytes(32).toString('base64') },
  })
  const onFatal = (error: unknown) => expect.unreachable(String(error))
  const log = createLogger('cloud', 'silent', { destination: process.stdout })
  cloud = new Cloud({ config, clock: new ManualClock(), random: () => 0, log, onFatal })
  await cloud.start()
})
afterEach(async () => {
  vi.restoreAllMocks()
  await cloud.stop()
  rmSync(dir, { recursive: true })
})

// Fastify would open a second server there, without the limits of connections and pipelined requests.
test('it listens on 127.0.0.1 only', async () => {
  const port = Number(new URL(cloud.httpUrl).port)
  const opened = async (host: string): Promise<boolean> => {
    const socket = connect({ host, port })
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    return isOpen
  }
  expect(await opened('127.0.0.1')).toBe(true)
  expect(await opened('127.0.0.2')).toBe(false)
})
