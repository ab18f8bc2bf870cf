// Housekeeping: customers' data leave the disk, old jobs go, what is open stays.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { GatewayCore } from '#test/doubles/gateway-core.ts'
import { HistoryPruner } from './prune-history.ts'

const HOUR_MS = 3_600_000

describe('HistoryPruner', () => {
  let core: GatewayCore
  let pruner: HistoryPruner
  beforeEach(() => {
    core = new GatewayCore()
    const { db, history, identity, relayTime: time, clock } = core
    const log = { info: () => {} } as never
    pruner = new HistoryPruner({ db, history, identity, time, clock, log })
  })
  afterEach(async () => {
    await pruner.stop()
    await core.stop()
  })
  const onDisk = (text: string) =>
    readdirSync(core.dir).some((name) => readFileSync(join(core.dir, name)).includes(text))

  it("takes a customer's data off the disk a day after printing, every byte of it", async () => {
    await pruner.start()
    await core.queue.start()
    core.accept('pj_1')
    await core.result('pj_1')
    await core.clock.advance(23 * HOUR_MS)
    expect([onDisk('Ana Canary'), onDisk('555-0101')]).toEqual([true, true])
    await core.clock.advance(2 * HOUR_MS)
    expect([onDisk('Ana Canary'), onDisk('555-0101')]).toEqual([false, false])
    expect(core.intake.cancel('pj_1')).toBe('too_late')
    await core.clock.advance(0)
    expect(core.transport('grill').sent[1]?.text).toContain('VOID')
  })

  it('keeps the data of what has not been printed', async () => {
    core.accept('pj_1')
    await core.clock.advance(31 * 24 * HOUR_MS)
    await pruner.start()
    await core.clock.advance(2 * HOUR_MS)
    expect(onDisk('Ana Canary')).toBe(true)
    expect(core.states()).toEqual({ 'pj_1-1': 'queued' })
  })

  it('deletes settled jobs after 30 days, in batches, and keeps the stream’s position', async () => {
    await core.queue.start()
    for (let n = 1; n <= 250; n++) core.accept(`pj_${n}`)
    await core.result('pj_250')
    await core.queue.stop()
    await core.clock.advance(30 * 24 * HOUR_MS - 2 * HOUR_MS)
    await pruner.start()
    await core.clock.advance(HOUR_MS)
    expect(Object.keys(core.states())).toHaveLength(250)
    await core.clock.advance(2 * HOUR_MS)
    expect(core.states()).toEqual({})
    expect(core.identity.lastSeq()).toBe(250)
    expect(core.reports.count()).toBe(250)
  })

  it('notes the time, for a board that forgets it', async () => {
    await pruner.start()
    await core.clock.advance(HOUR_MS)
    expect(core.crash().identity.lastKnownMs()).toBe(core.clock.now())
  })
})
