// The seal of a message: it opens as what was sealed, and whatever bit of it is changed, never as anything else.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ANY_CHARACTER } from '#test/harness/any-character.ts'
import { assertProperty } from '#test/harness/property.ts'
import { openText, sealText } from './link-seal.ts'

const message = fc.record({
  t: fc.string({ unit: ANY_CHARACTER, minLength: 1 }),
  d: fc.option(fc.string({ unit: ANY_CHARACTER }), { nil: undefined }),
  doc: fc.jsonValue(),
})

function withBitFlipped(bytes: Buffer, bit: number): Buffer {
  const changed = Buffer.from(bytes)
  changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
  return changed
}

describe('a sealed text', () => {
  it('ends with the SHA-256 of everything before it, in base64url', () => {
    expect(sealText('{"t":"bye"}')).toBe('{"t":"bye","d":"CyspfOfEsjmQMGmY4X34pflXaw3TsIKB-C7A9NAG1uE"}')
  })

  it('opens to what was sealed, with its digest beside it', () => {
    assertProperty(
      fc.property(message, (value) => {
        const { seal, json } = openText(Buffer.from(sealText(JSON.stringify(value))))
        const { d: digest, ...fields } = json as Record<string, unknown>
        const { d: _, ...sent } = JSON.parse(JSON.stringify(value))
        expect([seal, fields, String(digest).length]).toEqual(['sealed', sent, 43])
      }),
    )
  })

  it('is corrupt or has no seal when any one bit of it is changed', () => {
    const sealed = Buffer.from(sealText('{"v":1,"t":"rack","jobIds":["pj_1"],"note":"caf\u00e9"}'))
    const opened = Array.from({ length: sealed.length * 8 }, (_, bit) => openText(withBitFlipped(sealed, bit)))
    const corrupt = opened.filter(({ seal }) => seal === 'corrupt')
    expect(opened.filter(({ seal }) => seal === 'sealed')).toEqual([])
    expect(corrupt.every(({ json }) => json === undefined)).toBe(true)
    // Only a change in the eight characters around the digest makes it look like a message without a seal.
    expect(opened.length - corrupt.length).toBe(8 * 8)
  })

  it('is corrupt or has no seal when any run of its bytes is changed, cut out or doubled', () => {
    assertProperty(
      fc.property(
        message,
        fc.nat(),
        fc.nat({ max: 64 }),
        fc.uint8Array({ maxLength: 64 }),
        (value, from, count, bytes) => {
          const sealed = Buffer.from(sealText(JSON.stringify(value)))
          const at = from % sealed.length
          const changed = Buffer.concat([sealed.subarray(0, at), bytes, sealed.subarray(at + count)])
          fc.pre(!changed.equals(sealed))
          expect(openText(changed).seal).not.toBe('sealed')
        },
      ),
    )
  })

  it.each([
    ['one byte that is no UTF-8', [0xff]],
    ['the beginning of a character', [0xef, 0xbf]],
  ])('is corrupt when %s takes the place of the character that stands for such bytes', (_words, bytes) => {
    const sealed = Buffer.from(sealText('{"t":"\ufffd"}'))
    const at = sealed.indexOf(Buffer.from('\ufffd'))
    const damaged = Buffer.concat([sealed.subarray(0, at), Buffer.from(bytes), sealed.subarray(at + 3)])
    expect(openText(damaged)).toEqual({ seal: 'corrupt', json: undefined })
  })
})

describe('what was not sealed', () => {
  it('is opened as it is, so that an older peer is understood', () => {
    expect(openText(Buffer.from('{"t":"bye"}'))).toEqual({ seal: 'unsealed', json: { t: 'bye' } })
    expect(openText(Buffer.from('{"t":"bye","d":"short"}'))).toMatchObject({ seal: 'unsealed' })
  })

  it.each(['', '}', ',"d":"', `,"d":"${'x'.repeat(43)}"}`, '{"v":1', '\0'.repeat(60)])(
    'is no value if it is no JSON: %j',
    (text) => {
      expect(openText(Buffer.from(text))).toEqual({ seal: 'unsealed', json: undefined })
    },
  )
})
