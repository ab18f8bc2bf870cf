// Telephone audio as engines of speech recognition need it: a WAV file of any telephone's form as 16-bit samples in one channel, at another rate.

/** Samples from -32,768 to 32,767. */
export interface Sound {
  rate: number
  samples: Int16Array
}

const PCM = 1
const A_LAW = 6
const MU_LAW = 7
const EXTENSIBLE = 0xfffe

/** What the bytes of a recording are, by their beginning; null: neither. */
export function audioTypeOf(bytes: Buffer): 'audio/wav' | 'audio/mpeg' | null {
  if (bytes.length >= 12 && bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WAVE')
    return 'audio/wav'
  const isTagged = bytes.toString('latin1', 0, 3) === 'ID3'
  const isFrame = bytes.length >= 2 && bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe0) === 0xe0
  return isTagged || isFrame ? 'audio/mpeg' : null
}

/** Null: no WAV file, or one of a form that telephones do not make. Channels are mixed into one. */
export function readWav(bytes: Buffer): Sound | null {
  if (audioTypeOf(bytes) !== 'audio/wav') return null
  let form: Form | null = null
  for (let at = 12; at + 8 <= bytes.length; ) {
    const name = bytes.toString('latin1', at, at + 4)
    const size = bytes.readUInt32LE(at + 4)
    // A file that was written while it was recorded tells no true size: the rest is its sound.
    const body = bytes.subarray(at + 8, Math.min(at + 8 + size, bytes.length))
    if (name === 'fmt ') form = formOf(body)
    if (name === 'data') return form === null ? null : soundOf(form, body)
    at += 8 + size + (size % 2)
  }
  return null
}

/** 16 bits, one channel. */
export function writeWav({ rate, samples }: Sound): Buffer {
  const head = Buffer.alloc(44)
  const bytes = samples.length * 2
  head.write('RIFF', 0, 'latin1')
  head.writeUInt32LE(36 + bytes, 4)
  head.write('WAVEfmt ', 8, 'latin1')
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(PCM, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(rate, 24)
  head.writeUInt32LE(rate * 2, 28)
  head.writeUInt16LE(2, 32)
  head.writeUInt16LE(16, 34)
  head.write('data', 36, 'latin1')
  head.writeUInt32LE(bytes, 40)
  const body = Buffer.alloc(bytes)
  samples.forEach((sample, at) => {
    body.writeInt16LE(sample, at * 2)
  })
  return Buffer.concat([head, body])
}

/** The same sound with so many samples a second, between two samples by a straight line: enough for speech of a telephone. */
export function atRate({ rate, samples }: Sound, wanted: number): Sound {
  if (rate === wanted) return { rate, samples }
  const out = new Int16Array(Math.floor((samples.length * wanted) / rate))
  for (let at = 0; at < out.length; at++) {
    const place = (at * rate) / wanted
    const before = Math.floor(place)
    const here = samples[before] ?? 0
    const next = samples[before + 1] ?? here
    out[at] = Math.round(here + (next - here) * (place - before))
  }
  return { rate: wanted, samples: out }
}

interface Form {
  code: number
  channels: number
  rate: number
  bits: number
}

function formOf(body: Buffer): Form | null {
  if (body.length < 16) return null
  const told = body.readUInt16LE(0)
  // The true form is then the begin of an identifier.
  const code = told === EXTENSIBLE && body.length >= 26 ? body.readUInt16LE(24) : told
  const form = { code, channels: body.readUInt16LE(2), rate: body.readUInt32LE(4), bits: body.readUInt16LE(14) }
  const isKnown = code === PCM ? form.bits === 8 || form.bits === 16 : code === A_LAW || code === MU_LAW
  return isKnown && [1, 2].includes(form.channels) && form.rate >= 4_000 && form.rate <= 192_000 ? form : null
}

function soundOf({ code, channels, rate, bits }: Form, body: Buffer): Sound {
  const width = code === PCM ? bits / 8 : 1
  const sampleAt = (at: number): number => {
    if (width === 2) return body.readInt16LE(at)
    const byte = body[at] ?? 0
    return code === PCM ? (byte - 128) << 8 : code === MU_LAW ? fromMuLaw(byte) : fromALaw(byte)
  }
  const samples = new Int16Array(Math.floor(body.length / (width * channels)))
  for (let at = 0; at < samples.length; at++) {
    let sum = 0
    for (let channel = 0; channel < channels; channel++) sum += sampleAt((at * channels + channel) * width)
    samples[at] = Math.round(sum / channels)
  }
  return { rate, samples }
}

/** ITU-T G.711. */
function fromMuLaw(byte: number): number {
  const bits = ~byte & 0xff
  const size = (((bits & 0x0f) << 3) + 0x84) << ((bits & 0x70) >> 4)
  return (bits & 0x80) === 0 ? size - 0x84 : 0x84 - size
}

/** ITU-T G.711. */
function fromALaw(byte: number): number {
  const bits = byte ^ 0x55
  const part = (bits & 0x70) >> 4
  const low = ((bits & 0x0f) << 4) + 8
  const size = part === 0 ? low : (low + 0x100) << (part - 1)
  return (bits & 0x80) === 0 ? -size : size
}
