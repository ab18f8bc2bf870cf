// Replies must be separated however the network splits them, and whatever invalid bytes are between them.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assertProperty } from '#test/harness/property.ts'
import { type Reply, StatusParser } from './status-parser.ts'

function parse(bytes: readonly number[]): Reply[] {
  return new StatusParser().push(Uint8Array.from(bytes))
}

/** Well-formed replies of each kind, as bytes with the reply that they are. */
const reply = fc.oneof(
  fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255)).map(([a, b, c, d]): [number[], Reply] => {
    const bytes = [(a & 0x6c) | 0x10, b & 0x6f, c & 0x6f, d & 0x6f] as const
    return [[...bytes], { kind: 'asb', bytes }]
  }),
  fc.nat(255).map((n): [number[], Reply] => {
    const byte = (n & 0x6c) | 0x12
    return [[byte], { kind: 'real-time', byte }]
  }),
  fc
    .tuple(fc.constantFrom(0x35, 0x37, 0x39, 0x3b, 0x3d, 0x5f), fc.string({ unit: 'grapheme-ascii', maxLength: 80 }))
    .map(([head, text]): [number[], Reply] => [
      [head, ...Buffer.from(text, 'latin1'), 0],
      { kind: 'block', head, text },
    ]),
  fc.nat(255).map((n): [number[], Reply] => [[n & 0x6f], { kind: 'bare', byte: n & 0x6f }]),
)

describe('StatusParser', () => {
  it('reads any sequence of replies, split anywhere', () => {
    assertProperty(
      fc.property(fc.array(reply, { maxLength: 12 }), fc.array(fc.integer({ min: 1, max: 7 })), (replies, cuts) => {
        const bytes = Uint8Array.from(replies.flatMap(([b]) => b))
        const parser = new StatusParser()
        const got: Reply[] = []
        let at = 0
        for (const size of [...cuts, bytes.length]) {
          got.push(...parser.push(bytes.subarray(at, at + size)))
          at = Math.min(bytes.length, at + size)
        }
        expect(got).toEqual(replies.map(([, r]) => r))
      }),
      { numRuns: 2_000 },
    )
  })

  it('never throws and never holds more than one block, for any bytes', () => {
    assertProperty(
      fc.property(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 20 }), (chunks) => {
        const parser = new StatusParser()
        let given = 0
        let taken = 0
        for (const chunk of chunks) {
          given += chunk.length
          for (const r of parser.push(chunk)) taken += lengthOf(r)
          expect(given - taken).toBeLessThanOrEqual(129)
        }
      }),
      { numRuns: 3_000 },
    )
  })

  it('finds the answer after a banner that looks like the beginning of a block', () => {
    const banner = [...Buffer.from('Hi_there')]
    expect(parse([...banner, 0x12]).at(-1)).toEqual({ kind: 'real-time', byte: 0x12 })
  })

  it('does not accept a process id in a broken block', () => {
    expect(parse([0x37, 0x22, 0x41, 0x42, 0x12, 0x43, 0x44, 0x00]).some((r) => r.kind === 'block')).toBe(false)
  })

  it('four zero bytes are four single bytes, not an ASB', () => {
    expect(parse([0, 0, 0, 0]).map((r) => r.kind)).toEqual(['bare', 'bare', 'bare', 'bare'])
  })

  it('makes one reply of a run of invalid bytes, not one per byte', () => {
    expect(parse(Array.from({ length: 1_000 }, () => 0x80))).toEqual([
      { kind: 'noise', length: 1_000, isStrange: true },
    ])
  })

  it('holds at most a block of an endless text', () => {
    expect(parse([...Buffer.from('_'.repeat(1_000))])).toEqual([
      { kind: 'noise', length: 1_000 - 128, isStrange: true },
    ])
  })

  it('distinguishes the flow control of a serial line from unexpected bytes', () => {
    expect(parse([0x13, 0x11])).toEqual([{ kind: 'noise', length: 2, isStrange: false }])
    expect(parse([0x13, 0xff, 0x11])).toEqual([{ kind: 'noise', length: 3, isStrange: true }])
  })

  it('waits for the rest of an ASB, and drops the byte if another answer interrupts it', () => {
    expect(parse([0x10, 0x00, 0x0c])).toEqual([])
    expect(parse([0x10, 0x00, 0x12]).map((r) => r.kind)).toEqual(['noise', 'bare', 'real-time'])
  })
})

function lengthOf(r: Reply): number {
  if (r.kind === 'asb') return 4
  if (r.kind === 'noise') return r.length
  return r.kind === 'block' ? r.text.length + 2 : 1
}
