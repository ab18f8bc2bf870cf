// The table of moves: final states stay final.
import { describe, expect, it } from 'vitest'
import { assertMove, isOpen, type TicketState } from './ticket-states.ts'

const STATES: TicketState[] = ['held', 'queued', 'sending', 'parked', 'printed', 'failed', 'uncertain', 'cancelled']

describe('assertMove', () => {
  it('lets nothing leave a final state', () => {
    const final = STATES.filter((state) => !isOpen(state))
    expect(final).toEqual(['printed', 'failed', 'uncertain', 'cancelled'])
    for (const from of final)
      for (const to of STATES) expect(() => assertMove(from, to)).toThrow(`from ${from} to ${to}`)
  })

  it('lets nothing be printed that was neither claimed nor seen by a person', () => {
    for (const from of STATES.filter((state) => state !== 'sending' && state !== 'parked'))
      expect(() => assertMove(from, 'printed')).toThrow()
    expect(() => assertMove('sending', 'printed')).not.toThrow()
  })

  it('never claims a held ticket', () => {
    expect(() => assertMove('held', 'sending')).toThrow()
  })
})
