// The listen secret at the dashboard: the very one that signs, only for those who may change endpoints, and each look at it is written down.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createListener } from '#cloud/webhooks/listeners.ts'
import { AskingDesk } from '#test/fixtures/asking-desk.ts'
import { requireSecretBox } from './secrets.ts'

const merchantId = 'M-TEST-001'
let desk: AskingDesk
beforeEach(async () => {
  desk = await AskingDesk.open()
})
afterEach(() => desk.close())

test('it is the one that signs for a listener, and the audit log has who saw it, not the secret', async () => {
  const merchant = await desk.context.merchants.byKey(desk.api.merchantKey)
  const deps = { ...desk.context, secretBox: requireSecretBox(desk.context) }
  const { answer } = await desk.context.db.unit((tx) => createListener(tx, deps, { merchant, events: ['*'] }))
  const { secret } = await desk.ask('endpoints.listenSecret', { merchantId })
  expect(secret).toBe(answer.secret)
  const [entry] = await desk.context.audit.list(desk.api.account.accountId, 1)
  expect(entry).toMatchObject({ action: 'endpoint.listen-secret', subject: merchantId })
  expect(JSON.stringify(entry)).not.toContain(secret)
})

test('it is shown to a developer, and neither to a manager nor to staff', async () => {
  expect((await desk.ask('endpoints.listenSecret', { merchantId }, { role: 'developer' })).secret).toMatch(/^whsec_/)
  for (const role of ['manager', 'staff'] as const)
    expect(await desk.refused('endpoints.listenSecret', { merchantId }, { role })).toMatchObject({ code: 'forbidden' })
})
