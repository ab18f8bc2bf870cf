// Signatures, checked with the standardwebhooks library and with a plain HMAC as in the specification.
import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { asId } from '#shared/ids.ts'
import { newSigningSecret, type SignedRequest, signedHeaders } from './signature.ts'

const body = JSON.stringify({ type: 'order.accepted', data: { note: 'crème brûlée 5 €' } })
const sign = (secrets: SignedRequest['secrets'], nowMs = Date.now()) =>
  signedHeaders({
    body,
    secrets,
    eventId: asId('evt_1'),
    eventType: 'order.accepted',
    deliveryId: asId('dlv_1'),
    attempt: 2,
    nowMs,
  })
const plain = (secret: string) =>
  createHmac('sha256', Buffer.from(secret, 'utf8')).update(Buffer.from(body)).digest('hex')

describe('signedHeaders', () => {
  const current = newSigningSecret()
  const previous = newSigningSecret()

  it('signs the raw body with the whole secret, in hex, as the specification requires', () => {
    const headers = sign({ current, previous: null })
    expect(headers['X-Service-Signature']).toBe(plain(current))
    expect(headers['X-Service-Signature-Previous']).toBeUndefined()
  })

  it('is accepted by the Standard Webhooks library', () => {
    const headers = sign({ current, previous: null })
    expect(new Webhook(current).verify(body, headers)).toEqual(JSON.parse(body))
  })

  it('is refused by it for another secret, an altered body, or an old time', () => {
    const headers = sign({ current, previous: null })
    expect(() => new Webhook(previous).verify(body, headers)).toThrow()
    expect(() => new Webhook(current).verify(body.replace('5', '6'), headers)).toThrow()
    const old = sign({ current, previous: null }, Date.now() - 6 * 60_000)
    expect(() => new Webhook(current).verify(body, old)).toThrow()
  })

  it('signs with both secrets during a rotation', () => {
    const headers = sign({ current, previous })
    expect(headers['X-Service-Signature']).toBe(plain(current))
    expect(headers['X-Service-Signature-Previous']).toBe(plain(previous))
    for (const secret of [current, previous]) expect(new Webhook(secret).verify(body, headers)).toBeTruthy()
  })

  it('has event, delivery and attempt', () => {
    expect(sign({ current, previous: null })).toMatchObject({
      'content-type': 'application/json',
      'user-agent': expect.stringContaining('Ticketrail'),
      'X-Service-Event': 'order.accepted',
      'X-Service-Delivery': 'dlv_1',
      'X-Service-Attempt': '2',
      'webhook-id': 'evt_1',
    })
  })

  it('creates secrets of 32 random bytes', () => {
    expect(current).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(current).not.toBe(previous)
  })
})
