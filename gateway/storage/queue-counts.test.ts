// The number of waiting tickets, counted again after each write, and never what a transaction rolled back.
import { afterEach, beforeEach, expect, it } from 'vitest'
import { GatewayCore, GRILL } from '#test/doubles/gateway-core.ts'

let core: GatewayCore
beforeEach(() => {
  core = new GatewayCore([GRILL])
})
afterEach(() => core.stop())

it('counts once for all callers between two writes', () => {
  core.accept('pj_1')
  const counts = core.history.counts()
  expect(counts.queued).toBe(1)
  expect(core.history.counts()).toBe(counts)
})

it('counts again what was written since, tickets and parked ones', () => {
  expect(core.history.counts().queued).toBe(0)
  core.accept('pj_1')
  expect(core.history.counts().queued).toBe(1)
  core.accept('pj_2')
  expect(core.history.counts()).toMatchObject({ queued: 2, held: 0, parked: 0 })
  core.db.sqlite.exec(`update tickets set state = 'parked' where job_id = 'pj_2'`)
  expect(core.history.counts()).toMatchObject({ queued: 1, parked: 1 })
})

it('counts within a transaction what it has written, and no more after a rollback', () => {
  core.accept('pj_1')
  const within = () =>
    core.db.transaction(() => {
      core.db.sqlite.exec(`update tickets set state = 'parked'`)
      expect(core.history.counts()).toMatchObject({ queued: 0, parked: 1 })
      throw new Error('taken back')
    })
  expect(within).toThrow('taken back')
  expect(core.history.counts()).toMatchObject({ queued: 1, parked: 0 })
})
