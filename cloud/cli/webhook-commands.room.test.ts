// webhooks list, resend and recover of `ticketrail` against a whole relay with a failing receiver, and verify with signatures of others.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebhookReceiver } from '#test/doubles/webhook-receiver.ts'
import { ticketrailHome } from '#test/fixtures/ticketrail-home.ts'
import { webhookCommands } from './webhook-commands.ts'

const { relay, home, done, json } = await ticketrailHome()

describe('webhooks', () => {
  let receiver: WebhookReceiver
  let webhookId: string
  beforeEach(async () => {
    receiver = new WebhookReceiver()
    await receiver.start()
    const body = {
      merchantId: 'M-TEST-001',
      url: receiver.url,
      events: ['order.accepted'],
    }
    const made = await relay.call({ method: 'POST', path: '/v1/webhooks', body: JSON.stringify(body) })
    webhookId = JSON.parse(made.text).webhookId
  })
  afterEach(async () => {
    await relay.call({ method: 'DELETE', path: `/v1/webhook/${webhookId}?merchantId=M-TEST-001` })
    await receiver.stop()
  })

  /** An event that the receiver refused. @returns its delivery */
  async function refused(): Promise<string> {
    receiver.answerWith({ kind: 'status', status: 500 })
    await json('inject')
    const [first] = await receiver.waitFor(1)
    receiver.answerWith({ kind: 'status', status: 204 })
    return String(first?.headers['x-service-delivery'])
  }

  it('list shows the endpoints with their events, and a message if there is none', async () => {
    expect(await json('webhooks', 'list')).toEqual([expect.objectContaining({ webhookId, events: ['order.accepted'] })])
    const { out } = await done('webhooks', 'list')
    expect(out).toMatch(new RegExp(`^ID .*URL .*\\n${webhookId} +${receiver.url} +order.accepted +enabled`))
    expect(await done('webhooks', 'list', '--merchant', 'M-TEST-002')).toMatchObject({ out: 'No endpoint yet.' })
  })

  it('resend makes one more attempt of a delivery at once', async () => {
    const deliveryId = await refused()
    await expect
      .poll(async () => (await done('webhooks', 'resend', deliveryId)).out)
      .toMatch(new RegExp(`^${deliveryId}  order.accepted  `))
    await receiver.waitFor(2)
    expect(receiver.received.map(({ event }) => event.id)).toEqual([
      receiver.received[0]?.event.id,
      receiver.received[0]?.event.id,
    ])
  })

  it('resend of an unknown delivery is refused with 4', async () => {
    expect(await done('webhooks', 'resend', 'dlv_01jd3k5v8wz9x0y1a2b3c4d5e6')).toMatchObject({ code: 4, out: '' })
    expect(await done('webhooks', 'resend')).toMatchObject({ code: 2, out: '' })
  })

  it('recover requires a time such as 2h, and shows how many are sent again', async () => {
    expect(await done('webhooks', 'recover', webhookId)).toMatchObject({
      code: 2,
      err: expect.stringContaining('--since'),
    })
    expect(await done('webhooks', 'recover', webhookId, '--since', 'monday')).toMatchObject({
      code: 2,
      err: expect.stringContaining('such as 45s, 10m or 2h'),
    })
    expect(await json('webhooks', 'recover', webhookId, '--since', '2h')).toMatchObject({ queued: 0 })
  })
})

describe('verify', () => {
  /** The example of the Standard Webhooks specification. */
  const example = {
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    body: '{"test": 2432232314}',
    headers: {
      'Webhook-Id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    },
  }

  async function verify(change: Partial<typeof example> = {}, ...more: string[]) {
    const { secret, body, headers } = { ...example, ...change }
    const [secretFile, bodyFile] = [join(home, 'secret'), join(home, 'body')]
    writeFileSync(secretFile, `${secret}\n`)
    writeFileSync(bodyFile, body)
    const named = Object.entries(headers).flatMap(([name, value]) => ['--header', `${name}: ${value}`])
    return done('verify', '--secret-file', secretFile, '--body', bodyFile, ...named, ...more)
  }

  it('accepts the example of the specification, if its age is ignored', async () => {
    expect(await verify({}, '--any-age')).toMatchObject({
      code: 0,
      out: expect.stringContaining('webhook-signature matches'),
    })
    expect(await verify()).toMatchObject({ code: 1, out: expect.stringMatching(/sent \d+ s ago/) })
  })

  it('has an example with every header that it needs', () => {
    const [shown = ''] = webhookCommands.find(({ name }) => name === 'verify')?.examples ?? []
    for (const name of Object.keys(example.headers)) expect(shown).toContain(`'${name.toLowerCase()}: `)
  })

  it('takes one of two signatures, as while a secret is changed', async () => {
    const two = `v1,${'A'.repeat(43)}= ${example.headers['webhook-signature']}`
    expect(await verify({ headers: { ...example.headers, 'webhook-signature': two } }, '--any-age')).toMatchObject({
      code: 0,
    })
  })

  it('recognizes a body that was parsed and serialized again, and distinguishes any other change', async () => {
    const again = JSON.stringify(JSON.parse(example.body), null, 2)
    expect((await verify({ body: again }, '--any-age')).out).toContain('parsed and written again')
    const changed = await verify({ body: '{"test":1}' }, '--any-age')
    expect([changed.code, changed.out]).toEqual([1, expect.stringContaining('No signature fits')])
    expect(changed.out).not.toContain('spaces')
  })

  it('refuses a file without a secret, and an invalid header, without printing the secret', async () => {
    const { code, err, out } = await verify({ secret: 'hunter2' })
    expect([code, out, err]).toEqual([2, '', expect.stringContaining('whsec_')])
    expect(err).not.toContain('hunter2')
    expect(await done('verify', '--secret-file', join(home, 'secret'), '--header', 'nonsense')).toMatchObject({
      code: 2,
    })
  })
})
