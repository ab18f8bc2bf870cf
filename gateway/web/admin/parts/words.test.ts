// How tickets and findings stand where the relay already had the result of a ticket: in words that ask nobody to look or to print again.
import { describe, expect, it } from 'vitest'
import type { TicketAnswer } from '#gateway/control/answers.ts'
import { LOADERS } from '#gateway/web/admin/i18n.tsx'
import { en } from '#gateway/web/admin/messages/en.ts'
import { LANGUAGE_IDS } from '#shared/languages.ts'
import { linkStanding, ticketStanding } from './words.ts'

const LANGUAGES = await Promise.all(LANGUAGE_IDS.map((id) => LOADERS[id]()))
const ticket = (over: object): TicketAnswer =>
  ({ state: 'uncertain', reason: null, ...over }) as unknown as TicketAnswer

describe('a ticket of which the relay already had the result', () => {
  it.each(['uncertain', 'cancelled'])('is settled, with the reason, and no trouble; its state is %s', (state) => {
    for (const t of LANGUAGES)
      expect(ticketStanding(ticket({ state, reason: 'settled-before' }), t)).toEqual({
        tone: 'idle',
        words: t.job.states['settled-before'],
        hint: t.job.reasons['settled-before'],
      })
    expect(en.job.reasons['settled-before']).toMatch(/relay already had its result.*not printed/)
  })

  it('is distinguished from one that somebody must look for', () => {
    expect(ticketStanding(ticket({ reason: 'timed-out' }), en)).toMatchObject({
      tone: 'bad',
      words: en.job.states.uncertain,
    })
  })
})

describe('the findings of a disk in doubt', () => {
  it.each(['older-image', 'another-machine', 'another-database', 'no-disk-proof'] as const)(
    'have words with both numbers in every language, also where nothing prints marked: %s',
    (doubt) => {
      for (const { health } of LANGUAGES)
        for (const key of [doubt, `${doubt}-settled`] as const) {
          expect(health.sentences[key].text).toContain('{withdrawn}')
          expect(health.sentences[key].text).toContain('{marked}')
        }
      expect(en.health.sentences[`${doubt}-settled`].text).not.toMatch(/[Cc]ompare/)
    },
  )
})

describe('the way to the relay', () => {
  const link = { state: 'connecting', detail: 'ENOTFOUND', since: '2026-11-21T11:00:00.000Z' }
  const at = (seconds: number): number => Date.UTC(2026, 10, 21, 11, 0, seconds)

  it('is opening right after pairing or a start, and no one is asked to check anything', () => {
    for (const t of LANGUAGES)
      expect(linkStanding(link, t, at(14))).toEqual({ tone: 'idle', words: t.link.trying, hint: '' })
  })

  it('then shows the reason, in the words of its finding', () => {
    for (const t of LANGUAGES)
      expect(linkStanding(link, t, at(15))).toMatchObject({
        words: t.link.connecting,
        hint: t.health.sentences['relay-name'].text,
      })
    expect(linkStanding({ ...link, detail: '?' }, en, at(15)).hint).toBe(en.link.connectingHint)
  })
})
