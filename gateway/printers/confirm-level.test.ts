// The level of proof in words.
import { describe, expect, it } from 'vitest'
import type { PrinterCapability } from '#shared/printer-profile.ts'
import { confirmLevelOf } from './confirm-level.ts'

const NOTHING: PrinterCapability = { dleEot: false, asb: false, gsParenH: false, gsI: false, gsR: false, learntAtMs: 0 }

describe('the level of proof', () => {
  it.each([
    [{ gsParenH: true, gsI: true, gsR: true, dleEot: true }, 'L3', 'gs-paren-h', /^Confirmed by id/],
    [{ starEtb: true, starStatus: true }, 'L3', 'star-etb', /^Confirmed by count/],
    [{ gsI: true, gsR: true, dleEot: true }, 'L2', 'gs-i', /^Confirmed by answer/],
    [{ gsR: true }, 'L2', 'gs-r', /^Confirmed by answer/],
    [{ dleEot: true, asb: true }, 'L1', 'dle-eot', /^Assumed/],
    [{ dleEot: true, talks: true }, 'L1', 'dle-eot', /^Assumed.* sends bytes unasked/],
    [{ starStatus: true }, 'L1', 'dle-eot', /^Assumed/],
    [{}, 'L0', 'none', /not verified/],
  ] as const)('%o is %s by %s', (seen, level, method, words) => {
    expect(confirmLevelOf({ ...NOTHING, ...seen })).toEqual({ level, method, words: expect.stringMatching(words) })
  })

  it('of a printer that never answered is the lowest', () => {
    expect(confirmLevelOf(null)).toMatchObject({ level: 'L0', method: 'none' })
  })
})
