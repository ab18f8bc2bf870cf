// The program that turns a voicemail into text with sherpa-onnx: a WAV file on standard input, the text on standard output. A process of its own: native code that ends or hangs, ends or hangs alone.
import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { argv, exit, stdin, stdout } from 'node:process'
import { readWav } from '#cloud/receptionist/wav.ts'

/** What is used of the package `sherpa-onnx-node`, which the operator installs into the folder of the model: `npm install --prefix FOLDER sherpa-onnx-node`. */
interface Sherpa {
  OfflineRecognizer: new (
    config: object,
  ) => {
    createStream(): { acceptWaveform(sound: { samples: Float32Array; sampleRate: number }): void }
    decode(stream: object): void
    getResult(stream: object): { text: string }
  }
}

/** They are in transcribers.ts, too. */
const NOT_INSTALLED = 3
const NO_MODEL = 4

/** Files of the model, as the project's releases name them; with several the small one. Null: none is there. */
function modelIn(folder: string): object | null {
  const files = readdirSync(folder).toSorted()
  const find = (form: RegExp): string | null => {
    const found = files.filter((name) => form.test(name))
    const name = found.find((one) => one.includes('int8')) ?? found[0]
    return name === undefined ? null : join(folder, name)
  }
  const tokens = find(/tokens\.txt$/)
  const [encoder, decoder, joiner] = [/encoder.*\.onnx$/, /decoder.*\.onnx$/, /joiner.*\.onnx$/].map(find)
  if (tokens === null || !encoder || !decoder) return null
  return {
    tokens,
    numThreads: 1,
    ...(joiner ? { transducer: { encoder, decoder, joiner } } : { whisper: { encoder, decoder } }),
  }
}

async function main(folder: string): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of stdin) chunks.push(chunk as Buffer)
  const sound = readWav(Buffer.concat(chunks))
  if (sound === null) throw new Error('no WAV file')
  const modelConfig = modelIn(folder)
  if (modelConfig === null) exit(NO_MODEL)
  const sherpa = sherpaOf(folder)
  if (sherpa === null) exit(NOT_INSTALLED)
  const recognizer = new sherpa.OfflineRecognizer({ featConfig: { sampleRate: 16_000, featureDim: 80 }, modelConfig })
  const stream = recognizer.createStream()
  stream.acceptWaveform({ samples: Float32Array.from(sound.samples, (one) => one / 32_768), sampleRate: sound.rate })
  recognizer.decode(stream)
  stdout.write(recognizer.getResult(stream).text)
}

function sherpaOf(folder: string): Sherpa | null {
  try {
    return createRequire(join(resolve(folder), 'package.json'))('sherpa-onnx-node') as Sherpa
  } catch {
    return null
  }
}

await main(argv[2] ?? '.')
