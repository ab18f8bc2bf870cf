// What the page says of a refusal: its own sentence in its language, the box's words where it has none.
import { describe, expect, it } from 'vitest'
import { en, type Messages } from '#gateway/web/admin/messages/en.ts'
import { es } from '#gateway/web/admin/messages/es.ts'
import { zhHans } from '#gateway/web/admin/messages/zh-hans.ts'
import { REFUSALS } from '#gateway/web/admin/refusals.ts'
import { ApiError } from '#shared/ui/api.ts'
import { formatsFor } from '#shared/ui/languages.ts'
import { problemWords } from '#shared/ui/problem-words.ts'
import { filled } from '#shared/ui/sentences.ts'

const formats = formatsFor('es')
const words = (error: ApiError, t: Messages) => problemWords(error, { t, formats, refusals: REFUSALS })
const said = (key: string, values: Record<string, string | number> = {}) => ({ said: { key, values } })

describe('the words of a refusal', () => {
  it('are the sentence of the very case, in the language of the page', () => {
    const error = new ApiError('refused', 409, {
      message: 'Another printer has this name.',
      ...said('printer.name-taken'),
    })
    expect(words(error, es)).toMatchObject({
      text: es.refusals.cases['printer.name-taken'],
      detail: '',
    })
    expect(words(error, zhHans).text).toContain('名称')
  })

  it('keep details that only the box knows beside the sentence', () => {
    const error = new ApiError('refused', 409, { message: 'self-signed certificate', ...said('pairing.unreachable') })
    expect(words(error, es)).toMatchObject({ detail: 'self-signed certificate' })
  })

  it('do not repeat in English at a field what the sentence already explains', () => {
    const fields = [{ field: 'to', message: 'must not be before from', rule: null }]
    const error = new ApiError('invalid', 422, {
      message: 'to: must not be before from',
      ...said('report.days'),
      fields,
    })
    expect(words(error, es)).toEqual({ text: es.refusals.cases['report.days'], detail: '', fields: [] })
  })

  it('are those of the code where the case is not known, and the words of the box where neither is', () => {
    const newer = said('printer.on-fire')
    expect(words(new ApiError('refused', 409, { message: 'It burns.', ...newer }), es).text).toBe('It burns.')
    expect(words(new ApiError('forbidden', 403, { message: 'No.' }), es).text).toBe(es.refusals.codes.forbidden)
    expect(words(new ApiError('constructor', 409, { message: 'It burns.' }), en).text).toBe('It burns.')
    expect(words(new ApiError('refused', 500, { message: '' }), en).text).toBe(en.refusals.codes.internal)
  })

  it('state how long to wait', () => {
    const error = new ApiError('throttled', 429, { message: 'Too many.', values: { seconds: 40 } })
    expect(words(error, es).text).toContain('40')
  })

  it('name each field as its form does, and state the rule with its limit', () => {
    const field = (name: string, key: string, limit: number | null = null) => ({
      field: `settings.${name}`,
      message: 'is wrong',
      rule: { key, limit },
    })
    const fields = [
      field('copies', 'at-most', 5),
      field('backupAfterMs', 'at-least', 5_000),
      field('mac', 'form'),
      field('unheard', 'form'),
    ]
    expect(words(new ApiError('invalid', 422, { message: 'all of it', fields }), es)).toEqual({
      text: '',
      detail: '',
      fields: [
        { path: 'settings.copies', name: 'copies', field: es.printer.copies, words: 'debe ser 5 o menos' },
        {
          path: 'settings.backupAfterMs',
          name: 'backupAfterMs',
          field: es.printer.backupAfter,
          words: 'debe ser 5 s o más',
        },
        { path: 'settings.mac', name: 'mac', field: es.printer.mac, words: es.refusals.forms.mac },
        { path: 'settings.unheard', name: 'unheard', field: 'unheard', words: 'is wrong' },
      ],
    })
  })
})

describe('a sentence with values', () => {
  it('has a list of names as the language has one, each name in its own direction', () => {
    const values = { printers: ['Grill', 'بار', 'Cold'], wayChain: ['Grill', 'بار'] }
    expect(filled('{printers}; {wayChain}', values, formats)).toBe(
      'Grill, \u2068بار\u2069 y Cold; Grill → \u2068بار\u2069',
    )
    expect(filled('{printers}', values, formatsFor('ar'))).toBe('\u2068Grill\u2069 و\u2068بار\u2069 و\u2068Cold\u2069')
  })

  it('writes units as the language does, and leaves alone what it has no value for', () => {
    const values = { freeBytes: 30_500_000, apartMs: 5_400_000, printer: 'Grill {freeBytes}', tickets: 3 }
    expect(filled('{freeBytes}, {apartMs}, {printer}, {tickets}, {constructor}', values, formats)).toBe(
      '30,5 MB, 90 min, Grill {freeBytes}, 3, {constructor}',
    )
  })
})
