// A caller who hangs up while the order is placed: the order stays, and the call is shown as one that ordered.
import { afterEach, expect, test } from 'vitest'
import type { ManualClock } from '#test/doubles/manual-clock.ts'
import { CallDesk } from '#test/fixtures/call-desk.ts'
import { CallOrders } from './call-orders.ts'

/** Longer than a hook waits for what takes orders. */
const PATIENCE_MS = 200

let desk: CallDesk
afterEach(() => desk.close())

/** A call whose order was read back, and whose "yes" is being placed until `place` is called. */
async function untilPlacing() {
  let place = (): void => undefined
  let begun = (): void => undefined
  const isPlaced = new Promise<void>((resolve) => {
    place = resolve
  })
  const isBegun = new Promise<void>((resolve) => {
    begun = resolve
  })
  desk = await CallDesk.open({
    profile: { orders: { isOn: true, mostAmount: 150, mostOfALine: 20 } },
    orderTaker: ({ stores }) => {
      const real = new CallOrders({ ...stores, driver: null })
      return {
        hints: (merchant) => real.hints(merchant),
        turn: async (turn, signal) => {
          if (turn.words === 'yes') {
            begun()
            await isPlaced
          }
          return real.turn(turn, signal)
        },
      }
    },
  })
  const ordered = await desk.phone.say((await desk.dial()).call, 'I would like to order two smash burgers')
  const { call } = await desk.phone.say(ordered.call, "that's all")
  const saying = desk.phone.say(call, 'yes')
  await isBegun
  return { call, saying, place }
}

async function theOrder() {
  const orders = await desk.api.db.read.selectFrom('orders').select('id').execute()
  expect(orders).toHaveLength(1)
  return orders[0]?.id
}

const clock = () => desk.api.clock as ManualClock

test('hangs up during the turn that places it', async () => {
  const { call, saying, place } = await untilPlacing()
  await desk.phone.hangUp(call)
  expect(await desk.rows()).toMatchObject([{ status: 'completed', outcome: 'answered', order_id: null }])
  place()
  expect((await saying).call.place.now).toBe('over')
  expect(await desk.rows()).toMatchObject([{ status: 'completed', outcome: 'ordered', order_id: await theOrder() }])
})

test('hangs up after "one moment", and nothing of the call comes any more', async () => {
  const { call, saying, place } = await untilPlacing()
  await clock().advance(PATIENCE_MS)
  await expect.poll(async () => (await desk.rows())[0]?.step).toBe('order')
  await desk.phone.hangUp(call)
  let isAnswered = false
  void saying.then(() => {
    isAnswered = true
  })
  await expect
    .poll(() =>
      clock()
        .advance(PATIENCE_MS)
        .then(() => isAnswered),
    )
    .toBe(true)
  expect(await desk.rows()).toMatchObject([{ outcome: 'answered', order_id: null }])
  place()
  await expect.poll(async () => (await desk.rows())[0]?.outcome).toBe('ordered')
  expect(await desk.rows()).toMatchObject([{ status: 'completed', order_id: await theOrder() }])
})

test('hangs up when it is on disk, before the turn that placed it is', async () => {
  const { call, saying, place } = await untilPlacing()
  await clock().advance(PATIENCE_MS)
  place()
  await expect.poll(async () => (await desk.rows())[0]?.order_id).not.toBeNull()
  await desk.phone.hangUp(call)
  await saying
  expect(await desk.rows()).toMatchObject([{ status: 'completed', outcome: 'ordered', order_id: await theOrder() }])
})
