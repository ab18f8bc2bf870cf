// What the page says of a check: every state and reason has words in every language, with the names in them.
import { describe, expect, it } from 'vitest'
import type { CheckLine } from '#gateway/control/check-answers.ts'
import { ar } from '#gateway/web/admin/messages/ar.ts'
import type { Messages } from '#gateway/web/admin/messages/en.ts'
import { en } from '#gateway/web/admin/messages/en.ts'
import { es } from '#gateway/web/admin/messages/es.ts'
import { zhHans } from '#gateway/web/admin/messages/zh-hans.ts'
import type { LanguageId } from '#shared/languages.ts'
import { formatsFor } from '#shared/ui/languages.ts'
import { checkWords } from './check-lines.ts'

const LINE: CheckLine = {
  ...{ kind: 'printer', id: 'grill', name: 'Grill', state: 'proved', why: 'printed', values: {}, notes: [] },
  leftOutBy: null,
}
const formats = formatsFor('en', 'UTC')
const said = (change: Partial<CheckLine>, t: Messages = en) => {
  const words = checkWords({ ...LINE, ...change }, t, formats)
  return { ...words, sentences: words.sentences.map((sentence) => sentence.replaceAll(/[\u2068\u2069]/g, '')) }
}

describe('a line of the check', () => {
  it('is green when it is proved, and leads nowhere', () => {
    expect(said({})).toEqual({
      ...{ name: 'Grill', tone: 'ok', state: 'Proved', sentences: ['The printer proved it itself.'], mend: null },
    })
  })

  it('names the printer whose paper was printed, and links to it', () => {
    expect(said({ state: 'wrong', why: 'swapped', values: { printer: 'Bar' } })).toMatchObject({
      ...{ tone: 'bad', mend: { to: '/printers/grill' } },
      sentences: ['The paper of Bar came out here. The two are swapped: exchange their names or their stations.'],
    })
  })

  it('shows a reason in words, and further notes', () => {
    const notes = [{ key: 'nobody-takes' as const, values: { printers: ['Bar'] } }]
    expect(said({ state: 'silent', why: 'offline', values: { reason: 'media-empty' }, notes }).sentences).toEqual([
      'It does not print: out of paper.',
      'No printer takes over: Bar cannot either.',
    ])
  })

  it('explains what to do at a runner’s screen or a guests’ board, and links to the screens', () => {
    const at = (why: CheckLine['why'], state: CheckLine['state']) => {
      const { name, sentences, mend } = said({ kind: 'screen', id: 'd1', name: 'Guests', state, why })
      return [name, sentences.join(' '), mend?.to]
    }
    expect(at('not-signed-in', 'silent')).toEqual([
      'Guests',
      'No screen has signed in yet: scan its code.',
      '/displays',
    ])
    expect(at('screen-off', 'silent')).toEqual(['Guests', 'It is off. Open the kitchen page on it.', '/displays'])
    expect(at('board-not-drawn', 'waits')).toEqual([
      'Guests',
      'It answers, but does not show its board as it is now. If this stays, bring its page to the front or reload it.',
      '/displays',
    ])
    expect(at('board-drawn', 'proved')).toEqual(['Guests', 'It shows its board as it is now.', undefined])
  })

  it('that somebody left out is no error any more, and names that person', () => {
    const leftOut = said({ state: 'nothing', why: 'no-work', leftOutBy: 'Tea' })
    expect([leftOut.tone, leftOut.mend]).toEqual(['idle', null])
    expect(leftOut.state).toContain('Tea')
  })

  it('calls what has no station everything else', () => {
    expect(said({ kind: 'station', id: '', name: '' }).name).toBe('Everything else')
  })

  it('has lists as the language has them, and a circle that goes round in the direction in which one reads', () => {
    const circle = [{ key: 'circle' as const, values: { printersChain: ['Grill', 'Bar', 'Grill'] } }]
    const line: CheckLine = { ...LINE, kind: 'screen', state: 'nothing', why: 'no-overlap', notes: circle }
    const inLanguage = (language: LanguageId, t: Messages) => {
      const { sentences } = checkWords({ ...line, values: { stations: ['Cold', 'Bar'] } }, t, formatsFor(language))
      return sentences.join(' ').replaceAll(/[\u2068\u2069]/g, '')
    }
    expect(inLanguage('en', en)).toBe(
      'No printer, rule or order has Cold and Bar: it will show nothing. Backups in a circle: Grill → Bar → Grill. When none of them works, nothing prints.',
    )
    expect(inLanguage('zh-Hans', zhHans)).toContain('用到 Cold和Bar')
    const arabic = inLanguage('ar', ar)
    expect(arabic).toContain('Cold وBar')
    expect(arabic).toContain('Grill ← Bar ← Grill')
    expect(arabic).not.toContain(',')
  })

  it('leaves no gap in any language', () => {
    const values = {
      printer: 'A',
      station: 'B',
      display: 'C',
      stations: ['D'],
      reason: 'offline',
      printers: ['E'],
      printersChain: ['E', 'F'],
      backup: 'F',
    }
    for (const t of [en, es, zhHans, ar])
      for (const sentence of [...Object.values(t.check.why), ...Object.values(t.check.notes)]) {
        const gaps = [...sentence.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')
        expect(
          gaps.filter((gap) => !Object.hasOwn(values, gap)),
          sentence,
        ).toEqual([])
      }
  })
})
