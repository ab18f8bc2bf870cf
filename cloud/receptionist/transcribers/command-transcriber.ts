// Voicemail to text by a program of the operator on this machine: a WAV file goes to its standard input, the text comes from its standard output.
import { type ChildProcess, spawn } from 'node:child_process'
import { constants, homedir, setPriority } from 'node:os'
import { kill } from 'node:process'
import { atRate, readWav, writeWav } from '#cloud/receptionist/wav.ts'
import type { Clock } from '#shared/clock.ts'
import {
  MOST_ANSWER,
  type SpokenAudio,
  type Transcriber,
  TranscriberError,
  type Transcript,
  transcriptOf,
  withinLimit,
} from './transcriber.ts'

/** What engines expect. */
const RATE = 16_000
/** Nothing of the relay's own environment, which has its secrets. */
const ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  HOME: homedir(),
  LANG: 'C.UTF-8',
}

export interface CommandTranscriberDeps {
  /** Run without a shell. */
  command: readonly [program: string, ...args: string[]]
  /** As it is shown beside the text. */
  engine: string
  /** Its exit codes that mean that it can never work; default: none. */
  finalCodes?: ReadonlyMap<number, string>
  clock: Clock
}

/** Recordings are converted to 16-bit samples, one channel, 16 kHz. */
export class CommandTranscriber implements Transcriber {
  readonly #deps: CommandTranscriberDeps

  constructor(deps: CommandTranscriberDeps) {
    this.#deps = deps
  }

  async transcribe({ bytes, seconds }: SpokenAudio, stopped: AbortSignal): Promise<Transcript> {
    const { clock, engine } = this.#deps
    const sound = readWav(bytes)
    if (sound === null) throw new TranscriberError('not_wav', { isFinal: true })
    const wav = writeWav(atRate(sound, RATE))
    const answer = await withinLimit({ clock, seconds, stopped }, (signal) => this.#run(wav, signal))
    return transcriptOf(answer, { confidence: null, engine })
  }

  /** Until it has ended and everything that it has started. */
  async #run(wav: Buffer, signal: AbortSignal): Promise<Buffer> {
    signal.throwIfAborted()
    const [program, ...args] = this.#deps.command
    // A process group of its own, so that it ends with everything that it has started.
    const child = spawn(program, args, { detached: true, stdio: ['pipe', 'pipe', 'ignore'], env: ENVIRONMENT })
    const over = Promise.withResolvers<Buffer>()
    const fail = (error: unknown): void => {
      endGroup(child)
      // What has left the group may hold the pipe.
      child.stdout.destroy()
      over.reject(error)
    }
    const chunks: Buffer[] = []
    let length = 0
    child.on('error', () => fail(new TranscriberError('not_started', { isFinal: child.pid === undefined })))
    // It may end without reading all.
    child.stdin.on('error', () => {})
    child.stdout.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      length += chunk.length
      if (length > MOST_ANSWER) fail(new TranscriberError('answer_too_long'))
    })
    child.on('exit', () => endGroup(child))
    child.on('close', (code) => {
      if (code === 0) over.resolve(Buffer.concat(chunks))
      else over.reject(this.#failed(code))
    })
    const abort = () => fail(signal.reason)
    signal.addEventListener('abort', abort)
    giveWay(child)
    child.stdin.end(wav)
    try {
      return await over.promise
    } finally {
      signal.removeEventListener('abort', abort)
    }
  }

  #failed(code: number | null): TranscriberError {
    const known = code === null ? undefined : this.#deps.finalCodes?.get(code)
    if (known !== undefined) return new TranscriberError(known, { isFinal: true })
    return new TranscriberError(code === null ? 'killed' : `exit_${code}`)
  }
}

/** Orders come before text. */
function giveWay({ pid }: ChildProcess): void {
  if (pid !== undefined) quietly(() => setPriority(pid, constants.priority.PRIORITY_LOW))
}

function endGroup({ pid }: ChildProcess): void {
  if (pid !== undefined) quietly(() => kill(-pid, 'SIGKILL'))
}

/** It may have ended already. */
function quietly(act: () => void): void {
  try {
    act()
  } catch {}
}
