// Jobs of a kitchen between two relays: each goes to one gateway, and what was taken back before it was sent is never sent.
import { afterEach, beforeEach, describe, it } from 'vitest'
import { boardJobId } from '#cloud/storage/board-job.ts'
import type { OutgoingJob } from '#cloud/storage/dispatch-store.ts'
import { holdRow } from '#cloud/storage/hold.ts'
import { asId, type GatewayId, type PrintJobId } from '#shared/ids.ts'
import { atOnce, failures, race, resultOf, when } from './race.ts'
import { type Relay, TwoRelays } from './two-relays.ts'

let relays: TwoRelays
let gateways: [StreamOf, StreamOf]
beforeEach(async () => {
  relays = await TwoRelays.open()
  gateways = [await newStream('gw_one'), await newStream('gw_two')]
})
afterEach(() => relays.close())

/** A gateway of the default location, and how far the relay's session has given numbers out. */
interface StreamOf {
  gatewayId: GatewayId
  stream: string
  lastSeq: number
}

async function newStream(id: string): Promise<StreamOf> {
  const gatewayId = asId<'gw'>(id)
  const { db, gateways: store } = relays.a
  const nowMs = relays.clock.now()
  const stream = `stream-${id}`
  await db.unit(async (tx) => {
    const { locationId } = relays
    await store.insert(tx, { id: gatewayId, locationId, name: id, tokenHash: '0', shard: 0, createdAtMs: nowMs })
    const numbers = { ackedSeq: 0, lastSeq: 0, sessionEpoch: 1 }
    const hello = { gatewayId, stream, ...numbers, bootId: 'boot', appVersion: '1', caps: [], nowMs }
    await store.recordHello(tx, hello)
  })
  return { gatewayId, stream, lastSeq: 0 }
}

/** As a session does it. Null: the session was taken over. */
async function claim(relay: Relay, to: StreamOf, maxJobs = 16): Promise<OutgoingJob[] | null> {
  const { gatewayId, stream, lastSeq } = to
  const nowMs = relays.clock.now()
  const window = { maxJobs, maxBytes: 1e6, atLeastOne: true, nowMs }
  const at = { gatewayId, stream, lastSeq, epoch: 1, locationId: relays.locationId }
  const jobs = await relay.db.unit((tx) => relay.dispatches.claim(tx, { ...at, ...window }))
  to.lastSeq = jobs?.at(-1)?.seq ?? lastSeq
  return jobs
}

let made = 0
async function insertJobs(count: number): Promise<PrintJobId[]> {
  const ids: PrintJobId[] = []
  const content = [{ type: 'text' as const, text: 'Béarnaise' }]
  const target = { printerId: null, station: null, copies: 1 }
  const place = { merchantId: 'M-TEST-001', locationId: relays.locationId, timeZone: 'UTC' }
  const print = { ...place, title: null, content, target, queuedAtMs: 0 }
  const times = { availableAtMs: 0, notBeforeMs: null, expiresAtMs: null, createdAtMs: 0 }
  await relays.db.unit(async (tx) => {
    for (let i = 0; i < count; i++) {
      const id = asId<'pj'>(`pj_${made++}`)
      ids.push(id)
      const job = { id, orderId: null, locationId: relays.locationId, doc: { kind: 'label' as const, print }, ...times }
      await relays.a.dispatches.insert(tx, job)
    }
  })
  return ids
}

const rowOf = (id: PrintJobId) =>
  relays.db.read.selectFrom('dispatches').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

describe('two claims of the jobs of one location, for its two gateways', () => {
  it('give no job to both, lose none, and no number of a stream is given twice', async () => {
    await race(async (round) => {
      const ids = await insertJobs(5)
      const results = await atOnce(
        () => claim(relays.relay(round), gateways[0], 3),
        () => claim(relays.relay(round + 1), gateways[1], 3),
      )
      const rest = await claim(relays.a, gateways[0])
      const lists = [...results.map(resultOf), rest]
      const taken = lists.flatMap((jobs) => jobs ?? []).map(({ jobId }) => jobId)
      const twice = taken.filter((id, i) => taken.indexOf(id) !== i)
      const wrong = [
        ...failures(results),
        ...when(lists.includes(null), 'a session was taken for another'),
        ...twice.map(() => 'a job went to both gateways'),
        ...ids.filter((id) => !taken.includes(id)).map(() => 'a job went to none'),
      ]
      return wrong
    })
  })

  it('by one session of one gateway at both relays hand each job out once', async () => {
    await race(async () => {
      const ids = await insertJobs(4)
      const [gateway] = gateways
      const views = [{ ...gateway }, { ...gateway }] as const
      const results = await atOnce(
        () => claim(relays.a, views[0], 2),
        () => claim(relays.b, views[1], 2),
      )
      const all = results.flatMap((result) => resultOf(result) ?? [])
      gateway.lastSeq = Math.max(...views.map(({ lastSeq }) => lastSeq))
      const rest = (await claim(relays.a, gateway)) ?? []
      const taken = [...all, ...rest]
      return [
        ...failures(results),
        ...when(new Set(taken.map(({ jobId }) => jobId)).size !== taken.length, 'a job was handed out twice'),
        ...when(new Set(taken.map(({ seq }) => seq)).size !== taken.length, 'a number was given twice'),
        ...when(taken.length !== ids.length, 'a job was not handed out'),
      ]
    })
  })
})

describe('a claim while another unit changes its gateway and then the jobs of the location', () => {
  it('holds the gateway first, so neither waits for the other', async () => {
    await race(async () => {
      await insertJobs(2)
      const [gateway] = gateways
      const results = await atOnce(
        () => claim(relays.a, gateway),
        () =>
          relays.b.db.unit(async (tx) => {
            await holdRow(tx, 'gateways', gateway.gatewayId)
            await tx.updateTable('dispatches').set({ available_at: 1 }).where('state', '=', 'queued').execute()
          }),
      )
      await claim(relays.a, gateway)
      return failures(results)
    })
  })
})

describe('a job that is taken back while it is claimed', () => {
  it('is never sent after it was reported as cancelled, and never lost to a claim without a cancel request', async () => {
    await race(async (round) => {
      const [jobId = asId<'pj'>('pj_none')] = await insertJobs(1)
      const taker = relays.relay(round + 1)
      const results = await atOnce(
        () => claim(relays.relay(round), gateways[0]),
        () => taker.db.unit((tx) => taker.dispatches.requestCancel(tx, jobId, relays.clock.now())),
      )
      const claimed = (resultOf(results[0]) ?? []).some((job) => job.jobId === jobId)
      const said = resultOf(results[1])
      const row = await rowOf(jobId)
      return [
        ...failures(results),
        ...when(said === 'cancelled' && claimed, 'a job was sent that was said to be cancelled'),
        ...when(said === 'cancelled' && row.state !== 'cancelled', `said to be cancelled, and ${row.state}`),
        ...when(said === 'requested' && !claimed, 'nobody has the job that is asked back'),
        ...when(said === 'requested' && row.cancel_requested_at === null, 'the gateway is not asked'),
        ...when(claimed && row.gateway_id === null, 'a job that was sent does not say to whom'),
      ]
    })
  })

  it('by the void of its order is not on paper when the order reports that', async () => {
    await race(async (round) => {
      const { body } = await relays.a.api.inject({ orderId: `order-${round}` })
      const jobId = asId<'pj'>(body.printJobId ?? boardJobId(body.serviceOrderId))
      const results = await atOnce(
        () => claim(relays.relay(round), gateways[round % 2 === 0 ? 0 : 1]),
        () => relays.relay(round + 1).desk.void(body.serviceOrderId),
      )
      const claimed = (resultOf(results[0]) ?? []).some((job) => job.jobId === jobId)
      const row = await rowOf(jobId)
      const order = await relays.a.orders.find(await relays.merchant(), body.serviceOrderId)
      return [
        ...failures(results),
        ...when(resultOf(results[1])?.status !== 200, 'the order was not voided'),
        ...when(claimed && order?.print_state === 'cancelled', 'a ticket was sent that is said not to be printed'),
        ...when(claimed && row.cancel_requested_at === null, 'the gateway is not asked to take the ticket back'),
        ...when(!claimed && row.state !== 'cancelled', `the job was not sent, and is ${row.state}`),
      ]
    })
  })
})

describe('a result of a job while its order is voided', () => {
  it('leaves a void that is requested, or paper that the gateway is asked to void', async () => {
    await race(async (round) => {
      const { body } = await relays.a.api.inject({ orderId: `result-${round}` })
      const jobId = asId<'pj'>(body.printJobId)
      await claim(relays.a, gateways[0])
      const results = await atOnce(
        () => relays.relay(round).desk.report(jobId, 'printed'),
        () => relays.relay(round + 1).desk.void(body.serviceOrderId),
      )
      const row = await rowOf(jobId)
      const order = await relays.a.orders.find(await relays.merchant(), body.serviceOrderId)
      return [
        ...failures(results),
        ...when(row.state !== 'printed', `the job is ${row.state}`),
        ...when(order?.print_state !== 'printed', `it is on paper, and the order says ${order?.print_state}`),
        ...when(order?.status !== 'voided', `the order was voided, and is ${order?.status}`),
        ...when(row.cancel_requested_at === null, 'nobody prints the VOID slip'),
      ]
    })
  })
})
