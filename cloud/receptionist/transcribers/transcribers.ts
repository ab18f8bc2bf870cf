// The transcriber that the settings ask for.
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'
import type { Clock } from '#shared/clock.ts'
import { CommandTranscriber } from './command-transcriber.ts'
import { HttpTranscriber } from './http-transcriber.ts'
import { type Transcriber, TranscriberError, transcriptOf } from './transcriber.ts'

export interface TranscriberSettings {
  CLOUD_TRANSCRIBER: 'none' | 'http' | 'provider' | 'command' | 'sherpa'
  CLOUD_TRANSCRIBER_URL?: string | undefined
  CLOUD_TRANSCRIBER_KEY?: string | undefined
  CLOUD_TRANSCRIBER_MODEL?: string | undefined
  CLOUD_TRANSCRIBER_COMMAND?: [string, ...string[]] | undefined
  CLOUD_TRANSCRIBER_MODEL_DIR?: string | undefined
}

/** What a kind needs is there: config-voice.ts has checked it. */
export function transcriberOf(settings: TranscriberSettings, clock: Clock): Transcriber {
  const kind = settings.CLOUD_TRANSCRIBER
  if (kind === 'none') return { transcribe: async () => null }
  if (kind === 'provider') return PROVIDERS_TEXT
  if (kind === 'http') {
    const { CLOUD_TRANSCRIBER_KEY: key, CLOUD_TRANSCRIBER_MODEL: model } = settings
    return new HttpTranscriber({ url: settings.CLOUD_TRANSCRIBER_URL ?? '', key, model, clock })
  }
  if (kind === 'command') {
    const { CLOUD_TRANSCRIBER_COMMAND: command = [''] } = settings
    return new CommandTranscriber({ command, engine: 'command', clock })
  }
  const folder = settings.CLOUD_TRANSCRIBER_MODEL_DIR ?? ''
  return new CommandTranscriber({
    command: [execPath, fileURLToPath(new URL('./sherpa-program.ts', import.meta.url)), folder],
    engine: 'sherpa',
    finalCodes: SHERPA_CODES,
    clock,
  })
}

/** Exit codes of sherpa-program.ts. */
const SHERPA_CODES: ReadonlyMap<number, string> = new Map([
  [3, 'sherpa_not_installed'],
  [4, 'no_model'],
])

/** The telephone company's own text, which comes some time after the recording. */
const PROVIDERS_TEXT: Transcriber = {
  transcribe: async ({ providerText }) => {
    if (providerText === null) throw new TranscriberError('no_text_yet')
    return transcriptOf(providerText, { confidence: null, engine: 'provider' })
  },
}
