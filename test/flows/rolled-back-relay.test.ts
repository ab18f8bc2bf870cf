// The relay's database goes back to an earlier state under a kitchen of two boxes: what one has printed and the other prints again is marked.
import { randomBytes } from 'node:crypto'
import { copyFileSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runOperatorLine } from '#test/harness/command-line.ts'
import { JudgedKitchen } from '#test/harness/judged-kitchen.ts'
import { drillSeed } from '#test/harness/random.ts'
import { SecondBox } from '#test/harness/second-box.ts'

const SEED = drillSeed()
const KEY = randomBytes(32).toString('base64')
const WEEK_AND_A_DAY_MS = 8 * 86_400_000
const kitchen = new JudgedKitchen(SEED)
const second = new SecondBox()

beforeAll(async () => {
  await kitchen.start({ cloudEnv: { CLOUD_MASTER_KEY: KEY } })
  await second.pair(kitchen)
  await second.start()
})
afterAll(async () => {
  await second.stop()
  await kitchen.stop()
})

const database = () => join(kitchen.site.dir, 'cloud/relay.db')
const saved = () => join(kitchen.site.dir, 'saved.db')

async function admin(...args: string[]): Promise<void> {
  const env = { CLOUD_DATABASE: database(), CLOUD_MASTER_KEY: KEY }
  const result = await runOperatorLine(env, args)
  expect(result).toMatchObject({ code: 0, err: '' })
}

/** `P` unmarked, `D` marked, of both printers in the order of their cut. */
const papers = (token: string): string =>
  kitchen.tickets
    .filter((ticket) => ticket.text().includes(`order ${token}\n`))
    .map((ticket) => (ticket.text().includes('POSSIBLE DUPLICATE') ? 'D' : 'P'))
    .join('')

async function repeat(token: string): Promise<void> {
  const { note = '' } = kitchen.client.promised.find((promised) => promised.token === token) ?? {}
  await kitchen.site.injectSurely({ orderId: token, note, qty: 2 })
}

/** On the paper of the first box; the second one is away, or both go in the end. */
async function printedByFirst(count: number): Promise<string[]> {
  await second.leave()
  const tokens: string[] = []
  for (let n = 0; n < count; n++) tokens.push(await kitchen.order())
  await kitchen.untilQuiet()
  return tokens
}

/** Without a word to anybody, as a snapshot of the machine does it. */
function rollBack(): void {
  for (const end of ['-wal', '-shm']) rmSync(`${database()}${end}`, { force: true })
  for (const end of ['', '-wal'])
    if (existsSync(`${saved()}${end}`)) copyFileSync(`${saved()}${end}`, `${database()}${end}`)
}

async function takeSnapshot(): Promise<void> {
  await kitchen.site.cloud.kill('SIGKILL')
  for (const end of ['', '-wal']) {
    rmSync(`${saved()}${end}`, { force: true })
    if (existsSync(`${database()}${end}`)) copyFileSync(`${database()}${end}`, `${saved()}${end}`)
  }
  await kitchen.site.startCloud()
}

describe(`a kitchen of two boxes whose relay goes back (DRILL_SEED=${SEED})`, () => {
  it('marks the second paper after a restore from a copy of more than a week ago', async () => {
    await kitchen.order()
    await kitchen.untilQuiet()
    await admin('backup', '--to', saved())
    // It is made older than it is: its SHA-256 would say so.
    rmSync(`${saved()}.sha256`)
    const old = new Database(saved())
    old.exec(`update gateways set last_seen_at = last_seen_at - ${WEEK_AND_A_DAY_MS}, created_at = created_at - ${WEEK_AND_A_DAY_MS};
      update marks set at = at - ${WEEK_AND_A_DAY_MS}`)
    old.close()
    const early = await printedByFirst(3)
    await kitchen.site.gateway.kill('SIGTERM')
    await kitchen.site.cloud.kill('SIGKILL')
    await admin('restore', saved())
    rmSync(saved())
    await kitchen.site.startCloud()
    for (const token of early) await repeat(token)
    await second.start()
    for (const token of early) await expect.poll(() => papers(token), { timeout: 60_000 }).toBe('PD')
    await kitchen.site.startGateway()
  })

  it('marks it after a rollback without a note, as soon as a connected box reveals it', async () => {
    await takeSnapshot()
    const early = await printedByFirst(3)
    // And one that the second box has: it is ahead as well.
    await kitchen.site.gateway.kill('SIGTERM')
    await second.start()
    const other = await kitchen.order()
    await expect.poll(() => papers(other), { timeout: 60_000 }).toBe('P')
    await second.leave()
    await kitchen.site.cloud.kill('SIGKILL')
    rollBack()
    await kitchen.site.startCloud()
    await second.start()
    for (const token of early) await repeat(token)
    for (const token of early) await expect.poll(() => papers(token), { timeout: 60_000 }).toBe('PD')
    await kitchen.site.startGateway()
    await repeat(other)
    await kitchen.told(await kitchen.order())
    expect(papers(other)).toBe('P')
  })

  it('marks it where the box that is there shows nothing, when the operator has noted the rollback', async () => {
    await takeSnapshot()
    const early = await printedByFirst(2)
    await kitchen.site.gateway.kill('SIGTERM')
    await kitchen.site.cloud.kill('SIGKILL')
    rollBack()
    await admin('note-restore')
    await kitchen.site.startCloud()
    for (const token of early) await repeat(token)
    await second.start()
    for (const token of early) await expect.poll(() => papers(token), { timeout: 60_000 }).toBe('PD')
    expect(kitchen.judge().unmarkedDoubles).toEqual([])
  })
})
