// Twelve writers, six followers and a relay that is killed between: each follower is told every event once, in the order of the database.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createSandboxAccount, type SandboxAccount } from '#cloud/sandbox/fixtures.ts'
import { SqliteDatabase } from '#cloud/storage/sqlite/sqlite-database.ts'
import { systemClock } from '#shared/clock.ts'
import { overNight } from '#test/harness/drill.ts'
import { Program } from '#test/harness/program.ts'

const WRITERS = 12
const ORDERS_EACH = overNight(100, 50, 15)
const KILLS = overNight(12, 6, 3)
const merchantId = 'M-TEST-001'
/** What each follower asks for beside `after`. */
const FOLLOWERS: readonly Record<string, string>[] = [
  {},
  { limit: '1' },
  { limit: '100' },
  { limit: '7', type: 'order.accepted' },
  { limit: '3', type: 'order.printed' },
  { limit: '50' },
]

let dir: string
let account: SandboxAccount
let relay: Program
let url: string
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'ticketrail-followed-'))
  const db = await openDatabase()
  account = await createSandboxAccount({ db, clock: systemClock }, { name: 'Followed' })
  const rates = JSON.stringify({
    sandbox: { steadyPerMinute: 1_000_000, burstPerMinute: 2_000_000, bodyBytesPerMinute: 99_999_999 },
  })
  await db.unit((tx) => tx.updateTable('accounts').set({ plan_overrides: rates }).execute())
  await db.close()
  const env = {
    CLOUD_DATABASE: join(dir, 'relay.db'),
    CLOUD_MASTER_KEY: randomBytes(32).toString('base64'),
    CLOUD_HTTP_PORT: '0',
    CLOUD_MQTT_PORT: '0',
  }
  relay = new Program('cloud/main.ts', env, false)
  url = (await relay.start()).httpUrl
})
afterEach(async () => {
  await relay.kill('SIGKILL')
  rmSync(dir, { recursive: true, force: true })
})

const openDatabase = () =>
  SqliteDatabase.open(join(dir, 'relay.db'), (error) => {
    throw error
  })

/** The same call until it has an answer that is about the call: a relay that is away, starts or stops is asked again. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into the body of any answer
async function surely(path: string, body?: object): Promise<any> {
  for (;;) {
    try {
      const answer = await fetch(url + path, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { authorization: `Bearer ${account.apiKey}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      // biome-ignore lint/suspicious/noExplicitAny: as above
      const told = (await answer.json()) as any
      if (answer.status < 300) return told
      if (told.code === 'printer.offline') return told.order
      if (answer.status < 500) throw new Error(`refused: ${JSON.stringify(told)}`)
    } catch (error) {
      if (error instanceof Error && error.message.startsWith('refused')) throw error
    }
    await systemClock.sleep(20)
  }
}

class Follower {
  readonly told: { id: string; subject: string }[] = []
  readonly #query: Record<string, string>
  #after = 'start'

  constructor(query: Record<string, string>) {
    this.#query = query
  }

  /** One page. @returns how many events it had */
  async next(): Promise<number> {
    const query = new URLSearchParams({ merchantId, ...this.#query, after: this.#after })
    const { data, nextCursor } = await surely(`/v1/events?${query}`)
    this.#after = nextCursor
    for (const { id, data: of } of data) this.told.push({ id, subject: of.order?.serviceOrderId ?? '' })
    return data.length
  }
}

/** All events of the type, as they stand in the database. */
async function recorded(type: string | undefined): Promise<string[]> {
  const db = await openDatabase()
  const all = db.read.selectFrom('events').select('id').orderBy('position')
  const rows = await (type === undefined ? all : all.where('type', '=', type)).execute()
  await db.close()
  return rows.map(({ id }) => id)
}

test(`${WRITERS} writers, ${FOLLOWERS.length} followers and ${KILLS} kills: nothing is missed, nothing told twice`, async () => {
  const promised: string[] = []
  const write = async (writer: number) => {
    for (let n = 0; n < ORDERS_EACH; n++) {
      const order = { merchantId, orderId: `w${writer}-${n}`, source: 'writer', total: 12.5 }
      const items = [{ umsId: 'UMS-BURGER-01', qty: 1, price: 12.5 }]
      promised.push((await surely('/v1/order/inject', { ...order, items })).serviceOrderId)
    }
  }
  let isWriting = true
  const followers = FOLLOWERS.map((query) => new Follower(query))
  const follow = async (follower: Follower) => {
    while (isWriting) await follower.next()
  }
  const kill = async () => {
    for (let done = 1; done <= KILLS; done++) {
      while (promised.length < (done * WRITERS * ORDERS_EACH) / (KILLS + 1)) await systemClock.sleep(5)
      await relay.kill('SIGKILL')
      url = (await relay.start()).httpUrl
    }
  }
  const following = followers.map(follow)
  await Promise.all([...Array.from({ length: WRITERS }, (_, writer) => write(writer)), kill()])
  isWriting = false
  await Promise.all(following)
  for (const follower of followers) while ((await follower.next()) > 0);
  await relay.kill('SIGKILL')

  expect(new Set(promised).size).toBe(WRITERS * ORDERS_EACH)
  for (const [i, { told }] of followers.entries()) {
    const ids = told.map(({ id }) => id)
    // The kitchen may have printed on since the last page.
    expect(ids).toEqual((await recorded(FOLLOWERS[i]?.['type'])).slice(0, ids.length))
    if (FOLLOWERS[i]?.['type'] === 'order.printed') continue
    const subjects = new Set(told.map(({ subject }) => subject))
    expect(promised.filter((id) => !subjects.has(id))).toEqual([])
  }
})
