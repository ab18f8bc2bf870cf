// The relay's disk is lost and a copy from before takes its place: every order is on paper, none twice unmarked, each is told as printed once, and the relay knows all of them again.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LineResult, runOperatorLine } from '#test/harness/command-line.ts'
import { JudgedKitchen, NOTHING_WRONG } from '#test/harness/judged-kitchen.ts'
import { drillSeed } from '#test/harness/random.ts'

const SEED = drillSeed()
const KEY = randomBytes(32).toString('base64')
const kitchen = new JudgedKitchen(SEED)

beforeAll(() => kitchen.start({ cloudEnv: { CLOUD_MASTER_KEY: KEY } }))
afterAll(() => kitchen.stop())

const copy = () => join(kitchen.site.dir, 'copy.db')

async function admin(...args: string[]): Promise<LineResult> {
  const env = { CLOUD_DATABASE: join(kitchen.site.dir, 'cloud/relay.db'), CLOUD_MASTER_KEY: KEY }
  const result = await runOperatorLine(env, [...args, '--json'])
  expect(result).toMatchObject({ code: 0, err: '' })
  return result
}

const copies = (token: string) => kitchen.tickets.filter((ticket) => ticket.text().includes(`order ${token}\n`))
const printState = async (token: string): Promise<string> =>
  (await kitchen.site.getOrder(kitchen.client.ids.get(token) ?? '')).body.printState

/** The client was cut off and sends an order again, as it was. @returns the id that it is answered */
async function repeat(token: string): Promise<string> {
  const { note = '' } = kitchen.client.promised.find((promised) => promised.token === token) ?? {}
  const answer = await kitchen.site.injectSurely({ orderId: token, note, qty: 2 })
  return (answer.body.order ?? answer.body).serviceOrderId
}

describe(`a relay that was restored from a copy of an hour ago (DRILL_SEED=${SEED})`, () => {
  const waiting: string[] = []
  let afterCopy: string[] = []

  it('is copied while it takes orders, and the copy has no fault', async () => {
    await kitchen.orders(29)
    const [made] = await Promise.all([admin('backup', '--to', copy()), kitchen.orders(2)])
    expect(made.json.file).toBe(copy())
    expect((await admin('verify', copy())).json.faults).toEqual([])
    const from = kitchen.client.accepted.length
    await kitchen.orders(25)
    await kitchen.untilQuiet()
    // Of these the box has the tickets and no paper yet.
    await kitchen.printer.refuse()
    for (let n = 0; n < 4; n++) waiting.push(await kitchen.order())
    await expect.poll(async () => (await kitchen.site.gatewayStatus()).queue.queued).toBe(4)
    afterCopy = kitchen.client.accepted.slice(from)
    expect(kitchen.client.accepted).toHaveLength(61)
  })

  it('gets lost orders back from the box, under the ids that the client has', async () => {
    await kitchen.site.cloud.kill('SIGKILL')
    const { lost } = (await admin('restore', '--check', copy())).json
    expect(lost.orders).toBeGreaterThanOrEqual(afterCopy.length)
    await admin('restore', copy())
    await kitchen.site.startCloud()
    for (const token of afterCopy.filter((it) => !waiting.includes(it)))
      await expect.poll(() => printState(token), { timeout: 60_000 }).toBe('printed')
    for (const token of waiting) await expect.poll(() => printState(token)).toBe('pending')
    expect((await admin('verify')).json.faults).toEqual([])
  })

  it('answers a client that repeats an order with its first id, and prints nothing again', async () => {
    for (const token of afterCopy) expect(await repeat(token)).toBe(kitchen.client.ids.get(token))
    await kitchen.printer.listenAgain()
    for (const token of waiting) await expect.poll(() => printState(token), { timeout: 60_000 }).toBe('printed')
    // Whatever is still to come would come before this.
    await kitchen.told(await kitchen.order())
    await kitchen.untilQuiet()
    for (const token of kitchen.client.accepted) expect([token, copies(token).length]).toEqual([token, 1])
    expect(kitchen.judge()).toEqual(NOTHING_WRONG)
    expect(kitchen.marked).toBe(0)
  })

  it('marks the second paper of an order that the client repeats before the box is there', async () => {
    await admin('backup', '--to', copy(), '--replace')
    const early = [await kitchen.order(), await kitchen.order()]
    await kitchen.untilQuiet()
    const { site } = kitchen
    await site.gateway.kill('SIGTERM')
    await site.cloud.kill('SIGKILL')
    await admin('restore', copy())
    await site.startCloud()
    const again = await Promise.all(early.map((token) => repeat(token)))
    for (const [index, token] of early.entries()) expect(again[index]).not.toBe(kitchen.client.ids.get(token))
    await site.startGateway()
    await kitchen.told(await kitchen.order())
    const marks = early.map((token) => copies(token).map((ticket) => ticket.text().includes('POSSIBLE DUPLICATE')))
    expect(marks).toEqual([
      [false, true],
      [false, true],
    ])
    expect(kitchen.judge().unmarkedDoubles).toEqual([])
  })
})
