// What waits on a disk in doubt: nothing is claimed before the relay has answered or five seconds are over; what has ended is withdrawn, the rest prints.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { DiskProof } from '#gateway/storage/disk-proof.ts'
import { LINK_LIMITS, type ToldJob } from '#shared/wire/gateway-link.ts'
import { FRY, GatewayCore, GRILL } from '#test/doubles/gateway-core.ts'
import { OFFLINE } from '#test/doubles/scripted-transport.ts'
import { DoubtDesk } from './doubt-desk.ts'

let core: GatewayCore
let desk: DoubtDesk
let asked: string[][]
let isPaired: boolean

beforeEach(() => {
  core = new GatewayCore([GRILL, FRY])
  asked = []
  isPaired = true
})
afterEach(async () => {
  await desk.stop()
  await core.stop()
})

/** The gateway starts on an older image of its disk. */
async function start(): Promise<void> {
  const folder = join(core.dir, 'state')
  const { door } = core.jobs
  const files = { databaseFile: join(core.dir, 'gateway.db'), folder }
  const options = { door, ...files, stream: core.identity.stream(), clock: core.clock, log: core.log }
  new DiskProof({ ...options, machine: { id: 'one', facts: ['one'] } }).prove()
  const disk = new DiskProof({ ...options, machine: { id: 'two', facts: ['two'] } }).prove()
  rmSync(folder, { recursive: true })
  desk = new DoubtDesk({ disk, door, isPaired: () => isPaired, clock: core.clock, log: core.log })
  await desk.start()
  await core.queue.start()
  await core.pass(0)
}
const ask = (jobIds: readonly string[]): void => {
  asked.push([...jobIds])
}
const told = (states: Record<string, ToldJob['state']>): void =>
  desk.told(Object.entries(states).map(([jobId, state]) => ({ jobId, state })))
const sent = (): string[] => core.transport('grill').sent.map(({ attemptId }) => attemptId)
const marks = (): boolean[] =>
  core.reports.open(100).flatMap(({ payload }) => payload.tickets.map((it) => it.possibleDuplicate))

describe('while the relay has not answered', () => {
  it('nothing is printed, neither waiting nor new tickets; after five seconds all of them are, the waiting ones with their mark', async () => {
    core.accept('pj_1')
    await start()
    core.accept('pj_2')
    await core.pass(4_500)
    expect(sent()).toEqual([])
    await core.pass(1_000)
    expect(sent()).toEqual(['pj_1-1.1', 'pj_2-1.1'])
    expect(marks()).toEqual([true, false])
  })

  it('a full disk at the end of the wait is waited for', async () => {
    core.accept('pj_1')
    await start()
    const release = vi.spyOn(core.jobs.door, 'giveNext').mockImplementationOnce(() => {
      throw new Database.SqliteError('database or disk is full', 'SQLITE_FULL')
    })
    await core.pass(5_000)
    expect(sent()).toEqual([])
    release.mockRestore()
    await core.pass(1_500)
    expect(sent()).toEqual(['pj_1-1.1'])
  })
})

describe('without a relay that can answer', () => {
  it('a box that is not paired prints at once', async () => {
    isPaired = false
    core.accept('pj_1')
    await start()
    expect(sent()).toEqual(['pj_1-1.1'])
    await core.pass(500)
    expect(marks()).toEqual([true])
  })

  it('a box with an older relay prints as soon as that is here', async () => {
    core.accept('pj_1')
    await start()
    desk.welcomed(null)
    await core.pass(0)
    expect(sent()).toEqual(['pj_1-1.1'])
  })

  it('a disk without waiting tickets holds nothing back', async () => {
    await start()
    core.accept('pj_1')
    await core.pass(0)
    expect(sent()).toEqual(['pj_1-1.1'])
  })
})

describe('the log', () => {
  const released = (): object | undefined =>
    core.logged.map((line) => JSON.parse(line)).findLast(({ withdrawn }) => withdrawn !== undefined)

  it('reports how many tickets were removed and how many print marked', async () => {
    for (const id of ['pj_1', 'pj_2', 'pj_3']) core.accept(id)
    await start()
    desk.welcomed(ask)
    told({ pj_1: 'on-paper', pj_2: 'open', pj_3: 'ended' })
    const msg = 'what waited on the older copy prints now, marked'
    expect(released()).toMatchObject({ withdrawn: 2, marked: 1, msg })
    expect(desk.withdrawn).toBe(2)
  })

  it('does not report printing when all of them were removed', async () => {
    for (const id of ['pj_1', 'pj_2']) core.accept(id)
    await start()
    desk.welcomed(ask)
    told({ pj_1: 'on-paper', pj_2: 'on-paper' })
    const msg = 'nothing that waited on the older copy prints: the relay had the results of all of it'
    expect(released()).toMatchObject({ withdrawn: 2, marked: 0, msg })
  })
})

describe('the answers of the relay', () => {
  it('takes out what has ended, without a report; what is open or unknown prints marked', async () => {
    for (const id of ['pj_1', 'pj_2', 'pj_3', 'pj_4']) core.accept(id)
    await start()
    desk.welcomed(ask)
    expect(asked).toEqual([['pj_1', 'pj_2', 'pj_3', 'pj_4']])
    told({ pj_1: 'on-paper', pj_2: 'ended', pj_3: 'open', pj_4: 'unknown' })
    await core.pass(500)
    expect(sent()).toEqual(['pj_3-1.1', 'pj_4-1.1'])
    expect(core.states()).toMatchObject({ 'pj_1-1': 'uncertain', 'pj_2-1': 'cancelled' })
    expect(core.reports.open(100).map(({ jobId }) => jobId)).toEqual(['pj_3', 'pj_4'])
    expect(marks()).toEqual([true, true])
    expect(core.history.ticket('pj_1-1')?.ticket).toMatchObject({ reason: 'settled-before' })
  })

  it('takes out what was on hold for a later time, and what was parked', async () => {
    core.accept('pj_1', { notBefore: core.clock.now() + 60_000 })
    core.accept('pj_2')
    core.db.sqlite.exec("update tickets set state = 'parked' where job_id = 'pj_2'")
    await start()
    desk.welcomed(ask)
    told({ pj_1: 'on-paper', pj_2: 'on-paper' })
    expect(core.states()).toEqual({ 'pj_1-1': 'uncertain', 'pj_2-1': 'uncertain' })
  })

  it('keeps what the relay cannot know: a copy that was requested here still prints', async () => {
    core.accept('pj_1')
    expect(core.acts.reprint('pj_1-1', undefined).ok).toBe(true)
    await start()
    desk.welcomed(ask)
    told({ pj_1: 'on-paper' })
    await core.pass(0)
    expect(sent()).toEqual(['pj_1-1-r1.1'])
  })

  it('does not lose the VOID slip of an order that is taken back afterwards', async () => {
    core.accept('pj_1')
    await start()
    desk.welcomed(ask)
    told({ pj_1: 'on-paper' })
    expect(core.intake.cancel('pj_1', true)).toBe('too_late')
    await core.pass(0)
    expect(sent()).toEqual(['pj_1-1-void.1'])
  })

  it('is requested in portions, one after the other, and nothing is printed before the last', async () => {
    const ids = Array.from({ length: 2 * LINK_LIMITS.askJobs + 1 }, (_, n) => `pj_${n + 1}`)
    for (const id of ids) core.accept(id)
    await start()
    desk.welcomed(ask)
    expect(asked.map((jobIds) => jobIds.length)).toEqual([LINK_LIMITS.askJobs])
    for (let n = 0; n < 3; n++) {
      expect(sent()).toEqual([])
      told(Object.fromEntries((asked.at(-1) ?? []).map((jobId) => [jobId, 'on-paper'])))
    }
    expect(asked.flat().sort()).toEqual([...ids].sort())
    await core.pass(0)
    expect(new Set(Object.values(core.states()))).toEqual(new Set(['uncertain']))
  })

  it('is requested again on the next connection, also when the wait is over', async () => {
    core.transport('grill').down = OFFLINE
    core.accept('pj_1')
    core.accept('pj_2')
    await start()
    desk.welcomed(ask)
    await core.pass(6_000)
    desk.welcomed(ask)
    expect(asked).toEqual([
      ['pj_1', 'pj_2'],
      ['pj_1', 'pj_2'],
    ])
    told({ pj_2: 'on-paper' })
    expect(core.states()['pj_2-1']).toBe('uncertain')
    desk.welcomed(ask)
    expect(asked).toHaveLength(2)
  })
})
