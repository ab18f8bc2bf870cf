// The running relay: one sandbox key that sends the largest orders as fast as it may cannot fill the disk that all share.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLogger } from '#shared/log.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { openFreshRelayDatabase } from '#test/fixtures/fresh-relay-database.ts'
import { Cloud } from './cloud.ts'
import { readCloudConfig } from './config.ts'
import { createSandboxAccount, type SandboxAccount } from './sandbox/fixtures.ts'

let dir: string
let cloud: Cloud
let account: SandboxAccount
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'ticketrail-bytes-'))
  const clock = new ManualClock()
  const file = join(dir, 'relay.db')
  const db = await openFreshRelayDatabase(file)
  account = await createSandboxAccount({ db, clock }, { name: 'Test' })
  await db.close()
  const config = readCloudConfig({
    CLOUD_DATABASE: file,
    CLOUD_HTTP_PORT: '0',
    CLOUD_MQTT_PORT: '0',
    CLOUD_MASTER_KEY: randomBytes(32).toString('base64'),
  })
  const onFatal = (error: unknown) => {
    throw error
  }
  const log = createLogger('cloud', 'silent', { destination: process.stdout })
  cloud = new Cloud({ config, clock, random: () => 0, log, onFatal })
  await cloud.start()
})
afterEach(async () => {
  await cloud.stop()
  rmSync(dir, { recursive: true })
})

async function inject(orderId: string): Promise<{ status: number; bytes: number }> {
  const line = { umsId: 'UMS-BRULEE-01', qty: 1, price: 1, note: 'n'.repeat(400) }
  const items = Array.from({ length: 200 }, () => line)
  const body = JSON.stringify({ merchantId: 'M-TEST-001', orderId, source: 'kiosk', items, total: 200 })
  const headers = { authorization: `Bearer ${account.apiKey}`, 'content-type': 'application/json' }
  const { status } = await fetch(`${cloud.httpUrl}/v1/order/inject`, { method: 'POST', headers, body })
  return { status, bytes: body.length }
}

test('after 10 MB of orders there are no more, whatever the calls of the plan allow, and the first is still answered', async () => {
  let stored = 0
  for (let n = 0; n < 500; n++) {
    const { status, bytes } = await inject(`order-${n}`)
    if (status !== 200) {
      expect(status).toBe(429)
      break
    }
    stored += bytes
  }
  expect(stored).toBeGreaterThan(10_000_000)
  expect(stored).toBeLessThan(10_200_000)
  expect((await inject('order-0')).status).toBe(200)
})
