// The facts of printing that follow from the proofs of all of an order's tickets.
import { describe, expect, it } from 'vitest'
import { type ConfirmMethod, confirmMethod, type TicketEvidence } from '#shared/print-job.ts'
import { printFactsOf } from './print-facts.ts'

const ticket = (method: ConfirmMethod): TicketEvidence => ({
  ticketId: 't',
  printerId: 'grill',
  printerName: 'Grill',
  state: 'printed',
  attempts: 1,
  confirmation: 'confirmed',
  method,
  firstByteAtMs: 1,
  printedAtMs: 2,
  possibleDuplicate: false,
  reason: null,
})
const methodOf = (...methods: ConfirmMethod[]) =>
  printFactsOf(methods.map(ticket), { notBeforeMs: 0, nowMs: 9 })?.facts.method

describe('the method of an order’s proof', () => {
  it.each(confirmMethod.options)('is that of its only ticket: %s', (method) => {
    expect(methodOf(method)).toBe(method)
  })

  it('is the weakest of several', () => {
    expect(methodOf('gs-paren-h', 'star-etb')).toBe('star-etb')
    expect(methodOf('star-etb', 'gs-r')).toBe('gs-r')
    expect(methodOf('person', 'gs-i')).toBe('person')
  })
})

describe('characters that could not be printed', () => {
  const factsOf = (...counts: (number | undefined)[]) => {
    const tickets = counts.map((unprintable) => ({
      ...ticket('gs-i'),
      ...(unprintable === undefined ? {} : { unprintable }),
    }))
    return printFactsOf(tickets, { notBeforeMs: 0, nowMs: 9 })?.facts
  }

  it('are counted for each ticket, and together', () => {
    expect(factsOf(2, 0, 1)).toMatchObject({
      unprintable: 3,
      printers: [{ unprintable: 2 }, { unprintable: 0 }, { unprintable: 1 }],
    })
    expect(factsOf(0)?.unprintable).toBe(0)
  })

  it('are not reported as none where an older gateway did not count them', () => {
    expect(factsOf(2, undefined)).not.toHaveProperty('unprintable')
    expect(factsOf(2, undefined)?.printers.map((printer) => 'unprintable' in printer)).toEqual([true, false])
  })
})
