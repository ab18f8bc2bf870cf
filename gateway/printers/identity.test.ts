// Whether a device is the printer that was set up: all facts that both sides have must agree, in any order.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { DeviceFacts } from '#shared/printer-identity.ts'
import { KNOWS_ALL } from '#test/doubles/printer-rig.ts'
import { assertProperty } from '#test/harness/property.ts'
import { cleanAnswer, doubtOf, lacksFeatures, likeness } from './identity.ts'

const GRILL = { mac: '64:eb:8c:01:02:03', maker: 'EPSON', model: 'TM-T88VI', serial: 'X1' }
const NOTHING = { mac: null, maker: null, model: null, serial: null }
const full = { ...GRILL, capability: KNOWS_ALL }
const FACTS = ['mac', 'maker', 'model', 'serial'] as const
const someFacts = fc.record({
  mac: fc.constantFrom(null, 'a', 'b'),
  maker: fc.constantFrom(null, 'a', 'b'),
  model: fc.constantFrom(null, 'a', 'b'),
  serial: fc.constantFrom(null, 'a', 'b'),
})

describe('the device at a printer’s own address', () => {
  it('is another one as soon as any fact differs that both sides have', () => {
    for (const fact of FACTS) expect(likeness(GRILL, { ...GRILL, [fact]: 'else' }), fact).toBe('other')
    expect(likeness(GRILL, { ...NOTHING, serial: 'X1' })).toBe('same')
    expect(likeness(GRILL, { ...NOTHING, mac: GRILL.mac })).toBe('same')
    expect(likeness(GRILL, NOTHING)).toBe('unknown')
    expect(likeness(NOTHING, GRILL)).toBe('unknown')
  })

  it('gives the same result from both sides', () => {
    assertProperty(
      fc.property(someFacts, someFacts, (a: DeviceFacts, b: DeviceFacts) => {
        expect(likeness(a, b)).toBe(likeness(b, a))
      }),
    )
  })
})

describe('a device at another address', () => {
  it('is followed only when hardware address and all known answers agree', () => {
    expect(doubtOf(full, full)).toBeNull()
    expect(doubtOf(full, { ...full, mac: 'else' })).toBe('other-hardware')
    expect(doubtOf(full, { ...full, serial: 'else' })).toBe('other-answers')
    expect(doubtOf(full, { ...full, maker: null })).toBe('other-answers')
    expect(doubtOf(full, { ...full, capability: null })).toBe('other-features')
    // One that never answers: its hardware address and its silence agree.
    const mute = { ...NOTHING, mac: GRILL.mac, capability: null }
    expect(doubtOf(mute, mute)).toBeNull()
  })

  it('needs serial number and model if the kernel has no hardware address', () => {
    expect(doubtOf(full, { ...full, mac: null })).toBeNull()
    const nameless = { ...full, serial: null }
    expect(doubtOf(nameless, { ...nameless, mac: null })).toBe('no-hardware-address')
    const noModel = { ...full, model: null }
    expect(doubtOf(noModel, { ...noModel, mac: null })).toBe('no-hardware-address')
  })

  it('is never followed if its hardware address or an answer differs', () => {
    assertProperty(
      fc.property(someFacts, someFacts, (known, seen) => {
        const doubt = doubtOf({ ...known, capability: KNOWS_ALL }, { ...seen, capability: KNOWS_ALL })
        if (doubt !== null) return
        expect(likeness(known, seen)).toBe('same')
        expect(seen.mac === null ? known.serial : seen.mac).toBe(seen.mac === null ? seen.serial : known.mac)
      }),
    )
  })
})

it('a printer does not lose a command, but may not answer at all', () => {
  expect(lacksFeatures(KNOWS_ALL, { ...KNOWS_ALL, gsParenH: false })).toBe(true)
  expect(lacksFeatures(KNOWS_ALL, { ...KNOWS_ALL, asb: false })).toBe(false)
  expect(lacksFeatures({ ...KNOWS_ALL, gsParenH: false }, KNOWS_ALL)).toBe(false)
  expect(lacksFeatures(KNOWS_ALL, null)).toBe(false)
  expect(lacksFeatures(null, KNOWS_ALL)).toBe(false)
})

it('an answer is printable, short, and never empty', () => {
  expect(cleanAnswer(' TM-T88VI\x1b[2J ')).toBe('TM-T88VI[2J')
  assertProperty(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      expect(cleanAnswer(text) ?? 'x').toMatch(/^[\x21-\x7e]([\x20-\x7e]{0,38}[\x21-\x7e])?$/)
    }),
  )
})
