// A drill on a copy in which webhooks, messages to a point of sale and to a platform wait, tried or not: it tells nobody outside anything.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { OutsideWorld, PATHS } from '#test/fixtures/outside-world.ts'
import { CopyDrill } from './copy-drill.ts'

const world = new OutsideWorld()
const copy = join(world.dir, 'copy.db')
const EVERYBODY = [PATHS.pos, PATHS.platform, PATHS.webhook]

let retrying = ''
let untried = ''
let connectionsBefore = 0

beforeAll(async () => {
  await world.connect()
  world.receiver.answerWith({ kind: 'status', status: 500 })
  // Tried again each second, for longer than the test goes on: it is due as soon as the drill's relay runs.
  await world.startRelay({ CLOUD_WEBHOOK_RETRY_SECONDS: Array(500).fill('1').join() })
  await world.subscribe()
  retrying = await world.order()
  await world.untilTold(EVERYBODY)
  await world.relay.kill('SIGTERM')
  await world.startRelay({ CLOUD_OUTGOING: 'off' })
  untried = await world.order()
  await world.admin('backup', '--to', copy)
  await world.relay.kill('SIGTERM')
  world.receiver.answerWith({ kind: 'status', status: 200 })
  world.receiver.received.length = 0
  connectionsBefore = world.receiver.connections
})
afterAll(() => world.close())

function drill(name: string, settings: object): Promise<unknown> {
  const folder = join(world.dir, name)
  mkdirSync(folder)
  return new CopyDrill({ folder, from: copy, settings: { ...world.keyAndNetwork, ...settings } }).run()
}

it('nothing leaves the relay of a drill', async () => {
  await drill('off', {})
  expect(world.receiver.connections).toBe(connectionsBefore)
})

it('although it would, if its relay were started as any other', async () => {
  await drill('on', { CLOUD_OUTGOING: 'on' })
  expect(world.told).toEqual(EVERYBODY)
  expect(new Set(world.ordersTold)).toEqual(new Set([retrying, untried]))
})
