// What the page says of a printer beside its health: its own sentence in its language, the box's words where it has none.
import { describe, expect, it } from 'vitest'
import { addressNote } from '#gateway/control/address-notes.ts'
import { LOADERS } from '#gateway/web/admin/i18n.tsx'
import { ar } from '#gateway/web/admin/messages/ar.ts'
import { en } from '#gateway/web/admin/messages/en.ts'
import { es } from '#gateway/web/admin/messages/es.ts'
import { zhHans } from '#gateway/web/admin/messages/zh-hans.ts'
import { LANGUAGE_IDS } from '#shared/languages.ts'
import { formatsFor } from '#shared/ui/languages.ts'
import { findingWords } from './finding-words.ts'
import { noteWords } from './words.ts'

const formats = formatsFor('en', 'UTC')
const EVERY = await Promise.all(LANGUAGE_IDS.map((id) => LOADERS[id]()))
const KINDS = ['moved', 'moved-back', 'several', 'taken', 'not-yet'] as const

describe('a note of a printer', () => {
  it.each(KINDS)('of the kind %s is translated into every language, with its addresses', (kind) => {
    const addresses = kind.startsWith('moved') ? ['10.0.0.5', '10.0.0.6'] : ['10.0.0.5']
    const note = addressNote({ kind, addresses })
    expect(noteWords(note, en, formats)).toBe(note.text)
    for (const t of EVERY.filter((one) => one !== en)) {
      const words = noteWords(note, t, formats)
      for (const address of addresses) expect(words).toContain(address)
      expect(words).not.toBe(note.text)
      expect(words).not.toContain('{')
    }
  })

  it.each(KINDS)('of the kind %s has a title among the findings that is more than the name', (kind) => {
    for (const t of EVERY) expect(t.health.notes[kind].length).toBeGreaterThan('{printer}'.length + 3)
  })

  it('that its address is not allowed is translated into every language, with the address that it resolves to', () => {
    for (const kind of ['itself', 'link-local', 'group', 'nobody', 'elsewhere', 'port'])
      for (const t of EVERY) {
        const note = { key: `not-allowed-${kind}`, values: { address: '127.0.0.1', port: '80' }, text: '' }
        expect(noteWords(note, t, formats)).toMatch(/127\.0\.0\.1[^{]+$/)
      }
  })

  it('that is why a printer does not print is in the finding, with what to do, in every language', () => {
    const values = { printer: 'Grill', reason: 'not-allowed', note: 'not-allowed-itself', address: '127.0.0.1' }
    for (const t of EVERY) {
      const words = findingWords({ key: 'printer-down', values, title: '', text: '' }, { t, formats, language: 'en' })
      expect(words.title).toContain(t.printer.reasons['not-allowed'])
      expect(words.text).toContain('127.0.0.1')
      expect(words.text).toContain(t.printer.hints['not-allowed'])
    }
  })

  it('joins addresses by the rules of the language: no Latin comma in Arabic or Chinese', () => {
    const note = addressNote({ kind: 'several', addresses: ['10.0.0.5', '10.0.0.6'] })
    for (const [language, t] of [
      ['ar', ar],
      ['zh-Hans', zhHans],
    ] as const)
      expect(noteWords(note, t, formatsFor(language))).not.toContain(',')
    expect(noteWords(note, es, formatsFor('es'))).toContain('10.0.0.5 y 10.0.0.6')
  })

  it('for which the page has no sentence is shown in the box’s words', () => {
    expect(noteWords({ key: 'toString', values: {}, text: 'It is on fire.' }, es, formats)).toBe('It is on fire.')
  })
})
