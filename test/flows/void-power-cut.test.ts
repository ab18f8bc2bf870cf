// SIGKILL of gateway and relay while orders are voided and refunded: a voided order ends with its VOID slip or without paper, once; a refund under a key is one.
// CRASH_ROUNDS sets the number of kills (default: 3, in a drill 10, over night 40), CRASH_SEED repeats a run.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemClock } from '#shared/clock.ts'
import { VirtualPrinter } from '#test/doubles/virtual-printer.ts'
import { JournalClient } from '#test/harness/client.ts'
import { overNight } from '#test/harness/drill.ts'
import { DUPLICATE_MARK } from '#test/harness/judge-paper.ts'
import { seededRandom } from '#test/harness/random.ts'
import { type Answer, Site } from '#test/harness/site.ts'

const ROUNDS = Number(process.env['CRASH_ROUNDS'] ?? overNight(40, 10, 3))
const SEED = Number(process.env['CRASH_SEED'] ?? Date.now() % 1_000_000)
const QUIET_WITHIN_MS = 60_000

const printer = new VirtualPrinter()
let site: Site
let client: JournalClient

beforeAll(async () => {
  const { host, port } = await printer.start()
  site = new Site({ printers: `kitchen=${host}:${port}` })
  await site.start()
  client = new JournalClient(site, 0)
})

afterAll(async () => {
  await site.stop()
  await printer.stop()
})

it(`voids and refunds each once over ${ROUNDS} kills (CRASH_SEED=${SEED})`, async () => {
  const random = seededRandom(SEED)
  const voided: string[] = []
  const refunded: string[] = []
  let isOver = false
  const customer = async (): Promise<void> => {
    // Three kills may be over before there was one of each.
    while (!isOver || voided.length === 0 || refunded.length === 0) {
      await client.inject()
      const token = client.accepted.at(-1) ?? ''
      await systemClock.sleep(random() < 0.5 ? 0 : random() * 300)
      if (random() < 0.6) {
        await surely(token, 'void', {})
        voided.push(token)
      } else {
        await surely(token, 'advance', { to: 'completed' })
        await surely(token, 'refund', { amount: 1 })
        refunded.push(token)
      }
    }
  }
  const busy = customer()
  for (let round = 0; round < ROUNDS; round++) {
    await systemClock.sleep(random() * 150)
    const dice = random()
    const killed = dice < 0.45 ? ['gateway'] : dice < 0.9 ? ['cloud'] : ['gateway', 'cloud']
    await Promise.all(killed.map((name) => site[name as 'gateway' | 'cloud'].kill('SIGKILL')))
    if (killed.includes('cloud')) await site.startCloud()
    if (killed.includes('gateway')) await site.startGateway()
  }
  isOver = true
  await busy
  await untilVoided(voided)
  // Whatever is still to come would come before this.
  await client.inject('T-999999')
  await until(() => paperOf('T-999999').length > 0)

  const wrong = voided.filter((token) => !isVoidedOnce(paperOf(token)))
  expect(wrong.map((token) => [token, ...paperOf(token)])).toEqual([])
  for (const token of refunded) {
    const { body } = await site.getOrder(client.ids.get(token) ?? '')
    expect([token, body.status, body.refundedTotal, body.refunds.length]).toEqual([token, 'refunded', 1, 1])
  }
  expect(Math.min(voided.length, refunded.length)).toBeGreaterThan(0)
  console.log(
    `${ROUNDS} kills, ${voided.length} voids (${voided.filter((token) => paperOf(token).length > 0).length} with paper), ${refunded.length} refunds`,
  )
})

/** As a client does it: again, under the same key, until there is an answer. */
async function surely(token: string, action: 'void' | 'refund' | 'advance', body: object): Promise<Answer> {
  const path = `/order/${client.ids.get(token)}/${action}`
  const headers = { 'idempotency-key': `${action}-${token}` }
  for (;;) {
    const answer = await site
      .call(
        'POST',
        `${action === 'advance' ? '/v1/test' : '/v1'}${path}`,
        { merchantId: site.merchantId, ...body },
        headers,
      )
      .catch((error: unknown) => {
        // The relay is dead: fetch has no better name for it.
        if (error instanceof TypeError || (error instanceof Error && error.name === 'TimeoutError')) return null
        throw error
      })
    if (answer?.status === 200) return answer
    if (answer !== null && answer.status < 500) throw new Error(`refused: ${JSON.stringify(answer.body)}`)
    await systemClock.sleep(20)
  }
}

/** Nothing printed at all, or the last word on paper is VOID, and only one slip is without a mark. */
function isVoidedOnce(papers: readonly string[]): boolean {
  const slips = papers.filter(isSlip)
  if (papers.length === 0) return true
  return isSlip(papers.at(-1) ?? '') && slips.filter((text) => !text.includes(DUPLICATE_MARK)).length <= 1
}

const isSlip = (text: string) => text.includes('*** VOID ***')

function paperOf(token: string): string[] {
  return printer.tickets.map((ticket) => ticket.text()).filter((text) => text.includes(token))
}

/** The kitchen has said what became of each, and its slips are out. */
async function untilVoided(tokens: readonly string[]): Promise<void> {
  for (const token of tokens) {
    await until(async () => {
      const { body } = await site.getOrder(client.ids.get(token) ?? '')
      return body.printState !== 'pending'
    })
    await until(() => isVoidedOnce(paperOf(token)))
  }
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + QUIET_WITHIN_MS
  while (!(await condition())) {
    if (performance.now() > deadline) return
    await systemClock.sleep(20)
  }
}
