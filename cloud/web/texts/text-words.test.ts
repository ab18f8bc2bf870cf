// Why a number or a message failed, and whether a customer was told: in sentences, in every language of the dashboard.
import { describe, expect, it, test } from 'vitest'
import type { ToldAnswer } from '#cloud/control/text-list.ts'
import { words as setupEn } from '#cloud/web/messages/receptionist-setup-en.ts'
import { words as setupEs } from '#cloud/web/messages/receptionist-setup-es.ts'
import { words as setupZh } from '#cloud/web/messages/receptionist-setup-zh-hans.ts'
import { words as en } from '#cloud/web/messages/texts-en.ts'
import { words as es } from '#cloud/web/messages/texts-es.ts'
import { words as zh } from '#cloud/web/messages/texts-zh-hans.ts'
import { projectFiles, read } from '#test/house/source-files.ts'
import { reasonIn, textReason, toldSentence } from './text-words.ts'

/** The reasons that the program itself names, found in its text. */
const namedIn = (place: RegExp, naming: RegExp): string[] => {
  const files = projectFiles('.ts').filter((path) => place.test(path) && !path.endsWith('.test.ts'))
  return files.flatMap((path) => [...read(path).matchAll(naming)].map(([, reason = '']) => reason))
}
const OF_COMPANIES = [
  ...namedIn(/^cloud\/telephony\//, /(?:TelephonyError|super)\('([a-z_]+)'/g),
  ...namedIn(/^cloud\/telephony\/provider-api\.ts$/, /(?:return|\?|:) '([a-z_]+)'/g),
]
/** Companies' codes that have a name of ours: all are about text messages. */
const OF_CODES = namedIn(/^cloud\/telephony\//, /\b\d{5}: '([a-z_]+)'/g)
const OF_NUMBERS = namedIn(/^cloud\/receptionist\/wire-numbers\.ts$/, /TelephonyError\('([a-z_]+)'/g)
const OF_TEXTS = [
  ...namedIn(/^cloud\/(texts|notices|outbox)\//, /\b(?:error|refused): '([a-z_]+)'/g),
  ...namedIn(/^cloud\/texts\/write-text\.ts$/, /(?:return|\?) '([a-z_]+)'/g),
  ...namedIn(/^cloud\/notices\/smtp-transport\.ts$/, /(?:\?|\bE[A-Z]+:) '([a-z_]+)'/g),
  ...namedIn(/^cloud\/telephony\//, /\berror = .*'failed' \?.*[?:] '([a-z_]+)'/g),
]
/** Of recordings alone. */
const OF_RECORDINGS = ['not_ready']
const OF_NUMBERS_ALONE = ['number_taken', 'number_not_owned']

const LANGUAGES = [
  ['English', en, setupEn],
  ['Spanish', es, setupEs],
  ['Chinese', zh, setupZh],
] as const

describe.each(LANGUAGES)('in %s', (_language, texts, setup) => {
  const without = (reasons: readonly string[], known: object) =>
    [...new Set(reasons)].filter((reason) => !OF_RECORDINGS.includes(reason) && !Object.hasOwn(known, reason))

  it('a number that could not be connected says why', () => {
    expect(OF_COMPANIES).toEqual(expect.arrayContaining(['number_not_owned', 'not_supported', 'dns', 'timeout']))
    expect(without([...OF_COMPANIES, ...OF_NUMBERS], setup.numberErrors)).toEqual([])
  })

  it('a message that was not sent says why', () => {
    expect(OF_TEXTS).toEqual(expect.arrayContaining(['opted_out', 'too_late', 'not_delivered', 'country', 'not_sent']))
    const reasons = [...OF_COMPANIES, ...OF_CODES, ...OF_TEXTS].filter((reason) => !OF_NUMBERS_ALONE.includes(reason))
    expect(without(reasons, texts.errors)).toEqual([])
  })
})

test('a code of the telephone company is shown as it is', () => {
  expect(textReason(en, 'code_30003')).toBe('The telephone company says: 30003.')
  expect(reasonIn(setupEn.numberErrors, setupEn.numberFailed, 'code_10015')).toBe('The telephone company said: 10015')
  expect(reasonIn(setupEn.numberErrors, setupEn.numberFailed, 'constructor')).toContain('constructor')
})

describe('an order says of its customer', () => {
  const told = (change: Partial<ToldAnswer>) =>
    toldSentence(en, { by: 'sms', state: 'sent', error: null, deliveredAt: null, ...change } as ToldAnswer, '18:31')

  it.each<[Partial<ToldAnswer>, string]>([
    [{}, 'The customer was told by SMS at 18:31 (sent).'],
    [{ deliveredAt: '2026-12-01T18:31:09.000Z' }, 'The customer was told by SMS at 18:31 (delivered).'],
    [{ state: 'queued', error: 'timeout' }, 'The customer is being told by SMS.'],
    [{ by: 'mail', state: 'sending' }, 'The customer is being told by mail.'],
    [{ state: 'kept' }, 'The SMS to the customer was kept here, and has not left.'],
    [{ state: 'uncertain' }, 'The customer may have been told by SMS: it is not known whether it left.'],
    [{ state: 'dropped', error: 'opted_out' }, 'The customer was not told by SMS. This number wants no text messages.'],
    [{ state: 'failed', error: 'code_30003' }, 'The customer was not told by SMS. The telephone company says: 30003.'],
    [
      { by: 'mail', state: 'failed', error: 'smtp_550' },
      'The customer was not told by mail. The mail server says: smtp_550.',
    ],
    [
      { by: 'mail', state: 'dropped', error: 'timeout' },
      'The customer was not told by mail. There was no answer in time.',
    ],
  ])('%j', (change, sentence) => expect(told(change)).toBe(sentence))
})
