// Verification of webhooks: what the relay signs is accepted, everything else is refused. `standardwebhooks` is the reference.
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { newSigningSecret, signedHeaders } from '#cloud/webhooks/signature.ts'
import type { TicketrailEvent } from './api.ts'
import { constructEvent, explain, SignatureError, sign, type VerifyOptions, verify } from './webhooks.ts'

const NOW_MS = 1_795_197_600_000
const secret = newSigningSecret()
const oldSecret = newSigningSecret()
const event = {
  ...{ id: 'evt_1', type: 'sku.restored', timestamp: '2026-11-20T18:00:00.000Z', apiVersion: 'v1' },
  ...{ environment: 'sandbox', merchantId: 'M-TEST-001', sequence: 1, data: { note: 'crème brûlée 5 €' } },
}
const body = JSON.stringify(event)

const sent = (previous: string | null = null, nowMs = NOW_MS) =>
  signedHeaders({
    ...{ body, secrets: { current: secret, previous }, eventId: 'evt_1', deliveryId: 'dlv_1', eventType: event.type },
    ...{ attempt: 1, nowMs },
  })
const lower = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
const at = (change: Partial<VerifyOptions> = {}): VerifyOptions => ({ secret, nowMs: NOW_MS, ...change })
const without = (...names: string[]) =>
  Object.fromEntries(Object.entries(lower(sent())).filter(([name]) => !names.includes(name)))

describe('an authentic request is accepted', () => {
  it.each([
    ['as text', body],
    ['as a Buffer', Buffer.from(body)],
    ['as bytes in the middle of others', Buffer.from(`xx${body}`).subarray(2)],
    ['as an ArrayBuffer', new TextEncoder().encode(body).buffer],
  ])('%s', async (_name, raw) => {
    expect(await verify(raw, lower(sent()), at())).toBe(true)
  })

  it('with headers of node:http, of any case, or of the Fetch API', async () => {
    expect(await verify(body, sent(), at())).toBe(true)
    expect(await verify(body, new Headers(sent()), at())).toBe(true)
    const lists = Object.fromEntries(Object.entries(lower(sent())).map(([name, value]) => [name, [value]]))
    expect(await verify(body, lists, at())).toBe(true)
  })

  it('with either secret during a rotation', async () => {
    expect(await verify(body, sent(oldSecret), at())).toBe(true)
    expect(await verify(body, sent(oldSecret), at({ secret: oldSecret }))).toBe(true)
    expect(await verify(body, sent(), at({ secret: [oldSecret, secret] }))).toBe(true)
  })

  it('up to five minutes before or after now', async () => {
    expect(await verify(body, sent(), at({ nowMs: NOW_MS + 299_000 }))).toBe(true)
    expect(await verify(body, sent(), at({ nowMs: NOW_MS - 299_000 }))).toBe(true)
  })

  it('by X-Service-Signature only if that is allowed, also with the previous secret', async () => {
    const undated = without('webhook-id', 'webhook-timestamp', 'webhook-signature')
    expect(await explain(body, undated, at({ allowUndated: true }))).toMatchObject({ by: 'X-Service-Signature' })
    const rotated = { ...sent(oldSecret), 'webhook-signature': '' }
    expect(await explain(body, rotated, at({ secret: oldSecret, allowUndated: true }))).toMatchObject({
      by: 'X-Service-Signature-Previous',
    })
  })
})

describe('a request is refused', () => {
  it.each<[string, string | Buffer, Record<string, string>, Partial<VerifyOptions>, string]>([
    ['with an altered byte', body.replace('5', '6'), sent(), {}, 'the body was changed'],
    ['with a line break more', `${body}\n`, sent(), {}, 'the body was changed'],
    ['parsed and written again with spaces', JSON.stringify(event, null, 2), sent(), {}, 'parsed and written again'],
    ['written again by Python', body.replaceAll('":', '": '), sent(), {}, 'parsed and written again'],
    ['with another secret', body, sent(), { secret: newSigningSecret() }, 'the secret is of another endpoint'],
    ['after 301 s', body, sent(), { nowMs: NOW_MS + 301_000 }, 'sent 301 s ago'],
    ['from the future', body, sent(), { nowMs: NOW_MS - 301_000 }, '301 s ahead of this clock'],
    ['with another id', body, { ...sent(), 'webhook-id': 'evt_2' }, {}, 'No signature fits'],
    ['without a time', body, without('webhook-timestamp'), {}, 'not all there'],
    ['without the dated signature', body, without('webhook-signature'), {}, 'not all there'],
    ['with a time that is none', body, { ...sent(), 'webhook-timestamp': '1e9' }, {}, 'not a number of seconds'],
    [
      'with signatures of other versions',
      body,
      { ...sent(), 'webhook-signature': 'v2,AA== v1, v1,!' },
      {},
      'No signature',
    ],
    ['with no headers at all', body, {}, { allowUndated: true }, 'not all there'],
    [
      'with an X-Service-Signature of something else, where that is enough',
      ...([body, { 'x-service-signature': 'zz', 'x-service-signature-previous': '00'.repeat(32) }] as const),
      ...([{ allowUndated: true }, 'not all there'] as const),
    ],
  ])('%s', async (_name, raw, headers, change, reason) => {
    const verdict = await explain(raw, headers, at(change))
    expect(verdict).toEqual({ isAuthentic: false, reason: expect.stringContaining(reason) })
    await expect(constructEvent(raw, headers, at(change))).rejects.toThrow(SignatureError)
  })

  it('that was captured: the signature without a time does not count unless it is allowed', async () => {
    const late = { nowMs: NOW_MS + 86_400_000 }
    expect(await verify(body, without('webhook-id', 'webhook-signature'), at(late))).toBe(false)
    expect(await verify(body, sent(), at({ ...late, allowUndated: true }))).toBe(true)
  })

  it('that was parsed, with a message about raw bodies', async () => {
    for (const parsed of [event, [], 5, null, undefined]) {
      await expect(verify(parsed as never, sent(), at())).rejects.toThrow(/raw body[\s\S]*express\.raw/)
    }
  })

  it('without a secret, with a message', async () => {
    for (const none of ['', [], ['']])
      await expect(verify(body, sent(), { secret: none })).rejects.toThrow('secret is empty or undefined')
    const unset = process.env['NO_SUCH_VARIABLE'] as string
    await expect(constructEvent(body, sent(), unset)).rejects.toThrow('secret is empty or undefined')
    await expect(verify(body, sent(), at({ secret: 'whsec_!' }))).rejects.toThrow('whsec_ and base64')
  })
})

describe('the reference library of Standard Webhooks', () => {
  it('agrees with what we accept and sign', async () => {
    const judge = new Webhook(secret)
    const nowMs = Date.now()
    const headers = await sign(body, { secret, nowMs })
    expect(judge.verify(body, headers)).toEqual(event)
    const id = 'msg_p5jXN8AQM9LWM0D4loKWxJek'
    const signature = judge.sign(id, new Date(NOW_MS), body)
    const theirs = { 'webhook-id': id, 'webhook-timestamp': String(NOW_MS / 1000), 'webhook-signature': signature }
    expect(await verify(body, theirs, at())).toBe(true)
    expect(await verify(`${body} `, theirs, at())).toBe(false)
  })

  it('agrees on the test vector of the specification', async () => {
    const vector = {
      ...{ 'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek', 'webhook-timestamp': '1614265330' },
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    }
    const options = { secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', nowMs: 1_614_265_330_000 }
    expect(await verify('{"test": 2432232314}', vector, options)).toBe(true)
  })
})

describe('sign', () => {
  it('makes the headers that the relay sends', async () => {
    const { 'user-agent': _agent, ...relays } = lower(sent(oldSecret))
    const own = await sign(body, { secret, previousSecret: oldSecret, nowMs: NOW_MS, deliveryId: 'dlv_1' })
    expect(own).toEqual(relays)
  })
})

/** Compile-time check that `type` determines the type of `data`. */
function subjectOf(told: TicketrailEvent): string {
  switch (told.type) {
    case 'order.printed':
      return `${told.data.order.serviceOrderId} ${told.data.print.confirmation}`
    case 'order.refunded':
      return told.data.refund.refundId
    case 'sku.silenced':
    case 'sku.restored':
    case 'sku.low_stock':
      return told.data.sku.umsId
    case 'alert.started':
    case 'alert.ended':
      // @ts-expect-error an alert has no order
      return told.data.order ?? told.data.alert.alertId
    default:
      return told.data.order.serviceOrderId
  }
}

describe('constructEvent', () => {
  it('returns the event, whose type determines the type of its data', async () => {
    const told = await constructEvent(body, sent(), at())
    expect(told).toEqual(event)
    expect(subjectOf({ ...told, type: 'sku.restored', data: { sku: { umsId: 'UMS-1' } } } as TicketrailEvent)).toBe(
      'UMS-1',
    )
  })
})
