// The outbox to platforms over real sockets: signed, until confirmed, newest state only, and whatever a platform does.
import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type ChosenBy, TargetGuard } from '#cloud/webhooks/target-guard.ts'
import { type ReceivedWebhook, WebhookReceiver } from '#test/doubles/webhook-receiver.ts'
import { BRULEE, BURGER, CHEESE, MenuSite } from '#test/fixtures/menu-site.ts'

let site: MenuSite
let platform: WebhookReceiver
beforeEach(async () => {
  site = await MenuSite.open()
  platform = new WebhookReceiver()
  await platform.start()
})
afterEach(async () => {
  // First the answers, so that no attempt has to wait for its end.
  await platform.stop()
  await site.close()
})

const messageOf = (received: ReceivedWebhook) => JSON.parse(received.body.toString())
const messages = () => platform.received.map(messageOf)
const syncs = async (umsId: string) => (await site.sku(umsId)).channels.slice(1).map(({ sync }) => sync)

/** A channel at the platform with items that the platform has already. */
async function connected(umsIds: readonly string[] = [BURGER]): Promise<void> {
  platform.secret = await site.channel('uber', umsIds, { url: `${platform.url}/items` })
  await site.services().start()
  await site.settled(umsIds.length)
  platform.received.length = 0
  site.attempts.length = 0
}

describe('an address in a network that the operator opened, in live', () => {
  /** A name that was public when it was saved, and leads inside when it is dialled. */
  const guard = new TargetGuard({
    ...{ allowCidrs: ['127.0.0.0/8'], chosenBy: 'operator' },
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
  })

  async function told(chosenBy: ChosenBy): Promise<void> {
    const url = `http://platform.example:${new URL(platform.url).port}/items`
    platform.secret = await site.channel('uber', [BURGER], { url, chosenBy })
    await site.unit((tx) => tx.updateTable('merchants').set({ environment: 'live' }).execute())
    await site.services({ guard }).start()
    await site.settled(1)
  }

  test('is not dialled when a person has named it', async () => {
    await told('client')
    expect(platform.received).toEqual([])
    expect(await site.link(BURGER, 'uber')).toMatchObject({ attempts: 1, last_error: 'blocked_address' })
  })

  test('is called when the operator has named it', async () => {
    await told('operator')
    expect(messages()).toMatchObject([{ umsId: BURGER }])
  })
})

describe('a platform', () => {
  test('gets a silenced item at once, under its own id, signed', async () => {
    await connected()
    const until = new Date(site.clock.now() + 3_600_000).toISOString()
    await site.silence(BURGER, { until })
    await site.settled(1)
    const [received, ...more] = platform.received
    expect(more).toEqual([])
    expect(messageOf(received!)).toEqual({
      merchantId: 'M-TEST-001',
      channelId: 'uber',
      externalId: `uber-${BURGER}`,
      umsId: BURGER,
      state: 'silenced',
      until,
      revision: 2,
    })
    const mac = createHmac('sha256', platform.secret).update(received!.body).digest('hex')
    expect(received!.headers).toMatchObject({
      'x-service-signature': mac,
      'x-service-event': 'channel.item',
      'x-service-attempt': '1',
      'content-type': 'application/json',
      'webhook-id': expect.stringMatching(/^chm_[0-9a-f]{32}$/),
    })
    expect(await syncs(BURGER)).toEqual(['synced'])
  })

  test('is updated when its time ends the silence, and when stock returns', async () => {
    await connected()
    await site.stock(BURGER, 0)
    await site.settled(1)
    await site.stock(BURGER, 9)
    await site.settled(2)
    expect(messages().map(({ state, revision }) => [state, revision])).toEqual([
      ['silenced', 2],
      ['live', 3],
    ])
  })

  test('that answers 500 is retried on the schedule with the same id, until it confirms', async () => {
    await connected()
    platform.answerWith({ kind: 'status', status: 500, body: 'sorry <b>' })
    await site.silence(BURGER)
    await site.settled(1)
    expect(await syncs(BURGER)).toEqual(['failed'])
    expect(await site.link(BURGER, 'uber')).toMatchObject({ attempts: 1, last_error: 'http_status' })
    await site.clock.advance(59_000)
    expect(platform.received).toHaveLength(1)
    await site.clock.advance(1_500)
    await site.settled(2)
    platform.answerWith({ kind: 'status', status: 204 })
    await site.clock.advance(300_500)
    await site.settled(3)
    expect(await syncs(BURGER)).toEqual(['synced'])
    expect(await site.link(BURGER, 'uber')).toMatchObject({ attempts: 0, next_at: null, last_error: null })
    expect(new Set(platform.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(platform.received.map(({ headers }) => headers['x-service-attempt'])).toEqual(['1', '2', '3'])
  })

  test('that is away for longer than the schedule is updated when it is back', async () => {
    await connected()
    platform.answerWith({ kind: 'reset' })
    await site.silence(BURGER)
    const delays = [0, 60_000, 300_000, 1_800_000, 1_800_000, 1_800_000]
    for (const [i, ms] of delays.entries()) {
      if (ms > 0) await site.clock.pass(ms + 500)
      await site.settled(i + 1)
    }
    platform.answerWith({ kind: 'status', status: 200 })
    await site.clock.pass(1_800_500)
    await site.settled(delays.length + 1)
    expect(await syncs(BURGER)).toEqual(['synced'])
  })

  test('that asks for more time with Retry-After gets it', async () => {
    await connected()
    platform.answerWith({ kind: 'status', status: 429, headers: { 'retry-after': '100' } })
    await site.silence(BURGER)
    await site.settled(1)
    expect((await site.link(BURGER, 'uber')).next_at).toBe(site.clock.now() + 100_000)
  })

  test('that redirects is not followed', async () => {
    await connected()
    const trap = new WebhookReceiver()
    await trap.start()
    platform.answerWith({ kind: 'redirect', location: `${trap.url}/inner` })
    await site.silence(BURGER)
    expect(await site.settled(1)).toMatchObject([{ error: 'redirect' }])
    expect(trap.connections).toBe(0)
    await trap.stop()
  })

  test('that never answers is given up after 15 seconds, and the next revision goes out after it', async () => {
    await connected()
    platform.answerWith({ kind: 'hang' })
    const arrived = platform.arrived.next()
    await site.silence(BURGER)
    await arrived
    await site.restore(BURGER)
    expect((await site.link(BURGER, 'uber')).revision).toBe(3)
    await site.clock.advance(14_500)
    expect(platform.received).toHaveLength(1)
    platform.answerWith({ kind: 'status', status: 200 })
    await site.clock.advance(1_000)
    await site.settled(2)
    expect(site.attempts).toMatchObject([
      { revision: 2, error: 'timeout' },
      { revision: 3, error: null },
    ])
    expect(messages().map(({ state }) => state)).toEqual(['silenced', 'live'])
    expect(await syncs(BURGER)).toEqual(['synced'])
  })

  test('gets no change that was undone while it was away', async () => {
    await connected()
    platform.answerWith({ kind: 'status', status: 503 })
    await site.silence(BURGER)
    await site.settled(1)
    platform.answerWith({ kind: 'status', status: 200 })
    await site.restore(BURGER)
    await site.settled(2)
    await site.clock.pass(3_600_000)
    expect(messages().map(({ state, revision }) => [state, revision])).toEqual([
      ['silenced', 2],
      ['live', 3],
    ])
  })

  test('whose answer to an old revision arrives after a change still gets the new one', async () => {
    await connected()
    platform.answerWith(({ body }) => ({
      kind: 'status',
      status: 200,
      ...(JSON.parse(body.toString()).revision === 2 ? { delayMs: 150 } : {}),
    }))
    const arrived = platform.arrived.next()
    await site.silence(BURGER)
    await arrived
    await site.restore(BURGER)
    await site.settled(2)
    expect(messages().map(({ revision }) => revision)).toEqual([2, 3])
    expect(platform.mostOpen).toBe(1)
    expect(await syncs(BURGER)).toEqual(['synced'])
  })

  test.each(['drip', 'endless', 'garbage'] as const)('that answers badly (%s) costs one attempt', async (kind) => {
    await connected()
    platform.answerWith(kind === 'drip' ? { kind, everyMs: 10 } : { kind })
    const arrived = platform.arrived.next()
    await site.silence(BURGER)
    await arrived
    // The others end by themselves, and must not be overtaken by the clock.
    if (kind === 'drip') await site.clock.advance(15_000)
    // What is endless is cut off after 4 KiB: its status counts.
    expect(await site.settled(1)).toMatchObject([
      { error: { drip: 'timeout', endless: null, garbage: 'invalid_response' }[kind] },
    ])
  })
})

describe('an address', () => {
  test.each(['http://169.254.169.254/latest', 'http://10.1.2.3/', 'http://[::1]:9/', 'http://127.0.0.1:9/'])(
    '%s of our own network is never dialled',
    async (url) => {
      await site.channel('uber', [BURGER], { url })
      await site.services({ allowCidrs: [] }).start()
      expect(await site.settled(1)).toMatchObject([{ error: 'blocked_address' }])
      expect(await syncs(BURGER)).toEqual(['failed'])
    },
  )

  test('of a name that turns to a private address later is not dialled', async () => {
    const url = `${platform.url}/items`.replace('127.0.0.1', 'platform.example')
    await site.channel('uber', [BURGER], { url })
    const resolve = async () => [{ address: '127.0.0.1', family: 4 }]
    await site.services({ allowCidrs: [], resolve }).start()
    expect(await site.settled(1)).toMatchObject([{ error: 'blocked_address' }])
    expect(platform.connections).toBe(0)
  })
})

describe('the outbox', () => {
  test('of a dead platform delays no other', async () => {
    const dead = new WebhookReceiver()
    await dead.start()
    dead.answerWith({ kind: 'hang' })
    const items = Array.from({ length: 60 }, (_, i) => ({
      merchant_id: site.merchant.key,
      ums_id: `UMS-MANY-${i}`,
      name: `Many ${i}`,
      kind: 'item' as const,
    }))
    await site.unit((tx) => site.deps.catalog.put(tx, items))
    const ids = items.map(({ ums_id }) => ums_id)
    await site.channel('dead', ids, { url: `${dead.url}/` })
    platform.secret = await site.channel('uber', ids, { url: `${platform.url}/items` })
    await site.services().start()
    await site.settled(60)
    expect(platform.received).toHaveLength(60)
    expect(dead.mostOpen).toBeLessThanOrEqual(4)
    expect(platform.mostOpen).toBeLessThanOrEqual(4)
    await dead.stop()
  })

  test('of more dead platforms than there are places delays no other', async () => {
    const dead = new WebhookReceiver()
    await dead.start()
    dead.answerWith({ kind: 'reset' })
    platform.secret = await site.channel('well', [BURGER], { url: `${platform.url}/items` })
    for (let i = 0; i < 40; i++) await site.channel(`dead-${i}`, [BRULEE], { url: `${dead.url}/` })
    await site.services().start()
    await site.settled(41)
    platform.received.length = 0
    // All of them are tried again, and hang.
    dead.answerWith({ kind: 'hang' })
    await site.clock.advance(60_500)
    await site.silence(BURGER)
    await site.settled(42)
    expect(messages()).toMatchObject([{ umsId: BURGER, state: 'silenced' }])
    expect(dead.mostOpen).toBeLessThanOrEqual(32)
    await dead.stop()
  })

  test('survives a stop in the middle: the same revision is sent again after the start', async () => {
    await site.channel('uber', [BURGER], { url: `${platform.url}/items` })
    platform.answerWith({ kind: 'hang' })
    const first = site.services()
    const arrived = platform.arrived.next()
    await first.start()
    await arrived
    const stopped = first.stop()
    await site.clock.advance(2_000)
    await stopped
    expect(await site.link(BURGER, 'uber')).toMatchObject({ lease_until: null, attempts: 0, sync_state: 'pending' })
    platform.answerWith({ kind: 'status', status: 200 })
    await site.services().start()
    await site.settled(1)
    expect(messages().map(({ revision }) => revision)).toEqual([1, 1])
  })

  test('of a relay that died with leases is called at once by the next one', async () => {
    await site.channel('uber', [BURGER], { url: `${platform.url}/items` })
    const nowMs = site.clock.now()
    const [channel] = await site.outbox.channelsDue(nowMs)
    await site.outbox.claim(channel!, { limit: 9, nowMs, leaseUntilMs: nowMs + 60_000 })
    expect(await site.outbox.channelsDue(nowMs)).toEqual([])
    await site.services().start()
    await site.settled(1)
    expect(await syncs(BURGER)).toEqual(['synced'])
  })

  test('shows each channel by itself: one that fails, one that has confirmed', async () => {
    await site.channel('broken', [BURGER, CHEESE], { fails: true })
    await site.channel('fine', [BURGER, BRULEE])
    await site.services().start()
    await site.settled(4)
    expect(await syncs(BURGER)).toEqual(['failed', 'synced'])
    expect(await site.link(CHEESE, 'broken')).toMatchObject({ last_error: 'simulated_failure' })
  })

  test('whose secret cannot be decrypted fails, and reports it', async () => {
    await site.channel('uber', [BURGER], { url: `${platform.url}/items` })
    const config = JSON.stringify({ url: `${platform.url}/items`, secretEnc: Buffer.alloc(60).toString('base64') })
    await site.unit((tx) => tx.updateTable('channels').set({ config }).execute())
    await site.services().start()
    expect(await site.settled(1)).toMatchObject([{ error: 'secret_unreadable' }])
    expect(platform.received).toEqual([])
  })

  test('logs neither the address nor the secret of a platform', async () => {
    const secret = await site.channel('uber', [BURGER], { url: `${platform.url}/items?token=hunter2` })
    await site.services().start()
    const text = JSON.stringify(await site.settled(1))
    expect(text).not.toContain('hunter2')
    expect(text).not.toContain(secret.slice(6))
  })
})

test('a clock that is ahead by 400 days for some seconds puts off nothing that failed or changed meanwhile', async () => {
  const aheadMs = 400 * 86_400_000
  await connected([BURGER, CHEESE])
  platform.answerWith({ kind: 'status', status: 500 })
  site.clock.jump(aheadMs)
  await site.silence(BURGER)
  await site.settled(1)
  await site.silence(CHEESE)
  await site.settled(2)
  site.clock.jump(-aheadMs)
  platform.answerWith({ kind: 'status', status: 200 })
  await site.clock.advance(61_000)
  await site.settled(4)
  expect(await Promise.all([BURGER, CHEESE].map(syncs))).toEqual([['synced'], ['synced']])
})
