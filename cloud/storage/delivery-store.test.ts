// Deliveries in SQLite: the queries that run at every event must use the indexes that keep old and waiting rows out of their way.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { WebhookId } from '#shared/ids.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { queryPlans } from '#test/fixtures/query-plans.ts'
import { WebhookSite } from '#test/fixtures/webhook-site.ts'
import { ofSqlite, PLANS } from '#test/harness/engines.ts'

const clock = new ManualClock()
let site: WebhookSite
beforeEach(async () => {
  site = await WebhookSite.open({ clock })
})
afterEach(async () => {
  vi.restoreAllMocks()
  await site.close()
})

const claim = (endpointId: WebhookId) => site.claim(endpointId)

describe('the hot queries', () => {
  ofSqlite(PLANS)('search indexes of open deliveries, sort nothing, and never walk the table', async () => {
    const plans = await queryPlans(site.file, async () => {
      const { webhookId } = await site.listen('http://127.0.0.1:9/')
      await site.record()
      await site.deliveries.endpointsDue(clock.now())
      const [first] = await claim(webhookId)
      const attempt = {
        number: 1,
        atMs: clock.now(),
        durationMs: 1,
        status: 500,
        error: 'http_status',
        response: '',
        ours: false,
      }
      await site.deliveries.settle(first!, attempt, {
        next: { state: 'retrying', nextAtMs: clock.now() },
        nowMs: clock.now(),
      })
    })
    const hot = plans.filter(({ sql }) => /"?deliveries/.test(sql))
    expect(hot.length).toBeGreaterThanOrEqual(7)
    for (const { sql, steps } of hot)
      for (const step of steps) expect(step, sql).not.toMatch(/TEMP B-TREE|SCAN (?!hop|CONSTANT)|deliveries_list/)
  })
})

describe('claims', () => {
  it('give a delivery to one claimer only, until its lease runs out', async () => {
    const { webhookId } = await site.listen('http://127.0.0.1:9/')
    await site.record()
    const [one, two] = await Promise.all([claim(webhookId), claim(webhookId)])
    expect([one?.length, two?.length]).toEqual([1, 0])
    clock.jump(30_000)
    expect(await claim(webhookId)).toEqual(one)
  })

  it('give one untried delivery of a subject at a time, the oldest', async () => {
    const { webhookId } = await site.listen('http://127.0.0.1:9/')
    for (let sequence = 1; sequence <= 3; sequence++) await site.record({ subjectId: 'ord_a', sequence })
    await site.record({ subjectId: 'ord_b', sequence: 1 })
    const claimed = await claim(webhookId)
    expect(claimed.map(({ subjectId, payload }) => [subjectId, JSON.parse(payload).sequence])).toEqual([
      ['ord_a', 1],
      ['ord_b', 1],
    ])
  })

  it('are all given back at a start', async () => {
    const { webhookId } = await site.listen('http://127.0.0.1:9/')
    await site.record()
    await claim(webhookId)
    await site.deliveries.releaseDead()
    expect(await claim(webhookId)).toHaveLength(1)
  })
})
