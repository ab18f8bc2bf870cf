// A relay with a million orders beside one with a few: the same calls to both at the same time, so that what else the machine does falls on both
// alike; the milliseconds are therefore those of a machine with two relays at full load. Injected orders are scheduled: every row is written, and
// no kitchen works beside the measurement (printing has its own figures).
import autocannon from 'autocannon'
import { median } from './figures.ts'
import { pastOrderId } from './order-generator.ts'
import { FEW_ORDERS, MERCHANT_ID, orderBody, pastOrders, type Side, startRelay } from './past-orders.ts'

export interface Million {
  orders: number
  /** What the small one holds: enough that every list fills its page. */
  fewOrders: number
  generatedInSeconds: number
  /** Mean milliseconds of a call, by what was called, and how much slower the large one is: each the median of the rounds. */
  calls: Record<string, { few: number; many: number; ratio: number }>
  errors: number
}

const CONNECTIONS = 2

export async function measureMillion(orders: number, seconds: number, rounds: number): Promise<Million> {
  const { few, many, key, generatedInSeconds } = await pastOrders(orders)
  const sides = { few: await startRelay(few, key), many: await startRelay(many, key) }
  const calls: Million['calls'] = {}
  let errors = 0
  for (const [name, request] of Object.entries(await callsOf(sides.many))) {
    const means: Record<'few' | 'many', number[]> = { few: [], many: [] }
    for (let round = 0; round <= rounds; round++) {
      const length = round === 0 ? 1 : seconds
      const runs = await Promise.all([load(sides.few, request, length), load(sides.many, request, length)])
      for (const run of runs) errors += run.errors + run.non2xx
      // The first round warms both up.
      if (round === 0) continue
      means.few.push((CONNECTIONS * 1_000) / runs[0].requests.average)
      means.many.push((CONNECTIONS * 1_000) / runs[1].requests.average)
    }
    const ratio = median(means.many.map((mean, round) => mean / (means.few[round] ?? Number.NaN)))
    calls[name] = { few: median(means.few), many: median(means.many), ratio }
  }
  await Promise.all([sides.few.program.kill('SIGTERM'), sides.many.program.kill('SIGTERM')])
  return { orders, fewOrders: FEW_ORDERS, generatedInSeconds, calls, errors }
}

type Call = () => { method: 'GET' | 'POST'; path: string; body?: string }

/** What is measured. The deep page is taken of the large one; the small one has it too. */
async function callsOf(many: Side): Promise<Record<string, Call>> {
  const list = (query: string): Call => {
    const path = `/v1/orders?merchantId=${MERCHANT_ID}&limit=25${query}`
    return () => ({ method: 'GET', path })
  }
  // Later than a day ahead: not yet handed to a kitchen.
  const fireAt = new Date(Date.now() + 2 * 86_400_000).toISOString()
  return {
    inject: () => ({ method: 'POST', path: '/v1/order/inject', body: orderBody('inject', fireAt) }),
    'list, newest page': list(''),
    'list, by status': list('&status=voided'),
    'list, by source': list('&source=kiosk-3'),
    'list, by orderId': list(`&orderId=${pastOrderId(1_000)}`),
    'list, of a span': list(`&to=${new Date(Date.now() - 200 * 86_400_000).toISOString()}`),
    'list, tenth page': list(`&cursor=${await tenthPage(many)}`),
  }
}

async function tenthPage({ url, key }: Side): Promise<string> {
  let cursor = ''
  for (let page = 1; page < 10; page++) {
    const path = `/v1/orders?merchantId=${MERCHANT_ID}&limit=25${cursor === '' ? '' : `&cursor=${cursor}`}`
    const answer = await fetch(url + path, { headers: { authorization: `Bearer ${key}` } })
    cursor = ((await answer.json()) as { nextCursor: string }).nextCursor
  }
  return cursor
}

function load({ url, key }: Side, call: Call, seconds: number): Promise<autocannon.Result> {
  return autocannon({
    url,
    connections: CONNECTIONS,
    duration: seconds,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    requests: [{ setupRequest: (request) => ({ ...request, ...call() }) }],
  })
}
