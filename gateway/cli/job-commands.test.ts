// The command line's words about tickets: one of which the relay already had the result, and a number that is no ticket's.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { OperationName } from '#gateway/control/operations.ts'
import { withdrawSettled } from '#gateway/storage/settled-job.ts'
import { BoxServer } from '#test/doubles/box-server.ts'
import { FRY, GRILL } from '#test/doubles/gateway-core.ts'
import type { Line } from './command.ts'
import { jobCommands } from './job-commands.ts'
import { orderCommands } from './order-commands.ts'

let box: BoxServer
beforeEach(() => {
  box = new BoxServer({ printers: [GRILL, FRY] })
})
afterEach(() => box.core.stop())

async function say(name: string, ...words: string[]): Promise<string> {
  const call = (operation: OperationName, input: unknown) => box.control.perform(operation, input, { asker: 'test' })
  const command = [...jobCommands, ...orderCommands].find((one) => one.name === name)
  const said = await command?.run({ call, words, options: {} } as unknown as Line)
  return said?.text ?? ''
}

describe.each([
  ['on paper', true],
  ['ended', false],
])('a ticket that the relay knew to be %s', (_, isOnPaper) => {
  beforeEach(() => {
    box.core.accept('pj_1')
    box.core.jobs.door.markOpenAsDoubtful()
    expect(withdrawSettled(box.core.jobs.door, 'pj_1', isOnPaper)).toBe(1)
  })

  it('is settled in the list, and not marked: none of its paper was printed here', async () => {
    const row = (await say('jobs list')).split('\n').find((line) => line.includes('pj_1-1'))
    expect(row).toContain('settled before')
    expect(row).toContain('relay')
    expect(row).not.toMatch(/uncertain|yes/)
  })

  it('shows in its history why it was not printed', async () => {
    const story = await say('jobs show', 'pj_1-1')
    expect(story).toContain('settled before: the relay already had its result, so it was not printed')
    expect(story).not.toMatch(/uncertain|POSSIBLE DUPLICATE/)
  })
})

describe('a ticket that waits and is marked', () => {
  it('is shown as such', async () => {
    box.core.accept('pj_1')
    box.core.jobs.door.markOpenAsDoubtful()
    expect((await say('jobs list')).split('\n').find((line) => line.includes('pj_1-1'))).toContain('yes')
    expect(await say('jobs show', 'pj_1-1')).toContain('POSSIBLE DUPLICATE')
  })
})

describe('the number of an order', () => {
  it('shows the order with its tickets, by jobs show and by orders show', async () => {
    box.core.accept('pj_1', { order: { posOrderId: '20261121-064' } })
    for (const name of ['jobs show', 'orders show']) {
      const story = await say(name, '#64')
      expect(story).toMatch(/order +#64/)
      expect(story).toMatch(/client id +O-pj_1/)
      expect(story).toContain('pj_1-1')
    }
  })

  it('is refused by jobs cancel, with the column to use: an order may have several tickets', async () => {
    box.core.accept('pj_1')
    await expect(say('jobs cancel', 'O-pj_1')).rejects.toThrow(
      'There is no ticket O-pj_1. Give the value of the TICKET column of jobs list, not that of ORDER.',
    )
  })

  it('comes first in the lists', async () => {
    box.core.accept('pj_1', { order: { posOrderId: '20261121-064' } })
    expect(await say('orders list')).toMatch(/\n#64 +O-pj_1/)
    expect(await say('jobs list')).toMatch(/\npj_1-1 +#64 +O-pj_1/)
  })
})
