// The receiver is a judge of other tests, so it is judged itself: by hand-made requests and signatures.
import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebhookReceiver } from './webhook-receiver.ts'

let receiver: WebhookReceiver
beforeEach(async () => {
  receiver = new WebhookReceiver()
  receiver.secret = 'whsec_test'
  await receiver.start()
})
afterEach(() => receiver.stop())

const send = (id: string, signature?: string) => {
  const body = JSON.stringify({ id, type: 'order.accepted', data: {} })
  const signed = signature ?? createHmac('sha256', 'whsec_test').update(body).digest('hex')
  return fetch(receiver.url, { method: 'POST', body, headers: { 'X-Service-Signature': signed } })
}

describe('WebhookReceiver', () => {
  it('keeps what arrives and distinguishes a good signature from a bad one', async () => {
    await send('evt_1')
    await send('evt_2', '00'.repeat(32))
    await send('evt_3', 'nonsense')
    expect(receiver.received.map(({ event, signatureValid }) => [event.id, signatureValid])).toEqual([
      ['evt_1', true],
      ['evt_2', false],
      ['evt_3', false],
    ])
  })

  it('waits for events, and finds those that have already arrived', async () => {
    const coming = receiver.nextEvent(({ id }) => id === 'evt_2')
    await send('evt_1')
    await send('evt_2')
    expect((await coming).event.id).toBe('evt_2')
    expect((await receiver.nextEvent(({ id }) => id === 'evt_1')).event.id).toBe('evt_1')
    expect(await receiver.waitFor(2)).toHaveLength(2)
    await expect(receiver.nextEvent(({ id }) => id === 'evt_3', 20)).rejects.toThrow('timeout')
  })

  it('answers as configured, each request on its own', async () => {
    receiver.answerWith(({ event }) => ({ kind: 'status', status: event.id === 'evt_1' ? 503 : 204 }))
    expect((await send('evt_1')).status).toBe(503)
    expect((await send('evt_2')).status).toBe(204)
    receiver.answerWith({ kind: 'reset' })
    await expect(send('evt_3')).rejects.toThrow()
    expect(receiver.received).toHaveLength(3)
  })

  it('restarts on the same port', async () => {
    const { port } = receiver
    await receiver.stop()
    await expect(fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' })).rejects.toThrow()
    await receiver.start(port)
    expect((await send('evt_1')).status).toBe(200)
  })
})
