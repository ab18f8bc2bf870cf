// Results over the real outbox: each is sent once, again when its answer stays away, and never more than 64 at a time.
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { ResultPayload } from '#gateway/storage/report-store.ts'
import { LINK_LIMITS } from '#shared/wire/gateway-link.ts'
import { GatewayCore } from '#test/doubles/gateway-core.ts'
import { ReportSender } from './report-sender.ts'

let core: GatewayCore
let sender: ReportSender
let sent: string[]

beforeEach(() => {
  core = new GatewayCore()
  sender = new ReportSender(core.reports, core.clock)
  sent = []
})

afterEach(() => core.stop())

function add(count: number): void {
  const rest: Omit<ResultPayload, 'jobId'> = { state: 'printed', startedAt: 1, endedAt: 2, reason: null, tickets: [] }
  for (let n = 1; n <= count; n++) core.reports.add({ jobId: `pj_${n}`, ...rest }, 0)
}

function send(): string[] {
  sent = []
  sender.send(({ jobId }) => sent.push(jobId))
  return sent
}

it('sends 64, and the next when some are answered', () => {
  add(100)
  expect(send()).toHaveLength(64)
  expect(send()).toEqual([])
  sender.acknowledged(['pj_1', 'pj_2'])
  expect(send()).toEqual(['pj_65', 'pj_66'])
})

it('sends all 64 again without an answer, and then again', async () => {
  add(64)
  expect(send()).toHaveLength(64)
  await core.clock.advance(LINK_LIMITS.resultResendMs - 1)
  expect(send()).toEqual([])
  await core.clock.advance(1)
  expect(send()).toHaveLength(64)
  expect(send()).toEqual([])
  await core.clock.advance(LINK_LIMITS.resultResendMs)
  expect(send()).toHaveLength(64)
})

it('reports that nothing waits while acknowledged results are still on disk', () => {
  add(2)
  expect(core.reports.isEmpty()).toBe(false)
  send()
  sender.acknowledged(['pj_1'])
  expect(core.reports.isEmpty()).toBe(false)
  sender.acknowledged(['pj_2'])
  expect([core.reports.isEmpty(), core.reports.count()]).toEqual([true, 0])
  core.db.flush()
  expect(core.reports.isEmpty()).toBe(true)
})

it('is printing from the arrival of a ticket to its end, also while it is being sent', () => {
  expect(core.queue.isPrinting()).toBe(false)
  core.accept('pj_1')
  expect(core.queue.isPrinting()).toBe(true)
  core.jobs.door.take('grill', () => undefined)
  expect(core.queue.isPrinting()).toBe(true)
})
