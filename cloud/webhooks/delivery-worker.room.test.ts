// The delivery worker with real receivers: events are sent at once, in order, repeated until accepted, and never lost.
import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { WebhookReceiver } from '#test/doubles/webhook-receiver.ts'
import { WebhookSite } from '#test/fixtures/webhook-site.ts'

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

const MINUTE = 60_000
/** Hours pass and one sweep runs. Running every sweep of those hours would only take long. */
const pass = async (ms: number) => {
  clock.stall(ms - 500)
  await clock.advance(500)
}
const listen = async (url = receiver.url) => {
  const endpoint = await site.listen(url)
  receiver.secret = endpoint.secret
  return endpoint
}

describe('a delivery', () => {
  it('is sent at once after the commit, signed both ways, without a timer', async () => {
    const { secret } = await listen()
    await site.worker().start()
    const { eventId } = await site.record({ subjectId: 'ord_0123456789abcdefghjkmnpqrs' })
    const [got] = await receiver.waitFor(1)
    expect(got?.signatureValid).toBe(true)
    expect(got?.event).toMatchObject({ id: eventId, type: 'order.accepted', merchantId: 'M-TEST-0001' })
    const [line] = await site.settled(1)
    expect(line).toMatchObject({
      walk: '10/10',
      serviceOrderId: 'ord_0123456789abcdefghjkmnpqrs',
      attempt: 1,
      status: 200,
    })
    const [row] = await site.rows()
    expect(row).toMatchObject({
      state: 'delivered',
      attempts: 1,
      lease_until: null,
      last_status: 200,
      last_error: null,
    })
    expect(got?.headers).toMatchObject({
      'content-type': 'application/json',
      'x-service-event': 'order.accepted',
      'x-service-delivery': row?.id,
      'x-service-attempt': '1',
      'webhook-id': eventId,
      'webhook-timestamp': String(clock.now() / 1000),
    })
    const standard = createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
      .update(`${eventId}.${clock.now() / 1000}.${got?.body}`)
      .digest('base64')
    expect(got?.headers['webhook-signature']).toBe(`v1,${standard}`)
  })

  it('of events recorded before the start is sent by the start', async () => {
    await listen()
    for (let i = 0; i < 20; i++) await site.record()
    await site.worker().start()
    await receiver.waitFor(20)
    expect(new Set(receiver.received.map(({ event }) => event.id)).size).toBe(20)
  })

  it('is attempted six times on the schedule, never early, with the same bytes, and then failed', async () => {
    await listen()
    receiver.answerWith({ kind: 'status', status: 500, body: 'kaput' })
    await site.worker().start()
    await site.record()
    const delays = [1, 5, 30, 120, 720]
    for (const [i, minutes] of delays.entries()) {
      await site.settled(i + 1)
      await pass(minutes * MINUTE - 1_000)
      expect(receiver.received, `not before ${minutes} min`).toHaveLength(i + 1)
      // Exactly to the time: the response arrives at any time, and the schedule counts from it.
      await clock.advance(1_000)
    }
    await site.settled(6)
    expect(receiver.received).toHaveLength(6)
    expect(new Set(receiver.received.map(({ body }) => body.toString('hex'))).size).toBe(1)
    expect(receiver.received.map(({ headers }) => headers['x-service-attempt'])).toEqual(['1', '2', '3', '4', '5', '6'])
    expect(await site.rows()).toMatchObject([
      { state: 'failed', attempts: 6, last_status: 500, last_error: 'http_status' },
    ])
    expect(await site.attempts()).toMatchObject(
      [1, 2, 3, 4, 5, 6].map((number) => ({
        number,
        status: 500,
        error: 'http_status',
        response: 'kaput',
        trigger: 'schedule',
      })),
    )
    await pass(48 * 60 * MINUTE)
    expect(receiver.received).toHaveLength(6)
  })

  it('that failed is delivered by a retry, and the endpoint is healthy again', async () => {
    const { webhookId } = await listen()
    receiver.answerWith({ kind: 'status', status: 503 })
    await site.worker().start()
    await site.record()
    await site.settled(1)
    const failingSince = clock.now()
    expect(await site.endpoints.byId(webhookId)).toMatchObject({ failing_since: failingSince, last_delivery_at: null })
    receiver.answerWith({ kind: 'status', status: 204 })
    await clock.advance(MINUTE)
    await site.settled(2)
    expect(await site.rows()).toMatchObject([{ state: 'delivered', attempts: 2, last_status: 204 }])
    expect(await site.endpoints.byId(webhookId)).toMatchObject({ failing_since: null, last_delivery_at: clock.now() })
  })

  it('waits longer if the receiver requests it', async () => {
    await listen()
    receiver.answerWith({ kind: 'status', status: 429, headers: { 'retry-after': '100' } })
    await site.worker().start()
    await site.record()
    await site.settled(1)
    expect((await site.rows())[0]?.next_at).toBe(clock.now() + 100_000)
  })

  it('is signed with both secrets during a rotation', async () => {
    const { secret: old, webhookId } = await listen()
    const next = `whsec_${Buffer.alloc(32, 9).toString('base64')}`
    await site.db.unit((tx) =>
      tx
        .updateTable('webhook_endpoints')
        .set({
          old_secret_enc: site.secretBox.seal(old),
          old_secret_until: clock.now() + MINUTE,
          secret_enc: site.secretBox.seal(next),
        })
        .where('id', '=', webhookId)
        .execute(),
    )
    await site.worker().start()
    await site.record()
    await site.settled(1)
    await pass(MINUTE)
    await site.record()
    await site.settled(2)
    const [during, after] = receiver.received
    const hex = (secret: string) =>
      createHmac('sha256', secret)
        .update(during?.body ?? '')
        .digest('hex')
    expect(during?.headers).toMatchObject({
      'x-service-signature': hex(next),
      'x-service-signature-previous': hex(old),
      'webhook-signature': expect.stringMatching(/^v1,\S+ v1,\S+$/),
    })
    expect(after?.headers['x-service-signature-previous']).toBeUndefined()
    expect(after?.headers['webhook-signature']).toMatch(/^v1,\S+$/)
  })

  it('is not settled if its signing secret cannot be opened, and is retried', async () => {
    const { webhookId } = await listen()
    await site.db.unit((tx) =>
      tx.updateTable('webhook_endpoints').set({ secret_enc: 'AAAA' }).where('id', '=', webhookId).execute(),
    )
    await site.worker().start()
    await site.record()
    await site.settled(1)
    expect(receiver.received).toEqual([])
    expect(await site.rows()).toMatchObject([{ state: 'retrying', last_error: 'secret_unreadable' }])
  })
})

describe('order', () => {
  it('of first attempts is that of the events, one at a time per subject', async () => {
    await listen()
    await site.worker().start()
    const subjects = ['ord_a', 'ord_b', 'ord_c']
    for (let sequence = 1; sequence <= 30; sequence++)
      for (const subjectId of subjects) await site.record({ subjectId, sequence, data: { subjectId } })
    await receiver.waitFor(90)
    for (const subjectId of subjects) {
      const own = receiver.received.filter(({ event }) => event.data['subjectId'] === subjectId)
      expect(own.map(({ event }) => event.sequence)).toEqual(Array.from({ length: 30 }, (_, i) => i + 1))
    }
  })

  it('holds the next event of an order while the first attempt of the one before is in flight', async () => {
    await listen()
    const warmUp = await site.record()
    await site.worker().start()
    await receiver.nextEvent(({ id }) => id === warmUp.eventId)
    await site.settled(1)
    receiver.answerWith(({ event }) => (event.data['n'] === 1 ? { kind: 'hang' } : { kind: 'status', status: 200 }))
    await site.record({ subjectId: 'ord_a', data: { n: 1 } })
    await receiver.nextEvent(({ data }) => data['n'] === 1)
    await site.record({ subjectId: 'ord_a', data: { n: 2 } })
    await site.record({ subjectId: 'ord_b', data: { n: 3 } })
    await receiver.nextEvent(({ data }) => data['n'] === 3)
    await site.settled(2)
    expect(receiver.received.map(({ event }) => event.data['n'])).not.toContain(2)
    await clock.advance(15_100)
    await receiver.nextEvent(({ data }) => data['n'] === 2)
  })

  it('is not blocked by an event whose first attempt failed', async () => {
    await listen()
    receiver.answerWith(({ event }) => ({ kind: 'status', status: event.sequence === 1 ? 500 : 200 }))
    await site.worker().start()
    await site.record({ subjectId: 'ord_a', sequence: 1 })
    await site.record({ subjectId: 'ord_a', sequence: 2 })
    await site.settled(2)
    expect((await site.rows()).map((row) => row.state)).toEqual(['retrying', 'delivered'])
  })
})

describe('after a crash', () => {
  it('between POST and settling, the next start sends the same bytes again', async () => {
    await listen()
    await site.record()
    const [row] = await site.rows()
    // A process that claimed the delivery, perhaps sent it, and was killed.
    const claimed = await site.claim(row!.endpoint_id)
    expect(claimed).toHaveLength(1)
    await site.worker().start()
    const [got] = await receiver.waitFor(1)
    expect(got?.body.toString()).toBe(claimed[0]?.payload)
    expect(got?.headers['x-service-attempt']).toBe('1')
  })

  it('a lease of another holder is respected until it expires', async () => {
    await listen()
    await site.worker().start()
    const event = site.newEvent()
    const { recordEvent } = await import('./record-event.ts')
    await site.db.unit((tx) => recordEvent(tx, site, event))
    const [row] = await site.rows()
    await site.claim(row!.endpoint_id)
    await clock.advance(29_900)
    expect(receiver.received).toEqual([])
    await clock.advance(600)
    await receiver.waitFor(1)
  })
})

describe('stop', () => {
  it('completes an attempt in flight', async () => {
    await listen()
    receiver.answerWith({ kind: 'status', status: 200, delayMs: 50 })
    const worker = site.worker()
    await worker.start()
    await site.record()
    await receiver.waitFor(1)
    await worker.stop()
    expect(await site.rows()).toMatchObject([{ state: 'delivered', lease_until: null }])
  })

  it('aborts a hanging one after 2 s and gives its lease back without counting it', async () => {
    await listen()
    receiver.answerWith({ kind: 'hang' })
    const worker = site.worker()
    await worker.start()
    await site.record()
    await receiver.waitFor(1)
    const stopped = worker.stop()
    await clock.advance(2_000)
    await stopped
    expect(await site.rows()).toMatchObject([{ state: 'pending', attempts: 0, lease_until: null }])
    receiver.answerWith({ kind: 'status', status: 200 })
    await worker.start()
    await receiver.waitFor(2)
    await site.settled(1)
  })

  it('may be called twice, or without a start', async () => {
    const worker = site.worker()
    await worker.stop()
    await worker.start()
    await worker.start()
    await worker.stop()
    await worker.stop()
  })
})

describe('an endpoint', () => {
  it('that is deleted while its event is in flight leaves nothing behind and affects no other', async () => {
    const { webhookId } = await listen()
    receiver.answerWith({ kind: 'hang' })
    await site.worker().start()
    await site.record()
    await receiver.waitFor(1)
    const { deleteEndpoint } = await import('./endpoints.ts')
    await deleteEndpoint(site, site.merchant, webhookId)
    receiver.answerWith({ kind: 'status', status: 200 })
    await clock.advance(15_100)
    await listen()
    await site.record()
    await receiver.waitFor(2)
    await site.settled(2)
    expect(await site.rows()).toHaveLength(1)
  })

  it('that was disabled gets nothing; its open deliveries are stored as failed', async () => {
    await listen()
    await site.record()
    await site.db.unit((tx) => tx.updateTable('webhook_endpoints').set({ status: 'disabled' }).execute())
    const worker = site.worker()
    await worker.start()
    await worker.stop()
    expect(receiver.received).toEqual([])
    expect(await site.rows()).toMatchObject([{ state: 'failed', last_error: 'endpoint_disabled' }])
  })
})

describe('the log', () => {
  it('contains neither secrets, nor bodies, nor the URL', async () => {
    const { secret } = await listen(`${receiver.url}?token=s3cr3t`)
    receiver.answerWith(({ event }) => ({
      kind: 'status',
      status: event.sequence === 1 ? 500 : 200,
      body: 'internals',
    }))
    await site.worker().start()
    await site.record({ sequence: 1 })
    await site.record({ sequence: 2 })
    await site.settled(2)
    const log = site.logLines.join('\n')
    for (const word of [secret, secret.slice(6, 20), 's3cr3t', 'crème', 'internals', 'whsec_'])
      expect(log).not.toContain(word)
  })
})
