// Every command is framed with exactly its parameters, wherever the stream is split.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bytesOf, namesOf } from '#test/fixtures/framed-bytes.ts'
import { assertProperty } from '#test/harness/property.ts'
import { EscposTokenizer, type Operation, tokenize } from './tokenize.ts'

/** Joins text that arrived in pieces. */
function merged(operations: readonly Operation[]): string[] {
  const out: string[] = []
  let run = ''
  let last = ''
  for (const operation of operations) {
    const hex = Buffer.from(operation.bytes).toString('hex')
    const name = operation.kind === 'text' ? 'text' : operation.name
    const joins = (name === 'text' || name === 'NUL') && name === last
    if (!joins && last !== '') out.push(`${last}:${run}`)
    run = joins ? run + hex : hex
    last = name
  }
  if (last !== '') out.push(`${last}:${run}`)
  return out
}

describe('tokenize', () => {
  // Text follows each command: a wrong length would swallow it, or print parameters.
  it.each([
    ['1B 40', 'ESC @'],
    ['1B 21 38', 'ESC !'],
    ['1B 20 02', 'ESC SP'],
    ['1B 24 10 01', 'ESC $'],
    ['1B 5C 10 01', 'ESC \\'],
    ['1B 2D 01', 'ESC -'],
    ['1B 32', 'ESC 2'],
    ['1B 33 18', 'ESC 3'],
    ['1B 2A 00 02 00 "AB"', 'ESC *'],
    ['1B 2A 21 02 00 "ABCDEF"', 'ESC *'],
    ['1B 44 08 10 18 00', 'ESC D'],
    ['1B 45 01', 'ESC E'],
    ['1B 47 01', 'ESC G'],
    ['1B 4A 20', 'ESC J'],
    ['1B 4D 01', 'ESC M'],
    ['1B 52 00', 'ESC R'],
    ['1B 56 01', 'ESC V'],
    ['1B 57 00 00 00 00 00 01 00 01', 'ESC W'],
    ['1B 61 01', 'ESC a'],
    ['1B 63 35 00', 'ESC c'],
    ['1B 64 03', 'ESC d'],
    ['1B 69', 'ESC i'],
    ['1B 6D', 'ESC m'],
    ['1B 70 00 19 FA', 'ESC p'],
    ['1B 72 01', 'ESC r'],
    ['1B 74 10', 'ESC t'],
    ['1B 76', 'ESC v'],
    ['1B 7B 01', 'ESC {'],
    ['1B 42 03 02', 'ESC B'],
    ['1B 3D 01', 'ESC ='],
    ['1B 28 41 05 00 61 64 02 01 01', 'ESC ( A'],
    ['1B 26 03 41 42 02 "abcdef" 01 "abc"', 'ESC &'],
    ['1D 21 11', 'GS !'],
    ['1D 42 01', 'GS B'],
    ['1D 48 02', 'GS H'],
    ['1D 4C 10 00', 'GS L'],
    ['1D 57 00 02', 'GS W'],
    ['1D 56 00', 'GS V'],
    ['1D 56 31', 'GS V'],
    ['1D 56 41 03', 'GS V'],
    ['1D 56 42 00', 'GS V'],
    ['1D 66 01', 'GS f'],
    ['1D 68 50', 'GS h'],
    ['1D 77 03', 'GS w'],
    ['1D 6B 04 "ABC" 00', 'GS k'],
    ['1D 6B 49 05 "{B123"', 'GS k'],
    ['1D 76 30 00 02 00 03 00 "abcdef"', 'GS v 0'],
    ['1D 61 0E', 'GS a'],
    ['1D 72 01', 'GS r'],
    ['1D 49 43', 'GS I'],
    ['1D 28 6B 03 00 31 43 05', 'GS ( k'],
    ['1D 28 48 06 00 30 30 "ABCD"', 'GS ( H'],
    ['1D 28 45 03 00 01 "IN"', 'GS ( E'],
    ['1D 38 4C 04 00 00 00 "wxyz"', 'GS 8 L'],
    ['1D 3A', 'GS :'],
    ['1D 2F 00', 'GS /'],
    ['1D 2A 01 02 "0123456789ABCDEF"', 'GS *'],
    ['1D 43 30 03 01', 'GS C'],
    ['1D 43 3B "1;9;1;1;1;"', 'GS C'],
    ['1D 44 30 43 30 20 20 01 31 "BM" 08 00 00 00 "xx"', 'GS D'],
    ['1D F9 35 31', 'GS 0xf9'],
    ['1D 67 32 00 14 00', 'GS g'],
    ['1D 7A 30 05 05', 'GS z'],
    ['1C 2E', 'FS .'],
    ['1C 26', 'FS &'],
    ['1C 43 01', 'FS C'],
    ['1C 21 00', 'FS !'],
    ['1C 53 00 00', 'FS S'],
    ['1C 70 01 00', 'FS p'],
    ['1C 71 01 01 00 01 00 "12345678"', 'FS q'],
    ['1C 67 31 00 00 00 00 00 02 00 "ab"', 'FS g'],
    ['1C 28 43 02 00 30 32', 'FS ( C'],
    ['10 04 01', 'DLE EOT'],
    ['10 04 07 01', 'DLE EOT'],
    ['10 05 02', 'DLE ENQ'],
    ['10 14 01 00 01', 'DLE DC4'],
    ['10 14 08 01 03 14 01 06 02 08', 'DLE DC4'],
    ['18', 'CAN'],
    ['0A', 'LF'],
    ['0D', 'CR'],
    ['0C', 'FF'],
    ['09', 'HT'],
    ['07', 'BEL'],
    ['00 00 00', 'NUL'],
  ])('frames %s as one %s', (command, name) => {
    const { operations, rest } = tokenize(bytesOf(`"before" ${command} "after"`))
    expect(namesOf(operations)).toEqual(['"before"', name, '"after"'])
    expect(operations[1]).toMatchObject({ known: true })
    expect(Buffer.from(operations[1]?.bytes ?? [])).toEqual(bytesOf(command))
    expect(rest).toHaveLength(0)
  })

  it('returns parameters without the code, and without pL pH', () => {
    const { operations } = tokenize(bytesOf('1D 28 48 06 00 30 30 "ABCD" 1D 56 42 07 1D 76 30 00 01 00 01 00 FF'))
    expect(operations.map((o) => (o.kind === 'command' ? Buffer.from(o.params).toString('latin1') : ''))).toEqual([
      '00ABCD',
      'B\x07',
      '\x00\x01\x00\x01\x00\xff',
    ])
  })

  it('marks real-time commands', () => {
    const { operations } = tokenize(bytesOf('10 04 01 1B 40'))
    expect(operations.map((o) => o.kind === 'command' && o.realTime)).toEqual([true, false])
  })

  it('frames only the code of an unknown command and marks it as unknown', () => {
    const { operations } = tokenize(bytesOf('1B 01 "x" 1D 02 "y" 1F "z" 10 "q" 7F'))
    expect(namesOf(operations)).toEqual(['ESC 0x01', '"x"', 'GS 0x02', '"y"', '0x1f', '"z"', 'DLE', '"q"', '0x7f'])
    expect(operations.filter((o) => o.kind === 'command' && o.known)).toEqual([])
  })

  it('reads bold of a Daruma printer without a parameter', () => {
    expect(namesOf(tokenize(bytesOf('1B 45 "BOLD" 1B 46'), { family: 'daruma' }).operations)).toEqual([
      'ESC E',
      '"BOLD"',
      'ESC F',
    ])
  })

  it('ignores a length that no printer could hold', () => {
    const { operations } = tokenize(bytesOf('1D 38 4C FF FF FF FF "text"'))
    expect(operations[0]).toMatchObject({ name: 'GS 8 L', known: false })
  })

  it('keeps an incomplete command and reports its pending bytes', () => {
    const tokenizer = new EscposTokenizer()
    expect(tokenizer.push(bytesOf('1D 76 30 00 01 00 04 00 "ab"'))).toEqual([])
    expect(tokenizer.pendingBytes).toBe(10)
    expect(tokenizer.push(bytesOf('"c"'))).toEqual([])
    expect(tokenizer.pendingBytes).toBe(11)
    expect(namesOf(tokenizer.push(bytesOf('"d" "text"')))).toEqual(['GS v 0', '"text"'])
    expect(tokenizer.pendingBytes).toBe(0)
  })

  it('returns the same operations wherever the stream is split, and loses no byte', () => {
    const control = fc.constantFrom(0x1b, 0x1d, 0x1c, 0x10, 0x00, 0x0a, 0x28, 0x76, 0x30, 0x04, 0x01)
    const stream = fc.array(fc.oneof(control, fc.integer({ min: 0, max: 255 })), { maxLength: 120 })
    assertProperty(
      fc.property(stream, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (bytes, steps) => {
        const whole = tokenize(Uint8Array.from(bytes))
        const tokenizer = new EscposTokenizer()
        const pieces: Operation[] = []
        for (let at = 0, i = 0; at < bytes.length; i++) {
          const step = steps[i % steps.length] ?? 1
          pieces.push(...tokenizer.push(Uint8Array.from(bytes.slice(at, at + step))))
          at += step
        }
        expect(tokenizer.pendingBytes).toBe(whole.rest.length)
        expect(merged(pieces)).toEqual(merged(whole.operations))
        const all = [...whole.operations.map((o) => o.bytes), whole.rest]
        expect(Buffer.concat(all)).toEqual(Buffer.from(bytes))
      }),
      { numRuns: 2_000 },
    )
  })
})
