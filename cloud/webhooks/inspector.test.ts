// The inspector: an endpoint whose responses are chosen on a page. The worker of every relay sends to it like to any endpoint, without a connection.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { WebhookSite } from '#test/fixtures/webhook-site.ts'
import { signatureSteps } from './check-signature.ts'
import { changeEndpoint, rotateSecret } from './endpoints.ts'
import { answeredByInspector, createInspector, INSPECTOR_URL, setInspectorAnswer } from './inspector.ts'
import type { PostOutcome } from './post-webhook.ts'
import { secretsAt } from './sent-headers.ts'

const MINUTE = 60_000
let clock: ManualClock
let site: WebhookSite

beforeEach(async () => {
  clock = new ManualClock()
  site = await WebhookSite.open({ clock })
})
afterEach(() => site.close())

const open = () => site.db.unit((tx) => createInspector(tx, site, site.merchant))
const answer = (status: number, delayMs = 0) =>
  site.db.unit((tx) => setInspectorAnswer(tx, site, { merchant: site.merchant, answer: { status, delayMs } }))

it('accepts an event at once, and stores the headers that it received', async () => {
  const { webhookId } = await open()
  await site.worker().start()
  const { eventId } = await site.record()
  await site.settled(1)
  expect(await site.rows()).toMatchObject([{ state: 'delivered', attempts: 1, last_status: 200, last_error: null }])
  const [attempt] = await site.attempts()
  const headers = JSON.parse(attempt!.sent!)
  expect(headers).toMatchObject({ 'webhook-id': eventId, 'X-Service-Attempt': '1' })
  const endpoint = await site.endpoints.byId(webhookId)
  expect(endpoint).toMatchObject({ kind: 'inspector', url: INSPECTOR_URL })
  const [{ payload: body }] = (await site.db.read.selectFrom('events').select('payload').execute()) as [
    { payload: string },
  ]
  const steps = signatureSteps({ headers, body }, secretsAt(endpoint!, site.secretBox, clock.now()), clock.now())
  expect(steps.map(({ step, ok }) => [step, ok])).toEqual([
    ['body', true],
    ['service-signature', true],
    ['signed-text', true],
    ['standard-signature', true],
    ['age', true],
  ])
})

it('responds as chosen: the failure is retried on the schedule, and the endpoint is healthy again', async () => {
  const { webhookId } = await open()
  await answer(500)
  await site.worker().start()
  await site.record()
  await site.settled(1)
  expect(await site.rows()).toMatchObject([{ state: 'retrying', last_status: 500, last_error: 'http_status' }])
  expect(await site.endpoints.byId(webhookId)).toMatchObject({ failing_since: clock.now() })
  await answer(200)
  await clock.advance(MINUTE)
  await site.settled(2)
  expect(await site.rows()).toMatchObject([{ state: 'delivered', attempts: 2 }])
  expect(await site.endpoints.byId(webhookId)).toMatchObject({ failing_since: null })
})

describe('a response with a delay', () => {
  const ended: PostOutcome[] = []
  const stopping = new AbortController()
  const begin = (status: number, delayMs: number, stopped = stopping.signal) => {
    ended.length = 0
    return answeredByInspector({ clock }, { answer: { status, delayMs }, timeoutMs: 15_000 }, stopped).then((one) => {
      ended.push(one)
    })
  }

  it('makes the worker wait as long as chosen', async () => {
    const done = begin(204, 3_000)
    await clock.advance(2_999)
    expect(ended).toEqual([])
    await clock.advance(1)
    await done
    expect(ended).toMatchObject([{ status: 204, error: null, durationMs: 3_000 }])
  })

  it('that is longer than the limit of an attempt is a timeout', async () => {
    const done = begin(200, 30_000)
    await clock.advance(15_000)
    await done
    expect(ended).toMatchObject([{ status: null, error: 'timeout', durationMs: 15_000 }])
  })

  it('ends when the relay stops, and does not count', async () => {
    const stopped = new AbortController()
    const done = begin(200, 10_000, stopped.signal)
    stopped.abort()
    await done
    expect(ended).toMatchObject([{ status: null, error: 'stopped' }])
  })
})

it('is never connected to, whatever its URL is', async () => {
  const { webhookId } = await open()
  // The state that an older relay, or a manual change of the database, could leave.
  await site.db.unit((tx) => site.endpoints.change(tx, webhookId, { url: 'http://127.0.0.1:9/' }))
  await site.worker().start()
  await site.record()
  await site.settled(1)
  expect(await site.attempts()).toMatchObject([{ status: 200, error: null }])
})

it('cannot get a URL, and exists once per account and merchant', async () => {
  const { webhookId } = await open()
  const change = { url: 'https://hooks.bistro.test/' }
  await expect(
    site.db.unit((tx) => changeEndpoint(tx, site, { merchant: site.merchant, webhookId, ...change })),
  ).rejects.toMatchObject({
    code: 'webhook.invalid_url',
  })
  await expect(open()).rejects.toMatchObject({ code: 'webhook.limit_reached' })
  expect(await site.guard.refusal(INSPECTOR_URL, 'sandbox')).not.toBeNull()
})

it('does not count towards the limit of endpoints of a merchant', async () => {
  await open()
  for (let i = 0; i < 20; i++) await site.listen(`http://127.0.0.1:9/${i}`)
  await expect(site.listen('http://127.0.0.1:9/more')).rejects.toMatchObject({ code: 'webhook.limit_reached' })
})

it('shows in the steps of the check that a body was changed, and that a signature is from an earlier secret', async () => {
  const { webhookId } = await open()
  await site.worker().start()
  await site.record()
  await site.settled(1)
  const [attempt] = await site.attempts()
  const headers = JSON.parse(attempt!.sent!)
  const [{ payload: body }] = (await site.db.read.selectFrom('events').select('payload').execute()) as [
    { payload: string },
  ]
  const failed = async (text: string, atMs = clock.now()) => {
    const endpoint = await site.endpoints.byId(webhookId)
    const secrets = secretsAt(endpoint!, site.secretBox, clock.now())
    return signatureSteps({ headers, body: text }, secrets, atMs)
      .filter(({ ok }) => !ok)
      .map(({ step }) => step)
  }
  expect(await failed(JSON.stringify(JSON.parse(body), null, 1))).toEqual(['service-signature', 'standard-signature'])
  expect(await failed(body, clock.now() + 301_000)).toEqual(['age'])
  await site.db.unit((tx) => rotateSecret(tx, site, { merchant: site.merchant, webhookId, expireOldInHours: 0 }))
  expect(await failed(body)).toEqual(['service-signature', 'standard-signature'])
})

it('is handled by whichever relay its deliveries fall to, once', async () => {
  await open()
  const beside = await WebhookSite.open({ clock, beside: site })
  try {
    await site.worker({ isOurs: () => false }).start()
    await beside.worker().start()
    beside.deliveries.announce((await site.record()).endpointIds)
    await beside.settled(1)
    expect(await site.attempts()).toHaveLength(1)
  } finally {
    await beside.close()
  }
})
