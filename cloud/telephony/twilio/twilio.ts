// Twilio, and companies with the same API: numbers, text messages, recordings and calls over its REST API, hooks and answers in its form.

import { z } from 'zod'
import { hookAddress } from '#cloud/telephony/hook-address.ts'
import {
  type ApiAnswer,
  type ApiRequest,
  failureOf,
  jsonOf,
  ProviderApi,
  parsed,
} from '#cloud/telephony/provider-api.ts'
import {
  type CallEvent,
  type CallStep,
  type HookAnswer,
  type HookNews,
  type HookRequest,
  type HookStep,
  type ProvisionedAt,
  type SentText,
  type Telephony,
  TelephonyError,
  type WiredNumber,
} from '#cloud/telephony/telephony.ts'
import { type Clock, fromIso } from '#shared/clock.ts'
import { E164 } from '#shared/e164.ts'
import { CALL_STATES, readTwilioForm } from './read-hook.ts'
import { isFromTwilio } from './signature.ts'
import { type RenderedAt, renderTwiml } from './twiml.ts'

export interface TwilioDeps {
  url: string
  account: string
  token: string
  /** It makes texts of messages. */
  transcribes: boolean
  clock: Clock
}

const sid = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/)
const e164 = z.string().regex(E164)
const ownNumber = z.object({ sid, phone_number: e164, friendly_name: z.string() })
const ownNumbers = z.object({ incoming_phone_numbers: z.array(ownNumber).max(1_000) })
const freeNumbers = z.object({ available_phone_numbers: z.array(z.object({ phone_number: e164 })).max(1_000) })
const message = z.object({ sid })
const messages = z.object({
  messages: z
    .array(z.object({ sid, to: z.string(), from: z.string().nullable(), body: z.string(), date_created: z.string() }))
    .max(1_000),
})
const call = z.object({ status: z.string() })
const refusal = z.object({ code: z.number().int() })

/** What the provider's own codes mean to us; others are told by their number. */
const REASONS: Readonly<Record<number, string>> = {
  21211: 'bad_number',
  21408: 'country_not_allowed',
  21421: 'bad_number',
  21422: 'no_number',
  21610: 'opted_out',
  21612: 'bad_number',
  21614: 'bad_number',
}

const COUNTRIES = ['US', 'CA'] as const
/** A number may be bought by somebody else between the look and the purchase. */
const MOST_CANDIDATES = 3
/** A name of a number of a relay: what is wired already is not taken from another. */
const OURS = /^num_[0-9a-z]{26}$/
/** The provider's times are in seconds, by its own clock. */
const SLACK_MS = 60_000

type Fields = Readonly<Record<string, string>>

export class Twilio implements Telephony {
  readonly provider = 'twilio'
  readonly keepsTexts = false
  readonly #deps: TwilioDeps
  readonly #api: ProviderApi
  readonly #base: string

  constructor(deps: TwilioDeps) {
    const { account, token } = deps
    this.#deps = deps
    this.#api = new ProviderApi({
      ...deps,
      authorization: `Basic ${Buffer.from(`${account}:${token}`).toString('base64')}`,
    })
    this.#base = `/2010-04-01/Accounts/${account}`
  }

  verify(request: HookRequest): boolean {
    const { account, token } = this.#deps
    return isFromTwilio({ account, token, header: 'x-twilio-signature' }, request)
  }

  read(step: HookStep, request: HookRequest): HookNews | null {
    return readTwilioForm(step, request)
  }

  render(steps: readonly CallStep[], at: RenderedAt): HookAnswer {
    return renderTwiml(steps, at, { asksWhenEmpty: true, whispers: true, transcribes: this.#deps.transcribes })
  }

  async provision(
    wanted: { areaCode: string } | { number: string },
    { name, hooks, fallback, signal }: ProvisionedAt,
  ): Promise<WiredNumber> {
    const settings = { FriendlyName: name, ...hookSettings(hooks, fallback) }
    const earlier = await this.#ownNumber({ FriendlyName: name }, signal)
    if (earlier !== null && earlier.friendly_name === name) return this.#set(earlier.sid, settings, signal)
    if ('areaCode' in wanted) return this.#buy(wanted.areaCode, settings, signal)
    const owned = await this.#ownNumber({ PhoneNumber: wanted.number }, signal)
    if (owned?.phone_number !== wanted.number) throw new TelephonyError('number_not_owned')
    if (OURS.test(owned.friendly_name)) throw new TelephonyError('number_taken', { isTransient: true })
    return this.#set(owned.sid, settings, signal)
  }

  async unwire({ providerId, name }: { providerId: string | null; name: string }, signal: AbortSignal): Promise<void> {
    const known = providerId ?? (await this.#ownNumber({ FriendlyName: name }, signal))?.sid
    if (known === undefined) return
    const hooks = Object.keys(hookSettings('', '')).filter((key) => !key.endsWith('Method'))
    // Without the name of ours, so that it can be attached again.
    const settings = { ...Object.fromEntries(hooks.map((key) => [key, ''])), FriendlyName: 'not used by ticketrail' }
    try {
      await this.#set(known, settings, signal)
    } catch (error) {
      // The operator has given it back to the provider.
      if (!(error instanceof TelephonyError && error.reason === 'not_found')) throw error
    }
  }

  async sendText(
    { from, to, text, statusUrl }: { from: string; to: string; text: string; statusUrl: string },
    { begin, signal }: { begin: () => Promise<boolean>; signal: AbortSignal },
  ): Promise<SentText | null> {
    const body = formOf({ From: from, To: to, Body: text, StatusCallback: statusUrl })
    const answer = await this.#api.send({ method: 'POST', path: `${this.#base}/Messages.json`, body, begin, signal })
    if (answer === null) return null
    return { providerId: parsed(message, checked(answer), { isDone: true }).sid }
  }

  async findTexts(
    { from, to, text, sinceMs }: { from: string; to: string; text: string; sinceMs: number },
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    const list = parsed(
      messages,
      await this.#get(`/Messages.json?${query({ To: to, From: from, PageSize: '50' })}`, signal),
    )
    const found = list.messages.filter(
      (sent) =>
        sent.to === to &&
        sent.from === from &&
        sent.body === text &&
        (fromIso(sent.date_created) ?? 0) >= sinceMs - SLACK_MS,
    )
    return found.map((sent) => sent.sid)
  }

  async fetchRecording(
    recordingId: string,
    { most, signal }: { most: number; signal: AbortSignal },
  ): Promise<{ type: string; bytes: Buffer }> {
    const { type, bytes } = await this.#get(`/Recordings/${encodeURIComponent(recordingId)}.wav`, signal, most)
    if (!type.startsWith('audio/')) throw new TelephonyError('bad_answer')
    return { type: type.split(';')[0] ?? type, bytes }
  }

  async deleteRecording(recordingId: string, signal: AbortSignal): Promise<void> {
    const path = `${this.#base}/Recordings/${encodeURIComponent(recordingId)}.json`
    const { status, ...answer } = await this.#sent({ method: 'DELETE', path, signal })
    if (status !== 404) checked({ status, ...answer })
  }

  async callState(providerCallId: string, signal: AbortSignal): Promise<CallStatus | null> {
    const path = `${this.#base}/Calls/${encodeURIComponent(providerCallId)}.json`
    const answer = await this.#sent({ method: 'GET', path, signal })
    if (answer.status === 404) return null
    return CALL_STATES[parsed(call, checked(answer)).status] ?? null
  }

  /** Numbers that the account has and that fit: an exact match is the caller's to check. */
  async #ownNumber(by: Fields, signal: AbortSignal): Promise<z.infer<typeof ownNumber> | null> {
    const path = `/IncomingPhoneNumbers.json?${query({ ...by, PageSize: '50' })}`
    const [first] = parsed(ownNumbers, await this.#get(path, signal)).incoming_phone_numbers.filter(
      (number) => number.friendly_name === by['FriendlyName'] || number.phone_number === by['PhoneNumber'],
    )
    return first ?? null
  }

  async #buy(areaCode: string, settings: Fields, signal: AbortSignal): Promise<WiredNumber> {
    for (const country of COUNTRIES) {
      const wanted = query({ AreaCode: areaCode, VoiceEnabled: 'true', SmsEnabled: 'true', PageSize: '20' })
      const answer = await this.#get(`/AvailablePhoneNumbers/${country}/Local.json?${wanted}`, signal)
      const free = parsed(freeNumbers, answer).available_phone_numbers.slice(0, MOST_CANDIDATES)
      for (const { phone_number: PhoneNumber } of free) {
        try {
          const bought = await this.#post('/IncomingPhoneNumbers.json', { ...settings, PhoneNumber }, signal)
          return wiredOf(parsed(ownNumber, bought, { isDone: true }))
        } catch (error) {
          if (!(error instanceof TelephonyError && error.reason === 'no_number')) throw error
        }
      }
    }
    throw new TelephonyError('no_number')
  }

  async #set(numberSid: string, settings: Fields, signal: AbortSignal): Promise<WiredNumber> {
    const path = `/IncomingPhoneNumbers/${encodeURIComponent(numberSid)}.json`
    return wiredOf(parsed(ownNumber, await this.#post(path, settings, signal), { isDone: true }))
  }

  async #get(path: string, signal: AbortSignal, most?: number): Promise<ApiAnswer> {
    const limit = most === undefined ? {} : { most }
    return checked(await this.#sent({ method: 'GET', path: this.#base + path, signal, ...limit }))
  }

  async #post(path: string, fields: Fields, signal: AbortSignal): Promise<ApiAnswer> {
    return checked(await this.#sent({ method: 'POST', path: this.#base + path, body: formOf(fields), signal }))
  }

  async #sent(request: ApiRequest): Promise<ApiAnswer> {
    const answer = await this.#api.send(request)
    // Only a `begin` can say no.
    if (answer === null) throw new TelephonyError('stopped', { isTransient: true })
    return answer
  }
}

type CallStatus = Extract<CallEvent, { kind: 'status' }>['status']

/** Every hook of a number, set in one call. */
function hookSettings(hooks: string, fallback: string): Fields {
  const POST = 'POST'
  return {
    ...{ VoiceUrl: hookAddress(hooks, 'answer'), VoiceMethod: POST },
    ...{ VoiceFallbackUrl: fallback, VoiceFallbackMethod: POST },
    ...{ StatusCallback: hookAddress(hooks, 'status'), StatusCallbackMethod: POST },
    ...{ SmsUrl: hookAddress(hooks, 'sms'), SmsMethod: POST },
  }
}

/** @throws TelephonyError for everything but a 2xx */
function checked(answer: ApiAnswer): ApiAnswer {
  if (answer.status >= 200 && answer.status < 300) return answer
  const told = refusal.safeParse(jsonOf(answer.bytes))
  const general = failureOf(answer.status)
  if (!told.success || general.isTransient || general.reason !== 'refused') throw general
  throw new TelephonyError(REASONS[told.data.code] ?? `code_${told.data.code}`)
}

const wiredOf = ({ sid: providerId, phone_number }: z.infer<typeof ownNumber>): WiredNumber => ({
  e164: phone_number,
  providerId,
})

const query = (fields: Fields): string => new URLSearchParams(fields).toString()

const formOf = (fields: Fields) => ({ type: 'application/x-www-form-urlencoded', text: query(fields) }) as const
