// WAV files of the simulated telephone: silence where nobody gave a sound, and how long a file plays.

const RATE = 8_000
const HEAD_BYTES = 44
/** The middle of 8 bits. */
const SILENCE = 0x80

/** Silence as a telephone has it: 8 kHz, one channel. Of 8 bits, for nothing is lost: 8 KB a second. */
export function silentWav(seconds: number): Buffer {
  const data = Math.max(1, Math.round(seconds)) * RATE
  const wav = Buffer.alloc(HEAD_BYTES + data, SILENCE)
  wav.write('RIFF', 0, 'latin1')
  wav.writeUInt32LE(HEAD_BYTES - 8 + data, 4)
  wav.write('WAVEfmt ', 8, 'latin1')
  wav.writeUInt32LE(16, 16)
  wav.writeUInt16LE(1, 20)
  wav.writeUInt16LE(1, 22)
  wav.writeUInt32LE(RATE, 24)
  wav.writeUInt32LE(RATE, 28)
  wav.writeUInt16LE(1, 32)
  wav.writeUInt16LE(8, 34)
  wav.write('data', 36, 'latin1')
  wav.writeUInt32LE(data, 40)
  return wav
}

/** Whole seconds, at least 1, by the rate in the file's head. @throws Error for what is no WAV file */
export function secondsOfWav(wav: Buffer): number {
  const isWav =
    wav.length > HEAD_BYTES && wav.toString('latin1', 0, 4) === 'RIFF' && wav.toString('latin1', 8, 12) === 'WAVE'
  const bytesASecond = isWav ? wav.readUInt32LE(28) : 0
  if (bytesASecond === 0) throw new Error('no WAV file')
  return Math.max(1, Math.round((wav.length - HEAD_BYTES) / bytesASecond))
}
