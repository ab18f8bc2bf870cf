// Typing in the number of a test ticket: its errors have keys that pages know.
import { rmSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { TicketContentStore } from '#gateway/storage/ticket-content-store.ts'
import { BoxServer } from '#test/doubles/box-server.ts'
import { FRY, GRILL } from '#test/doubles/gateway-core.ts'

let box: BoxServer
beforeEach(() => {
  box = new BoxServer({ printers: [GRILL, FRY] })
})
afterEach(() => {
  box.core.db.close()
  rmSync(box.core.dir, { recursive: true, force: true })
})

const perform = (name: string, body: unknown) => box.control.perform(name, body, { asker: 'test' })

/** The number on the paper that waits, read off as a person does. */
async function printed(printer: string): Promise<string> {
  const { ticketId } = (await perform('printers.test', { printer })) as { ticketId: string }
  const doc = new TicketContentStore(box.core.db).find(ticketId)?.content.doc as { code?: string } | undefined
  return doc?.code ?? ''
}

const other = (code: string): string => String((Number(code) + 1) % 10_000).padStart(4, '0')

describe('the number of a test ticket', () => {
  it('is refused by its case when it is another one, and when none is waited for', async () => {
    await expect(perform('printers.verify', { printer: 'Grill', code: '0000' })).rejects.toMatchObject({
      said: { key: 'printer.no-number' },
    })
    const code = await printed('Grill')
    await expect(perform('printers.verify', { printer: 'Grill', code: other(code) })).rejects.toMatchObject({
      said: { key: 'printer.wrong-number' },
    })
  })

  it('of another printer is refused by the name of that printer', async () => {
    await printed('Grill')
    const code = await printed('Fry')
    await expect(perform('printers.verify', { printer: 'Grill', code })).rejects.toMatchObject({
      said: { key: 'test-order.other-printer', values: { printer: 'Fry' } },
    })
  })
})
