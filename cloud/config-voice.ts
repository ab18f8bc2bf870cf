// Settings of the receptionist and of text messages: a part of the relay's settings. Without any of them everything runs simulated.
import { z } from 'zod'
import { isGuardedUrl } from '#shared/wire/guarded-url.ts'

const httpUrl = () =>
  z
    .url({ protocol: /^https?$/, error: 'must be an http or https address' })
    .transform((url) => url.replace(/\/+$/, ''))
    .optional()

const secret = () => z.string().min(1).optional()

const days = (fallback: number) =>
  z
    .string()
    .regex(/^[1-9]\d{0,3}$/, { error: 'must be a number of days from 1 to 9999' })
    .transform(Number)
    .default(fallback)

const calls = (fallback: number) =>
  z
    .string()
    .regex(/^[1-9]\d{0,5}$/, { error: 'must be a number of calls from 1 to 999999' })
    .transform(Number)
    .default(fallback)

export const voiceSettings = {
  CLOUD_RECEPTIONIST_URL: httpUrl().describe(
    'Address under which telephone companies reach this relay, and clients its active calls; default: CLOUD_PUBLIC_URL. Hooks are signed for this address.',
  ),
  CLOUD_TELEPHONY: z
    .enum(['simulator', 'twilio', 'telnyx'])
    .default('simulator')
    .describe(
      'The telephone company. `simulator`: calls are made at the dashboard and text messages are kept there; nobody is dialled. docs/telephony.md.',
    ),
  CLOUD_TWILIO_URL: httpUrl().describe(
    'Address of the API of Twilio, or of a company with the same API; default: https://api.twilio.com.',
  ),
  CLOUD_TWILIO_ACCOUNT: z
    .string()
    .regex(/^AC[0-9a-f]{32}$/, { error: 'must be an account SID: AC and 32 hexadecimal digits' })
    .optional()
    .describe('Account SID at Twilio.'),
  CLOUD_TWILIO_TOKEN: secret().describe('Auth token of that account: it signs the hooks.'),
  CLOUD_TELNYX_URL: httpUrl().describe('Address of the API of Telnyx; default: https://api.telnyx.com.'),
  CLOUD_TELNYX_KEY: secret().describe('API key at Telnyx.'),
  CLOUD_TELNYX_PUBLIC_KEY: z
    .string()
    .regex(/^[A-Za-z0-9+/]{43}=$/, { error: 'must be the base64 of 32 bytes' })
    .optional()
    .describe('Public key of the account at Telnyx: it verifies the hooks.'),
  CLOUD_TELNYX_ACCOUNT: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,64}$/, { error: 'must be the id of an account, as hooks of Telnyx have it in AccountSid' })
    .optional()
    .describe('Id of the account at Telnyx (AccountSid): voicemails are fetched by it. Not set: they stay at Telnyx.'),
  CLOUD_SMS_COUNTRIES: z
    .string()
    .transform((text) =>
      text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    )
    .refine((parts) => parts.length > 0 && parts.every((part) => /^\+[1-9]\d{0,2}$/.test(part)), {
      error: 'must be country codes with commas between, such as +1,+44',
    })
    .default(['+1'])
    .describe('Countries that text messages and calls may go to, by their codes.'),
  CLOUD_TRANSCRIBER: z
    .enum(['none', 'http', 'provider', 'command', 'sherpa'])
    .default('none')
    .describe(
      "What turns voicemails into text: `http` (a server with OpenAI's form), `provider` (the telephone company's own text), `command` (a program on this machine), `sherpa` (a model in a folder), `none`.",
    ),
  CLOUD_TRANSCRIBER_URL: httpUrl().describe(
    'With `http`: the address below which /v1/audio/transcriptions is, such as http://127.0.0.1:9000.',
  ),
  CLOUD_TRANSCRIBER_KEY: secret().describe('With `http`: its key, sent as a Bearer token.'),
  CLOUD_TRANSCRIBER_MODEL: z.string().min(1).max(128).optional().describe('With `http`: the name of the model.'),
  CLOUD_TRANSCRIBER_COMMAND: z
    .string()
    .refine((text) => isCommand(text), {
      error: 'must be a JSON list of a program and its arguments, such as ["/usr/local/bin/transcribe","-"]',
    })
    .transform((text) => JSON.parse(text) as [string, ...string[]])
    .optional()
    .describe(
      'With `command`: a JSON list of a program and its arguments. It gets a WAV file on its standard input and writes the text to its standard output. No shell is used.',
    ),
  CLOUD_TRANSCRIBER_MODEL_DIR: z
    .string()
    .min(1)
    .optional()
    .describe('With `sherpa`: the folder of the model that you supply.'),
  CLOUD_AGENT_URL: httpUrl().describe(
    'Address below which /v1/chat/completions is, of a server with the form of OpenAI: it understands orders by voice. Default: items are found by their names, without a model.',
  ),
  CLOUD_AGENT_KEY: secret().describe('Its key, sent as a Bearer token.'),
  CLOUD_AGENT_MODEL: z.string().min(1).max(128).optional().describe('Name of the model at CLOUD_AGENT_URL.'),
  CLOUD_MEDIA_DIR: z
    .string()
    .min(1)
    .optional()
    .describe('Folder for recordings, which are encrypted there; default: the folder `media` beside CLOUD_DATABASE.'),
  CLOUD_VOICE_CALLS_AT_ONCE: calls(10).describe(
    'Calls of a restaurant that may go on at once. A further one hears the tone of an engaged line.',
  ),
  CLOUD_VOICE_CALLS_A_DAY: calls(500).describe(
    'Calls of a restaurant that are answered in 24 hours. A further one hears the tone of an engaged line.',
  ),
  CLOUD_VOICE_AUDIO_DAYS: days(30).describe('Days after which recordings are deleted.'),
  CLOUD_VOICE_TEXT_DAYS: days(90).describe('Days after which what was said in calls and voicemails is deleted.'),
}

interface TranscriberSettings {
  CLOUD_TRANSCRIBER: 'none' | 'http' | 'provider' | 'command' | 'sherpa'
  CLOUD_TRANSCRIBER_URL?: string | undefined
  CLOUD_TRANSCRIBER_COMMAND?: readonly string[] | undefined
  CLOUD_TRANSCRIBER_MODEL_DIR?: string | undefined
}

/** What a transcriber cannot work without. */
const NEEDED = {
  none: null,
  provider: null,
  http: 'CLOUD_TRANSCRIBER_URL',
  command: 'CLOUD_TRANSCRIBER_COMMAND',
  sherpa: 'CLOUD_TRANSCRIBER_MODEL_DIR',
} as const

/** Sentences for the settings of voicemail to text that do not fit together. */
export function halfTranscriber(config: TranscriberSettings): string[] {
  const needed = NEEDED[config.CLOUD_TRANSCRIBER]
  return needed === null || config[needed] !== undefined
    ? []
    : [`CLOUD_TRANSCRIBER=${config.CLOUD_TRANSCRIBER} needs ${needed} beside it.`]
}

function isCommand(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) && value.length > 0 && value.every((part) => typeof part === 'string' && part !== '')
  } catch {
    return false
  }
}

/** Of telephony, and of the addresses under which a company reaches the relay. */
export interface TelephonySettings {
  CLOUD_PUBLIC_URL?: string | undefined
  CLOUD_RECEPTIONIST_URL?: string | undefined
  CLOUD_TELEPHONY: 'simulator' | 'twilio' | 'telnyx'
  CLOUD_TWILIO_ACCOUNT?: string | undefined
  CLOUD_TWILIO_TOKEN?: string | undefined
  CLOUD_TWILIO_URL?: string | undefined
  CLOUD_TELNYX_KEY?: string | undefined
  CLOUD_TELNYX_PUBLIC_KEY?: string | undefined
  CLOUD_TELNYX_URL?: string | undefined
}

const OF_COMPANY = {
  twilio: { needs: ['CLOUD_TWILIO_ACCOUNT', 'CLOUD_TWILIO_TOKEN'], url: 'CLOUD_TWILIO_URL' },
  telnyx: { needs: ['CLOUD_TELNYX_KEY', 'CLOUD_TELNYX_PUBLIC_KEY'], url: 'CLOUD_TELNYX_URL' },
} as const

/** Sentences for what a telephone company needs: it reaches the relay from outside, and nothing secret may be read on the way. */
export function halfTelephony(config: TelephonySettings): string[] {
  const company = config.CLOUD_TELEPHONY
  if (company === 'simulator') return []
  const { needs, url } = OF_COMPANY[company]
  const publicUrl = config.CLOUD_RECEPTIONIST_URL ?? config.CLOUD_PUBLIC_URL ?? ''
  const api = config[url]
  return [
    ...needs.filter((name) => config[name] === undefined).map((name) => `CLOUD_TELEPHONY=${company} needs ${name}.`),
    ...(publicUrl.startsWith('https://')
      ? []
      : [`CLOUD_TELEPHONY=${company} needs a public https address: CLOUD_RECEPTIONIST_URL, or CLOUD_PUBLIC_URL.`]),
    ...(api === undefined || isGuardedUrl(api)
      ? []
      : [`${url} would get the account's secret without TLS: use https://, or http:// on this machine.`]),
  ]
}
