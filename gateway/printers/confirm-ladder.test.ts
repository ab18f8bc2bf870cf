// Which proof is requested, and that silence never lowers the required proof.
import { describe, expect, it } from 'vitest'
import { KNOWS_ALL, PROFILE, SHORT } from '#test/doubles/printer-rig.ts'
import { bestMethod, confirmQuery, estimateMs, isProof, mergeCapability, processIdOf } from './confirm-ladder.ts'

const ONLY_DLE = { ...KNOWS_ALL, asb: false, gsParenH: false, gsI: false, gsR: false }

describe('the ladder', () => {
  it('uses the best answer that the printer supports', () => {
    expect(bestMethod(KNOWS_ALL)).toBe('gs-paren-h')
    expect(bestMethod({ ...KNOWS_ALL, gsParenH: false })).toBe('gs-i')
    expect(bestMethod({ ...KNOWS_ALL, gsParenH: false, gsI: false })).toBe('gs-r')
    expect(bestMethod(ONLY_DLE)).toBe('dle-eot')
    expect(bestMethod(null)).toBe('none')
  })

  it('accepts an answer after the cut as proof, but neither a status nor silence', () => {
    const methods = ['star-etb', 'gs-paren-h', 'gs-i', 'gs-r', 'dle-eot', 'none'] as const
    expect(methods.filter(isProof)).toEqual(['star-etb', 'gs-paren-h', 'gs-i', 'gs-r'])
  })

  it('sends the query bytes of the ESC/POS reference', () => {
    expect(Buffer.from(confirmQuery('gs-paren-h', 'AB~ ')).toString('hex')).toBe('1d284806003030' + '41427e20')
    expect(Buffer.from(confirmQuery('gs-i', '')).toString('hex')).toBe('1d4943')
    expect(Buffer.from(confirmQuery('gs-r', 'AB~ ')).toString('hex')).toMatch(/^(1d7201){3,10}$/)
    expect(confirmQuery('dle-eot', '')).toHaveLength(0)
    expect(confirmQuery('none', '')).toHaveLength(0)
  })

  it('creates process ids of four printable bytes, different for consecutive attempts', () => {
    const ids = Array.from({ length: 5_000 }, (_, i) => processIdOf(`tkt_01jd0000000000000000000000.${i}`))
    for (const id of ids) expect(id).toMatch(/^[\x20-\x7e]{4}$/)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('estimates by height or by lines', () => {
    const document = { bytes: new Uint8Array(), heightMm: 300, lines: 47 }
    expect(estimateMs(document, { ...PROFILE, speed: { mmPerSec: 150 } }, SHORT)).toBe(2_040)
    expect(estimateMs(document, { ...PROFILE, speed: { linesPerSec: 4.7 } }, SHORT)).toBe(10_040)
  })
})

describe('another probe', () => {
  it('raises the level', () => {
    expect(mergeCapability(null, ONLY_DLE)).toEqual(ONLY_DLE)
    expect(mergeCapability(ONLY_DLE, KNOWS_ALL)).toEqual(KNOWS_ALL)
  })

  it('lowers it to another in-order answer only', () => {
    const lower = { ...KNOWS_ALL, gsParenH: false }
    expect(mergeCapability(KNOWS_ALL, lower)).toEqual(lower)
    expect(isProof(bestMethod(mergeCapability(KNOWS_ALL, ONLY_DLE)))).toBe(true)
    expect(mergeCapability(KNOWS_ALL, null)).toEqual(KNOWS_ALL)
  })
})
