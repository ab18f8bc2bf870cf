// The table of moves: final states stay final. One result for a job of several tickets.
import { describe, expect, it } from 'vitest'
import { MOST_DECIDING_TICKETS } from '#shared/tickets/route-order.ts'
import { LINK_LIMITS, result } from '#shared/wire/gateway-link.ts'
import { assertMove, isOpen, jobResult, type SettledTicket, type TicketState } from './ticket-states.ts'

const STATES: TicketState[] = ['held', 'queued', 'sending', 'parked', 'printed', 'failed', 'uncertain', 'cancelled']

describe('assertMove', () => {
  it('allows no move from a final state', () => {
    const final = STATES.filter((state) => !isOpen(state))
    expect(final).toEqual(['printed', 'failed', 'uncertain', 'cancelled'])
    for (const from of final)
      for (const to of STATES) expect(() => assertMove(from, to)).toThrow(`from ${from} to ${to}`)
  })

  it('allows printed only after a claim or a person’s confirmation', () => {
    for (const from of STATES.filter((state) => state !== 'sending' && state !== 'parked'))
      expect(() => assertMove(from, 'printed')).toThrow()
    expect(() => assertMove('sending', 'printed')).not.toThrow()
  })

  it('allows waiting tickets to end as uncertain: an older disk may have printed them', () => {
    for (const from of ['held', 'queued', 'parked'] as const) expect(() => assertMove(from, 'uncertain')).not.toThrow()
  })

  it('never claims a held ticket', () => {
    expect(() => assertMove('held', 'sending')).toThrow()
  })
})

function ticket(over: Partial<SettledTicket>): SettledTicket {
  return {
    ...{ position: 1, ticket_id: 't', job_id: 'pj_1', printer_id: 'p', printer_name: null, kind: 'order' },
    ...{ content: '{}', digest: '', state: 'printed', attempts: 1, possible_duplicate: 0, paper: 'kitchen', urgent: 0 },
    ...{ moved_from: null, moved_at_ms: null, not_before_ms: null, started_at_ms: 10, attempted_at_ms: 10 },
    ...{ connected_at_ms: 10, first_byte_at_ms: 11, last_byte_at_ms: 12, settled_at_ms: 20 },
    ...{ confirmation: 'confirmed', method: 'gs-i', reason: null, unprintable: null },
    ...over,
  }
}
const cancelled = {
  state: 'cancelled',
  reason: 'cancelled',
  attempts: 0,
  started_at_ms: null,
  settled_at_ms: 30,
} as const

describe('jobResult', () => {
  it.each([
    ['printed', ['printed', 'printed']],
    ['printed', ['printed', 'cancelled']],
    ['uncertain', ['printed', 'uncertain']],
    ['failed', ['printed', 'uncertain', 'failed']],
    ['cancelled', ['cancelled', 'cancelled']],
  ] as const)('is %s when its tickets are %j', (state, states) => {
    expect(
      jobResult(
        'pj_1',
        states.map((of) => ticket({ state: of })),
        0,
      ).state,
    ).toBe(state)
  })

  it('is expired if nothing was printed and the time was the reason', () => {
    expect(jobResult('pj_1', [ticket({ ...cancelled, reason: 'expired' })], 0)).toMatchObject({
      state: 'expired',
      reason: 'expired',
      startedAt: null,
      endedAt: 30,
    })
  })

  it('has times only for what is on paper, and uses the id of a printer without a name', () => {
    const { tickets } = jobResult('pj_1', [ticket({}), ticket({ ...cancelled, possible_duplicate: 1 })], 0)
    expect(tickets.map((t) => [t.printedAtMs, t.printerName, t.possibleDuplicate])).toEqual([
      [20, 'p', false],
      [null, 'p', false],
    ])
  })

  it('refuses to report a ticket that may still print', () => {
    expect(() => jobResult('pj_1', [ticket({ state: 'queued' })], 0)).toThrow('while it is queued')
  })

  it.each([
    { state: 'printed', confirmation: 'confirmed', method: 'gs-paren-h', reason: null },
    { state: 'uncertain', confirmation: null, method: null, reason: 'unrecoverable-error' },
  ] as const)('fits into one message of the link with as many tickets as a job may have, all $state', (end) => {
    const jobId = `pj_${'0'.repeat(36)}`
    const printer = { printer_id: 'p'.repeat(35), printer_name: '厨'.repeat(40), attempts: 25 }
    const atMs = 1_800_000_000_000
    const bytes = { connected_at_ms: atMs, first_byte_at_ms: atMs, last_byte_at_ms: atMs }
    const times = { started_at_ms: atMs, ...bytes, settled_at_ms: atMs }
    const tickets = Array.from({ length: MOST_DECIDING_TICKETS }, (_, index) =>
      ticket({ ...printer, ...times, ...end, ticket_id: `${jobId}-${index + 1}` }),
    )
    const envelope = { v: 1, t: 'result', id: 'x'.repeat(64), ts: atMs, e: 1_000_000 }
    const message = { ...envelope, ...jobResult(jobId, tickets, atMs) }
    expect(result.safeParse(message).success).toBe(true)
    expect(Buffer.byteLength(JSON.stringify(message))).toBeLessThanOrEqual(LINK_LIMITS.messageBytes)
  })
})
