// Operations on one ticket by name: moved to the given printer, and a refusal in words where there is none.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BoxServer } from '#test/doubles/box-server.ts'
import { FRY, GRILL } from '#test/doubles/gateway-core.ts'
import { OFFLINE } from '#test/doubles/scripted-transport.ts'

let box: BoxServer
const move = (printer: string) => box.control.perform('jobs.move', { ticketId: 'pj_1-1', printer }, { asker: 'test' })
beforeEach(() => {
  box = new BoxServer({ printers: [GRILL, FRY] })
})
afterEach(() => box.core.stop())

describe('jobs.move', () => {
  it('gives a waiting ticket to the printer of that name', async () => {
    box.core.accept('pj_1')
    expect(await move('FRY')).toMatchObject({ printer: 'Fry', state: 'queued' })
    await expect(move('Bar')).rejects.toMatchObject({ kind: 'not-found', said: { key: 'printer.unknown-printer' } })
  })

  it('is refused for the printer that has the ticket, which continues with it unmarked', async () => {
    const grill = box.core.transport('grill')
    grill.outcomes.push(
      (signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve(grill.uncertain()))),
    )
    await box.core.queue.start()
    box.core.accept('pj_1')
    await grill.sends(1)
    grill.down = OFFLINE
    grill.show('offline')
    await expect(move('Grill')).rejects.toMatchObject({ kind: 'invalid', said: { key: 'printer.move-to-itself' } })
    expect(box.core.history.ticket('pj_1-1')?.ticket).toMatchObject({ state: 'sending', possibleDuplicate: false })
  })
})
