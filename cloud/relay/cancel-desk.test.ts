// Cancelling jobs, on a real SQLite file: what stays open after the loss of a disk, and which answers are accepted.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { recordPrintResult } from '#cloud/orders/record-print-result.ts'
import { asId, type PrintJobId } from '#shared/ids.ts'
import { SampledLog } from '#shared/sampled-log.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { OrderDesk, printer } from '#test/fixtures/order-desk.ts'
import { workEnded } from '#test/harness/databases-at-work.ts'
import { isOnPostgres } from '#test/harness/engines.ts'
import { COUNTS, ofOneRun } from '#test/harness/units-twice.ts'
import { CancelDesk } from './cancel-desk.ts'
import { GatewaySession } from './gateway-session.ts'

let desk: OrderDesk
let cancels: CancelDesk
let said: { t: string; jobId?: string }[]
beforeEach(async () => {
  desk = await OrderDesk.open(new ManualClock())
  await desk.pair([printer('pass', { isDefault: true })])
  said = []
  const { stores } = desk.api
  cancels = new CancelDesk({
    ...stores,
    settle: (job) => recordPrintResult(stores, { ...job, tickets: [], endedAtMs: stores.clock.now() }),
  })
})
afterEach(() => desk.close())

function session(stream: string, acked: number): GatewaySession {
  const { clock, log, db, dispatches } = desk.api.stores
  const facts = { gatewayId: desk.gatewayId, locationId: desk.api.locationId, stream, epoch: 1, bootId: 'boot' }
  const publish = (_topic: string, payload: string) => said.push(JSON.parse(payload)) > 0
  return new GatewaySession(
    {
      ...facts,
      ...{ acked, lastSeq: acked, fresh: true, isWithoutDetails: false, isWithoutDigests: false, canMove: false },
      recall: null,
    },
    { clock, log, db, dispatches, publish, lines: new SampledLog(log, clock), isInDoubt: () => false },
  )
}

/** An order that the gateway has and that is voided, but not answered for. */
async function voided(orderId: string): Promise<{ serviceOrderId: string; printJobId: PrintJobId }> {
  const { serviceOrderId, printJobId } = (await desk.api.inject({ orderId })).body
  await desk.handOver()
  await desk.void(serviceOrderId)
  return { serviceOrderId, printJobId: asId(printJobId) }
}

const read = async (id: string) => (await desk.get(`/v1/order/${id}`)).body
/** Resolves when everything that was begun before is on disk: the writer does one after the other, or there is none under way. */
async function written(): Promise<void> {
  if (isOnPostgres) return workEnded()
  for (let i = 0; i < 4; i++) await desk.api.db.unit(async () => {})
}

test('a cancel that was open when a gateway lost its disk is uncertain, whenever the relay writes that down', async () => {
  const { serviceOrderId } = await voided('a')
  await desk.api.db.unit((tx) => desk.api.stores.dispatches.requeueAfterLostStream(tx, desk.gatewayId))
  // The relay is killed here. What the next one finds:
  await cancels.ask(session('stream-b', 0))
  await written()
  expect(said).toEqual([])
  expect((await read(serviceOrderId)).printState).toBe('uncertain')
  expect(await desk.asked()).toEqual([])
})

test('an answer without a request settles nothing: another kitchen cannot give up this order', async () => {
  const { serviceOrderId, printJobId } = await voided('a')
  cancels.answered(session('stream-x', 9), printJobId, 'unknown_job')
  await written()
  expect((await read(serviceOrderId)).printState).toBe('pending')
  expect(await desk.asked()).toEqual([printJobId])
})

test('an answer to a request closes it', async () => {
  const { printJobId } = await voided('a')
  const here = session('stream-a', 1)
  await cancels.ask(here)
  expect(said).toMatchObject([{ t: 'cancel', jobId: printJobId, orderVoided: true }])
  cancels.answered(here, printJobId, 'too_late')
  await written()
  expect(await desk.asked()).toEqual([])
  cancels.forget(here)
})

ofOneRun(COUNTS)('an answer that is said again and again is written, and told in the log, once', async () => {
  const { printJobId } = await voided('a')
  const here = session('stream-a', 1)
  await cancels.ask(here)
  const write = vi.spyOn(desk.api.stores.dispatches, 'cancelAnswered')
  for (let n = 0; n < 20; n++) cancels.answered(here, printJobId, 'too_late')
  await written()
  expect(write).toHaveBeenCalledTimes(1)
  expect(desk.api.logLines.filter((line) => line.includes('cancel answered'))).toHaveLength(1)
  cancels.forget(here)
})
