// inject, trigger and the tails of `ticketrail`, typed against a whole relay.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Order, Sku } from '#shared/sdk/api.ts'
import { WEBHOOK_EVENT_TYPES } from '#shared/wire/webhook-event-names.ts'
import { HurriedClock } from '#test/doubles/hurried-clock.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { ticketrailHome } from '#test/fixtures/ticketrail-home.ts'
import { type Around, typed } from '#test/fixtures/typed-ticketrail.ts'
import { outcomeOf } from './order-commands.ts'

const { relay, home, env, done, json } = await ticketrailHome()

const type = (...args: string[]) => typed(args, { env })

async function call(method: string, path: string, body?: object) {
  const answer = await fetch(`${relay.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${relay.account.apiKey}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify({ merchantId: 'M-TEST-001', ...body }) }),
  })
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
  return answer.json()
}

/** Without the sync state of platforms, which changes later. */
async function skus(): Promise<Sku[]> {
  const { data } = (await call('GET', '/v1/skus?merchantId=M-TEST-001&limit=100')) as { data: Sku[] }
  return data.map((sku) => ({ ...sku, channels: sku.channels.map((one) => ({ ...one, sync: 'synced' })) }))
}

describe('inject', () => {
  it('sends a sample from the menu, and draws its ticket as the kitchen prints it', async () => {
    const { code, out, err } = await done('inject', '--watch')
    expect([code, err]).toEqual([0, expect.stringMatching(/order\.accepted(?:.|\n)*order\.printed/)])
    expect(out).toMatch(/^┌─ .* ─+┐\n/)
    expect(out).not.toContain('sk_')
  })

  it('shows when the ticket was printed by a gateway, and that none was for an order voided before', () => {
    const accepted = { serviceOrderId: 'ord_1', queuedAt: '2026-11-30T05:00:00.000Z', printedAt: null }
    const order = (more: object) => ({ ...accepted, ...more }) as Order
    expect(outcomeOf(order({ status: 'printed', printedAt: '2026-11-30T05:00:00.212Z' }))).toBe(
      "On paper after 212 ms, at a printer of the restaurant's gateway.",
    )
    expect(outcomeOf(order({ status: 'voided' }))).toBe('ord_1 is voided: it was not printed.')
  })

  it('names a merchant whose kitchen is simulated, where a gateway printed and nothing can be drawn', async () => {
    const answer = (data: unknown[]) =>
      Response.json({ data, nextCursor: null }, { headers: { 'x-request-id': 'req_1' } })
    const ofGateway: Around['fetch'] = async (url, init) =>
      url.includes('/tickets') || url.includes('/v1/gateways?merchantId=M-TEST-001') ? answer([]) : fetch(url, init)
    const line = typed(['inject', '--watch'], { env, fetch: ofGateway })
    expect([await line.ended, line.out]).toEqual([
      0,
      [
        expect.stringMatching(/^On paper after \d+ ms, at a printer of the restaurant's gateway\.$/),
        'To see a ticket drawn here, use a simulated kitchen: --merchant M-TEST-002',
      ],
    ])
    const noneSimulated: Around['fetch'] = async (url, init) =>
      url.includes('/tickets') || url.includes('/v1/gateways') ? answer([]) : fetch(url, init)
    const alone = typed(['inject', '--watch'], { env, fetch: noneSimulated })
    expect([await alone.ended, alone.out]).toEqual([0, [expect.stringMatching(/^On paper/)]])
  })

  it('says at once that no printer is connected, also while it watches', async () => {
    const line = type('inject', '--watch', '--merchant', 'M-TEST-PRINTER-OFFLINE')
    await line.said(/^No printer is connected now: the order is stored and prints later\.$/)
    line.stop()
    expect(await line.ended).toBe(130)
  })

  it('sends an order of a file, and repeats what the relay does not like about it', async () => {
    const order = await json('inject')
    const [{ umsId, price }] = order.items
    const file = join(home, 'order.json')
    const own = { orderId: 'from-a-file', source: 'test', items: [{ umsId, qty: 2, price }], total: price * 2 }
    writeFileSync(file, JSON.stringify(own))
    expect(await json('inject', '--file', file)).toMatchObject({ orderId: 'from-a-file', source: 'test' })
    writeFileSync(file, JSON.stringify({ ...own, orderId: 'wrong', total: 1 }))
    expect(await done('inject', '--file', file)).toMatchObject({ code: 4, err: expect.stringContaining('total') })
    writeFileSync(file, '[1]')
    expect(await done('inject', '--file', file)).toMatchObject({ code: 2, out: '' })
  })
})

describe('check', () => {
  it('shows what an order of a file would come to, and sends nothing', async () => {
    const order = await json('inject')
    const [{ umsId, price }] = order.items
    const file = join(home, 'checked.json')
    const own = { orderId: 'checked', source: 'test', items: [{ umsId, qty: 2, price }], total: price * 2, tip: 1 }
    writeFileSync(file, JSON.stringify(own))
    const { code, out } = await done('check', file)
    expect([code, out.split('\n').slice(0, 2), out]).toEqual([
      0,
      [`  2  ${order.items[0].name}  ${price.toFixed(2)}`, `Total ${(price * 2).toFixed(2)}, tip 1.00`],
      expect.stringContaining('It can be sent.'),
    ])
    const ofOrder = await call('GET', '/v1/orders?merchantId=M-TEST-001&orderId=checked')
    expect(ofOrder).toMatchObject({ data: [] })
    writeFileSync(file, JSON.stringify({ ...own, items: [{ umsId, qty: 2, price: price + 1 }], total: price * 2 + 2 }))
    expect((await done('check', file)).out).toContain(`${(price + 1).toFixed(2)}, menu ${price.toFixed(2)}`)
    writeFileSync(file, JSON.stringify({ ...own, total: 1 }))
    expect(await done('check', file)).toMatchObject({ code: 4, err: expect.stringContaining('total') })
    expect(await json('inject', '--file', file).catch(() => null)).toBeNull()
    writeFileSync(file, JSON.stringify(own))
    const { serviceOrderId } = await json('inject', '--file', file)
    expect((await done('check', file)).out).toContain(`It was sent before: ${serviceOrderId}`)
    expect((await done('check')).code).toBe(2)
  })
})

describe('inject --watch', () => {
  it('ends with 130 at Ctrl-C', async () => {
    const line = type('inject', '--watch')
    await line.said(/accepted/)
    line.stop()
    expect(await line.ended).toBe(130)
  })
})

describe('trigger', () => {
  it.each(WEBHOOK_EVENT_TYPES.filter((type) => type.startsWith('order.')))(
    'makes %s happen to a real order',
    async (event) => {
      const order = await json('trigger', event)
      const page = await fetch(
        `${relay.url}/v1/events?merchantId=${order.merchantId}&subjectId=${order.serviceOrderId}&after=start`,
        { headers: { authorization: `Bearer ${relay.account.apiKey}` } },
      )
      const { data } = (await page.json()) as { data: { type: string; sequence: number }[] }
      expect(data.map(({ type }) => type)).toContain(event)
      expect(data.map(({ sequence }) => sequence)).toEqual(data.map((_, i) => i + 1))
    },
  )

  it.each(WEBHOOK_EVENT_TYPES.filter((type) => type.startsWith('sku.')))('triggers %s for an item', async (event) => {
    const { code, out } = await done('trigger', event)
    expect([code, out]).toEqual([0, expect.stringContaining(event)])
  })

  it.each(['sku.restored', 'sku.low_stock'])(
    'leaves stock, threshold and silence as they were after %s',
    async (event) => {
      const before = await skus()
      const [counted, silenced, free] = before.filter(({ kind, state }) => kind === 'item' && state === 'live')
      if (!(counted && silenced && free)) throw new Error('the menu has too few items')
      await call('PUT', `/v1/sku/${counted.umsId}/stock`, { quantity: 7, lowThreshold: 2 })
      await call('PUT', `/v1/sku/${free.umsId}/stock`, { quantity: null, lowThreshold: 4 })
      await call('POST', `/v1/sku/${silenced.umsId}/silence`, { reason: 'mine' })
      const set = await skus()
      expect((await json('trigger', event)).umsId).toBe(free.umsId)
      expect(await skus()).toEqual(set)
      await call('PUT', `/v1/sku/${counted.umsId}/stock`, { quantity: null })
      await call('POST', `/v1/sku/${silenced.umsId}/restore`, {})
    },
  )

  it('refuses a live key before anything is sent', async () => {
    const sent: string[] = []
    const around: Around = {
      env: { ...env, TICKETRAIL_API_KEY: 'sk_live_0000000000000000' },
      fetch: async (url) => {
        sent.push(url)
        return new Response()
      },
    }
    const lines = ['trigger order.ready', 'trigger sku.low_stock', 'trigger order.ready --sample', 'inject --sample']
    for (const words of lines) {
      const line = typed(words.split(' '), around)
      expect([await line.ended, line.err.join()]).toEqual([4, expect.stringContaining('sandbox only')])
    }
    expect(sent).toEqual([])
  })

  it('lists its events, and requires an endpoint for a made-up event that nobody would get', async () => {
    expect(await done('trigger', 'order.eaten')).toMatchObject({ code: 2, err: expect.stringContaining('order.ready') })
    expect(await done('trigger', 'alert.started')).toMatchObject({ code: 2, err: expect.stringContaining('--sample') })
    expect(await done('trigger', 'order.ready', '--sample')).toMatchObject({ code: 1, out: '' })
  })
})

describe('tails', () => {
  it('print each event once, in order, as lines of JSON, until they are stopped', async () => {
    const order = await json('trigger', 'order.completed')
    const line = type('events', 'tail', '--after', 'start', '--subject', order.serviceOrderId, '--json')
    await line.said(/order\.completed/)
    line.stop()
    expect(await line.ended).toBe(130)
    const events = line.out.map((text) => JSON.parse(text))
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, i) => i + 1))
    expect(events.at(-1)).toMatchObject({ type: 'order.completed' })
  })

  it('refuse a place that is none of those in their help, before anything is asked', async () => {
    for (const tail of ['orders', 'events'])
      expect(await done(tail, 'tail', '--after', '5m')).toMatchObject({
        code: 2,
        err: '--after must be now, start, or the id of an event (evt_...), not "5m"',
      })
  })

  it('of orders show how each stands', async () => {
    const order = await json('trigger', 'order.ready')
    const line = type('orders', 'tail', '--after', 'start', '--order', order.serviceOrderId)
    await line.said(/ready/)
    line.stop()
    expect(await line.ended).toBe(130)
    expect(line.out[0]).toMatch(/^\d\d:\d\d:\d\d {2}ord_\w+ {2}accepted /)
  })
})

describe('exit codes', () => {
  it('are 3 if the relay is unreachable and 4 if it refuses, and the key is not shown', async () => {
    const away = typed(['inject'], {
      env: { ...env, TICKETRAIL_URL: 'http://127.0.0.1:9' },
      clock: new HurriedClock(50),
    })
    expect(await away.ended).toBe(3)
    expect(away.err.join('\n')).toContain('http://127.0.0.1:9')
    expect(away.err.join('\n')).toContain('doctor')
    const wrong = typed(['inject'], { env: { ...env, TICKETRAIL_API_KEY: 'sk_sandbox_wrong_wrong_wrong' } })
    expect(await wrong.ended).toBe(4)
    expect([...away.err, ...wrong.err].join('\n')).not.toContain('sk_sandbox')
  })

  it('an unreachable relay is asked for ten seconds and no longer: a person waits', async () => {
    const clock = new ManualClock()
    let calls = 0
    const fetch = () => Promise.reject(new TypeError(`fetch failed ${++calls}`))
    const away = typed(['inject'], { env, clock, fetch, random: () => 1 })
    let code: number | null = null
    void away.ended.then((ended) => {
      code = ended
    })
    while (code === null) await clock.advance(250)
    // At 0, 250, 750, 1,750, 3,750 and 7,750 ms.
    expect([code, calls]).toEqual([3, 6])
  })
})
