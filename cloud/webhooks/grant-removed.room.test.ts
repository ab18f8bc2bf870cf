// Events about a merchant for all accounts that may act on it stop with the grant, including those recorded while the grant existed.
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { AccountId } from '#shared/ids.ts'
import { newId } from '#shared/ids.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { WebhookReceiver } from '#test/doubles/webhook-receiver.ts'
import { WebhookSite } from '#test/fixtures/webhook-site.ts'
import { redeliver } from './deliveries.ts'

const partner: AccountId = newId('acc', 2)
const SOLD_OUT = { type: 'sku.silenced', audience: 'merchant', subjectId: 'mer_1/UMS-SOUP' } as const
const MINUTE = 60_000

let clock: ManualClock
let site: WebhookSite
let receiver: WebhookReceiver

beforeEach(async () => {
  clock = new ManualClock()
  receiver = new WebhookReceiver()
  await receiver.start()
  site = await WebhookSite.open({ clock })
  await site.db.unit(async (tx) => {
    const account = { id: partner, name: 'Partner', plan: 'starter', live_approved_at: 1, created_at: 1 } as const
    await tx.insertInto('accounts').values(account).execute()
    const grant = { account_id: partner, merchant_id: site.merchant.key, created_at: 1 }
    await tx.insertInto('merchant_grants').values(grant).execute()
  })
  receiver.secret = (await site.listen(receiver.url, ['*'], { accountId: partner })).secret
})
afterEach(async () => {
  await receiver.stop()
  await site.close()
})

async function grantBecomes(scopes: string | null): Promise<void> {
  await site.db.unit(async (tx) => {
    if (scopes === null) await tx.deleteFrom('merchant_grants').execute()
    else await tx.updateTable('merchant_grants').set({ scopes }).execute()
  })
}
const ended = () => site.until(async () => (await site.rows()).every(({ state }) => state === 'failed'))

it.each([
  ['removed', null],
  ['narrowed to scopes without that of events', '["orders:read","menu:read"]'],
])('is not sent when the grant was %s before the attempt', async (_how, scopes) => {
  await site.record(SOLD_OUT)
  await grantBecomes(scopes)
  await site.worker().start()
  await ended()
  expect(await site.rows()).toMatchObject([{ attempts: 0, last_error: 'grant_removed', lease_until: null }])
  expect(receiver.received).toEqual([])
})

it('is not retried or sent manually after the grant is removed', async () => {
  receiver.answerWith({ kind: 'status', status: 500 })
  await site.worker().start()
  await site.record(SOLD_OUT)
  await site.settled(1)
  await grantBecomes(null)
  await clock.advance(MINUTE)
  await ended()
  const [row] = await site.rows()
  if (row === undefined) throw new Error('the delivery is gone')
  const { wake } = await site.db.unit((tx) =>
    redeliver(tx, site, { merchant: { ...site.merchant, accountId: partner }, deliveryId: row.id }),
  )
  wake?.()
  await site.until(async () => (await site.rows())[0]?.manual_at === null)
  expect(receiver.received).toHaveLength(1)
})

it("is sent while the grant has the scope for events; events of the account's own actions are sent in any case", async () => {
  await grantBecomes('["webhooks:manage"]')
  await site.worker().start()
  await site.record(SOLD_OUT)
  await site.settled(1)
  await grantBecomes(null)
  await site.record({ type: 'order.accepted', accountId: partner })
  await site.settled(2)
  expect(receiver.received.map(({ event }) => event.type)).toEqual(['sku.silenced', 'order.accepted'])
})
