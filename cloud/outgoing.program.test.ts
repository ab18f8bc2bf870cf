// CLOUD_OUTGOING=off: a relay on a copy of production accepts orders and prints, and sends nothing outside; with `on` all of it is sent.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { MailServer } from '#test/doubles/mail-server.ts'
import { OutsideWorld, PATHS } from '#test/fixtures/outside-world.ts'

const WARNING =
  'CLOUD_OUTGOING is off: no webhook endpoint, point of sale or platform is told anything, and neither mail nor text messages are sent; what waits stays'

const world = new OutsideWorld()
const mailServer = new MailServer({ isPlain: true })
beforeAll(async () => {
  await mailServer.start()
  await world.connect()
})
afterAll(async () => {
  await world.close()
  await mailServer.stop()
})

const startRelay = (settings: Readonly<Record<string, string>>) =>
  world.startRelay({ CLOUD_MAIL_URL: mailServer.url, CLOUD_MAIL_FROM: 'mail@relay.test', ...settings })
const mail = async (): Promise<object[]> => (await world.admin('notices', 'list')).notices

const warnings = () => world.relay.log.filter(({ msg }) => msg.startsWith('CLOUD_OUTGOING'))

let webhookId = ''

// One database: each step goes on from the one before.
it('with off the relay takes orders and prints, logs it once, and nothing is sent from it', async () => {
  await startRelay({ CLOUD_OUTGOING: 'off' })
  webhookId = await world.subscribe()
  await world.admin('notices', 'test', '--to', 'you@example.test')
  const order = await world.order()
  await expect.poll(() => world.printState(order)).toBe('printed')
  expect(world.receiver.connections).toBe(0)
  expect(warnings()).toMatchObject([{ level: 40, msg: WARNING }])
})

it('what waits keeps waiting, also after a restart and after repeated requests: nothing has failed', async () => {
  const [delivery] = await world.deliveries(webhookId)
  await world.call(`/v1/webhook/delivery/${delivery.deliveryId}/redeliver`, { merchantId: 'M-TEST-001' })
  await world.relay.kill('SIGTERM')
  await startRelay({ CLOUD_OUTGOING: 'off' })
  const order = await world.order()
  await expect.poll(() => world.printState(order)).toBe('printed')
  expect(await world.deliveries(webhookId)).toMatchObject([
    { state: 'pending', attempts: 0, lastError: null },
    { state: 'pending', attempts: 0, lastError: null },
  ])
  expect(await world.sync()).toBe('pending')
  expect([await mail(), mailServer.connections]).toMatchObject([[{ state: 'queued', attempts: 0 }], 0])
  expect(world.receiver.connections).toBe(0)
  expect(warnings()).toHaveLength(2)
})

it('with on, which is the default, the webhook endpoint, the point of sale and the platform get all of it, and mail is sent', async () => {
  await world.relay.kill('SIGTERM')
  await startRelay({})
  await expect.poll(() => world.told).toEqual([PATHS.pos, PATHS.platform, PATHS.webhook])
  await expect
    .poll(async () => (await world.deliveries(webhookId)).map(({ state }) => state))
    .toEqual(['delivered', 'delivered'])
  await expect.poll(() => world.sync()).toBe('synced')
  await expect.poll(mail).toEqual([])
  expect(mailServer.taken).toMatchObject([{ from: 'mail@relay.test', to: ['you@example.test'] }])
  expect(warnings()).toHaveLength(2)
})
