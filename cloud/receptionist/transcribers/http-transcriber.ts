// Voicemail to text by a server with OpenAI's form of it (POST /v1/audio/transcriptions): a whisper server on the network, or a service.
import { Agent, buildConnector, FormData, request } from 'undici'
import { z } from 'zod'
import { boundedAnswers } from '#cloud/webhooks/bounded-answer.ts'
import type { Clock } from '#shared/clock.ts'
import { codeOf } from '#shared/code-of.ts'
import { parseJson } from '#shared/parse-json.ts'
import {
  MOST_ANSWER,
  type SpokenAudio,
  type Transcriber,
  TranscriberError,
  type Transcript,
  transcriptOf,
  withinLimit,
} from './transcriber.ts'

const answered = z.object({
  text: z.string(),
  /** Only of `verbose_json`. */
  segments: z.array(z.object({ avg_logprob: z.number().optional() })).optional(),
})

/** Beside the text there are the times of its parts. */
const MOST_BYTES = 8 * MOST_ANSWER
const CONNECT_MS = 10_000
/** What servers say to a form of answer that their model does not have. */
const REFUSED_FORM = [400, 422]

export interface HttpTranscriberDeps {
  url: string
  key: string | undefined
  model: string | undefined
  clock: Clock
}

export class HttpTranscriber implements Transcriber {
  readonly #deps: HttpTranscriberDeps
  readonly #agent = new Agent({
    connect: boundedAnswers(buildConnector({ timeout: CONNECT_MS }), { bytes: MOST_BYTES, lines: 20_000 }),
    keepAliveTimeout: 1_500,
    headersTimeout: 0,
    bodyTimeout: 0,
  })

  constructor(deps: HttpTranscriberDeps) {
    this.#deps = deps
  }

  async transcribe(audio: SpokenAudio, stopped: AbortSignal): Promise<Transcript> {
    const { clock, model } = this.#deps
    const { status, body } = await withinLimit({ clock, seconds: audio.seconds, stopped }, async (signal) => {
      // With its parts it says how sure it is; some models have only the text.
      const first = await this.#asked(audio, { form: 'verbose_json', signal })
      return REFUSED_FORM.includes(first.status) ? this.#asked(audio, { form: 'json', signal }) : first
    })
    if (status !== 200) throw new TranscriberError(`http_${status}`, { isFinal: isRefusal(status) })
    const found = answered.safeParse(parseJson(body))
    if (!found.success) throw new TranscriberError('not_a_transcript')
    const { text, segments = [] } = found.data
    return transcriptOf(text, { confidence: confidenceOf(segments), engine: model ?? 'http' })
  }

  async close(): Promise<void> {
    await this.#agent.destroy()
  }

  async #asked(
    { bytes, type }: SpokenAudio,
    { form, signal }: { form: string; signal: AbortSignal },
  ): Promise<{ status: number; body: string }> {
    const { url, key, model } = this.#deps
    const fields = new FormData()
    const name = type === 'audio/wav' ? 'voicemail.wav' : 'voicemail.mp3'
    fields.set('file', new Blob([new Uint8Array(bytes)], { type }), name)
    // A server with one model asks for a name all the same.
    fields.set('model', model ?? 'whisper-1')
    fields.set('response_format', form)
    try {
      // Not fetch, which follows redirects to wherever the server wants.
      const answer = await request(`${url}/v1/audio/transcriptions`, {
        method: 'POST',
        headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
        body: fields,
        dispatcher: this.#agent,
        signal,
      })
      return { status: answer.statusCode, body: await answer.body.text() }
    } catch (error) {
      signal.throwIfAborted()
      const isLong = error instanceof Error && [error, error.cause].some((one) => codeOf(one) === 'ANSWER_TOO_LONG')
      throw new TranscriberError(isLong ? 'answer_too_long' : 'connection')
    }
  }
}

/** A key or a file that is refused is refused again. */
const isRefusal = (status: number): boolean => status >= 400 && status < 500 && status !== 408 && status !== 429

/** Of all parts alike: the mean of the logarithms, as a probability. */
function confidenceOf(segments: readonly { avg_logprob?: number | undefined }[]): number | null {
  const logs = segments.flatMap(({ avg_logprob: log }) => (log === undefined ? [] : [log]))
  if (logs.length === 0) return null
  const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length
  return Math.min(1, Math.max(0, Math.exp(mean)))
}
