// What each kind of turn asks of the database, through the hook route: reads, and transactions, for which orders wait.
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Turn } from '#cloud/telephony/simulated/simulated-call.ts'
import { CallDesk } from '#test/fixtures/call-desk.ts'
import { CallOrders } from './call-orders.ts'

interface Cost {
  reads: number
  units: number
}

let desk: CallDesk
let counts: Cost
beforeEach(async () => {
  desk = await CallDesk.open({
    profile: {
      orders: { isOn: true, mostAmount: 150, mostOfALine: 20 },
      menu: [{ digit: '1', label: 'a table', does: 'table' }],
    },
    knowledge: [{ question: 'Where can I park?', answer: 'Behind the house.' }],
    orderTaker: ({ stores }) => new CallOrders({ ...stores, driver: null }),
  })
  // The first call of a relay makes queries that are kept.
  await desk.phone.hangUp((await desk.dial()).call)
  const { db } = desk.api
  const [read, unit] = [db.read, db.unit.bind(db)]
  Object.defineProperties(db, {
    read: {
      get: () => {
        counts.reads++
        return read
      },
    },
    unit: {
      value: (...of: Parameters<typeof unit>) => {
        counts.units++
        return unit(...of)
      },
    },
  })
})
afterEach(() => desk.close())

const said = ({ heard }: Turn): string => heard.map((one) => ('say' in one ? one.say : '')).join(' ')

test('a turn takes one transaction, the one that places an order two; and few reads', async () => {
  const { phone } = desk
  const costs: Record<string, Cost> = {}
  /** @returns where the call is then; what the caller heard has these words */
  const take = async (name: string, words: string, act: () => Promise<Turn>): Promise<Turn['call']> => {
    counts = { reads: 0, units: 0 }
    const turn = await act()
    costs[name] = counts
    expect([name, said(turn)]).toEqual([name, expect.stringContaining(words)])
    return turn.call
  }
  let call = await take('greeting', 'This is the Bistro', () => desk.dial())
  call = await take('knowledge', 'Behind the house', () => phone.say(call, 'where can I park?'))
  call = await take('order', '2 Smash Burger', () => phone.say(call, 'I would like to order two smash burgers'))
  call = await take('all said', 'Shall I order it?', () => phone.say(call, "that's all"))
  call = await take('placing', 'your order is placed', () => phone.say(call, 'yes'))
  const placing = desk.sent.at(-1)
  await take('repeat', '', async () => {
    expect((await desk.send(placing!)).body).toContain('your order is placed')
    return { heard: [], call }
  })
  call = await take('table', 'your name', () => phone.press(call, '1'))
  call = await take('name', 'how many people', () => phone.say(call, 'Ana'))
  call = await take('party', 'which day', () => phone.say(call, 'for four people'))
  call = await take('time', 'call you back', () => phone.say(call, 'tomorrow at seven'))
  call = await take('number', 'I have noted a table', () => phone.say(call, 'yes'))
  call = await take('silence', 'did not hear', () => phone.stayQuiet(call))
  call = await take('person', 'connecting you', () => phone.say(call, 'a person please'))
  call = await take('voicemail', 'leave your name', () => phone.personEnds(call, 'busy'))
  // Its recording is told, and then the end of the call.
  await take('message', 'Thank you', () => phone.leaveMessage(call))
  const { placing: placed, repeat, message, ...others } = costs
  expect(placed?.units).toBe(2)
  expect(placed?.reads).toBeLessThanOrEqual(8)
  expect(repeat).toEqual({ reads: 1, units: 0 })
  expect(message?.units).toBe(2)
  for (const [name, { reads, units }] of Object.entries(others)) {
    expect([name, units]).toEqual([name, 1])
    expect([name, reads <= 4]).toEqual([name, true])
  }
})
