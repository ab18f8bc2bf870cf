// Sustained inject over HTTP with durable commits against the same route without storage, side by side by autocannon. "The same route" is
// the same server and inject code, kitchen document, event limits, meter and log lines included, over stores in memory (bare-server.ts).
import autocannon from 'autocannon'
import { childWithPorts } from './child.ts'
import { median } from './figures.ts'
import { openSite } from './latency.ts'

export interface Throughput {
  barePerSecond: number
  durablePerSecond: number
  bareP99: number
  durableP99: number
}

async function run(url: string, key: string, body: () => string, seconds: number) {
  return autocannon({
    url: `${url}/v1/order/inject`,
    method: 'POST',
    connections: 50,
    duration: seconds,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    requests: [{ setupRequest: (request) => ({ ...request, body: body() }) }],
  })
}

/** The gateway is stopped meanwhile: this is about accepting orders; printing them has its own figures. */
export async function measureThroughput(seconds: number, rounds: number): Promise<Throughput> {
  const bench = await openSite()
  const { site } = bench
  await site.gateway.kill('SIGTERM')
  const merchant = JSON.stringify({ merchantId: site.merchantId, umsIds: site.umsIds })
  const bare = await childWithPorts('bare-server.ts', [site.apiKey, merchant])
  const bareUrl = `http://127.0.0.1:${bare.ports['http']}`
  let next = 0
  // Scheduled, because orders due now would be answered 503 while no gateway is there. Every row is written all the same.
  const fireAt = new Date(Date.now() + 3_600_000).toISOString()
  const body = () => JSON.stringify(site.orderBody({ orderId: `tp-${next++}`, note: 'no onions', fireAt }))
  await run(bareUrl, site.apiKey, body, 2)
  await run(site.cloudUrl, site.apiKey, body, 2)
  const bareRuns: autocannon.Result[] = []
  const durableRuns: autocannon.Result[] = []
  for (let round = 0; round < rounds; round++) {
    bareRuns.push(await run(bareUrl, site.apiKey, body, seconds))
    durableRuns.push(await run(site.cloudUrl, site.apiKey, body, seconds))
  }
  await bare.stop()
  await bench.stop()
  const refused = [...bareRuns, ...durableRuns].reduce((sum, { errors, non2xx }) => sum + errors + non2xx, 0)
  // Quick to answer, and no orders: their rate says nothing.
  if (refused > 0) throw new Error(`throughput: ${refused} of these requests took no order`)
  return {
    barePerSecond: median(bareRuns.map((r) => r.requests.average)),
    durablePerSecond: median(durableRuns.map((r) => r.requests.average)),
    bareP99: median(bareRuns.map((r) => r.latency.p99)),
    durableP99: median(durableRuns.map((r) => r.latency.p99)),
  }
}
