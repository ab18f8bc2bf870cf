// A point of sale as people connect and try it: a real receiver that checks the signature.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { TargetGuard } from '#cloud/webhooks/target-guard.ts'
import { WebhookReceiver } from '#test/doubles/webhook-receiver.ts'
import { ControlDesk } from '#test/fixtures/control-desk.ts'
import { perform } from './perform.ts'

let control: ControlDesk
let receiver: WebhookReceiver
beforeEach(async () => {
  control = await ControlDesk.open()
  receiver = new WebhookReceiver()
  await receiver.start()
  // It runs on this machine.
  Object.assign(control.context, { guard: new TargetGuard({ allowCidrs: ['127.0.0.0/8'] }) })
})
afterEach(async () => {
  await receiver.stop()
  await control.close()
})

test('a point of sale is connected with a secret that is shown once; a test message is signed with it and enters nothing', async () => {
  const { secret } = await control.perform('pos.connect', { url: receiver.url })
  receiver.secret = secret
  expect(await control.perform('merchant.get', {})).toMatchObject({
    pos: 'http',
    posSite: new URL(receiver.url).origin,
  })
  expect(await control.perform('pos.test', {})).toMatchObject({ error: null, status: 200 })
  const [message] = receiver.received
  expect(message?.signatureValid).toBe(true)
  expect(JSON.parse(String(message?.body))).toMatchObject({ type: 'test', merchantId: 'M-TEST-001' })
  expect(message?.headers['x-service-event']).toBe('pos.test')
  expect(JSON.stringify(await control.audit())).not.toContain(secret)
  await control.perform('pos.register', {})
  await expect(control.perform('pos.test', {})).rejects.toMatchObject({ said: { key: 'pos.none' } })
})

test('one that refuses the test message is shown with its own words', async () => {
  await control.perform('pos.connect', { url: receiver.url })
  receiver.answerWith({ kind: 'status', status: 401, body: 'wrong signature' })
  expect(await control.perform('pos.test', {})).toMatchObject({
    ...{ error: 'http_status', status: 401, response: 'wrong signature' },
  })
})

test('one that a person has connected is not tried past the guard of clients by the operator either', async () => {
  await control.perform('pos.connect', { url: receiver.url })
  const merchantId = await control.goLive()
  Object.assign(control.context, { guard: new TargetGuard({ allowCidrs: ['127.0.0.0/8'], chosenBy: 'operator' }) })
  const line = { by: 'console', accountId: null } as const
  const tried = () => perform(control.context, line, { name: 'pos.test', raw: { merchantId } })
  expect(await tried()).toMatchObject({ error: 'blocked_address' })
  await perform(control.context, line, { name: 'pos.connect', raw: { merchantId, url: receiver.url } })
  expect(await tried()).toMatchObject({ error: null, status: 200 })
})

test('one in our own network is refused', async () => {
  const inside = control.perform('pos.connect', { url: 'https://10.0.0.1/pos' })
  await expect(inside).rejects.toMatchObject({ kind: 'invalid', errors: [{ field: 'url' }] })
})
