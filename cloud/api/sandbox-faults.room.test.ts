// The faults of the sandbox: late answers, lost answers, and that a live key never gets one.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { issueApiKey } from '#cloud/auth/accounts.ts'
import { Signal } from '#shared/signal.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { RelayApi } from '#test/doubles/relay-api.ts'
import { SLOW_MS, useSandboxFaults } from './sandbox-faults.ts'

/** Fires when a caller began to sleep. */
class WatchedClock extends ManualClock {
  readonly asleep = new Signal()

  override sleep(ms: number, signal?: AbortSignal): Promise<void> {
    const slept = super.sleep(ms, signal)
    this.asleep.notify()
    return slept
  }
}

let api: RelayApi
let clock: WatchedClock
/** What the next requests draw; 0.99 when it is empty. */
let draws: number[]
/** What happens to the next request before it is processed; it is signalled when the connection is gone. */
let leaving: ((closed: Promise<unknown>) => Promise<void>) | null
beforeEach(async () => {
  clock = new WatchedClock()
  draws = []
  leaving = null
  api = await RelayApi.open({
    clock,
    routes: (app) => {
      useSandboxFaults(app, { clock, random: () => draws.shift() ?? 0.99, docBase: () => 'https://relay.example' })
      app.addHook('preHandler', async (_request, reply) => {
        await leaving?.(new Promise((resolve) => reply.raw.once('close', resolve)))
      })
    },
  })
})
afterEach(() => api.close())

const orderCount = async () => {
  const rows = await api.db.read.selectFrom('orders').select('id').execute()
  return rows.length
}

describe('M-TEST-SLOW', () => {
  const merchantId = 'M-TEST-SLOW'

  test('an order is taken at once and answered after 5 s', async () => {
    const asleep = clock.asleep.next()
    const answer = api.inject({ merchantId })
    await asleep
    expect(await orderCount()).toBe(1)
    expect(await Promise.race([answer, clock.advance(SLOW_MS - 1)])).toBeUndefined()
    await clock.advance(1)
    expect((await answer).status).toBe(200)
  })

  test.each([
    ['a read', () => api.call('GET', `/v1/order/ord_none?merchantId=${merchantId}`), 404],
    ['a refusal by a rule', () => api.inject({ merchantId, total: 1 }), 422],
    ['a refusal by the schema', () => api.inject({ merchantId, items: [] }), 422],
  ])('%s is late as well', async (_, ask, status) => {
    const asleep = clock.asleep.next()
    const answer = ask()
    await asleep
    expect(await Promise.race([answer, clock.advance(SLOW_MS - 1)])).toBeUndefined()
    await clock.advance(1)
    expect((await answer).status).toBe(status)
  })

  test('a client that leaves does not hold up the stop of the server', async () => {
    const url = await api.app.listen({ port: 0, host: '127.0.0.1' })
    const leave = new AbortController()
    const headers = { authorization: `Bearer ${api.account.apiKey}`, 'content-type': 'application/json' }
    const body = JSON.stringify(api.order({ merchantId }))
    const asleep = clock.asleep.next()
    const request = fetch(`${url}/v1/order/inject`, { method: 'POST', headers, body, signal: leave.signal })
    await asleep
    leave.abort()
    await expect(request).rejects.toThrow()
    await api.app.close()
  })

  test('a client that has left before its answer was made is not waited for', async () => {
    const url = await api.app.listen({ port: 0, host: '127.0.0.1' })
    const leave = new AbortController()
    const asleep = vi.fn()
    clock.asleep.subscribe(asleep)
    const gone = new Promise<void>((resolve) => {
      // As if its work took longer than the client's patience.
      leaving = async (closed) => {
        leave.abort()
        await closed
        resolve()
      }
    })
    const headers = { authorization: `Bearer ${api.account.apiKey}` }
    const read = `${url}/v1/order/ord_none?merchantId=${merchantId}`
    await expect(fetch(read, { headers, signal: leave.signal })).rejects.toThrow()
    await gone
    await api.app.close()
    expect(asleep).not.toHaveBeenCalled()
  })
})

describe('M-TEST-FLAKY', () => {
  const merchantId = 'M-TEST-FLAKY'

  test.each([0, 0.1499])('a request that draws %d fails before anything is done', async (draw) => {
    draws = [draw]
    const answer = await api.inject({ merchantId })
    expect([answer.status, answer.body.code]).toEqual([500, 'internal.error'])
    expect(await orderCount()).toBe(0)
  })

  test.each([0.15, 0.2999])(
    'one that draws %d fails although its order was taken: the repetition tells so',
    async (draw) => {
      draws = [draw]
      const lost = await api.inject({ merchantId })
      expect([lost.status, lost.body.code, lost.headers['idempotent-replayed']]).toEqual([
        500,
        'internal.error',
        undefined,
      ])
      expect(await orderCount()).toBe(1)
      const again = await api.inject({ merchantId })
      expect([again.status, again.headers['idempotent-replayed']]).toEqual([200, 'true'])
      expect(await orderCount()).toBe(1)
    },
  )

  test('the others are answered', async () => {
    draws = [0.3, 0.9999]
    expect((await api.inject({ merchantId })).status).toBe(200)
    expect((await api.inject({ merchantId, orderId: 'order-2' })).status).toBe(200)
  })

  test('a simulated failure is no error in our log', async () => {
    draws = [0, 0.2]
    await api.inject({ merchantId })
    await api.inject({ merchantId })
    expect(api.logLines.filter((line) => line.includes('a request failed'))).toEqual([])
  })

  test('a refusal by the schema draws nothing', async () => {
    draws = [0]
    expect((await api.inject({ merchantId, items: [] })).status).toBe(422)
    expect(draws).toEqual([0])
  })
})

test('every other merchant of the sandbox has no faults', async () => {
  draws = [0]
  expect((await api.inject()).status).toBe(200)
  expect(draws).toEqual([0])
})

test('a live key meets no fault, whatever its request or its merchant is called', async () => {
  const { apiKey: key } = await api.db.unit((tx) =>
    issueApiKey(tx, api.stores, {
      accountId: api.account.accountId,
      environment: 'live',
      scopes: ['orders:write'],
    }),
  )
  draws = [0]
  for (const merchantId of ['M-TEST-SLOW', 'M-TEST-FLAKY']) {
    const answer = await api.call('POST', '/v1/order/inject', { body: api.order({ merchantId }), key })
    expect(answer.body.code).toBe('merchant.not_authorized')
  }
  // Even a live merchant with such a name.
  await api.db.unit((tx) =>
    tx
      .updateTable('merchants')
      .set({ environment: 'live', public_id: 'M-PROD-FLAKY' })
      .where('public_id', '=', 'M-TEST-FLAKY')
      .execute(),
  )
  const body = api.order({ merchantId: 'M-PROD-FLAKY' })
  expect((await api.call('POST', '/v1/order/inject', { body, key })).status).toBe(200)
  expect(draws).toEqual([0])
})
