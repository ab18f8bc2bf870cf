// What open dashboards cost whoever injects orders: the same load without and with 20 pages of orders open on its restaurant, in turns.
import autocannon from 'autocannon'
import { openStores } from '#cloud/storage/stores.ts'
import { systemClock } from '#shared/clock.ts'
import type { AccountId } from '#shared/ids.ts'
import { newPerson, newSession, type SignedInPerson } from '#test/fixtures/sign-in.ts'
import { cpuMsOf } from '#test/guard/process-cpu.ts'
import type { Site } from '#test/harness/site.ts'
import { type Figure, median, ms } from './figures.ts'
import { openSite, type SiteBench } from './latency.ts'
import { OpenOrdersPage } from './open-pages.ts'

const PAGES = 20
/** A person may have eight feeds. */
const PEOPLE = 5
const WARM_UP_SECONDS = 5
/** A page asks the more rarely the longer a rush goes on: it is measured within one. Without pages it is as long, so that both are as warm. */
const INTO_RUSH_SECONDS = 4

interface Turn {
  perSecond: number
  p50: number
  p99: number
  /** Processor time of the relay for an order. */
  cpuMs: number
  /** Answers other than 2xx, and requests without an answer, of the load and of the pages. */
  errors: number
  /** What a page got: messages that changed orders, and whole lists. */
  patches: number
  lists: number
}

interface Turns {
  without: Turn[]
  with: Turn[]
}

export async function openDashboardFigures(quick: boolean): Promise<Figure[]> {
  const turns = await measureTurns(quick ? 4 : 8, quick ? 3 : 10)
  const ratio = (of: (turn: Turn) => number): number =>
    median(turns.with.map((turn, round) => of(turn) / of(turns.without[round] ?? turn)))
  const both = (of: (turn: Turn) => number): [number, number] => [
    median(turns.with.map(of)),
    median(turns.without.map(of)),
  ]
  const perSecond = ratio((turn) => turn.perSecond)
  const [withPages, alone] = both((turn) => turn.perSecond)
  const cpu = ratio((turn) => turn.cpuMs)
  const [cpuWith, cpuAlone] = both((turn) => turn.cpuMs)
  const [p50With, p50Alone] = both((turn) => turn.p50)
  const [p99With, p99Alone] = both((turn) => turn.p99)
  const errors = [...turns.with, ...turns.without].reduce((sum, turn) => sum + turn.errors, 0)
  const heard = `each page heard ${median(turns.with.map(({ patches }) => patches))} changes and read its list ${median(turns.with.map(({ lists }) => lists))} times a turn`
  return [
    {
      name: `sustained inject with ${PAGES} dashboards open on its restaurant / without`,
      goal: '>= 0.97 x',
      value: `${perSecond.toFixed(2)} x (${Math.round(withPages)}/s to ${Math.round(alone)}/s; ${heard})`,
      met: perSecond >= 0.97,
    },
    {
      name: 'the same: processor time of the relay for an order',
      goal: '<= 1.03 x',
      value: `${cpu.toFixed(2)} x (${ms(cpuWith)} to ${ms(cpuAlone)})`,
      met: cpu <= 1.03,
    },
    {
      name: 'the same: inject answered, p50 / p99',
      goal: 'measured beside',
      value: `${ms(p50With)} / ${ms(p99With)} (without: ${ms(p50Alone)} / ${ms(p99Alone)})`,
      met: null,
    },
    { name: 'errors of these runs', goal: '0', value: String(errors), met: errors === 0 },
  ]
}

/** Without, with, without, with: what else the machine does falls on both alike. */
async function measureTurns(seconds: number, rounds: number): Promise<Turns> {
  const { bench, people, accountId } = await openWithPeople()
  const { site } = bench
  const load = new Load(site)
  const place = { url: site.cloudUrl, accountId, merchantId: site.merchantId }
  const turns: Turns = { with: [], without: [] }
  await load.run(WARM_UP_SECONDS, [])
  for (let round = 0; round < rounds; round++) {
    await load.run(INTO_RUSH_SECONDS, [])
    turns.without.push(await load.run(seconds, []))
    const pages = people.flatMap((person) =>
      Array.from({ length: PAGES / PEOPLE }, () => new OpenOrdersPage(place, person)),
    )
    await Promise.all(pages.map((page) => page.open()))
    await load.run(INTO_RUSH_SECONDS, pages)
    turns.with.push(await load.run(seconds, pages))
    for (const page of pages) page.close()
  }
  await bench.stop()
  return turns
}

async function openWithPeople(): Promise<{ bench: SiteBench; people: SignedInPerson[]; accountId: AccountId }> {
  const people: SignedInPerson[] = []
  let accountId = '' as AccountId
  const bench = await openSite({
    fill: async (db) => {
      const nowMs = systemClock.now()
      const stores = openStores(db)
      accountId = (await db.read.selectFrom('accounts').select('id').executeTakeFirstOrThrow()).id
      const member = [{ role: 'owner' as const, accountId }]
      await db.unit(async (tx) => {
        for (let made = 0; made < PEOPLE; made++) {
          const userId = await newPerson(tx, stores, { member, nowMs })
          people.push(await newSession(tx, stores, { userId, nowMs }))
        }
      })
    },
  })
  return { bench, people, accountId }
}

class Load {
  readonly #site: Site
  /** Later than a day ahead: every row is written, and the kitchen, which is there, does not work beside the measurement. */
  readonly #fireAt = new Date(Date.now() + 2 * 86_400_000).toISOString()
  #next = 0

  constructor(site: Site) {
    this.#site = site
  }

  async run(seconds: number, pages: readonly OpenOrdersPage[]): Promise<Turn> {
    const { cloudUrl, apiKey, cloud } = this.#site
    const sum = (what: 'patches' | 'lists' | 'refused'): number => pages.reduce((all, page) => all + page[what], 0)
    const before = { cpuMs: cpuMsOf(cloud.pid), patches: sum('patches'), lists: sum('lists'), refused: sum('refused') }
    const run = await autocannon({
      url: `${cloudUrl}/v1/order/inject`,
      method: 'POST',
      connections: 50,
      duration: seconds,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` },
      requests: [{ setupRequest: (request) => ({ ...request, body: this.#body() }) }],
    })
    return {
      perSecond: run.requests.average,
      p50: run.latency.p50,
      p99: run.latency.p99,
      cpuMs: (cpuMsOf(cloud.pid) - before.cpuMs) / run.requests.total,
      errors: run.errors + run.non2xx + sum('refused') - before.refused,
      patches: (sum('patches') - before.patches) / PAGES,
      lists: (sum('lists') - before.lists) / PAGES,
    }
  }

  #body(): string {
    const order = { orderId: `dashboards-${this.#next++}`, note: 'no onions', fireAt: this.#fireAt }
    return JSON.stringify(this.#site.orderBody(order))
  }
}
