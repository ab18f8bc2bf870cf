// Which numbers a text message may go to: typed as people do, and as those do who make others pay.
import { describe, expect, it } from 'vitest'
import { maskedNumber, numberToCall, numberToText, tailOf } from './phone-number.ts'

const HOME = ['+1']

describe('a telephone number', () => {
  it.each([
    ['(415) 555-2671', '+14155552671'],
    ['4155552671', '+14155552671'],
    ['+1 415.555.2671', '+14155552671'],
    ['1-415-555-2671', '+14155552671'],
  ])('%s is of the first country of the list', (text, e164) => {
    expect(numberToText(text, HOME)).toEqual({ e164 })
    expect(numberToText(`  ${text} `, HOME)).toEqual({ e164 })
  })

  it('of another country is refused, unless the operator names it', () => {
    expect(numberToText('+44 7400 123456', HOME)).toEqual({ refused: 'country' })
    expect(numberToText('+44 7400 123456', ['+1', '+44'])).toEqual({ e164: '+447400123456' })
    expect(numberToText('07400 123456', ['+44'])).toEqual({ e164: '+447400123456' })
  })

  it('of an island that shares +1 is refused: messages there cost many times as much', () => {
    expect(numberToText('+1 876 555 1234', HOME)).toEqual({ refused: 'country' })
    expect(numberToText('+1 809 555 1234', HOME)).toEqual({ refused: 'country' })
    expect(numberToText('+1 787 555 1234', HOME)).toEqual({ e164: '+17875551234' })
  })

  it.each(['900-555-1234', '1-800-555-1234', '+1 500 555 0006'])('%s costs or earns otherwise than a call', (text) => {
    expect(numberToText(text, HOME)).toEqual({ refused: 'number_type' })
  })

  it.each([
    '911',
    '72345',
    '',
    'call me',
    '+',
    '00',
    '٤١٥',
    '1'.repeat(32),
    '4155552671 ext. 9',
    '+1 415 555 2671;+1 415 555 2672',
    '\u0000',
  ])('%j is none', (text) => {
    expect(numberToText(text, HOME)).toEqual({ refused: 'not_a_number' })
  })

  it('is shown by its last four digits', () => {
    expect(tailOf('+14155552671')).toBe('2671')
  })

  it('is called where it is ordinary or toll-free, and not where a minute costs much or earns something', () => {
    for (const fine of ['+14155552671', '+18005551234']) expect(numberToCall(fine, HOME)).toEqual({ e164: fine })
    expect(numberToCall('+19005551234', HOME)).toEqual({ refused: 'number_type' })
    // A Caribbean island, the United Kingdom, a satellite.
    for (const costly of ['+18765551234', '+447400123456', '+881612345678'])
      expect(numberToCall(costly, HOME)).toEqual({ refused: 'country' })
  })

  it('is hidden but for its ends, and one that was withheld stays none', () => {
    expect(maskedNumber('+14155552671')).toBe('+*********71')
    expect(maskedNumber(null)).toBeNull()
  })
})
