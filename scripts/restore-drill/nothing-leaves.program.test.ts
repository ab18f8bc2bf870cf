// A drill on a copy in which a webhook, a message to a point of sale and one to a platform wait: it tells nobody outside anything.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { OutsideWorld, PATHS } from '#test/fixtures/outside-world.ts'
import { Drill } from './drill.ts'

const world = new OutsideWorld()
const copy = join(world.dir, 'copy.db')

beforeAll(async () => {
  await world.connect()
  await world.startRelay({ CLOUD_OUTGOING: 'off' })
  await world.subscribe()
  await world.order()
  await world.admin('backup', '--to', copy)
  await world.relay.kill('SIGTERM')
})
afterAll(() => world.close())

function drill(name: string, settings: object): Promise<unknown> {
  const folder = join(world.dir, name)
  mkdirSync(folder)
  return new Drill({ folder, from: copy, settings: { ...world.keyAndNetwork, ...settings } }).run()
}

it('nothing leaves the relay of a drill', async () => {
  await drill('off', {})
  expect(world.receiver.connections).toBe(0)
})

it('although it would, if its relay were started as any other', async () => {
  await drill('on', { CLOUD_OUTGOING: 'on' })
  expect(world.told).toEqual([PATHS.pos, PATHS.platform, PATHS.webhook])
})
