// Star's commands are framed with exactly their parameters, in Line Mode, StarPRNT and raster mode.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bytesOf, namesOf } from '#test/fixtures/framed-bytes.ts'
import { assertProperty } from '#test/harness/property.ts'
import { EscposTokenizer, tokenize } from './tokenize.ts'

const star = (text: string) => tokenize(bytesOf(text), { family: 'star' })

describe('tokenize, for Star printers', () => {
  // Text follows each command: a wrong length would swallow it, or print parameters.
  it.each([
    ['1B 40', 'ESC @'],
    ['1B 1E 61 03', 'ESC RS a'],
    ['1B 1E 46 00', 'ESC RS F'],
    ['1B 1E 45 00', 'ESC RS E'],
    ['1B 1E 52 01', 'ESC RS R'],
    ['1B 06 01', 'ESC ACK'],
    ['1B 1D 74 20', 'ESC GS t'],
    ['1B 1D 61 01', 'ESC GS a'],
    ['1B 1D 41 10 00', 'ESC GS A'],
    ['1B 1D 52 10 00', 'ESC GS R'],
    ['1B 20 30', 'ESC SP'],
    ['1B 73 30 30', 'ESC s'],
    ['1B 7A 31', 'ESC z'],
    ['1B 30', 'ESC 0'],
    ['1B 69 01 01', 'ESC i'],
    ['1B 57 01', 'ESC W'],
    ['1B 68 01', 'ESC h'],
    ['0E', 'SO'],
    ['14', 'DC4'],
    ['0F', 'SI'],
    ['12', 'DC2'],
    ['1B 45', 'ESC E'],
    ['1B 46', 'ESC F'],
    ['1B 2D 01', 'ESC -'],
    ['1B 5F 01', 'ESC _'],
    ['1B 34', 'ESC 4'],
    ['1B 35', 'ESC 5'],
    ['1B 61 02', 'ESC a'],
    ['1B 4A 20', 'ESC J'],
    ['1B 49 20', 'ESC I'],
    ['1B 6C 00', 'ESC l'],
    ['1B 51 30', 'ESC Q'],
    ['1B 44 08 10 00', 'ESC D'],
    ['1B 43 20', 'ESC C'],
    ['1B 43 00 05', 'ESC C'],
    ['1B 52 00', 'ESC R'],
    ['1B 24 31', 'ESC $'],
    ['1B 4B 02 00 "AB"', 'ESC K'],
    ['1B 4C 02 00 "AB"', 'ESC L'],
    ['1B 58 01 00 "ABC"', 'ESC X'],
    ['1B 6B 01 00 "123456789012345678901234"', 'ESC k'],
    ['1B 1D 53 01 02 00 03 00 00 "abcdef"', 'ESC GS S'],
    ['1B 62 36 31 32 50 "B123" 1E', 'ESC b'],
    ['1B 1D 79 53 30 02', 'ESC GS y'],
    ['1B 1D 79 53 32 06', 'ESC GS y'],
    ['1B 1D 79 44 31 00 05 00 "hello"', 'ESC GS y'],
    ['1B 1D 79 44 32 02 31 02 00 "ab" 32 01 00 "c"', 'ESC GS y'],
    ['1B 1D 79 50', 'ESC GS y'],
    ['1B 1D 78 53 30 01 02 03', 'ESC GS x'],
    ['1B 1D 78 53 31 02', 'ESC GS x'],
    ['1B 1D 78 44 02 00 "ab"', 'ESC GS x'],
    ['1B 1D 78 50', 'ESC GS x'],
    ['1B 1D 50 30', 'ESC GS P'],
    ['1B 1D 50 32 01', 'ESC GS P'],
    ['1B 1D 50 33 00 00 00 00 40 02 40 02', 'ESC GS P'],
    ['1B 1D 29 55 02 00 30 01', 'ESC GS ) U'],
    ['1B 1D 03 01 00 00', 'ESC GS ETX'],
    ['1B 1D 07 01 05 05', 'ESC GS BEL'],
    ['1B 1D 19 12 01 01 01', 'ESC GS EM'],
    ['1B 1D 23 57 30 30 30 30 30 0A 00', 'ESC GS #'],
    ['1B 23 30 2C 30 30 30 30 0A 00', 'ESC #'],
    ['1B 3F 0A 00', 'ESC ?'],
    ['1B 64 03', 'ESC d'],
    ['1B 07 0B 37', 'ESC BEL'],
    ['07', 'BEL'],
    ['1C', 'FS'],
    ['19', 'EM'],
    ['1A', 'SUB'],
    ['17', 'ETB'],
    ['1B 1C 70 01 00', 'ESC FS p'],
    ['1B 1C 71 01 01 00 01 00 "12345678"', 'ESC FS q'],
    ['1B 2A 72 50 30 00', 'ESC * r'],
    ['1B 2A 72 6D 6C 30 00', 'ESC * r'],
    ['1B 2A 72 42', 'ESC * r'],
    ['1B 0C 00', 'ESC FF'],
  ])('frames %s as one %s', (command, name) => {
    const { operations, rest } = star(`"before" ${command} "after"`)
    expect(namesOf(operations)).toEqual(['"before"', name, '"after"'])
    expect(operations[1]).toMatchObject({ known: true })
    expect(Buffer.from(operations[1]?.bytes ?? [])).toEqual(bytesOf(command))
    expect(rest).toHaveLength(0)
  })

  it('reads rows of dots only in raster mode, with their parameters', () => {
    const { operations, rest } = star(
      '"b" 1B 2A 72 41 1B 2A 72 50 30 00 "b" 02 00 FF 0A "k" 01 00 1B 1B 2A 72 59 32 34 00 1B 0C 00 1B 2A 72 42 "b"',
    )
    expect(namesOf(operations)).toEqual(['"b"', 'ESC * r', 'ESC * r', 'b', 'k', 'ESC * r', 'ESC FF', 'ESC * r', '"b"'])
    const params = operations.map((o) => (o.kind === 'command' ? Buffer.from(o.params).toString('latin1') : null))
    expect(params[1]).toBe('A')
    expect(params[2]).toBe('P0\0')
    expect(params[3]).toBe('\x02\0\xff\x0a')
    expect(params[5]).toBe('Y24\0')
    expect(rest).toHaveLength(0)
  })

  it('reports text in raster mode as unknown, byte by byte: it is not printed', () => {
    const { operations } = star('1B 2A 72 41 "ab" 01 00 FF "z"')
    expect(operations.map((o) => o.kind === 'command' && o.known)).toEqual([true, false, true, false])
  })

  it('leaves raster mode with ESC @ and after a power cut', () => {
    expect(namesOf(star('1B 2A 72 41 1B 40 "text"').operations)).toEqual(['ESC * r', 'ESC @', '"text"'])
    const tokenizer = new EscposTokenizer({ family: 'star-raster' })
    tokenizer.push(bytesOf('1B 2A 72 41 "b" 10 00 FF'))
    expect(tokenizer.pendingBytes).toBe(4)
    tokenizer.reset()
    expect(namesOf(tokenizer.push(bytesOf('"text"')))).toEqual(['"text"'])
  })

  it('marks status requests as real-time, and does not accept Epson commands', () => {
    const { operations } = star('1B 06 01 1D 56 42 00 10 04 01')
    expect(namesOf(operations)).toEqual(['ESC ACK', '0x1d', '"VB"', 'NUL', '0x10', 'EOT', '0x01'])
    expect(operations[0]).toMatchObject({ realTime: true, known: true })
    expect(operations[1]).toMatchObject({ known: false })
  })

  it('ignores a picture that no printer could hold', () => {
    expect(star('1B 1D 53 01 FF FF FF FF 00 "text"').operations[0]).toMatchObject({ name: 'ESC GS S', known: false })
  })

  it('gives the same operations wherever the stream is split, and loses no byte', () => {
    const control = fc.constantFrom(0x1b, 0x1d, 0x1e, 0x2a, 0x72, 0x41, 0x42, 0x62, 0x00, 0x0a, 0x79, 0x44, 0x01)
    const raster = fc.constantFrom([0x1b, 0x2a, 0x72, 0x41], [0x62, 2, 0, 7, 9], [0x1b, 0x2a, 0x72, 0x42])
    const byte = fc.oneof(control, fc.integer({ min: 0, max: 255 })).map((one) => [one])
    const stream = fc.array(fc.oneof({ weight: 5, arbitrary: byte }, raster), { maxLength: 100 })
    assertProperty(
      fc.property(stream, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (parts, steps) => {
        const bytes = Uint8Array.from(parts.flat())
        const whole = tokenize(bytes, { family: 'star' })
        const tokenizer = new EscposTokenizer({ family: 'star' })
        const commands: string[] = []
        for (let at = 0, i = 0; at < bytes.length; i++) {
          const step = steps[i % steps.length] ?? 1
          for (const operation of tokenizer.push(bytes.slice(at, at + step))) {
            if (operation.kind === 'command' && operation.name !== 'NUL') commands.push(operation.name)
          }
          at += step
        }
        const expected = whole.operations.filter((o) => o.kind === 'command' && o.name !== 'NUL')
        expect(commands).toEqual(namesOf(expected))
        expect(tokenizer.pendingBytes).toBe(whole.rest.length)
        expect(Buffer.concat([...whole.operations.map((o) => o.bytes), whole.rest])).toEqual(Buffer.from(bytes))
      }),
      { numRuns: 2_000 },
    )
  })
})
