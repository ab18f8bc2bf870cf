// The one cause why a ticket is not on paper, as the page puts it first.
import { describe, expect, it } from 'vitest'
import type { PrinterAnswer, TicketHistoryAnswer } from '#gateway/control/answers.ts'
import { LOADERS } from '#gateway/web/admin/i18n.tsx'
import { en } from '#gateway/web/admin/messages/en.ts'
import { LANGUAGE_IDS } from '#shared/languages.ts'
import { formatsFor } from '#shared/ui/languages.ts'
import { ticketCause } from './ticket-cause.ts'

const formats = formatsFor('en', 'UTC')
const EVERY = await Promise.all(LANGUAGE_IDS.map((id) => LOADERS[id]()))
const READY = { name: 'Grill', state: 'online', reasons: ['none'], hint: '', told: [], settings: { paused: false } }
const printer = (over: object): PrinterAnswer => ({ ...READY, ...over }) as unknown as PrinterAnswer
const ticket = (over: object): TicketHistoryAnswer =>
  ({ state: 'queued', reason: null, notBefore: null, attemptList: [], ...over }) as unknown as TicketHistoryAnswer
const causeOf = (of: object, at: PrinterAnswer | undefined = printer({})) =>
  ticketCause(ticket(of), at, { t: en, formats })

/** Of tickets that ended without paper or wait for a person: ticket-states.ts, printer-worker.ts, ticket-acts.ts, settled-job.ts. */
const REASONS = [
  ...['doubt', 'stale', 'interrupted', 'cancelled', 'expired', 'released', 'dismissed', 'cancelled-here'],
  'settled-before',
]

describe('why a ticket is not on paper', () => {
  it.each([...REASONS, 'damaged', 'firewall', 'layout-error'])('has words for %s in every language', (reason) => {
    for (const { job } of EVERY) expect(Object.keys(job.reasons)).toContain(reason)
  })

  it('is not shown while it prints, and afterwards', () => {
    for (const state of ['sending', 'printed']) expect(causeOf({ state })).toBeNull()
  })

  it('is the printer’s trouble while it waits there', () => {
    const empty = printer({ state: 'offline', reasons: ['media-empty'] })
    expect(causeOf({}, empty)).toEqual({
      tone: 'bad',
      words: 'Grill: Not printing: out of paper',
      hint: en.printer.hints['media-empty'],
    })
    expect(causeOf({}, printer({ settings: { paused: true } }))).toMatchObject({ tone: 'warn', words: 'Grill: Paused' })
    expect(causeOf({})).toMatchObject({ tone: 'idle', words: 'It waits for its turn at Grill.' })
    expect(ticketCause(ticket({}), undefined, { t: en, formats })).toMatchObject({ words: en.job.causes.noPrinter })
  })

  it('is its time when it is scheduled', () => {
    expect(causeOf({ state: 'held', notBefore: '2026-11-21T18:30:00.000Z' })?.words).toContain('18:30')
  })

  it('is its own reason when it has ended or waits for a person, with what to do', () => {
    expect(causeOf({ state: 'parked', reason: 'doubt' })).toMatchObject({ tone: 'warn', hint: en.job.hints.doubt })
    expect(causeOf({ state: 'failed', reason: 'cutter-error' })).toEqual({
      tone: 'bad',
      words: en.printer.reasons['cutter-error'],
      hint: en.printer.hints['cutter-error'],
    })
  })

  it('is no question where the relay already had the result', () => {
    for (const state of ['uncertain', 'cancelled']) expect(causeOf({ state, reason: 'settled-before' })).toBeNull()
  })

  it('is that of its last attempt where the ticket itself names none', () => {
    const attemptList = [{ reason: 'cover-open' }, { reason: null }]
    expect(causeOf({ state: 'uncertain', attemptList })).toMatchObject({ words: 'cover open' })
    expect(causeOf({ state: 'uncertain' })).toMatchObject({
      words: en.job.states.uncertain,
      hint: en.job.stateHints.uncertain,
    })
  })
})
