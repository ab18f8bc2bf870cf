// A disk that runs full: the reserve lets the next transaction through, the oldest finished history goes, open tickets stay.
import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Disk } from '#shared/disk/disk-reserve.ts'
import { fillDisk } from '#test/doubles/full-disk.ts'
import { GatewayCore } from '#test/doubles/gateway-core.ts'
import { healthyBox } from '#test/fixtures/healthy-box.ts'
import { BoxCare } from './box-care.ts'
import { healthOf } from './health.ts'

const HOUR_MS = 3_600_000
const ROOMY: Disk = { freeBytes: 5e9, totalBytes: 32e9 }

function idsOf(care: BoxCare): string[] {
  const sensors = { temperatureCelsius: null, storageWearPercent: null }
  return healthOf(healthyBox({ box: { ...care.facts(), ...sensors } })).map(({ id }) => id)
}

describe('the disk of the box', () => {
  let core: GatewayCore
  let care: BoxCare
  let disk: Disk
  let reserve: string
  beforeEach(async () => {
    core = new GatewayCore()
    disk = ROOMY
    reserve = join(core.dir, 'reserve')
    care = careOf({})
    await care.start()
  })
  afterEach(async () => {
    await care.stop()
    core.db.close()
    rmSync(core.dir, { recursive: true, force: true })
  })

  function careOf(over: Partial<ConstructorParameters<typeof BoxCare>[0]>): BoxCare {
    const { db, history, clock, relayTime: time } = core
    return new BoxCare({
      file: join(core.dir, 'gateway.db'),
      db,
      image: { doubt: null, marked: 0, jobIds: [], proofFile: '' },
      doubt: { withdrawn: 0, isHolding: false },
      history,
      time,
      clock,
      log: pino({ level: 'silent' }),
      rssBytes: () => 1,
      memoryLimitBytes: null,
      updateFolder: null,
      measureDisk: () => disk,
      ...over,
    })
  }
  function finish(jobId: string, hoursAgo: number): void {
    core.accept(jobId)
    const atMs = core.relayTime.now() - hoursAgo * HOUR_MS
    core.db.sqlite.prepare('update jobs set settled_at_ms = ? where job_id = ?').run(atMs, jobId)
    core.db.sqlite.prepare("update tickets set state = 'printed' where job_id = ?").run(jobId)
  }
  const jobs = (): string[] =>
    core.db.sqlite
      .prepare<[], { job_id: string }>('select job_id from jobs order by job_id')
      .all()
      .map((row) => row.job_id)
  const ids = (): string[] => idsOf(care)

  it('has a reserve of real bytes while there is room, and no alarm', () => {
    expect(statSync(reserve).size).toBe(8 * 1024 * 1024)
    expect(ids()).toEqual([])
  })

  it('is heard as long as it is measured each minute', async () => {
    expect(care.facts().unheard).toEqual([])
    await care.stop()
    await core.clock.advance(121_000)
    expect(care.facts().unheard).toEqual([{ part: 'disk', name: '' }])
  })

  it('releases the reserve for the transaction that found no room, reports it, and creates a new reserve later', async () => {
    const makeRoom = fillDisk(core.db.sqlite)
    disk = { ...ROOMY, freeBytes: 0 }
    expect(() => core.accept('a')).toThrow(/full/)
    expect(existsSync(reserve)).toBe(false)
    expect(ids()).toEqual(['disk-full'])
    makeRoom()
    disk = { ...ROOMY, freeBytes: 8e6 }
    core.accept('a')
    await core.clock.advance(60_000)
    expect([existsSync(reserve), ids()]).toEqual([false, ['disk-full']])
    disk = ROOMY
    await core.clock.advance(60_000)
    expect([existsSync(reserve), ids()]).toEqual([true, []])
  })

  it('loses its oldest finished history when it is low, and never what is open or of this hour', async () => {
    finish('b-old', 48)
    finish('c-of-this-hour', 0.5)
    core.accept('d-open')
    await core.clock.advance(60_000)
    expect(jobs()).toEqual(['b-old', 'c-of-this-hour', 'd-open'])
    disk = { ...ROOMY, freeBytes: 30e6 }
    await core.clock.advance(60_100)
    expect(jobs()).toEqual(['c-of-this-hour', 'd-open'])
    expect(ids()).toEqual(['disk-low'])
  })

  it('keeps the rest of the history once the database has room inside', async () => {
    for (let i = 0; i < 250; i++) finish(`job-${String(i).padStart(3, '0')}`, 100 - i / 10)
    core.db.sqlite.exec('create table filler (text blob)')
    core.db.sqlite.exec('insert into filler values (zeroblob(9000000)); drop table filler')
    disk = { ...ROOMY, freeBytes: 30e6 }
    await core.clock.advance(61_000)
    expect(jobs()).toHaveLength(250)
  })

  it('reads the version that the updater noted, and ignores anything that is not a version', () => {
    const notes = careOf({ updateFolder: core.dir })
    expect(idsOf(notes)).toEqual([])
    writeFileSync(join(core.dir, 'undone'), '1.4.0\n')
    expect(notes.facts().update).toEqual({ undoneVersion: '1.4.0', availableVersion: null })
    writeFileSync(join(core.dir, 'available'), '1.5.0\n')
    writeFileSync(join(core.dir, 'undone'), '<script>')
    expect(notes.facts().update).toEqual({ undoneVersion: null, availableVersion: '1.5.0' })
  })
})
