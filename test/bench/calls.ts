// What 200 calls at once cost: how soon a caller is answered, and what those wait who inject orders meanwhile. The same orders without and with calls, in turns.
import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { hooksOf } from '#cloud/telephony/hook-address.ts'
import { systemClock } from '#shared/clock.ts'
import { E164, giveTelephone, NUMBER } from '#test/fixtures/telephone-number.ts'
import { cpuMsOf } from '#test/guard/process-cpu.ts'
import type { CallersAsk, CallersStart, CallsHeard } from './caller-process.ts'
import { type Figure, median, ms, percentile } from './figures.ts'
import { openSite } from './latency.ts'
import { offer } from './load.ts'
import { killAtExit } from './until-exit.ts'

const CALLERS = 200
const ORDERS_PER_SECOND = 50
/** Until all have called, and none says the same as all others. */
const INTO_CALLS_MS = 15_000
/** A restaurant that has written much. */
const ENTRIES = 40

interface Turn {
  /** Milliseconds until an order is accepted. */
  orders: number[]
  /** Processor time of the relay in a second. */
  cpuMs: number
  errors: number
}

interface WithCalls extends Turn {
  heard: CallsHeard
}

export async function callFigures(quick: boolean): Promise<Figure[]> {
  const seconds = quick ? 10 : 30
  const { without, beside } = await measureTurns(seconds, quick ? 1 : 3)
  const p99 = (values: readonly number[]): number => percentile(values, 99)
  const turnP99 = median(beside.map(({ heard }) => p99(heard.turns)))
  const turnP50 = median(beside.map(({ heard }) => median(heard.turns)))
  const perSecond = median(beside.map(({ heard }) => heard.turns.length / seconds))
  const [withP99, aloneP99] = [
    median(beside.map(({ orders }) => p99(orders))),
    median(without.map((t) => p99(t.orders))),
  ]
  const ratio = median(beside.map(({ orders }, round) => p99(orders) / p99(without[round]?.orders ?? [])))
  const cpu = median(
    beside.map(({ cpuMs, heard }, round) => {
      return ((cpuMs - (without[round]?.cpuMs ?? Number.NaN)) * seconds) / heard.turns.length
    }),
  )
  const errors = [...without, ...beside].reduce((sum, turn) => sum + turn.errors, 0)
  const what = `turn of a call, ${CALLERS} calls at once beside ${ORDERS_PER_SECOND} orders/s`
  return [
    {
      name: `${what}, p99`,
      goal: '<= 300 ms',
      value: `${ms(turnP99)} (p50 ${ms(turnP50)}; ${perSecond.toFixed(0)} turns/s)`,
      met: turnP99 <= 300,
    },
    { name: 'the same: processor time of the relay for a turn', goal: 'measured beside', value: ms(cpu), met: null },
    {
      name: 'the same: order accepted, p99 / without calls',
      goal: 'measured beside',
      value: `${ratio.toFixed(2)} x (${ms(withP99)} to ${ms(aloneP99)})`,
      met: null,
    },
    {
      name: 'the same: errors, and calls whose order was not placed',
      goal: '0',
      value: String(errors),
      met: errors === 0,
    },
  ]
}

/** Without, with, without, with: what else the machine does falls on both alike. */
async function measureTurns(seconds: number, rounds: number): Promise<{ without: Turn[]; beside: WithCalls[] }> {
  const masterKey = randomBytes(32).toString('base64')
  const bench = await openSite({
    cloudEnv: { CLOUD_MASTER_KEY: masterKey, CLOUD_VOICE_CALLS_AT_ONCE: '10000', CLOUD_VOICE_CALLS_A_DAY: '999999' },
    fill: async (db) => {
      const { id: merchantKey } = await db.read
        .selectFrom('merchants')
        .select('id')
        .where('public_id', '=', 'M-TEST-001')
        .executeTakeFirstOrThrow()
      const others = Array.from({ length: ENTRIES - 1 }, (_, n) => ({
        question: `What about matter ${n}, which nobody asks for?`,
        answer: `Matter ${n} is as it is.`,
      }))
      const knowledge = [{ question: 'Where can I park?', answer: 'Behind the house, for two hours.' }, ...others]
      const profile = { orders: { isOn: true, mostAmount: 150, mostOfALine: 20 } }
      await giveTelephone(db, { merchantKey, nowMs: systemClock.now() }, { profile, knowledge })
    },
  })
  const { site } = bench
  let firstNumber = 0
  const orders = async (during: number): Promise<Turn> => {
    const before = cpuMsOf(site.cloud.pid)
    const sent = await offer({
      url: site.cloudUrl,
      path: '/v1/order/inject',
      headers: { authorization: `Bearer ${site.apiKey}` },
      body: (token) => JSON.stringify(site.orderBody({ orderId: token, note: token })),
      ...{ perSecond: ORDERS_PER_SECOND, seconds: during, firstNumber },
    })
    firstNumber += sent.length
    const answered = sent.flatMap(({ sentAt, answeredAt }) => (answeredAt === null ? [] : [answeredAt - sentAt]))
    return {
      orders: answered,
      cpuMs: (cpuMsOf(site.cloud.pid) - before) / during,
      errors: sent.filter(({ status }) => status !== 200).length,
    }
  }
  const start: CallersStart = {
    ...{ url: site.cloudUrl, hooks: hooksOf(site.cloudUrl, NUMBER), to: E164 },
    ...{ masterKey, folder: join(site.dir, 'simulated'), callers: CALLERS },
  }
  const callers = new Callers()
  const without: Turn[] = []
  const beside: WithCalls[] = []
  await orders(5)
  for (let round = 0; round < rounds; round++) {
    await orders(2)
    without.push(await orders(seconds))
    callers.send(start)
    await orders(INTO_CALLS_MS / 1_000)
    await callers.ask('heard')
    const turn = await orders(seconds)
    const heard = await callers.ask('heard')
    const { failed } = await callers.ask('hang-up')
    beside.push({ ...turn, heard, errors: turn.errors + heard.failed + failed })
  }
  callers.end()
  await bench.stop()
  return { without, beside }
}

class Callers {
  readonly #process: ChildProcess

  constructor() {
    this.#process = fork(join(import.meta.dirname, 'caller-process.ts'))
    killAtExit(this.#process)
  }

  send(message: CallersStart | CallersAsk): void {
    this.#process.send(message)
  }

  ask(what: CallersAsk): Promise<CallsHeard> {
    return new Promise((resolve) => {
      this.#process.once('message', (message: CallsHeard) => resolve(message))
      this.send(what)
    })
  }

  end(): void {
    this.#process.kill('SIGKILL')
  }
}
