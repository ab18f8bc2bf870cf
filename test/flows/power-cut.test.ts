// SIGKILL of gateway and relay at random moments under load. Afterwards the paper and the client's journal must agree.
// CRASH_ROUNDS sets the number of kills (default: 8, in a drill 30, over night 300), CRASH_SEED repeats a run.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemClock } from '#shared/clock.ts'
import { VirtualPrinter } from '#test/doubles/virtual-printer.ts'
import { WebhookReceiver } from '#test/doubles/webhook-receiver.ts'
import { JournalClient, judgeEvents } from '#test/harness/client.ts'
import { overNight, playRounds } from '#test/harness/drill.ts'
import { judgePaper } from '#test/harness/judge-paper.ts'
import { seededRandom } from '#test/harness/random.ts'
import { Site } from '#test/harness/site.ts'

const ROUNDS = Number(process.env['CRASH_ROUNDS'] ?? overNight(300, 30, 8))
const SEED = Number(process.env['CRASH_SEED'] ?? Date.now() % 1_000_000)
/** A slow machine kills fewer times: each kill is followed by a start. */
const AT_MOST_MS = 12 * 60_000
/** A killed relay leaves webhook leases behind; nothing may stand still longer than that. */
const PATIENCE_MS = 60_000

const printer = new VirtualPrinter()
const receiver = new WebhookReceiver()
let site: Site

beforeAll(async () => {
  const { host, port } = await printer.start()
  await receiver.start()
  site = new Site({ printers: `kitchen=${host}:${port}` })
  await site.start()
  receiver.secret = (await site.listen(receiver.url)).body.secret
})

afterAll(async () => {
  await site.stop()
  await receiver.stop()
  await printer.stop()
})

it(`loses nothing and doubles nothing unmarked over up to ${ROUNDS} kills (CRASH_SEED=${SEED})`, async () => {
  const random = seededRandom(SEED)
  const client = new JournalClient(site, 10)
  const readyMs: { cloud: number[]; gateway: number[] } = { cloud: [], gateway: [] }
  client.start()
  const kills = await playRounds({ most: ROUNDS, atMostMs: AT_MOST_MS }, async () => {
    await systemClock.sleep(random() * 150)
    const dice = random()
    const killed = dice < 0.45 ? ['gateway'] : dice < 0.9 ? ['cloud'] : ['gateway', 'cloud']
    await Promise.all(killed.map((name) => site[name as 'gateway' | 'cloud'].kill('SIGKILL')))
    if (killed.includes('cloud')) readyMs.cloud.push(await site.startCloud())
    if (killed.includes('gateway')) readyMs.gateway.push(await site.startGateway())
  })
  await client.stop()
  await untilQuiet(client)

  const verdict = judgePaper(
    client.accepted,
    printer.tickets.map((ticket) => ticket.text()),
  )
  const accepted = judgeEvents(receiver, 'order.accepted', client.ids)
  const printed = judgeEvents(receiver, 'order.printed', client.ids)
  console.log(
    `${kills} of ${ROUNDS} kills, ${client.accepted.length} orders, ${verdict.copies} tickets (${verdict.marked} marked); ` +
      `ready again: relay ${spread(readyMs.cloud)}, gateway ${spread(readyMs.gateway)}`,
  )
  expect({ ...verdict, copies: 0, marked: 0 }).toEqual({
    lost: [],
    unmarkedDoubles: [],
    outOfOrder: [],
    copies: 0,
    marked: 0,
  })
  expect(accepted).toEqual({ missing: [], doubled: [], badSignatures: 0 })
  expect(printed).toEqual({ missing: [], doubled: [], badSignatures: 0 })
})

/** Waits until every promised order's `order.printed` has arrived; gives up when nothing arrives for PATIENCE_MS. */
async function untilQuiet(client: JournalClient): Promise<void> {
  for (;;) {
    if (judgeEvents(receiver, 'order.printed', client.ids).missing.length === 0) return
    const before = receiver.received.length
    const deadline = AbortSignal.timeout(PATIENCE_MS)
    await receiver.arrived.next(undefined, deadline).catch(() => {})
    if (receiver.received.length === before) return
  }
}

function spread(values: readonly number[]): string {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (p: number) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * p))] ?? 0)
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, max ${at(1)} ms`
}
