// Times from order to paper: of orders that a printer printed, from when they were due.
import { rmSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { GatewayCore } from '#test/doubles/gateway-core.ts'
import { PrintTimes } from './print-times.ts'

let core: GatewayCore
let now: number
beforeEach(() => {
  core = new GatewayCore()
  now = core.relayTime.now()
})
afterEach(() => {
  core.db.close()
  rmSync(core.dir, { recursive: true, force: true })
})

/** An order that is printed; `over` overrides fields of its ticket. */
function printed(jobId: string, { agoMs = 0, tookMs = 0, over = '' }): void {
  core.accept(jobId)
  const { sqlite } = core.db
  const at = now - agoMs
  sqlite.prepare('update jobs set received_at_ms = ?, settled_at_ms = ? where job_id = ?').run(at - tookMs, at, jobId)
  sqlite
    .prepare(`update tickets set state = 'printed', method = 'gs-i', settled_at_ms = ? where job_id = ?`)
    .run(at, jobId)
  if (over !== '') sqlite.prepare(`update tickets set ${over} where job_id = ?`).run(jobId)
}
const since = (agoMs: number) => new PrintTimes(core.db).since(now - agoMs)

describe('times from order to paper', () => {
  it('are those of tickets printed since then, from their arrival', () => {
    printed('pj_1', { agoMs: 5_000, tookMs: 180 })
    printed('pj_old', { agoMs: 60_000, tookMs: 90 })
    expect(since(10_000)).toEqual([{ printedAtMs: now - 5_000, tookMs: 180 }])
  })

  it('count a scheduled order from its time', () => {
    printed('pj_1', { tookMs: 7_200_000, over: `not_before_ms = ${now - 250}` })
    expect(since(1_000)).toEqual([{ printedAtMs: now, tookMs: 250 }])
  })

  it('leave out tickets that a person declared printed, copies, and tickets that did not print', () => {
    printed('pj_1', { over: `method = 'person'` })
    printed('pj_2', { over: `kind = 'reprint'` })
    printed('pj_3', { over: `state = 'failed', method = null` })
    expect(since(1_000)).toEqual([])
  })
})
