// A telephone company that sends every hook five times at once, from the first hook of a call to the last: nothing happens twice, and all get the same bytes.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { SimulatorPhone } from '#cloud/telephony/simulated/simulator-phone.ts'
import { CallDesk } from '#test/fixtures/call-desk.ts'
import { E164 } from '#test/fixtures/telephone-number.ts'
import { CallOrders } from './call-orders.ts'

const TIMES = 5

let desk: CallDesk
beforeEach(async () => {
  desk = await CallDesk.open({
    profile: { orders: { isOn: true, mostAmount: 150, mostOfALine: 20 } },
    knowledge: [{ question: 'Where can I park?', answer: 'Behind the house.' }],
    orderTaker: ({ stores }) => new CallOrders({ ...stores, driver: null }),
  })
})
afterEach(() => desk.close())

test('a call of which every hook comes five times at once is one call with one order', async () => {
  const different: string[] = []
  const phone = new SimulatorPhone({
    telephony: desk.telephony,
    clock: desk.api.clock,
    exchange: async (hook) => {
      const answers = await Promise.all(Array.from({ length: TIMES }, () => desk.send(hook)))
      if (new Set(answers.map(({ status, body }) => `${status} ${body}`)).size > 1) different.push(hook.url)
      return answers[0]!
    },
  })
  let turn = await phone.dial({ hooks: desk.hooks, to: E164, from: '+12125550142' })
  for (const words of ['where can I park?', 'I would like to order two smash burgers', 'yes'])
    turn = await phone.say(turn.call, words)
  expect(turn.heard[0]).toMatchObject({ say: expect.stringContaining('your order is placed') })
  await phone.hangUp(turn.call)

  expect(different).toEqual([])
  const { read } = desk.api.db
  const [call, ...others] = await desk.rows()
  expect([call?.outcome, call?.status, others]).toEqual(['ordered', 'completed', []])
  const orders = await read.selectFrom('orders').select('id').execute()
  expect(orders.map(({ id }) => id)).toEqual([call?.order_id])
  const turns = await desk.calls.turns(call!.id)
  expect(turns.map(({ who }) => who)).toEqual([
    'receptionist',
    ...Array.from({ length: 3 }, () => ['caller', 'receptionist']).flat(),
  ])
  expect(await read.selectFrom('knowledge_entries').select('hits').execute()).toEqual([{ hits: 1 }])
})
