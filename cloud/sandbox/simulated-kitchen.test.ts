// The simulated kitchen: what it prints, when, what it goes on with after a start, and what it never touches.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { recordPrintResult } from '#cloud/orders/record-print-result.ts'
import { registerGateway } from '#cloud/relay/gateway-registry.ts'
import { SandboxKitchenStore } from '#cloud/storage/sandbox-kitchen-store.ts'
import { SandboxTicketStore } from '#cloud/storage/sandbox-ticket-store.ts'
import type { LocationId, PrintJobId, ServiceOrderId } from '#shared/ids.ts'
import { newId } from '#shared/ids.ts'
import type { JobDoc } from '#shared/wire/gateway-link.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { RelayApi } from '#test/doubles/relay-api.ts'
import { passSettled } from '#test/harness/settled-time.ts'
import { SimulatedKitchen } from './simulated-kitchen.ts'
import { paperOf } from './ticket-paper.ts'

let api: RelayApi
let clock: ManualClock
let kitchen: SimulatedKitchen
let tickets: SandboxTicketStore
beforeEach(async () => {
  clock = new ManualClock()
  api = await RelayApi.open({ clock })
  tickets = new SandboxTicketStore(api.db)
  kitchen = makeKitchen()
  await kitchen.start()
})
afterEach(async () => {
  vi.restoreAllMocks()
  await kitchen.stop()
  await api.close()
})

function makeKitchen(): SimulatedKitchen {
  return new SimulatedKitchen({
    ...api.stores,
    sandboxKitchens: new SandboxKitchenStore(api.db),
    sandboxTickets: tickets,
    recordResult: (result) => recordPrintResult(api.stores, result),
    retentionDays: 90,
    deletionClock: clock,
  })
}

const advance = (ms: number) => passSettled({ db: api.db, clock }, ms)

const paper = async () =>
  (await api.db.read.selectFrom('sandbox_tickets').selectAll().orderBy('ticket_id').execute()).map((row) => ({
    ...row,
    text: paperOf({ bytes: row.bytes, profileId: row.profile_id }).text(),
  }))
const jobOf = async (printJobId: string) =>
  api.db.read
    .selectFrom('dispatches')
    .selectAll()
    .where('id', '=', printJobId as PrintJobId)
    .executeTakeFirstOrThrow()
const orderOf = (serviceOrderId: ServiceOrderId) =>
  api.db.read
    .selectFrom('orders')
    .select(['status', 'print_state'])
    .where('id', '=', serviceOrderId)
    .executeTakeFirstOrThrow()

async function submit(
  doc: JobDoc,
  change: { locationId?: LocationId; expiresAtMs?: number; orderId?: ServiceOrderId } = {},
): Promise<PrintJobId> {
  const id = newId('pj', clock.now())
  const { locationId = api.locationId, expiresAtMs = null, orderId = null } = change
  await api.db.unit(async (tx) => {
    await api.stores.dispatches.insert(tx, {
      id,
      orderId,
      locationId,
      doc,
      availableAtMs: clock.now(),
      notBeforeMs: null,
      expiresAtMs,
      createdAtMs: clock.now(),
    })
  })
  api.stores.dispatches.changed.notify(locationId)
  return id
}

const label: JobDoc = {
  kind: 'label',
  print: {
    merchantId: 'M-TEST-001',
    locationId: 'loc',
    title: null,
    content: [{ type: 'text', text: 'Béarnaise 21.11.' }],
    target: { printerId: null, station: null, copies: 2 },
    queuedAtMs: 0,
    timeZone: 'UTC',
  },
}

describe('an order', () => {
  test('is on paper 300 ms after it was taken, one ticket a station, and counts as printed', async () => {
    const { serviceOrderId, printJobId } = (await api.inject()).body
    await advance(299)
    expect(await paper()).toEqual([])
    expect(await orderOf(serviceOrderId)).toEqual({ status: 'accepted', print_state: 'pending' })
    await advance(1)
    expect(await orderOf(serviceOrderId)).toEqual({ status: 'printed', print_state: 'printed' })
    const [hot, cold] = await paper()
    expect(hot).toMatchObject({
      printer_name: 'Kitchen',
      kind: 'order',
      print_job_id: printJobId,
      merchant_id: api.merchantKey,
    })
    expect(hot?.text).toContain('Smash Burger')
    expect(hot?.text).toContain('Extra Cheese')
    expect(hot?.text).not.toContain('Crème')
    expect(cold).toMatchObject({ printer_name: 'Cold Line', profile_id: 'epson-impact' })
    expect(cold?.text).toContain('Crème brûlée')
  })

  test('of two courses holds the second until it is fired, and has the reason on VOID slips', async () => {
    const items = [1, 2].map((course) => ({ umsId: 'UMS-BURGER-01', qty: course, price: 12.5, course }))
    const { serviceOrderId } = (await api.inject({ items, total: 37.5, tip: 0 })).body
    await advance(300)
    const [first, ...others] = await paper()
    expect(others).toEqual([])
    expect(first?.text).toMatch(/1 +Smash Burger[\s\S]*HOLD COURSE 2: 2 Smash Burger/)
    const { order } = JSON.parse((await jobOf((first?.print_job_id ?? '') as string)).doc)
    await submit({ kind: 'fire', order, course: 2, firedAtMs: clock.now() }, { orderId: serviceOrderId })
    await advance(300)
    const fired = (await paper()).filter(({ kind }) => kind === 'fire')
    expect(fired).toHaveLength(1)
    expect(fired[0]?.text).toContain('FIRE COURSE 2')
    await api.db.unit(async (tx) => {
      await api.stores.orders.update(tx, serviceOrderId, { status: 'voided', void_reason: 'guest left' })
      for (const ticket of [first, fired[0]])
        if (ticket) await api.stores.dispatches.requestCancel(tx, ticket.print_job_id, clock.now())
    })
    api.stores.dispatches.changed.notify(api.locationId)
    await advance(1_000)
    const slips = (await paper()).filter(({ kind }) => kind === 'void')
    expect(slips).toHaveLength(2)
    for (const slip of slips) expect(slip.text).toContain('REASON: guest left')
  })

  test('that is scheduled is printed at its time, also when the relay was started again in between', async () => {
    const fireAt = new Date(clock.now() + 3_600_000).toISOString()
    await api.inject({ fireAt })
    await advance(1_000)
    await kitchen.stop()
    kitchen = makeKitchen()
    await kitchen.start()
    await advance(3_598_000)
    expect(await paper()).toEqual([])
    await advance(2_000)
    expect((await paper()).map((ticket) => ticket.kind)).toEqual(['order', 'order'])
  })

  test('that was claimed before a crash is printed once, by the next start', async () => {
    const { printJobId } = (await api.inject()).body
    await advance(100)
    await kitchen.stop()
    expect((await jobOf(printJobId)).state).toBe('accepted')
    kitchen = makeKitchen()
    await kitchen.start()
    await advance(1_000)
    await advance(5_000)
    expect(await paper()).toHaveLength(2)
    expect((await jobOf(printJobId)).state).toBe('printed')
  })

  test('that arrived while no kitchen listened is found by the sweep', async () => {
    await kitchen.stop()
    await api.inject()
    kitchen = makeKitchen()
    await kitchen.start()
    await advance(2_000)
    expect(await paper()).toHaveLength(2)
  })

  test('that is taken back before it is printed is never printed', async () => {
    const { serviceOrderId, printJobId } = (await api.inject()).body
    await advance(100)
    expect(await api.db.unit((tx) => api.stores.dispatches.requestCancel(tx, printJobId, clock.now()))).toBe(
      'requested',
    )
    api.stores.dispatches.changed.notify(api.locationId)
    await advance(5_000)
    expect(await paper()).toEqual([])
    expect((await jobOf(printJobId)).state).toBe('cancelled')
    expect((await orderOf(serviceOrderId)).print_state).toBe('cancelled')
  })

  test('that is taken back while it is being laid out is never on paper', async () => {
    const { printJobId } = (await api.inject()).body
    const read = SandboxKitchenStore.prototype.job
    vi.spyOn(SandboxKitchenStore.prototype, 'job').mockImplementationOnce(async function (
      this: SandboxKitchenStore,
      ...input
    ) {
      const job = await read.apply(this, input)
      await api.db.unit((tx) => api.stores.dispatches.requestCancel(tx, printJobId, clock.now()))
      return job
    })
    await advance(5_000)
    expect(await paper()).toEqual([])
    expect((await jobOf(printJobId)).state).toBe('cancelled')
  })
})

test('an order that is taken back after it was printed gets one VOID slip a ticket, and only once', async () => {
  const { printJobId } = (await api.inject()).body
  await advance(300)
  await api.db.unit((tx) => api.stores.dispatches.requestCancel(tx, printJobId, clock.now()))
  api.stores.dispatches.changed.notify(api.locationId)
  await advance(5_000)
  const slips = (await paper()).filter((ticket) => ticket.kind === 'void')
  expect(slips.map((slip) => slip.ticket_id)).toEqual([`${printJobId}-1v`, `${printJobId}-2v`])
  for (const slip of slips) expect(slip.text).toMatch(/VOID[\s\S]*DO NOT MAKE/)
  expect((await jobOf(printJobId)).state).toBe('printed')
  await kitchen.stop()
  kitchen = makeKitchen()
  await kitchen.start()
  await advance(5_000)
  expect(await paper()).toHaveLength(4)
})

test('a voided order’s reprint gets a slip only where the order has none; a reprint that is taken back alone gets none', async () => {
  const { serviceOrderId, printJobId } = (await api.inject()).body
  const { order } = JSON.parse((await jobOf(printJobId)).doc) as Extract<JobDoc, { kind: 'order' }>
  await advance(300)
  const reprint = (printerId: string | null) =>
    submit({ kind: 'reprint', order, target: { printerId, station: null, copies: 2 } }, { orderId: serviceOrderId })
  const first = (await paper())[0]?.printer_id ?? ''
  const { printers } = (await api.stores.printJobs.kitchensAt(api.locationId))[0]!
  const used = new Set((await paper()).map((ticket) => ticket.printer_id))
  const other = printers.find(({ printerId }) => !used.has(printerId))?.printerId ?? null
  const jobs = [await reprint(first), await reprint(other)]
  await advance(300)
  const slips = async () => (await paper()).filter((ticket) => ticket.kind === 'void')
  const takeBack = async (ids: readonly PrintJobId[]) => {
    const { dispatches } = api.stores
    for (const id of ids) await api.db.unit((tx) => dispatches.requestCancel(tx, id, clock.now()))
    dispatches.changed.notify(api.locationId)
    await advance(5_000)
  }
  const alone = await reprint(first)
  await advance(300)
  await takeBack([alone])
  expect(await slips()).toEqual([])
  await api.db.unit((tx) => api.stores.orders.update(tx, serviceOrderId, { status: 'voided' }))
  await takeBack([printJobId, ...jobs])
  const expected = [...used, ...(other === null ? [] : [other])].sort()
  expect((await slips()).map((ticket) => ticket.printer_id).sort()).toEqual(expected)
})

describe('a job that is no order', () => {
  test('is printed by the printer for its paper, with its number of copies', async () => {
    const id = await submit(label)
    await advance(300)
    expect(await paper()).toEqual([
      expect.objectContaining({ ticket_id: `${id}-1`, printer_name: 'Front Desk', kind: 'label' }),
      expect.objectContaining({ ticket_id: `${id}-2`, printer_name: 'Front Desk', kind: 'label' }),
    ])
    expect((await paper())[0]?.text).toContain('Béarnaise 21.11.')
  })

  test('that cannot be read is failed, and holds nothing up', async () => {
    const broken = await submit({ kind: 'poem' } as unknown as JobDoc)
    const id = await submit(label)
    await advance(2_000)
    expect((await jobOf(broken)).state).toBe('failed')
    expect((await jobOf(id)).state).toBe('printed')
  })

  test('that has expired is not printed', async () => {
    const id = await submit(label, { expiresAtMs: clock.now() + 200 })
    await advance(300)
    expect(await paper()).toEqual([])
    expect((await jobOf(id)).state).toBe('expired')
  })
})

describe('what the simulated kitchen leaves alone', () => {
  test('a location with a paired gateway: what was not printed yet waits for the gateway, unmarked', async () => {
    const { printJobId } = (await api.inject()).body
    await advance(100)
    const gateway = await registerGateway(
      { db: api.db, gateways: api.stores.gateways, clock },
      { locationId: api.locationId, name: 'Mine' },
    )
    await advance(5_000)
    expect(await paper()).toEqual([])
    expect(await jobOf(printJobId)).toMatchObject({
      state: 'queued',
      gateway_id: null,
      seq: null,
      possible_duplicate: 0,
    })
    expect((await api.stores.gateways.ofLocation(api.locationId)).map((g) => g.gatewayId)).toEqual([gateway.gatewayId])
    await api.inject({ orderId: 'order-2' })
    await advance(5_000)
    expect(await paper()).toEqual([])
  })

  test('what was taken back there before the pairing is not handed to the gateway', async () => {
    const { printJobId } = (await api.inject()).body
    await advance(100)
    await kitchen.stop()
    await api.db.unit((tx) => api.stores.dispatches.requestCancel(tx, printJobId, clock.now()))
    await registerGateway(
      { db: api.db, gateways: api.stores.gateways, clock },
      { locationId: api.locationId, name: 'Mine' },
    )
    expect((await jobOf(printJobId)).state).toBe('cancelled')
  })

  test('M-TEST-PRINTER-OFFLINE: its jobs wait', async () => {
    const merchantId = 'M-TEST-PRINTER-OFFLINE'
    const answer = await api.inject({ merchantId })
    expect(answer.status).toBe(503)
    await advance(60_000)
    expect(await paper()).toEqual([])
    expect((await jobOf(answer.body.order.printJobId)).state).toBe('queued')
  })

  test('a live merchant, even if its rows mark its kitchen as simulated', async () => {
    await api.db.unit((tx) =>
      tx.updateTable('merchants').set({ environment: 'live' }).where('id', '=', api.merchantKey).execute(),
    )
    const id = await submit(label)
    await advance(60_000)
    expect(await paper()).toEqual([])
    expect((await jobOf(id)).state).toBe('queued')
  })
})

test('paper is kept for a week', async () => {
  await api.inject()
  await advance(300)
  expect(await paper()).toHaveLength(2)
  clock.jump(7 * 86_400_000 - 3_600_000)
  await advance(3_600_000 - 400)
  expect(await paper()).toHaveLength(2)
  clock.jump(86_400_000)
  await advance(3_600_000)
  expect(await paper()).toEqual([])
})
