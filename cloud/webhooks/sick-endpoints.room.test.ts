// Endpoints that fail for days are disabled, like those that their owner disables: nothing for them is lost.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { WebhookId } from '#shared/ids.ts'
import type { ChangeWebhook } from '#shared/wire/api/webhooks.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { WebhookReceiver } from '#test/doubles/webhook-receiver.ts'
import { WebhookSite } from '#test/fixtures/webhook-site.ts'
import { changeEndpoint, getEndpoint, rotateSecret } from './endpoints.ts'

const DAY = 24 * 3_600_000
let clock: ManualClock
let site: WebhookSite
let receiver: WebhookReceiver

beforeEach(async () => {
  clock = new ManualClock()
  receiver = new WebhookReceiver()
  await receiver.start()
  site = await WebhookSite.open({ clock })
})
afterEach(async () => {
  await receiver.stop()
  await site.close()
})

const change = async (webhookId: WebhookId, what: Omit<ChangeWebhook, 'merchantId'>) => {
  const { answer, wake } = await site.db.unit((tx) =>
    changeEndpoint(tx, site, { merchant: site.merchant, webhookId, ...what }),
  )
  wake?.()
  return answer
}
/** Events that fail for good at their first attempt, one after the other. */
const fail = async (count: number, before: number) => {
  for (let i = 1; i <= count; i++) {
    await site.record()
    await site.settled(before + i)
  }
}
const stateOf = (webhookId: WebhookId) => getEndpoint(site, site.merchant, webhookId)

describe('an endpoint without a success', () => {
  it('for 5 days and 20 failures is disabled, with the reason', async () => {
    const { webhookId } = await site.listen(receiver.url)
    receiver.answerWith({ kind: 'status', status: 500 })
    await site.worker({ retrySeconds: [] }).start()
    await fail(30, 0)
    clock.stall(5 * DAY - 1)
    await fail(1, 30)
    expect(await stateOf(webhookId)).toMatchObject({ status: 'enabled', failingSince: expect.any(String) })
    clock.stall(1)
    await fail(1, 31)
    expect(await stateOf(webhookId)).toMatchObject({ status: 'disabled', disabledReason: 'failing' })
  })

  it('for 5 days but fewer than 20 failures stays enabled', async () => {
    const { webhookId } = await site.listen(receiver.url)
    receiver.answerWith({ kind: 'status', status: 500 })
    await site.worker({ retrySeconds: [] }).start()
    await fail(18, 0)
    clock.stall(6 * DAY)
    await fail(1, 18)
    expect(await stateOf(webhookId)).toMatchObject({ status: 'enabled' })
    await fail(1, 19)
    expect(await stateOf(webhookId)).toMatchObject({ status: 'disabled' })
  })

  it('is measured from the last success', async () => {
    const { webhookId } = await site.listen(receiver.url)
    receiver.answerWith({ kind: 'status', status: 500 })
    await site.worker({ retrySeconds: [] }).start()
    await fail(25, 0)
    clock.stall(4 * DAY)
    receiver.answerWith({ kind: 'status', status: 200 })
    await fail(1, 25)
    receiver.answerWith({ kind: 'status', status: 500 })
    clock.stall(4 * DAY)
    await fail(25, 26)
    expect(await stateOf(webhookId)).toMatchObject({ status: 'enabled' })
  })

  it('does not count failures on our side', async () => {
    const { webhookId } = await site.listen(receiver.url)
    await site.db.unit((tx) => site.endpoints.change(tx, webhookId, { secret_enc: 'AAAA' }))
    await site.worker({ retrySeconds: [] }).start()
    await fail(20, 0)
    clock.stall(6 * DAY)
    await fail(5, 20)
    expect(await stateOf(webhookId)).toMatchObject({ status: 'enabled', failingSince: null })
  })
})

describe('a delivery for a disabled endpoint', () => {
  it('is stored as failed, whether it was waiting, to be retried, or new', async () => {
    const { webhookId } = await site.listen(receiver.url)
    receiver.answerWith({ kind: 'status', status: 500 })
    await site.worker().start()
    await site.record()
    await site.settled(1)
    await change(webhookId, { status: 'disabled' })
    await site.record()
    await site.until(async () => (await site.rows()).every(({ state }) => state === 'failed'))
    expect(await site.rows()).toMatchObject([
      { attempts: 1, last_error: 'endpoint_disabled' },
      { attempts: 0, last_error: 'endpoint_disabled' },
    ])
    expect(receiver.received).toHaveLength(1)
  })

  it('is sent from its enabling on, and the failures are reset', async () => {
    const { webhookId } = await site.listen(receiver.url)
    receiver.answerWith({ kind: 'status', status: 500 })
    await site.worker({ retrySeconds: [] }).start()
    await fail(20, 0)
    clock.stall(5 * DAY)
    await fail(1, 20)
    receiver.answerWith({ kind: 'status', status: 200 })
    const enabled = await change(webhookId, { status: 'enabled' })
    expect(enabled).toMatchObject({ status: 'enabled', disabledReason: null, failingSince: null })
    const { eventId } = await site.record()
    await receiver.nextEvent(({ id }) => id === eventId)
    expect(await site.endpoints.byId(webhookId)).toMatchObject({ failures: 0 })
  })

  it('disabled by a call keeps the reason of the first disabling', async () => {
    const { webhookId } = await site.listen(receiver.url)
    expect(await change(webhookId, { status: 'disabled' })).toMatchObject({ disabledReason: 'owner' })
    await site.db.unit((tx) => site.endpoints.change(tx, webhookId, { disabled_reason: 'failing' }))
    expect(await change(webhookId, { status: 'disabled' })).toMatchObject({ disabledReason: 'failing' })
  })
})

describe('a change', () => {
  it('keeps fields that it does not contain', async () => {
    const { secret: _, ...before } = await site.listen(receiver.url)
    expect(await change(before.webhookId, {})).toEqual(before)
    const described = await change(before.webhookId, { description: 'screen', events: ['order.ready', 'order.ready'] })
    expect(described).toEqual({ ...before, description: 'screen', events: ['order.ready'] })
    expect(await change(before.webhookId, { description: null })).toMatchObject({ description: null, url: before.url })
  })

  it('of the URL applies to the next attempt, including retries', async () => {
    const { webhookId } = await site.listen('http://127.0.0.1:9/')
    await site.worker().start()
    await site.record()
    await site.settled(1)
    await change(webhookId, { url: receiver.url })
    await clock.advance(60_500)
    await receiver.waitFor(1)
  })
})

describe('a rotated secret', () => {
  const rotate = async (webhookId: WebhookId, expireOldInHours: number) =>
    (await site.db.unit((tx) => rotateSecret(tx, site, { merchant: site.merchant, webhookId, expireOldInHours })))
      .answer

  it('signs at once; the old one also signs until it expires', async () => {
    const { webhookId, secret: old } = await site.listen(receiver.url)
    await site.worker().start()
    const { secret, oldSecretExpiresAt } = await rotate(webhookId, 24)
    expect(oldSecretExpiresAt).toBe('2026-11-21T18:00:00.000Z')
    expect(secret).not.toBe(old)
    receiver.secret = secret
    await site.record()
    const [during] = await receiver.waitFor(1)
    expect(during?.signatureValid).toBe(true)
    expect(during?.headers['x-service-signature-previous']).toBeTypeOf('string')
    await site.settled(1)
    clock.stall(DAY)
    await site.record()
    const [, after] = await receiver.waitFor(2)
    expect(after?.signatureValid).toBe(true)
    expect(after?.headers['x-service-signature-previous']).toBeUndefined()
  })

  it('without an overlap ends the old one at once', async () => {
    const { webhookId } = await site.listen(receiver.url)
    const { secret } = await rotate(webhookId, 0)
    receiver.secret = secret
    await site.worker().start()
    await site.record()
    const [got] = await receiver.waitFor(1)
    expect(got?.signatureValid).toBe(true)
    expect(got?.headers['x-service-signature-previous']).toBeUndefined()
  })
})
