// Endpoints: the secret is shown once and stored sealed, accounts cannot see those of others, deletion removes everything.
import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { asId } from '#shared/ids.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { WebhookSite } from '#test/fixtures/webhook-site.ts'
import { FILES, ofSqlite } from '#test/harness/engines.ts'
import { createEndpoint, deleteEndpoint, type EndpointMerchant, getEndpoint, listEndpoints } from './endpoints.ts'

const URL = 'http://127.0.0.1:9/hook'
const clock = new ManualClock()
let site: WebhookSite
beforeEach(async () => {
  site = await WebhookSite.open({ clock })
})
afterEach(() => site.close())

const strangers = (): EndpointMerchant[] => [
  { ...site.merchant, accountId: asId('acc_other') },
  { ...site.merchant, key: asId('mer_other') },
  { ...site.merchant, environment: 'live' },
]

describe('webhook endpoints', () => {
  it('are created with a secret that no other call shows', async () => {
    const wanted = {
      url: URL,
      events: ['order.printed' as const, 'order.printed' as const, '*' as const],
      description: 'kitchen screen',
    }
    const { answer: created } = await site.db.unit((tx) =>
      createEndpoint(tx, site, { merchant: site.merchant, ...wanted }),
    )
    const { secret, ...rest } = created
    expect(secret).toMatch(/^whsec_/)
    expect(rest).toEqual({
      webhookId: expect.stringMatching(/^we_/),
      kind: 'url',
      listener: null,
      merchantId: 'M-TEST-0001',
      url: URL,
      events: ['order.printed', '*'],
      description: 'kitchen screen',
      status: 'enabled',
      disabledReason: null,
      createdAt: '2026-11-20T18:00:00.000Z',
      lastDeliveryAt: null,
      failingSince: null,
    })
    expect(await getEndpoint(site, site.merchant, created.webhookId)).toEqual(rest)
    expect(await listEndpoints(site, site.merchant)).toEqual([rest])
  })

  ofSqlite(FILES)('have their secret in the database only sealed', async () => {
    const { secret } = await site.listen(URL)
    await site.db.unit((tx) => tx.updateTable('accounts').set({ name: 'flush' }).execute())
    const files = [site.file, `${site.file}-wal`].map((file) => readFileSync(file, 'latin1')).join('')
    expect(files).toContain('flush')
    expect(files).not.toContain(secret)
    expect(files).not.toContain(secret.slice('whsec_'.length, 30))
  })

  it('are refused with a reason when the URL cannot be used', async () => {
    await expect(site.listen('http://10.0.0.1/')).rejects.toMatchObject({
      code: 'webhook.invalid_url',
      status: 422,
      message: expect.stringContaining('public address'),
      errors: [{ field: 'url', message: expect.stringContaining('public address') }],
    })
  })

  it('are at most 20, even if 30 are created at once', async () => {
    const results = await Promise.allSettled(Array.from({ length: 30 }, () => site.listen(URL)))
    const refused = results.filter((result) => result.status === 'rejected')
    expect(refused).toHaveLength(10)
    for (const { reason } of refused) expect(reason).toMatchObject({ code: 'webhook.limit_reached', status: 409 })
    expect(await listEndpoints(site, site.merchant)).toHaveLength(20)
  })

  it('do not exist for another account, merchant or environment', async () => {
    const { webhookId } = await site.listen(URL)
    for (const stranger of strangers()) {
      expect(await listEndpoints(site, stranger)).toEqual([])
      await expect(getEndpoint(site, stranger, webhookId)).rejects.toMatchObject({ code: 'webhook.not_found' })
      await expect(deleteEndpoint(site, stranger, webhookId)).rejects.toMatchObject({ code: 'webhook.not_found' })
    }
    expect(await getEndpoint(site, site.merchant, webhookId)).toMatchObject({ status: 'enabled' })
  })

  it('are deleted with all their deliveries, however many', async () => {
    const { webhookId } = await site.listen(URL)
    const kept = await site.listen(URL)
    for (let i = 0; i < 600; i++) await site.record()
    await deleteEndpoint(site, site.merchant, webhookId)
    expect(await listEndpoints(site, site.merchant)).toMatchObject([{ webhookId: kept.webhookId }])
    const rows = await site.rows()
    expect(rows).toHaveLength(600)
    expect(rows.every((row) => row.endpoint_id === kept.webhookId)).toBe(true)
    await expect(deleteEndpoint(site, site.merchant, webhookId)).rejects.toMatchObject({ code: 'webhook.not_found' })
  })
})
