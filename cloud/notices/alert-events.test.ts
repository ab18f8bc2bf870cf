// Alerts by webhook: endpoints that name the types get each alert once when it begins and once when it ends; all others get nothing.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newId, type WebhookId } from '#shared/ids.ts'
import { alertResource } from '#shared/wire/alert-event.ts'
import { WEBHOOK_EVENT_DATA, type WebhookEvent, webhookEvent } from '#shared/wire/webhook-event.ts'
import { AlertDesk } from '#test/fixtures/alert-desk.ts'

const HOUR_MS = 3_600_000
const NAMED = JSON.stringify(['alert.started', 'alert.ended'])
let at: AlertDesk
beforeEach(async () => {
  at = await AlertDesk.open()
})
afterEach(() => at.close())

const endpoint = (url: string, events = NAMED, more = {}) => at.endpoint({ url, events, ...more })

const read = () => at.desk.context.db.read
/** All events, the oldest first, as they are sent. */
async function told(): Promise<WebhookEvent[]> {
  const rows = await read().selectFrom('events').select('payload').orderBy('position').execute()
  return rows.map(({ payload }) => webhookEvent.strict().parse(JSON.parse(payload)))
}
const alertOf = ({ data }: WebhookEvent) => alertResource.strict().parse(data['alert'])
const types = async () => (await told()).map((event) => `${event.type} ${alertOf(event).kind}`)
/** Types that this endpoint has a delivery of, the oldest first. */
async function heardBy(endpointId: WebhookId): Promise<string[]> {
  const rows = await read()
    .selectFrom('deliveries as d')
    .innerJoin('events as e', 'e.id', 'd.event_id')
    .select(['d.type', 'e.payload'])
    .where('d.endpoint_id', '=', endpointId)
    .orderBy('d.ordinal')
    .execute()
  return rows.map(({ type, payload }) => `${type} ${alertOf(JSON.parse(payload)).kind}`)
}

describe('an alert', () => {
  it('is sent when it has lasted for its minutes, not while it lasts, and when it is over, without any mail', async () => {
    const id = await endpoint('https://ops.example/alerts')
    await at.away()
    const sinceMs = at.clock.now()
    await at.minutes(4)
    expect(await told()).toEqual([])
    await at.minutes(1)
    const begunMs = at.clock.now()
    await at.minutes(30)
    expect(await types()).toEqual(['alert.started box-silent'])
    await at.back()
    await at.minutes(30)
    expect(await heardBy(id)).toEqual(['alert.started box-silent', 'alert.ended box-silent'])
    expect(await at.mailed()).toEqual([])

    const [started, ended] = await told()
    if (started === undefined || ended === undefined) throw new Error('two events were told')
    const [begun, over] = [alertOf(started), alertOf(ended)]
    expect(started).toMatchObject({ merchantId: at.bistro.merchantId, environment: 'live', sequence: 1 })
    expect(ended).toMatchObject({ merchantId: at.bistro.merchantId, environment: 'live', sequence: 2 })
    expect(WEBHOOK_EVENT_DATA['alert.ended'].strict().parse(ended.data)).toEqual(ended.data)
    expect(begun).toEqual({
      ...{ alertId: over.alertId, kind: 'box-silent', severity: 'critical', values: { place: 'bistro, Main' } },
      ...{ gatewayId: at.gatewayId, printerId: null, locationId: null, webhookId: null },
      title: 'The box of bistro, Main is not connected',
      act: expect.stringContaining('power'),
      since: new Date(sinceMs).toISOString(),
      startedAt: new Date(begunMs).toISOString(),
      endedAt: null,
    })
    expect(over).toEqual({ ...begun, endedAt: new Date(begunMs + 31 * 60_000).toISOString() })
    expect(ended.timestamp).toBe(over.endedAt)
  })

  it('is sent to endpoints that name its types, beside `*` or alone, and to no others', async () => {
    const named = await endpoint('https://ops.example/a')
    const both = await endpoint('https://ops.example/b', JSON.stringify(['*', 'alert.started']))
    const star = await endpoint('https://ops.example/c', '["*"]')
    const others = await endpoint('https://ops.example/d', '["*"]', { account_id: newId('acc', 1) })
    const named2 = await endpoint('https://ops.example/e', NAMED, { account_id: newId('acc', 1) })
    await at.away()
    await at.minutes(5)
    await at.back()
    await at.minutes(1)
    expect(await heardBy(named)).toEqual(['alert.started box-silent', 'alert.ended box-silent'])
    expect(await heardBy(both)).toEqual(['alert.started box-silent'])
    for (const id of [star, others, named2]) expect(await heardBy(id)).toEqual([])
  })

  it('is no event where no endpoint names its types, so that whoever follows the events meets none', async () => {
    await endpoint('https://ops.example/', '["*"]')
    await at.away()
    await at.minutes(5)
    await at.back()
    await at.minutes(1)
    expect(await told()).toEqual([])
  })

  it('is found by its own id, and shown with what is wrong', async () => {
    await endpoint('https://ops.example/')
    await at.away()
    await at.minutes(5)
    const { merchantId, accountId } = at.bistro
    const owner = at.desk.person('owner', accountId)
    const [shown] = await at.shown()
    const subjectId = shown?.alertId ?? ''
    const { data } = await at.desk.perform(owner, 'events.list', { merchantId, subjectId })
    expect(data).toMatchObject([{ type: 'alert.started', subjectId, subjectName: shown?.title }])
  })

  it('wakes the worker of webhooks after the commit', async () => {
    const id = await endpoint('https://ops.example/')
    const woken: WebhookId[][] = []
    const announce = (ids: readonly WebhookId[]) => void woken.push([...ids])
    at.watch = at.newWatch(at.desk.context.db, { deliveries: { announce } })
    await at.away()
    await at.minutes(5)
    expect(woken.flat()).toEqual([id])
  })

  it('is sent once although two relays check at the same time', async () => {
    await endpoint('https://ops.example/')
    await at.away()
    await at.minutes(4)
    await at.clock.advance(60_000)
    const other = await at.otherRelay()
    await Promise.all([at.watch.sweep(), other.sweep()])
    expect(await types()).toEqual(['alert.started box-silent'])
    await at.back()
    await at.clock.advance(60_000)
    await Promise.all([at.watch.sweep(), other.sweep()])
    expect(await types()).toEqual(['alert.started box-silent', 'alert.ended box-silent'])
  })

  it('that ends before its minutes have passed is sent to no endpoint', async () => {
    await endpoint('https://ops.example/')
    await at.away()
    await at.minutes(4)
    await at.back()
    await at.minutes(5)
    expect(await told()).toEqual([])
  })

  it('is sent although mail about it is muted: else an end would have no start', async () => {
    await endpoint('https://ops.example/')
    await at.switchOn('box-silent', { mutedUntil: new Date(at.clock.now() + HOUR_MS).toISOString() })
    await at.away()
    await at.minutes(5)
    expect([await at.mailed(), await types()]).toEqual([[], ['alert.started box-silent']])
  })

  it('is sent with all others of its check, however many: a program reads them', async () => {
    await endpoint('https://ops.example/')
    for (let n = 0; n < 12; n++) {
      const id = newId('gw', at.clock.now() + n)
      await at.box(id)
      await at.set({ presence: 'offline', last_seen_at: at.clock.now() }, id)
    }
    await at.minutes(5)
    expect(await types()).toHaveLength(12)
  })

  it('about a printer names box and printer, and one about tickets the location', async () => {
    await endpoint('https://ops.example/')
    await at.desk.order(at.bistro.merchantId, at.bistro.apiKey)
    await at.desk.context.db.unit((tx) =>
      tx.updateTable('dispatches').set({ state: 'accepted', gateway_id: at.gatewayId }).execute(),
    )
    await at.printer('offline')
    await at.minutes(7)
    const alerts = (await told()).filter(({ type }) => type === 'alert.started').map(alertOf)
    expect(alerts.find(({ kind }) => kind === 'printer-away')).toMatchObject({
      ...{ gatewayId: at.gatewayId, printerId: 'grill', values: { printer: 'Grill', waiting: 1 } },
    })
    expect(alerts.find(({ kind }) => kind === 'ticket-late')).toMatchObject({
      ...{ gatewayId: null, locationId: at.bistro.locationId },
    })
  })
})

describe('an endpoint that fails', () => {
  it('gets nothing about itself, nor does another at its URL; one elsewhere does', async () => {
    const url = 'https://hooks.example/down'
    const failing = await endpoint(url, NAMED, { failing_since: at.clock.now() })
    const same = await endpoint(url)
    const other = await endpoint('https://ops.example/')
    await at.minutes(60)
    expect(await heardBy(other)).toEqual(['alert.started endpoint-failing'])
    expect(alertOf((await told())[0] as WebhookEvent).webhookId).toBe(failing)
    for (const id of [failing, same]) expect(await heardBy(id)).toEqual([])
  })

  it('and is the only one that names the types leaves no event', async () => {
    await endpoint('https://hooks.example/down', NAMED, { failing_since: at.clock.now() })
    await at.minutes(61)
    expect((await at.shown()).map(({ kind }) => kind)).toEqual(['endpoint-failing'])
    expect(await told()).toEqual([])
  })

  it('has each alert ended that was started, also where a worse one takes its place', async () => {
    const other = await endpoint('https://ops.example/')
    const failing = await endpoint('https://hooks.example/down', '["*"]', { failing_since: at.clock.now() })
    await at.minutes(60)
    await at.clock.advance(23 * HOUR_MS)
    await at.watch.sweep()
    await at.desk.context.db.unit((tx) =>
      tx.updateTable('webhook_endpoints').set({ failing_since: null }).where('id', '=', failing).execute(),
    )
    await at.minutes(1)
    expect((await heardBy(other)).toSorted()).toEqual([
      ...['alert.ended endpoint-failing', 'alert.ended endpoint-failing-long'],
      ...['alert.started endpoint-failing', 'alert.started endpoint-failing-long'],
    ])
  })
})

describe('an alert about the whole account', () => {
  const used = (calls: number) =>
    at.desk.context.db.unit((tx) =>
      at.desk.context.usage.add(tx, [
        {
          ...{ accountId: at.bistro.accountId, environment: 'live', keyId: at.bistro.keyId },
          ...{ day: new Date(at.clock.now()).toISOString().slice(0, 10), calls },
        },
      ]),
    )
  /** One more live restaurant of the account. */
  async function secondRestaurant() {
    const other = await at.desk.restaurant('terrace')
    await at.desk.context.db.unit((tx) =>
      tx
        .updateTable('merchants')
        .set({ account_id: at.bistro.accountId })
        .where('id', '=', other.merchantKey)
        .execute(),
    )
    return other
  }

  it('goes once to each receiver, in the name of a restaurant of its, and ends with the month', async () => {
    const { merchantKey } = await secondRestaurant()
    const first = await endpoint('https://ops.example/')
    at.clock.jump(1)
    const again = await endpoint('https://ops.example/', NAMED, { merchant_id: merchantKey })
    const elsewhere = await endpoint('https://terrace.example/', NAMED, { merchant_id: merchantKey })
    await used(80_000)
    await at.minutes(16)
    expect(await heardBy(first)).toEqual(['alert.started usage-high'])
    expect(await heardBy(elsewhere)).toEqual(['alert.started usage-high'])
    expect(await heardBy(again)).toEqual([])
    const events = await told()
    expect(events.map((event) => event.merchantId).sort()).toEqual(['M-PROD-BISTRO', 'M-PROD-TERRACE'])
    expect(new Set(events.map((event) => alertOf(event).alertId)).size).toBe(1)

    await at.clock.advance(11 * 24 * HOUR_MS)
    await at.watch.sweep()
    expect(await heardBy(first)).toEqual(['alert.started usage-high', 'alert.ended usage-high'])
  })

  it('goes to no endpoint of the sandbox, and two inspectors are two receivers', async () => {
    const { merchantKey } = await secondRestaurant()
    const inspector = { kind: 'inspector' } as const
    const ids = [
      await endpoint('inspector:', NAMED, inspector),
      await endpoint('inspector:', NAMED, { ...inspector, merchant_id: merchantKey }),
    ]
    const sandbox = await endpoint('https://ops.example/', NAMED, { environment: 'sandbox' })
    await used(80_000)
    await at.minutes(16)
    for (const id of ids) expect(await heardBy(id)).toEqual(['alert.started usage-high'])
    expect(await heardBy(sandbox)).toEqual([])
  })
})

it('alerts of the relay itself are sent by no webhook', async () => {
  await endpoint('https://ops.example/', NAMED)
  await at.desk.perform(at.desk.operator(), 'op.test-mail', { to: 'you@example.test' })
  await at.minutes(12)
  expect(await at.desk.perform(at.desk.operator(), 'op.alerts')).toMatchObject([{ kind: 'outbox-old' }])
  expect(await told()).toEqual([])
})

it('an endpoint that is disabled keeps what it missed, to be recovered', async () => {
  const id = await endpoint('https://ops.example/', NAMED, { status: 'disabled', disabled_reason: 'owner' })
  await at.away()
  await at.minutes(5)
  const rows = await read().selectFrom('deliveries').selectAll().where('endpoint_id', '=', id).execute()
  expect(rows).toMatchObject([{ state: 'failed', last_error: 'endpoint_disabled', type: 'alert.started' }])
})
