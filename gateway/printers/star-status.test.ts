// Star's status blocks: the meaning of each bit, and that no noise hides the next block.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assertProperty } from '#test/harness/property.ts'
import { type StarReply, StarStatusParser } from './star-status.ts'

/** A nine-byte block as a TSP650II sends it; `at` changes single bytes, counted from 1 as in the specification. */
function block(at: Record<number, number> = {}): number[] {
  return [0x23, 0x06, 0, 0, 0, 0, 0, 0, 0].map((byte, i) => at[i + 1] ?? byte)
}

function parse(...chunks: number[][]): StarReply[] {
  const parser = new StarStatusParser()
  return chunks.flatMap((chunk) => parser.push(Uint8Array.from(chunk)))
}

function reasonsOf(at: Record<number, number>): readonly string[] {
  const [reply] = parse(block(at))
  return reply?.kind === 'status' ? reply.status.condition.reasons : ['no status']
}

describe('status bits', () => {
  it('without errors', () => {
    expect(parse(block())).toEqual([
      {
        kind: 'status',
        status: { condition: { blocked: false, reasons: [], paperKnown: true }, etbCount: 0, overflow: false },
      },
    ])
  })

  it.each([
    ['cover open (byte 3 bit 5)', { 3: 0x28 }, 'cover-open'],
    ['offline by switch (byte 3 bit 6)', { 3: 0x40 }, 'offline'],
    ['cutter (byte 4 bit 3)', { 3: 0x08, 4: 0x08 }, 'cutter-error'],
    ['fault (byte 4 bit 5)', { 3: 0x08, 4: 0x20 }, 'unrecoverable-error'],
    ['hot head (byte 4 bit 6)', { 3: 0x08, 4: 0x40 }, 'recoverable-error'],
    ['black mark not found (byte 5 bit 3)', { 5: 0x08 }, 'recoverable-error'],
    ['paper end (byte 6 bit 3)', { 3: 0x08, 6: 0x0c }, 'media-empty'],
    ['paper near end (byte 6 bit 2)', { 6: 0x04 }, 'media-low'],
  ] as const)('%s', (_, at, reason) => {
    expect(reasonsOf(at)).toEqual([reason])
  })

  it.each([
    [0x00, 0],
    [0x02, 1],
    [0x0e, 7],
    [0x20, 8],
    [0x6e, 31],
  ])('byte 8 = %i is count %i: five bits around the fixed bit 4', (byte, count) => {
    expect(parse(block({ 8: byte }))).toMatchObject([{ status: { etbCount: count } }])
  })

  it('a model of seven bytes has no counter', () => {
    expect(parse([0x0f, 0x02, 0, 0, 0, 0, 0])).toMatchObject([{ status: { etbCount: null } }])
  })

  it('bytes lost in a full buffer are reported', () => {
    expect(parse(block({ 5: 0x40 }))).toMatchObject([{ status: { overflow: true } }])
  })
})

describe('the stream', () => {
  it('over Ethernet two length bytes follow the block', () => {
    expect(parse([...block({ 2: 0x86 }), 0, 0, ...block()])).toHaveLength(2)
  })

  it('the end of printing comes alone, or as the data of a block', () => {
    const end = [0x1b, 0x1d, 0x03, 0x01, 0x34, 0x12, 0x07, 0x00]
    expect(parse(end)).toEqual([{ kind: 'print-end', id: 0x1234 }])
    expect(parse([...block({ 2: 0x86 }), 0, end.length, ...end])).toMatchObject([
      { kind: 'status' },
      { kind: 'print-end', id: 0x1234 },
    ])
  })

  it('reading the counter is not the end of printing', () => {
    expect(parse([0x1b, 0x1d, 0x03, 0x00, 0x34, 0x12, 0x07, 0x00])).toEqual([])
  })

  it('the result is the same when split at every byte', () => {
    const bytes = [...block({ 2: 0x86, 8: 0x02 }), 0, 0, ...block({ 3: 0x28 })]
    expect(parse(...bytes.map((byte) => [byte]))).toEqual(parse(bytes))
  })

  it.each([
    ['a banner', [...Buffer.from('mC-Print3 ready\r\n')]],
    ['XON and XOFF', [0x11, 0x13]],
    ['an Epson status', [0x12, 0x12]],
    ['a block that breaks off', [0x23, 0x06, 0, 0xff]],
  ])('%s before a status does not hide it', (_, noise) => {
    const heard = parse([...noise, ...block({ 6: 0x0c, 3: 0x08 })])
    expect(heard.filter(({ kind }) => kind === 'status')).toMatchObject([
      { status: { condition: { reasons: ['media-empty'] } } },
    ])
  })

  it('for any bytes it never throws, and finds the next status at most one longest block later', () => {
    assertProperty(
      fc.property(fc.uint8Array({ maxLength: 200 }), (rubbish) => {
        const parser = new StarStatusParser()
        parser.push(rubbish)
        const heard = Array.from({ length: 80 }, () => parser.push(Uint8Array.from(block()))).flat()
        expect(heard.at(-1)).toMatchObject({ kind: 'status', status: { etbCount: 0 } })
      }),
    )
  })
})
