// Two relays' databases with a past: one of a few orders and one of a million, made once in a run and used by every part that needs them.
import { randomBytes } from 'node:crypto'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSandboxAccount } from '#cloud/sandbox/fixtures.ts'
import { SqliteDatabase } from '#cloud/storage/sqlite/sqlite-database.ts'
import { systemClock } from '#shared/clock.ts'
import { Program } from '#test/harness/program.ts'
import { UNTHROTTLED } from '#test/harness/site.ts'
import { generateOrders, intoOneFile } from './order-generator.ts'

export const MERCHANT_ID = 'M-TEST-001'
/** Enough that every list fills its page. */
export const FEW_ORDERS = 2_000

export interface PastOrders {
  /** Files. A part may add to them; it leaves no program running on them. */
  few: string
  many: string
  /** API key of the one account of both. */
  key: string
  generatedInSeconds: number
}

export interface Side {
  program: Program
  url: string
  key: string
  /** From the start of the program to its ready line. */
  ms: number
}

/** Of all relays of this run: one does not start on the database of another key. */
const MASTER_KEY = randomBytes(32).toString('base64')

const made = new Map<number, Promise<PastOrders>>()

/** The databases of this run; they go with the process. */
export function pastOrders(orders: number): Promise<PastOrders> {
  const known = made.get(orders)
  if (known !== undefined) return known
  const past = make(orders)
  made.set(orders, past)
  return past
}

async function make(orders: number): Promise<PastOrders> {
  const dir = mkdtempSync(join(tmpdir(), 'ticketrail-past-'))
  process.on('exit', () => rmSync(dir, { recursive: true, force: true }))
  const few = join(dir, 'few.db')
  const key = await oneRealOrder(few)
  const many = join(dir, 'many.db')
  intoOneFile(few)
  copyFileSync(few, many)
  const startedAt = performance.now()
  generateOrders(few, FEW_ORDERS, Date.now())
  generateOrders(many, orders, Date.now())
  return { few, many, key, generatedInSeconds: (performance.now() - startedAt) / 1_000 }
}

/** A database with one account whose one order was injected and printed by a real relay. @returns the account's key */
async function oneRealOrder(file: string): Promise<string> {
  const db = await SqliteDatabase.open(file, (error) => {
    throw error
  })
  const { apiKey } = await createSandboxAccount({ db, clock: systemClock }, { name: 'Bench' })
  await db.unit((tx) =>
    tx
      .updateTable('accounts')
      .set({ plan_overrides: JSON.stringify(UNTHROTTLED) })
      .execute(),
  )
  await db.close()
  const side = await startRelay(file, apiKey)
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
  const answer = await fetch(`${side.url}/v1/order/inject`, { method: 'POST', headers, body: orderBody('real') })
  const { serviceOrderId } = (await answer.json()) as { serviceOrderId: string }
  for (;;) {
    const read = await fetch(`${side.url}/v1/order/${serviceOrderId}?merchantId=${MERCHANT_ID}`, { headers })
    if (((await read.json()) as { status: string }).status === 'printed') break
    await systemClock.sleep(50)
  }
  await side.program.kill('SIGTERM')
  return apiKey
}

export async function startRelay(file: string, key: string): Promise<Side> {
  const env = {
    CLOUD_DATABASE: file,
    CLOUD_HTTP_PORT: '0',
    CLOUD_MQTT_PORT: '0',
    CLOUD_MASTER_KEY: MASTER_KEY,
  }
  const program = new Program('cloud/main.ts', env, false)
  const { httpUrl, ms } = await program.start()
  return { program, url: httpUrl, key, ms }
}

let next = 0

/** An order whose id is scattered over the index, as clients' ids are. */
export function orderBody(name: string, fireAt?: string): string {
  return JSON.stringify({
    merchantId: MERCHANT_ID,
    orderId: `${Math.random().toString(36).slice(2)}-${name}-${next++}`,
    source: 'bench',
    items: [{ umsId: 'UMS-BURGER-01', qty: 1, price: 12.5, note: 'no onions' }],
    total: 12.5,
    ...(fireAt === undefined ? {} : { fireAt }),
  })
}
