// What a box finds wrong with itself, in the words of each language of the dashboard.
import { expect, test } from 'vitest'
import type { KitchenAnswer } from '#cloud/control/kitchen-list.ts'
import { words as en } from '#cloud/web/messages/kitchens-en.ts'
import { words as es } from '#cloud/web/messages/kitchens-es.ts'
import { words as zh } from '#cloud/web/messages/kitchens-zh-hans.ts'
import { ES_SENTENCES } from '#shared/health-sentences-es.ts'
import { ZH_HANS_SENTENCES } from '#shared/health-sentences-zh-hans.ts'
import { type FindingKey, HEALTH_WORDS } from '#shared/health-words.ts'
import { PROFILES } from '#shared/tickets/printer-profiles.ts'
import { addressOf, conditionHint, conditionWords, familyName } from './kitchen-words.ts'

const LANGUAGES = [
  { t: en, findings: HEALTH_WORDS.sentences },
  { t: es, findings: ES_SENTENCES },
  { t: zh, findings: ZH_HANS_SENTENCES },
]
const formats = { ago: String, text: (text: string) => text }

const condition = (finding: string | null): KitchenAnswer['condition'] => ({
  ...{ kind: 'box-warning', severity: 'warning', printer: null, finding, since: null },
})
const said = (finding: string | null, { t, findings }: (typeof LANGUAGES)[number]) =>
  conditionWords(condition(finding), { t, findings, formats, nowMs: 0 })

test('every finding of a box is translated into every language, without a placeholder that the relay does not know', () => {
  const findings = Object.keys(HEALTH_WORDS.sentences) as FindingKey[]
  const bare = LANGUAGES.flatMap((language) => {
    const general = said(null, language)
    return findings.filter((finding) => {
      const words = said(finding, language)
      const hint = conditionHint(condition(finding), language.t, language.findings) ?? ''
      return words === general || /[{}]/.test(words + hint) || words === '' || hint === ''
    })
  })
  expect(findings.length).toBeGreaterThan(40)
  expect(bare).toEqual([])
})

test('what to do about it comes first where the box reports more', () => {
  const hint = conditionHint(condition('no-default-printer'), en, HEALTH_WORDS.sentences)
  expect(hint).toBe(`${HEALTH_WORDS.sentences['no-default-printer'].text} ${en.hints['box-warning']}`)
})

test('a finding of a newer box is a warning in general words', () => {
  expect(said('toString', LANGUAGES[0]!)).toBe(en.kinds['box-warning']())
})

test('a station without a printer of its own is shown with where its items are printed', () => {
  expect(conditionHint(condition('station-unserved'), en, HEALTH_WORDS.sentences)).toBe(
    `${en.findingHints['station-unserved']} ${en.hints['box-warning']}`,
  )
})

test('no two families of printers have the same name in the list', () => {
  const names = PROFILES.map(familyName)
  expect(new Set(names).size).toBe(names.length)
  expect(names).toContain('Epson epson-impact-40')
})

test('what is typed as an address is an IPv4 address with its port, and localhost is the box itself', () => {
  expect(['192.168.1.50', ' 192.168.1.50:9101 ', 'LocalHost', 'localhost:9101'].map(addressOf)).toEqual([
    { host: '192.168.1.50', port: 9100 },
    { host: '192.168.1.50', port: 9101 },
    { host: '127.0.0.1', port: 9100 },
    { host: '127.0.0.1', port: 9101 },
  ])
  expect(['grill.local', '192.168.1', '192.168.1.500', '1.2.3.4.5', '192.168.1.50:', ''].map(addressOf)).toEqual(
    Array.from({ length: 6 }, () => null),
  )
})
