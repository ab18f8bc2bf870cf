// Which disks are proven to be the newest of this machine: after a power failure at any write, after an older image was restored, on another machine.
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { GatewayCore } from '#test/doubles/gateway-core.ts'
import { DiskProof, type DiskVerdict } from './disk-proof.ts'
import type { Machine } from './machine.ts'
import { MIGRATIONS } from './migrations.ts'
import { ProofFile } from './proof-file.ts'
import type { ClaimedTicket } from './ticket-rows.ts'
import { STALE, unchanged } from './ticket-states.ts'

const HOME: Machine = { id: 'home', facts: ['serial of home'] }
const AWAY: Machine = { id: 'away', facts: ['serial of away'] }

let core: GatewayCore
let folder: string
let proof: DiskProof

beforeEach(() => {
  core = new GatewayCore()
  folder = join(core.dir, 'state')
})
afterEach(() => {
  vi.restoreAllMocks()
  if (core.db.sqlite.open) core.db.close()
  rmSync(core.dir, { recursive: true, force: true })
})

const databaseFile = (): string => join(core.dir, 'gateway.db')
const proofFile = (): string => join(folder, readdirSync(folder)[0] ?? '')

function proofOf({ dir, identity, jobs, clock, log }: GatewayCore, machine: Machine): DiskProof {
  const disk = { door: jobs.door, databaseFile: join(dir, 'gateway.db'), folder, stream: identity.stream() }
  return new DiskProof({ ...disk, machine, clock, log })
}

function prove(machine = HOME): DiskVerdict {
  proof = proofOf(core, machine)
  return proof.prove()
}

/** A power failure, and the next start. */
function startAgain(machine = HOME): DiskVerdict {
  core = core.crash()
  return prove(machine)
}

/** As an image of the card would hold it. */
function image(): () => void {
  core.db.checkpoint()
  const copy = join(core.dir, 'image.db')
  copyFileSync(databaseFile(), copy)
  return () => {
    core.db.close()
    for (const end of ['', '-wal', '-shm']) rmSync(`${databaseFile()}${end}`, { force: true })
    copyFileSync(copy, databaseFile())
    core = new GatewayCore([], { dir: core.dir, clock: core.clock })
  }
}

const PRINTED = { kind: 'printed', confirmation: 'assumed', method: 'none', firstByteAtMs: 1, printedAtMs: 2 } as const
const claimOne = (): void => core.jobs.door.take('grill', () => undefined)
const printOne = (): void => core.jobs.door.take('grill', (ticket) => core.jobs.door.settle(ticket, PRINTED, null))
const marks = (): number[] =>
  core.db.sqlite
    .prepare<[], { n: number }>('select possible_duplicate as n from tickets order by position')
    .all()
    .map(({ n }) => n)

describe('the newest disk of its machine', () => {
  it('is proven at its first start, at every later one, and after each power failure', () => {
    core.accept('pj_1')
    core.accept('pj_2')
    expect(prove()).toMatchObject({ doubt: null, marked: 0 })
    claimOne()
    expect(startAgain().doubt).toBeNull()
    expect(startAgain().doubt).toBeNull()
    proof.stop()
    expect(startAgain().doubt).toBeNull()
    expect(marks()).toEqual([0, 0])
  })

  it('counts each claim on disk before the ticket is handed out', () => {
    prove()
    core.accept('pj_1')
    const at: unknown[] = []
    core.jobs.door.take('grill', () => at.push([core.jobs.door.claims.total(), readProof()]))
    expect(at).toEqual([[1, expect.objectContaining({ claims: 1 })]])
  })

  it('is proven if a power failure lost the last writes of the file', () => {
    prove()
    core.accept('pj_1')
    core.accept('pj_2')
    const behind = readFileSync(proofFile())
    printOne()
    writeFileSync(proofFile(), behind)
    expect(startAgain().doubt).toBeNull()
  })

  it('is proven if a power failure cut a write of the file in two', () => {
    prove()
    for (const id of ['pj_1', 'pj_2']) core.accept(id)
    printOne()
    printOne()
    const bytes = readFileSync(proofFile())
    const newest = bytes.subarray(0, 512).includes('"claims":2') ? 0 : 512
    bytes.fill('x', newest + 100, newest + 300)
    writeFileSync(proofFile(), bytes)
    expect(startAgain().doubt).toBeNull()
  })

  it('is proven after a power failure between the file and the database of the first start', () => {
    core.accept('pj_1')
    const commit = vi.spyOn(core.db, 'transaction').mockImplementation(() => {
      throw new Error('the power is gone')
    })
    expect(() => prove()).toThrow('the power is gone')
    commit.mockRestore()
    expect(existsSync(proofFile())).toBe(true)
    expect(startAgain()).toMatchObject({ doubt: null, marked: 0 })
    expect(startAgain().doubt).toBeNull()
    expect(marks()).toEqual([0])
  })

  it('is proven after a power failure before anything of the first start was written', () => {
    core.accept('pj_1')
    expect(startAgain().doubt).toBeNull()
  })

  it('is proven after an update from a program without this feature', () => {
    core.accept('pj_1')
    const { sqlite } = core.db
    sqlite.exec("delete from meta where key in ('claims', 'bound')")
    sqlite.exec(MIGRATIONS.find((step) => step.includes("('bound', '')")) ?? '')
    expect(prove()).toMatchObject({ doubt: null, marked: 0 })
    core.jobs.door.take('grill', () => undefined)
    expect(core.jobs.door.claims.total()).toBe(1)
  })
})

describe('an older image of the disk', () => {
  it('marks everything that waits, in every state, and lists the jobs that the relay may have', () => {
    prove()
    core.accept('pj_held', { notBefore: core.clock.now() + 60_000 })
    core.accept('pj_sending')
    core.accept('pj_parked')
    core.accept('pj_queued')
    const claimed: ClaimedTicket[] = []
    core.jobs.door.take('grill', (ticket) => claimed.push(ticket))
    const waiting = core.jobs.door.tickets.find.get('pj_parked-1')
    if (waiting) core.jobs.door.move({ ...unchanged(waiting), state: 'parked', reason: STALE })
    expect(core.states()).toEqual({
      ...{ 'pj_held-1': 'held', 'pj_sending-1': 'sending', 'pj_parked-1': 'parked', 'pj_queued-1': 'queued' },
    })
    const putBack = image()
    for (const ticket of claimed) core.jobs.door.settle(ticket, PRINTED, null)
    printOne()
    putBack()
    const found = prove()
    expect(found).toMatchObject({ doubt: 'older-image', marked: 4 })
    expect([...found.jobIds].sort()).toEqual(['pj_held', 'pj_parked', 'pj_queued', 'pj_sending'])
    expect(marks()).toEqual([1, 1, 1, 1])
  })

  it('is detected again if it is restored once more, and so is the one that was newer', () => {
    prove()
    for (const id of ['pj_1', 'pj_2', 'pj_3']) core.accept(id)
    const older = image()
    printOne()
    older()
    expect(prove().doubt).toBe('older-image')
    printOne()
    printOne()
    older()
    expect(prove().doubt).toBe('older-image')
    expect(startAgain().doubt).toBeNull()
  })

  it('is not taken for the newest if it had claimed as often, before it was bound again', () => {
    prove()
    for (const id of ['pj_1', 'pj_2', 'pj_3']) core.accept(id)
    printOne()
    const one = image()
    rmSync(folder, { recursive: true })
    expect(startAgain().doubt).toBe('no-disk-proof')
    one()
    expect(prove().doubt).toBe('older-image')
  })

  it('from before the update is detected too', () => {
    core.accept('pj_1')
    const putBack = image()
    prove()
    printOne()
    putBack()
    expect(prove()).toMatchObject({ doubt: 'older-image', marked: 1 })
  })

  it('stays marked after a power failure before the file is written, and is proven from then on', () => {
    prove()
    core.accept('pj_1')
    const putBack = image()
    printOne()
    putBack()
    const create = vi.spyOn(ProofFile.prototype, 'create').mockImplementation(() => undefined)
    expect(prove()).toMatchObject({ doubt: 'older-image', marked: 1 })
    create.mockRestore()
    expect(startAgain().doubt).toBe('older-image')
    expect(marks()).toEqual([1])
    expect(startAgain().doubt).toBeNull()
  })

  it('prints nothing after a power failure before the marks are on disk', () => {
    prove()
    core.accept('pj_1')
    const putBack = image()
    printOne()
    putBack()
    vi.spyOn(core.db, 'transaction').mockImplementation(() => {
      throw new Error('the power is gone')
    })
    expect(() => prove()).toThrow('the power is gone')
    vi.restoreAllMocks()
    expect(startAgain()).toMatchObject({ doubt: 'older-image', marked: 1 })
  })
})

it.each(['void', 'expiry'])(
  'an image from before a ticket that was taken out unprinted is an older one: %s',
  async (why) => {
    prove()
    core.accept('pj_1', { expiresAt: core.clock.now() + 1_000 })
    const back = image()
    if (why === 'void') core.jobs.cancel('pj_1', true)
    else {
      await core.pass(1_000)
      core.jobs.expireDue()
    }
    expect(core.states()).toEqual({ 'pj_1-1': 'cancelled' })
    proof.stop()
    back()
    expect(prove()).toMatchObject({ doubt: 'older-image', marked: 1, jobIds: ['pj_1'] })
  },
)

describe('a copied card', () => {
  it('is detected on another machine, with its file or without', () => {
    prove()
    core.accept('pj_1')
    expect(startAgain(AWAY)).toMatchObject({ doubt: 'another-machine', marked: 1 })
    expect(proof.names.machine).toBe('away')
    rmSync(folder, { recursive: true })
    expect(startAgain(HOME).doubt).toBe('another-machine')
  })

  it('is not detected on the machine after a network adapter was added or removed, and keeps its id there', () => {
    prove({ id: 'both', facts: ['board', 'dongle'] })
    expect(startAgain({ id: 'board', facts: ['board'] }).doubt).toBeNull()
    expect(proof.names.machine).toBe('both')
    expect(startAgain({ id: 'more', facts: ['board', 'other dongle'] }).doubt).toBeNull()
    expect(startAgain({ id: 'dongle', facts: ['other dongle'] }).doubt).toBe('another-machine')
  })
})

it('a disk has the same name at the relay until it is in doubt, then permanently another one', () => {
  prove()
  const first = proof.names.disk
  startAgain()
  expect(proof.names.disk).toBe(first)
  startAgain(AWAY)
  const second = proof.names.disk
  expect(second).not.toBe(first)
  startAgain(AWAY)
  expect(proof.names.disk).toBe(second)
})

describe('the proof file', () => {
  it('is synced once in a quarter of a second with claimed tickets, and not otherwise', async () => {
    const sync = vi.spyOn(ProofFile.prototype, 'syncSoon')
    prove()
    await core.pass(1_000)
    expect(sync).toHaveBeenCalledTimes(0)
    for (const id of ['pj_1', 'pj_2']) core.accept(id)
    printOne()
    printOne()
    await core.pass(250)
    expect(sync).toHaveBeenCalledTimes(1)
    await core.pass(1_000)
    expect(sync).toHaveBeenCalledTimes(1)
  })

  it('proves nothing if both slots are damaged, and is created again', () => {
    prove()
    core.accept('pj_1')
    writeFileSync(proofFile(), Buffer.alloc(1_024, 'x'))
    expect(startAgain()).toMatchObject({ doubt: 'disk-proof-unusable', marked: 1 })
    expect(startAgain().doubt).toBeNull()
  })

  it('proves nothing if it is missing', () => {
    prove()
    core.accept('pj_1')
    rmSync(folder, { recursive: true })
    expect(startAgain()).toMatchObject({ doubt: 'no-disk-proof', marked: 1 })
  })

  it('cannot be used if a folder has its name: what waits is marked, tickets are still claimed, and the log has the path', () => {
    prove()
    core.accept('pj_1')
    const path = proofFile()
    rmSync(path)
    mkdirSync(join(path, 'x'), { recursive: true })
    expect(startAgain()).toMatchObject({ doubt: 'disk-proof-unusable', marked: 1, proofFile: path })
    claimOne()
    expect(core.states()).toEqual({ 'pj_1-1': 'sending' })
    expect(core.logged.some((line) => line.includes('GATEWAY_PROOF_FOLDER') && line.includes(path))).toBe(true)
  })

  it.each([
    ['it cannot follow the database', () => vi.spyOn(ProofFile.prototype, 'write')],
    ['the system does not tell whether it is there', () => vi.spyOn(ProofFile.prototype, 'isGone', 'get')],
  ])('is taken away when %s, so that it proves no older image', async (_, broken) => {
    prove()
    core.accept('pj_1')
    core.accept('pj_2')
    broken().mockImplementation(() => {
      throw new Error('EIO')
    })
    printOne()
    await core.pass(250)
    vi.restoreAllMocks()
    expect(readdirSync(folder)).toEqual([])
    expect(startAgain().doubt).toBe('no-disk-proof')
  })

  it('is removed if the disk did not accept what was written, and is not relied on', async () => {
    prove()
    for (const id of ['pj_1', 'pj_2', 'pj_3']) core.accept(id)
    const sync = vi.spyOn(ProofFile.prototype, 'syncSoon').mockImplementation((failed) => failed(new Error('EIO')))
    printOne()
    await core.pass(250)
    expect(readdirSync(folder)).toEqual([])
    expect(core.logged.some((line) => line.includes('EIO') && line.includes('GATEWAY_PROOF_FOLDER'))).toBe(true)
    const write = vi.spyOn(ProofFile.prototype, 'write')
    printOne()
    await core.pass(1_000)
    expect([write.mock.calls, sync.mock.calls.length]).toEqual([[], 1])
    vi.restoreAllMocks()
    expect(startAgain()).toMatchObject({ doubt: 'no-disk-proof', marked: 1 })
    expect(startAgain().doubt).toBeNull()
  })

  it('is removed if it cannot be created again: that of the earlier binding would prove an older image', () => {
    prove()
    vi.spyOn(ProofFile.prototype, 'create').mockImplementation(() => {
      throw new Error('ENOSPC')
    })
    startAgain(AWAY)
    expect(readdirSync(folder)).toEqual([])
  })

  it('is created again while the gateway runs if somebody has deleted its folder, even if the database cannot be read then, and this is logged', async () => {
    prove()
    core.accept('pj_1')
    rmSync(folder, { recursive: true })
    printOne()
    core.db.sqlite.close()
    await core.pass(250)
    expect(readProof()).toMatchObject({ claims: 1 })
    expect(core.logged.some((line) => line.includes('was deleted'))).toBe(true)
    expect(startAgain().doubt).toBeNull()
  })

  it('is separate for each database, so that two side by side do not conflict', () => {
    prove()
    const other = new GatewayCore()
    expect(proofOf(other, HOME).prove().doubt).toBeNull()
    expect(startAgain().doubt).toBeNull()
    expect(readdirSync(folder)).toHaveLength(2)
    other.db.close()
    rmSync(other.dir, { recursive: true })
  })

  it('of another database in the same place is no proof', () => {
    prove()
    core.db.close()
    for (const end of ['', '-wal', '-shm']) rmSync(`${databaseFile()}${end}`, { force: true })
    core = new GatewayCore(undefined, { dir: core.dir })
    core.accept('pj_1')
    expect(prove()).toMatchObject({ doubt: 'another-database', marked: 1 })
  })
})

function readProof(): unknown {
  return new ProofFile(folder, databaseFile()).read()
}
