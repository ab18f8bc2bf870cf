// What one flooder costs all others: order to first byte at the printer, the relay's memory and its log, each flood beside a quiet phase of
// the same programs just before it.
import { readFileSync } from 'node:fs'
import { FAULT_MERCHANTS } from '#cloud/sandbox/fixture-merchants.ts'
import { CLAIM_PATH } from '#shared/wire/gateway-claim.ts'
import { Site } from '#test/harness/site.ts'
import { BenchPrinter } from './bench-printer.ts'
import { childWithPorts } from './child.ts'
import { measureOurs } from './latency.ts'

const FLOODS = [
  'results',
  'hellos',
  'junk',
  'filters',
  'passwords',
  'connections',
  'resets',
  'frames',
  'documents',
  'unread',
] as const
/** These need no gateway. */
const OF_STRANGERS: readonly string[] = ['passwords', 'connections', 'resets', 'frames', 'documents', 'unread']

export interface Phase {
  name: string
  /** Request -> first byte at the printer, milliseconds. */
  p50: number
  lost: number
  /** Largest at a look. */
  rssMb: number
  logBytesAMinute: number
}

const PER_SECOND = 20
const LOOK_EVERY_MS = 250

export interface Flood {
  quiet: Phase
  flooded: Phase
}

/** Each on a relay of its own: what one does to the memory stays there for a while. */
export async function measureFloods(seconds: number): Promise<Flood[]> {
  const floods: Flood[] = []
  for (const name of FLOODS) floods.push(await measureFlood(name, seconds))
  return floods
}

async function measureFlood(name: (typeof FLOODS)[number], seconds: number): Promise<Flood> {
  const printer = new BenchPrinter()
  const site = new Site({ printers: `kitchen=127.0.0.1:${await printer.start()}`, keepLog: true })
  await site.start()
  const bench = { site, printer, stop: async () => undefined }
  const { gatewayId, token } = OF_STRANGERS.includes(name)
    ? { gatewayId: 'gw_nobody', token: 'n'.repeat(43) }
    : await claimElsewhere(site)
  const quiet = await phase('quiet', bench, seconds)
  const ports = [String(site.mqttPort), new URL(site.cloudUrl).port]
  const flooder = await childWithPorts('flooder.ts', [name, ...ports, gatewayId, token])
  const flooded = await phase(name, bench, seconds)
  await flooder.stop()
  await site.stop()
  await printer.stop()
  return { quiet, flooded }
}

/** A gateway of another location than the kitchen's, so that no order goes to it. */
async function claimElsewhere(site: Site): Promise<{ gatewayId: string; token: string }> {
  const { body } = await site.call('GET', '/v1/merchants')
  type Merchant = { merchantId: string; locations: { locationId: string }[] }
  const all: Merchant[] = body.data
  // Those of the sandbox that answer late or with 500 are no kitchen.
  const faulty: string[] = Object.values(FAULT_MERCHANTS)
  const other = all.find((one) => one.merchantId !== site.merchantId && !faulty.includes(one.merchantId))
  const { merchantId, locations } = other ?? all[0] ?? { locations: [] }
  const locationId = locations.at(-1)?.locationId
  const code = await site.call('POST', '/v1/gateway/claim-code', {
    merchantId,
    locationId,
    name: 'Flood',
  })
  const claim = { code: code.body.claimCode, attempt: 'a'.repeat(43), stream: 'flood', app: 'flood/1', hw: 'bench' }
  const claimed = await site.call('POST', CLAIM_PATH, claim)
  if (claimed.status !== 200)
    throw new Error(`the flooder was not let in: ${JSON.stringify([code.body, claimed.body])}`)
  return claimed.body
}

async function phase(name: string, bench: Parameters<typeof measureOurs>[0], seconds: number): Promise<Phase> {
  const { cloud } = bench.site
  const logged = cloud.log.length
  const startedAt = performance.now()
  let rssMb = 0
  const looks = setInterval(() => {
    const [, kb = '0'] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${cloud.pid}/status`, 'utf8')) ?? []
    rssMb = Math.max(rssMb, Number(kb) / 1_000)
  }, LOOK_EVERY_MS)
  const run = await measureOurs(bench, PER_SECOND, seconds)
  clearInterval(looks)
  // What the orders themselves write is in both phases: their walk.
  const lines = cloud.log.slice(logged).filter(({ walk }) => walk === undefined)
  const bytes = lines.reduce((sum, line) => sum + JSON.stringify(line).length, 0)
  const minutes = (performance.now() - startedAt) / 60_000
  // What a minute's budget lets through stands at its beginning: a shorter phase is not multiplied.
  const logBytesAMinute = bytes / Math.max(1, minutes)
  return { name, p50: run.firstByte.p50, lost: run.offered - run.printed, rssMb, logBytesAMinute }
}
