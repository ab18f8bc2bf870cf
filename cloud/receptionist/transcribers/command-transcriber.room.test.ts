// Programs that turn voicemails into text, good and bad ones: real processes of this machine.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env, kill } from 'node:process'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readWav } from '#cloud/receptionist/wav.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { toneWav } from '#test/fixtures/spoken.ts'
import { CommandTranscriber } from './command-transcriber.ts'
import { transcriberOf } from './transcribers.ts'

let folder: string
let clock: ManualClock
let stop: AbortController
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'transcriber-'))
  clock = new ManualClock()
  stop = new AbortController()
})
afterEach(() => rmSync(folder, { recursive: true }))

const audio = { bytes: toneWav(), type: 'audio/wav', seconds: 1, providerText: null } as const

/** What comes of this program, run by `sh`; what it is refused for. */
function heard(script: string): Promise<unknown> {
  const transcriber = new CommandTranscriber({
    command: ['/bin/sh', '-c', script, 'sh', folder],
    engine: 'test',
    clock,
  })
  return transcriber.transcribe(audio, stop.signal).catch((error: { reason?: string }) => error.reason ?? error)
}
const isAlive = (pid: number): boolean => {
  try {
    kill(pid, 0)
    // One that has ended and was not waited for by its new parent counts as ended.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
const pidIn = (name: string): Promise<number> =>
  expect
    .poll(() => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8').trim() : ''))
    .toMatch(/\d/)
    .then(() => Number(readFileSync(join(folder, name), 'utf8')))

describe('a program', () => {
  test('gets a WAV of 16 kHz and 16 bits, and its text is one line', async () => {
    expect(await heard('cat > "$1/in.wav"; printf "a table\\nfor  four\\n"')).toEqual({
      text: 'a table for four',
      confidence: null,
      uncertain: true,
      engine: 'test',
    })
    const got = readWav(readFileSync(join(folder, 'in.wav')))
    expect([got?.rate, got?.samples.length]).toEqual([16_000, 16_000])
  })

  test('gets nothing of the environment of the relay', async () => {
    env['CLOUD_CANARY_SECRET'] = 'x'
    const answer = await heard('env')
    delete env['CLOUD_CANARY_SECRET']
    expect(answer).toMatchObject({ text: expect.stringContaining('LANG=C.UTF-8') })
    expect(JSON.stringify(answer)).not.toContain('CLOUD_')
  })

  test('runs after everything else of the machine', async () => {
    expect(await heard('sleep 0.2; nice')).toMatchObject({ text: '19' })
  })

  test.each([
    ['that crashes', 'kill -SEGV $$', 'killed'],
    ['that reports a failure after it has written', 'echo half; exit 7', 'exit_7'],
    ['that writes without end', 'yes', 'answer_too_long'],
    ['that writes what is no UTF-8', "printf '\\303\\050'", 'not_text'],
    ['that reads nothing and says nothing', 'exit 0', { text: '', confidence: null, uncertain: true, engine: 'test' }],
  ])('%s', async (_, script, outcome) => {
    expect(await heard(script)).toEqual(outcome)
  })

  test('that hangs is ended with everything that it has started, after three times the length and half a minute', async () => {
    const end = heard('sleep 600 & echo $! > "$1/pid"; wait')
    const pid = await pidIn('pid')
    await clock.advance(32_999)
    expect(isAlive(pid)).toBe(true)
    await clock.advance(1)
    expect(await end).toBe('timeout')
    await expect.poll(() => isAlive(pid)).toBe(false)
  })

  test('that ends and leaves another one behind, which holds its output, is answered once that was ended, too', async () => {
    const end = heard('echo done; sleep 600 & echo $! > "$1/pid"')
    expect(await end).toMatchObject({ text: 'done' })
    const pid = await pidIn('pid')
    await expect.poll(() => isAlive(pid)).toBe(false)
  })

  test('is ended when the relay stops', async () => {
    const end = heard('echo $$ > "$1/pid"; sleep 600')
    const pid = await pidIn('pid')
    stop.abort()
    expect(await end).toBe('stopped')
    await expect.poll(() => isAlive(pid)).toBe(false)
  })

  test('that is not there is not tried again', async () => {
    const transcriber = new CommandTranscriber({ command: ['/no/such/program'], engine: 'test', clock })
    await expect(transcriber.transcribe(audio, stop.signal)).rejects.toMatchObject({
      reason: 'not_started',
      isFinal: true,
    })
  })
})

test('what is no WAV file is given to no program', async () => {
  const transcriber = new CommandTranscriber({ command: ['/bin/false'], engine: 'test', clock })
  const mp3 = { ...audio, bytes: Buffer.from('ID3'), type: 'audio/mpeg' } as const
  await expect(transcriber.transcribe(mp3, stop.signal)).rejects.toMatchObject({ reason: 'not_wav', isFinal: true })
})

describe('sherpa-onnx', () => {
  const sherpa = () =>
    transcriberOf({ CLOUD_TRANSCRIBER: 'sherpa', CLOUD_TRANSCRIBER_MODEL_DIR: folder }, clock)
      .transcribe(audio, stop.signal)
      .catch((error: { reason?: string }) => error.reason ?? error)

  test('without a model, and without the package, says which is missing', async () => {
    expect(await sherpa()).toBe('no_model')
    for (const name of ['tokens.txt', 'tiny-encoder.onnx', 'tiny-decoder.onnx']) writeFileSync(join(folder, name), '')
    expect(await sherpa()).toBe('sherpa_not_installed')
  })
})
