// A relay whose database is gone logs that once, and starts.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { Cloud } from './cloud.ts'
import { readCloudConfig } from './config.ts'

const KEY = randomBytes(32).toString('base64')

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'ticketrail-lost-'))
})
afterEach(() => rmSync(dir, { recursive: true }))

/** @returns what a start and a stop have warned of */
async function warnings(): Promise<string[]> {
  const lines: string[] = []
  const env = { CLOUD_DATABASE: join(dir, 'relay.db'), CLOUD_HTTP_PORT: '0', CLOUD_MQTT_PORT: '0' }
  const config = readCloudConfig({ ...env, CLOUD_MASTER_KEY: KEY })
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line).msg) })
  const onFatal = (error: unknown) => expect.unreachable(String(error))
  const cloud = new Cloud({ config, clock: new ManualClock(), random: () => 0, log, onFatal })
  await cloud.start()
  await cloud.stop()
  return lines.filter((line) => line.includes('there was a database'))
}

test('not at the first start, nor at the next; but when the file is gone', async () => {
  expect([await warnings(), await warnings()]).toEqual([[], []])
  rmSync(join(dir, 'relay.db'))
  expect(await warnings()).toEqual(['there was a database here before: a new, empty one is made now'])
  expect(await warnings()).toEqual([])
})
