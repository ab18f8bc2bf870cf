// kill -9 at every step of the export and the deletion: an order is in the database or whole in the export, at each moment; never in neither.
import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { constants, gunzipSync } from 'node:zlib'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createSandboxAccount } from '#cloud/sandbox/fixtures.ts'
import { OrderStore } from '#cloud/storage/order-store.ts'
import type { OrdersTable } from '#cloud/storage/schema.ts'
import { SqliteDatabase } from '#cloud/storage/sqlite/sqlite-database.ts'
import { newId } from '#shared/ids.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { compiledCode } from '#test/harness/compiled-code.ts'

const DAY_MS = 86_400_000
const FIRST_MS = Date.parse('2026-01-30T12:00:00Z')
/** Two of January, so that a file is begun and one is gone on with, and one of February. */
const TAKEN_MS = [FIRST_MS, FIRST_MS + DAY_MS, FIRST_MS + 3 * DAY_MS]
/** By then only the first is old, and then all are. */
const [EARLY_MS, LATE_MS] = [FIRST_MS + 400 * DAY_MS + 1, FIRST_MS + 500 * DAY_MS]

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'ticketrail-plug-'))
})
afterEach(() => rmSync(dir, { recursive: true }))

/** A relay's folder with three orders. @returns their ids */
async function fill(folder: string): Promise<string[]> {
  const db = await SqliteDatabase.open(join(folder, 'relay.db'), (error) => {
    throw error
  })
  const { accountId, merchants } = await createSandboxAccount({ db, clock: new ManualClock() }, { name: 'Test' })
  const merchant = merchants[0]!
  const orders = new OrderStore(db)
  const rows = TAKEN_MS.map((at, n): OrdersTable => {
    const of = { account_id: accountId, merchant_id: merchant.key, location_id: merchant.locations[0]!.locationId }
    const texts = {
      body_hash: 'h',
      body: '{"source":"kiosk"}',
      result: '{}',
      item_names: '{}',
      status: 'printed' as const,
    }
    const cents = { total_cents: 100, tip_cents: 0, refunded_cents: 0 }
    const times = { queued_at: at, estimated_ready_at: at, fire_at: null, fired_at: at, printed_at: at, ready_at: null }
    const ends = {
      completed_at: null,
      voided_at: null,
      void_reason: null,
      stock_taken: null,
      shown_on: null,
      came_by: null,
      handed_back_at: null,
    }
    const print = { print: 0, print_job_id: null, print_state: 'none' as const, print_facts: null, fired_courses: null }
    const ids = { id: newId('ord', at), client_order_id: `no-${n}`, pos_order_id: null, sequence: 1 }
    return { ...ids, ...of, ...texts, ...cents, ...times, ...ends, ...print }
  })
  await db.unit(async (tx) => {
    for (const row of rows) await orders.insert(tx, row, { source: 'kiosk' })
  })
  await db.close()
  return rows.map(({ id }) => id)
}

/** Runs one pass in a program of its own. @returns how many steps it had; null: it was killed */
function pass(folder: string, nowMs: number, stopAt: number): Promise<number | null> {
  const program = new URL('../../test/harness/forgetful-relay.ts', import.meta.url).pathname
  const args = [program, join(folder, 'relay.db'), join(folder, 'export'), String(nowMs), String(stopAt)]
  const env = { PATH: process.env['PATH'], ...compiledCode(process.execPath, 'lines') }
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { env }, (error, stdout, stderr) => {
      if (error === null) resolve(Number(stdout))
      else if (error.signal === 'SIGKILL') resolve(null)
      else reject(new Error(stderr, { cause: error }))
    })
  })
}

function inDatabase(folder: string): Set<string> {
  const db = new Database(join(folder, 'relay.db'))
  const rows = db.prepare('select id from orders').all() as { id: string }[]
  db.close()
  return new Set(rows.map(({ id }) => id))
}

/** Orders with a whole line in any file; a file that was torn is read as far as it goes. */
function inExport(folder: string): string[] {
  const path = join(folder, 'export')
  const files = existsSync(path) ? readdirSync(path).filter((name) => name.endsWith('.gz')) : []
  return files.flatMap((name) => {
    const bytes = readFileSync(join(path, name))
    const text = gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }).toString()
    return text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line).order.id as string)
  })
}

test('no order is ever lost, and the next pass ends with each in the export, some of them twice', async () => {
  const template = join(dir, 'template')
  mkdirSync(template)
  const ids = await fill(template)
  expect(await pass(template, EARLY_MS, 0)).toBeGreaterThan(0)
  expect([[...inDatabase(template)], inExport(template)]).toEqual([ids.slice(1), ids.slice(0, 1)])
  let killed = 0
  for (let stopAt = 1; ; stopAt++) {
    const folder = join(dir, `at-${stopAt}`)
    cpSync(template, folder, { recursive: true })
    const steps = await pass(folder, LATE_MS, stopAt)
    const [kept, exported] = [inDatabase(folder), new Set(inExport(folder))]
    expect(
      ids.filter((id) => !kept.has(id) && !exported.has(id)),
      `killed at step ${stopAt}`,
    ).toEqual([])
    if (steps !== null) break
    killed += 1
    expect(await pass(folder, LATE_MS, 0)).not.toBeNull()
    expect([...inDatabase(folder)], `after step ${stopAt}`).toEqual([])
    expect(new Set(inExport(folder)), `after step ${stopAt}`).toEqual(new Set(ids))
    expect(inExport(folder).length, `after step ${stopAt}`).toBeLessThanOrEqual(ids.length + 1)
    rmSync(folder, { recursive: true })
  }
  // Two files: each with a write, a sync, a proof and a unit, and a sync of the new one's folder.
  expect(killed).toBeGreaterThanOrEqual(2 * (4 + 4 + 1))
})
