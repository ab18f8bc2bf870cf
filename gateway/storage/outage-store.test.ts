// Queries about the tickets of an absent printer: their intended printer, where they wait, since when it is in doubt.
import { rmSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { GatewayCore, GRILL } from '#test/doubles/gateway-core.ts'

const BAR = { ...GRILL, name: 'Bar' }
const PASS = { ...GRILL, name: 'Pass' }

let core: GatewayCore
let grill: string
let bar: string
let pass: string
beforeEach(() => {
  core = new GatewayCore([GRILL, BAR, PASS])
  const [a, b, c] = core.printers.all().map(({ printerId }) => printerId)
  if (!a || !b || !c) throw new Error('three printers were set up')
  ;[grill, bar, pass] = [a, b, c]
})
afterEach(() => {
  core.db.close()
  rmSync(core.dir, { recursive: true, force: true })
})

/** A ticket that waits at the second printer and was meant for the first. */
function waitingAway(jobId: string, from: string, to: string): void {
  core.accept(jobId)
  core.acts.move(`${jobId}-1`, from)
  core.db.sqlite.prepare('update tickets set moved_from = null where job_id = ?').run(jobId)
  if (to !== from) core.acts.move(`${jobId}-1`, to)
}

const planOf = ({ source }: { source: string }, values: Record<string, unknown>): string[] => {
  const plan = core.db.sqlite.prepare<[unknown], { detail: string }>(`explain query plan ${source}`).all(values)
  return plan.map(({ detail }) => detail).filter((detail) => detail.includes('tickets'))
}

describe('the intended printers of the tickets at a printer', () => {
  it('are each listed once, its own included', () => {
    for (const [index, from] of [grill, bar, grill, pass, bar].entries()) waitingAway(`pj_${index}`, from, bar)
    expect(core.outages.meantFor(bar).sort()).toEqual([grill, bar, pass].sort())
    expect(core.outages.meantFor(grill)).toEqual([])
  })

  it('include only what waits, and no slip beside its paper', () => {
    waitingAway('pj_held', grill, bar)
    waitingAway('pj_void', pass, bar)
    core.db.sqlite.exec(`update tickets set state = 'printed' where job_id = 'pj_held'`)
    core.db.sqlite.exec(`update tickets set kind = 'void' where job_id = 'pj_void'`)
    expect(core.outages.meantFor(bar)).toEqual([])
  })

  it('are looked up in the index, one step for each printer, however much waits or was ever moved', () => {
    const plan = planOf(core.jobs.door.tickets.meantFor, { printerId: bar })
    expect(plan).not.toEqual([])
    for (const step of plan)
      expect(step).toMatch(
        /^SEARCH tickets (EXISTS )?USING (COVERING )?INDEX tickets_away|EXISTS USING INDEX tickets_queue/,
      )
  })
})

describe('a ticket of an absent printer', () => {
  const isStranded = (usable: string[]): boolean => core.outages.isAnyStranded(grill, (id) => usable.includes(id))

  it('is stranded while it waits where it cannot be printed either', () => {
    waitingAway('pj_1', grill, bar)
    waitingAway('pj_2', grill, pass)
    expect([isStranded([bar, pass]), isStranded([bar]), isStranded([pass])]).toEqual([false, true, true])
  })

  it('is not stranded once it is printed, or if it was moved before the absence', async () => {
    waitingAway('pj_1', grill, bar)
    core.db.sqlite.exec(`update tickets set state = 'printed' where job_id = 'pj_1'`)
    expect(isStranded([])).toBe(false)
    waitingAway('pj_2', grill, bar)
    await core.clock.advance(1_000)
    core.jobs.door.absences.begin(grill, bar, core.relayTime.now())
    expect(isStranded([])).toBe(false)
  })

  it('is looked up in the index, one step for each printer', () => {
    const plan = planOf(core.jobs.door.tickets.holders, { printerId: grill, sinceMs: 0 })
    expect(plan).not.toEqual([])
    for (const step of plan) expect(step).toMatch(/^SEARCH tickets (EXISTS )?USING (COVERING )?INDEX tickets_away/)
  })
})

describe('the doubt about a printer', () => {
  const attempt = (outcome: string, endedAtMs: number, reason: string | null = 'timed-out'): void => {
    const columns = 'ticket_id, attempt, printer_id, ended_at_ms, outcome, reason'
    const put = core.db.sqlite.prepare(`insert into attempts (${columns}) values ('t', 1, ?, ?, ?, ?)`)
    put.run(grill, endedAtMs, outcome, reason)
  }

  it('lasts since the first attempt without proof after the last good one', () => {
    attempt('retry', 10)
    attempt('printed', 20, null)
    attempt('retry', 30, 'interrupted')
    attempt('uncertain', 40)
    attempt('retry', 50)
    expect(core.outages.doubtSinceMs(grill)).toBe(40)
    attempt('printed', 60, null)
    expect(core.outages.doubtSinceMs(grill)).toBeNull()
  })

  it('is followed back over at most a thousand attempts', () => {
    for (let i = 1; i <= 1_200; i++) attempt('retry', i)
    expect(core.outages.doubtSinceMs(grill)).toBe(201)
  })
})
