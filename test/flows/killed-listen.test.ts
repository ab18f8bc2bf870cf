// `ticketrail listen` and its relay, as processes that are killed while events come: every event reaches the target, as often as the log of attempts says.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createSandboxAccount, type SandboxAccount } from '#cloud/sandbox/fixtures.ts'
import { SqliteDatabase } from '#cloud/storage/sqlite/sqlite-database.ts'
import { systemClock } from '#shared/clock.ts'
import { ownPort } from '#test/doubles/own-port.ts'
import { WebhookReceiver } from '#test/doubles/webhook-receiver.ts'
import { inDrill } from '#test/harness/drill.ts'
import { Program } from '#test/harness/program.ts'
import { seededRandom } from '#test/harness/random.ts'

const ROOT = new URL('../../', import.meta.url).pathname
const KILLS = inDrill(100, 20)
const KILLS_OF_RELAY = 5
/** At the relay, of one listener, without an answer. */
const WINDOW = 16
const EVENTS = ['order.accepted', 'order.ready', 'order.completed']
const merchantId = 'M-TEST-001'

let dir: string
let account: SandboxAccount
let relay: Program
let url: string
let target: WebhookReceiver
let line: ListenLine
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'ticketrail-killed-'))
  const database = join(dir, 'relay.db')
  const db = await SqliteDatabase.open(database, (error) => {
    throw error
  })
  account = await createSandboxAccount({ db, clock: systemClock }, { name: 'Killed' })
  const rates = { sandbox: { steadyPerMinute: 1e6, burstPerMinute: 1e7, bodyBytesPerMinute: 99_999_999 } }
  await db.unit((tx) =>
    tx
      .updateTable('accounts')
      .set({ plan_overrides: JSON.stringify(rates) })
      .execute(),
  )
  await db.close()
  // Started again, it is where the line looks for it.
  const port = String(await ownPort())
  const settings = { CLOUD_DATABASE: database, CLOUD_HTTP_PORT: port, CLOUD_MQTT_PORT: '0' }
  relay = new Program('cloud/main.ts', { ...settings, CLOUD_MASTER_KEY: randomBytes(32).toString('base64') }, false)
  url = (await relay.start()).httpUrl
  target = new WebhookReceiver()
  await target.start()
  line = new ListenLine()
})
afterEach(async () => {
  await line.kill()
  await relay.kill('SIGKILL')
  await target.stop()
  rmSync(dir, { recursive: true, force: true })
})

/** `ticketrail listen` as one process after the other, each in the same home. */
class ListenLine {
  #child: ChildProcess | null = null
  webhookId = ''

  /** Resolves when it listens. */
  async start(): Promise<void> {
    const args = ['cloud/cli/main.ts', 'listen', '--forward-to', target.url, '--events', EVENTS.join(), '--json']
    const env = { HOME: dir, TICKETRAIL_URL: url, TICKETRAIL_API_KEY: account.apiKey }
    const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] })
    this.#child = child
    let errors = ''
    child.stderr.setEncoding('utf8').on('data', (text) => {
      errors += text
    })
    const lines = createInterface({ input: child.stdout })
    await new Promise<void>((resolve, reject) => {
      lines.on('line', (text) => {
        const { listening } = JSON.parse(text) as { listening?: string }
        if (listening === undefined) return
        this.webhookId = listening
        resolve()
      })
      child.once('exit', (code, signal) => reject(new Error(`listen ended (${code ?? signal}): ${errors}`)))
    })
  }

  async kill(): Promise<void> {
    const child = this.#child
    if (child === null || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
}

/** The same call until it has an answer: a relay that was killed is asked again. */
// biome-ignore lint/suspicious/noExplicitAny: looks into any answer
async function surely(path: string, body?: object): Promise<any> {
  for (;;) {
    const answer = await fetch(url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${account.apiKey}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify({ merchantId, ...body }) }),
    }).catch(() => null)
    if (answer !== null && answer.status < 500) {
      const told = (await answer.json().catch(() => null)) as { code?: string } | null
      // A step that was taken before the answer was lost.
      if (answer.status < 300 || answer.status === 409) return told
      if (told !== null) throw new Error(`${path}: ${JSON.stringify(told)}`)
    }
    await systemClock.sleep(10)
  }
}

/** Orders go through three states, one after the other, a little ahead of the target, until it is stopped. */
function orders(): { stop: () => Promise<void> } {
  let isOver = false
  const writes = async (): Promise<void> => {
    for (let n = 0; !isOver; n++) {
      while (n * EVENTS.length - new Set(target.received.map(({ event }) => event.id)).size > 2 * WINDOW)
        await target.arrived.next()
      const items = [{ umsId: 'UMS-BURGER-01', qty: 1, price: 12.5 }]
      const order = { orderId: `n${n}`, source: 'killed', items, total: 12.5, print: false }
      const { serviceOrderId } = await surely('/v1/order/inject', order)
      for (const to of ['ready', 'completed']) await surely(`/v1/test/order/${serviceOrderId}/advance`, { to })
    }
  }
  const written = writes()
  return {
    stop: () => {
      isOver = true
      return written
    },
  }
}

interface Logged {
  deliveryId: string
  eventId: string
  state: string
  attempts: { number: number; status: number | null; error: string | null }[]
}

/** The whole log of the listener, when nothing is on its way any more. */
async function settledLog(): Promise<Logged[]> {
  for (;;) {
    const all: Logged[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query = new URLSearchParams({ merchantId, limit: '100', ...(cursor && { cursor }) })
      const page = await surely(`/v1/webhook/${line.webhookId}/deliveries?${query}`)
      all.push(...page.data)
      cursor = page.nextCursor
    }
    if (all.every(({ state }) => state === 'delivered'))
      return Promise.all(
        all.map(({ deliveryId }) => surely(`/v1/webhook/delivery/${deliveryId}?merchantId=${merchantId}`)),
      )
    await systemClock.sleep(50)
  }
}

/** Events that the relay has, by their ids. */
async function allEvents(): Promise<string[]> {
  const ids: string[] = []
  for (let after = 'start'; ; ) {
    const { data, nextCursor } = await surely(`/v1/events?merchantId=${merchantId}&limit=100&after=${after}`)
    if (data.length === 0) return ids
    for (const { id, type } of data) if (EVENTS.includes(type)) ids.push(id)
    after = nextCursor
  }
}

/** Orders of which an event came, or came again, after a later one. */
function outOfOrder(): string[] {
  const ofOrder = Map.groupBy(
    target.received,
    ({ event }) => (event.data as { order: { orderId: string } }).order.orderId,
  )
  return [...ofOrder].flatMap(([orderId, came]) => {
    const steps = came.map(({ event }) => EVENTS.indexOf(event.type))
    return steps.every((step, n) => n === 0 || step >= (steps[n - 1] ?? 0)) ? [] : [`${orderId}: ${steps}`]
  })
}

/** Nothing is missing, and each event came as often as the log says; an attempt that was cut off by a kill may have arrived or not. */
async function compare(): Promise<{ resets: number }> {
  const log = await settledLog()
  expect(log.map(({ eventId }) => eventId).sort()).toEqual((await allEvents()).sort())
  const came = Map.groupBy(target.received, ({ event }) => event.id)
  const differing = log.filter(({ eventId, attempts }) => {
    const times = came.get(eventId)?.length ?? 0
    const inDoubt = attempts.filter(({ error }) => error === 'reset').length
    return times === 0 || times > attempts.length || times < attempts.length - inDoubt
  })
  expect(differing).toEqual([])
  expect(outOfOrder()).toEqual([])
  expect([...came.keys()].filter((id) => !log.some(({ eventId }) => eventId === id))).toEqual([])
  return { resets: log.flatMap(({ attempts }) => attempts).filter(({ error }) => error === 'reset').length }
}

test(`listen that is killed ${KILLS} times misses no event, and repeats only those that it was killed over`, async () => {
  const random = seededRandom(16)
  target.answerWith(() => ({ kind: 'status', status: 204, delayMs: Math.floor(random() * 30) }))
  await line.start()
  const written = orders()
  for (let n = 0; n < KILLS; n++) {
    const before = target.received.length
    await target.waitFor(before + 1 + Math.floor(random() * 5))
    await line.kill()
    await line.start()
  }
  await written.stop()
  const { resets } = await compare()
  expect(resets).toBeLessThanOrEqual(KILLS * WINDOW)
})

test(`listen goes on through ${KILLS_OF_RELAY} kills of its relay: each event comes exactly as often as the log says`, async () => {
  await line.start()
  const written = orders()
  for (let n = 0; n < KILLS_OF_RELAY; n++) {
    await target.waitFor(target.received.length + 20)
    await relay.kill('SIGKILL')
    await relay.start()
  }
  await target.waitFor(target.received.length + 20)
  await written.stop()
  expect(await compare()).toEqual({ resets: 0 })
})

test(`listen goes on through ${KILLS} kills of the program that it posts to: no event is missing, and none needs a recovery`, async () => {
  const random = seededRandom(17)
  target.answerWith(() => ({ kind: 'status', status: 204, delayMs: Math.floor(random() * 30) }))
  await line.start()
  const written = orders()
  const { port } = target
  for (let n = 0; n < KILLS; n++) {
    await target.waitFor(target.received.length + 1 + Math.floor(random() * 5))
    await target.stop()
    // Some come back before anything was posted to them, others after it was refused.
    if (random() < 0.5) await systemClock.sleep(random() * 100)
    await target.start(port)
  }
  await written.stop()
  const { resets } = await compare()
  expect(resets).toBeLessThanOrEqual(KILLS * WINDOW)
})
