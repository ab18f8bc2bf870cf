// WAV files as telephone companies make them, and as engines need them.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { assertProperty } from '#test/harness/property.ts'
import { atRate, audioTypeOf, readWav, writeWav } from './wav.ts'

const sound = (samples: number[], rate = 8_000) => ({ rate, samples: Int16Array.from(samples) })

/** A file of this form, with an odd chunk before its sound. */
function wav(form: { code: number; channels: number; rate: number; bits: number }, body: Buffer): Buffer {
  const fmt = Buffer.alloc(16)
  fmt.writeUInt16LE(form.code, 0)
  fmt.writeUInt16LE(form.channels, 2)
  fmt.writeUInt32LE(form.rate, 4)
  fmt.writeUInt16LE(form.bits, 14)
  const chunk = (name: string, bytes: Buffer) => {
    const size = Buffer.alloc(4)
    size.writeUInt32LE(bytes.length)
    return Buffer.concat([Buffer.from(name, 'latin1'), size, bytes, Buffer.alloc(bytes.length % 2)])
  }
  const rest = Buffer.concat([
    Buffer.from('WAVE'),
    chunk('fmt ', fmt),
    chunk('LIST', Buffer.from('odd')),
    chunk('data', body),
  ])
  const head = Buffer.alloc(8)
  head.write('RIFF')
  head.writeUInt32LE(rest.length, 4)
  return Buffer.concat([head, rest])
}

describe('a WAV file', () => {
  test('that was written is read as it was', () => {
    assertProperty(
      fc.property(fc.array(fc.integer({ min: -32_768, max: 32_767 }), { maxLength: 500 }), (samples) => {
        expect(readWav(writeWav(sound(samples)))).toEqual(sound(samples))
      }),
    )
  })

  test.each([
    // The extremes, and the values nearest to silence, as G.711 lists them.
    ['mu-law', 7, [0x00, 0x80, 0xff, 0x7f], [-32_124, 32_124, 0, 0]],
    ['A-law', 6, [0x2a, 0xaa, 0xd5, 0x55], [-32_256, 32_256, 8, -8]],
  ])('in %s is read by the table of G.711', (_, code, bytes, samples) => {
    expect(readWav(wav({ code, channels: 1, rate: 8_000, bits: 8 }, Buffer.from(bytes)))).toEqual(sound(samples))
  })

  test('of two channels is mixed into one', () => {
    const body = Buffer.alloc(8)
    for (const [at, sample] of [100, 300, -50, 50].entries()) body.writeInt16LE(sample, at * 2)
    expect(readWav(wav({ code: 1, channels: 2, rate: 16_000, bits: 16 }, body))).toEqual(sound([200, 0], 16_000))
  })

  test('whose sizes are wrong, or whose end is missing, is read as far as it goes', () => {
    const whole = writeWav(sound([1, 2, 3, 4]))
    whole.writeUInt32LE(0xffffffff, 40)
    expect(readWav(whole.subarray(0, -2))).toEqual(sound([1, 2, 3]))
  })

  test('of another form, or of garbage, is none, and nothing is thrown', () => {
    expect(readWav(wav({ code: 2, channels: 1, rate: 8_000, bits: 4 }, Buffer.from([1, 2])))).toBeNull()
    assertProperty(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(readWav(Buffer.from(bytes))).toBeNull()
        const damaged = Buffer.concat([writeWav(sound([1, 2])).subarray(0, 16), Buffer.from(bytes)])
        expect(() => readWav(damaged)).not.toThrow()
      }),
    )
  })
})

test('what a recording is, is told by its begin', () => {
  expect(
    [
      writeWav(sound([])),
      Buffer.from('ID3\x04'),
      Buffer.from([0xff, 0xfb, 0x90]),
      Buffer.from('<html>'),
      Buffer.alloc(0),
    ].map(audioTypeOf),
  ).toEqual(['audio/wav', 'audio/mpeg', 'audio/mpeg', null, null])
})

test('a tone keeps its pitch at another rate', () => {
  const tone = (rate: number) =>
    sound(
      Array.from({ length: rate }, (_, at) => Math.round(10_000 * Math.sin((2 * Math.PI * 440 * at) / rate))),
      rate,
    )
  const crossings = ({ samples }: { samples: Int16Array }) =>
    samples.reduce((count, sample, at) => count + ((samples[at - 1] ?? 0) < 0 && sample >= 0 ? 1 : 0), 0)
  const faster = atRate(tone(8_000), 16_000)
  expect([faster.rate, faster.samples.length]).toEqual([16_000, 16_000])
  expect(Math.abs(crossings(faster) - 440)).toBeLessThan(2)
})
