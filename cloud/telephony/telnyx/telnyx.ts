// Telnyx by its TeXML: hooks and answers in Twilio's form, signed its own way; numbers of the account are attached, texts are sent, recordings fetched. What is missing says so.
import type { KeyObject } from 'node:crypto'
import { z } from 'zod'
import { hookAddress } from '#cloud/telephony/hook-address.ts'
import { type ApiAnswer, failureOf, jsonOf, ProviderApi, parsed } from '#cloud/telephony/provider-api.ts'
import {
  type CallStep,
  type HookAnswer,
  type HookNews,
  type HookRequest,
  type HookStep,
  NotSupported,
  type ProvisionedAt,
  type SentText,
  type Telephony,
  TelephonyError,
  type WiredNumber,
} from '#cloud/telephony/telephony.ts'
import { readTwilioForm } from '#cloud/telephony/twilio/read-hook.ts'
import { type RenderedAt, renderTwiml } from '#cloud/telephony/twilio/twiml.ts'
import type { Clock } from '#shared/clock.ts'
import { readTelnyxMessage } from './read-message.ts'
import { isFromTelnyx, telnyxKey } from './signature.ts'

export interface TelnyxDeps {
  url: string
  key: string
  /** Base64. */
  publicKey: string
  /** The account's id, by which its recordings are asked for; null: they are not. */
  account: string | null
  clock: Clock
}

const id = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/)
const recording = z.object({ status: z.string().max(64), media_url: z.url({ protocol: /^https?$/ }).nullish() })
const call = z.object({ is_alive: z.boolean() })
const application = z.object({ id, friendly_name: z.string() })
const number = z.object({ id, phone_number: z.string(), customer_reference: z.string().nullish() })
const one = <T extends z.ZodType>(data: T) => z.object({ data })
const many = <T extends z.ZodType>(data: T) => z.object({ data: z.array(data).max(1_000) })

const refusal = z.object({ errors: z.array(z.object({ code: z.string().regex(/^\d{1,8}$/) })).min(1) })

/** What the provider's own codes mean to us; others are told by their number. */
const REASONS: Readonly<Record<string, string>> = { 40300: 'opted_out' }

/** A name of a number of a relay: what is wired already is not taken from another. */
const OURS = /^num_[0-9a-z]{26}$/

export class Telnyx implements Telephony {
  readonly provider = 'telnyx'
  readonly keepsTexts = false
  readonly #deps: TelnyxDeps
  readonly #api: ProviderApi
  readonly #publicKey: KeyObject

  constructor(deps: TelnyxDeps) {
    this.#deps = deps
    this.#api = new ProviderApi({ ...deps, authorization: `Bearer ${deps.key}` })
    this.#publicKey = telnyxKey(deps.publicKey)
  }

  verify(request: HookRequest): boolean {
    return isFromTelnyx(this.#publicKey, request)
  }

  read(step: HookStep, request: HookRequest): HookNews | null {
    return step === 'sms' ? readTelnyxMessage(request.body) : readTwilioForm(step, request)
  }

  render(steps: readonly CallStep[], at: RenderedAt): HookAnswer {
    return renderTwiml(steps, at, { asksWhenEmpty: false, whispers: false, transcribes: false })
  }

  /** Attaches a number of the account: an application of its own has its hooks. Numbers are bought at the company. */
  async provision(
    wanted: { areaCode: string } | { number: string },
    { name, hooks, fallback, signal }: ProvisionedAt,
  ): Promise<WiredNumber> {
    if ('areaCode' in wanted) throw new NotSupported()
    const owned = await this.#ownNumber(wanted.number, signal)
    if (owned === null) throw new TelephonyError('number_not_owned')
    const reference = owned.customer_reference ?? ''
    if (OURS.test(reference) && reference !== name) throw new TelephonyError('number_taken', { isTransient: true })
    const connection_id = await this.#application({ name, hooks, fallback, signal })
    const change = { connection_id, customer_reference: name }
    await this.#json('PATCH', `/v2/phone_numbers/${owned.id}`, { change, signal })
    return { e164: owned.phone_number, providerId: owned.id }
  }

  async unwire({ providerId, name }: { providerId: string | null; name: string }, signal: AbortSignal): Promise<void> {
    const earlier = await this.#applicationOf(name, signal)
    if (earlier !== null)
      await this.#json('PATCH', `/v2/texml_applications/${earlier.id}`, { change: { active: false }, signal })
    if (providerId === null) return
    const change = { customer_reference: '' }
    await this.#json('PATCH', `/v2/phone_numbers/${encodeURIComponent(providerId)}`, { change, signal }).catch(
      (error: unknown) => {
        // The operator has given it back.
        if (!(error instanceof TelephonyError && error.reason === 'not_found')) throw error
      },
    )
  }

  async sendText(
    { from, to, text, statusUrl }: { from: string; to: string; text: string; statusUrl: string },
    { begin, signal }: { begin: () => Promise<boolean>; signal: AbortSignal },
  ): Promise<SentText | null> {
    const body = jsonBody({ from, to, text, type: 'SMS', webhook_url: statusUrl })
    const answer = await this.#api.send({ method: 'POST', path: '/v2/messages', body, begin, signal })
    if (answer === null) return null
    return { providerId: parsed(one(z.object({ id })), checked(answer), { isDone: true }).data.id }
  }

  async findTexts(): Promise<never> {
    throw new NotSupported()
  }

  /** The company names an address for ten minutes, at a host of its own or of another company. */
  async fetchRecording(
    recordingId: string,
    { most, signal }: { most: number; signal: AbortSignal },
  ): Promise<{ type: string; bytes: Buffer }> {
    const told = parsed(recording, await this.#json('GET', this.#recording(recordingId), { signal }))
    if (told.status !== 'completed' || !told.media_url) throw new TelephonyError('not_ready', { isTransient: true })
    const sound = new URL(told.media_url)
    const isOurs = sound.origin === new URL(this.#deps.url).origin
    // Over TLS, unless the operator has set an address without it; the key is for the configured host alone.
    if (sound.protocol !== 'https:' && !this.#deps.url.startsWith('http:')) throw new TelephonyError('bad_answer')
    const authorization = isOurs ? `Bearer ${this.#deps.key}` : null
    const host = new ProviderApi({ url: sound.origin, authorization, clock: this.#deps.clock })
    const path = sound.pathname + sound.search
    const { type, bytes } = checked(answered(await host.send({ method: 'GET', path, most, signal })))
    if (!/^(?:audio\/|(?:application|binary)\/octet-stream)/.test(type)) throw new TelephonyError('bad_answer')
    return { type: type.split(';')[0] ?? type, bytes }
  }

  async deleteRecording(recordingId: string, signal: AbortSignal): Promise<void> {
    const answer = await this.#api.send({ method: 'DELETE', path: this.#recording(recordingId), signal })
    if (answer?.status !== 404) checked(answered(answer))
  }

  /** It says only whether the call goes on. */
  async callState(providerCallId: string, signal: AbortSignal): Promise<'in_progress' | 'completed' | null> {
    const path = `/v2/calls/${encodeURIComponent(providerCallId)}`
    const answer = answered(await this.#api.send({ method: 'GET', path, signal }))
    if (answer.status === 404) return null
    return parsed(one(call), checked(answer)).data.is_alive ? 'in_progress' : 'completed'
  }

  #recording(recordingId: string): string {
    const { account } = this.#deps
    if (account === null) throw new NotSupported()
    return `/v2/texml/Accounts/${encodeURIComponent(account)}/Recordings/${encodeURIComponent(recordingId)}.json`
  }

  async #application({ name, hooks, fallback, signal }: ProvisionedAt): Promise<string> {
    const change = {
      friendly_name: name,
      active: true,
      voice_url: hookAddress(hooks, 'answer'),
      voice_fallback_url: fallback,
      voice_method: 'post',
      status_callback: hookAddress(hooks, 'status'),
      status_callback_method: 'post',
    }
    const earlier = await this.#applicationOf(name, signal)
    const [method, path] =
      earlier === null
        ? (['POST', '/v2/texml_applications'] as const)
        : (['PATCH', `/v2/texml_applications/${earlier.id}`] as const)
    return parsed(one(application), await this.#json(method, path, { change, signal }), { isDone: true }).data.id
  }

  async #applicationOf(name: string, signal: AbortSignal): Promise<z.infer<typeof application> | null> {
    const list = parsed(many(application), await this.#get('/v2/texml_applications', { friendly_name: name }, signal))
    return list.data.find(({ friendly_name }) => friendly_name === name) ?? null
  }

  async #ownNumber(e164: string, signal: AbortSignal): Promise<z.infer<typeof number> | null> {
    const list = parsed(many(number), await this.#get('/v2/phone_numbers', { phone_number: e164 }, signal))
    return list.data.find(({ phone_number }) => phone_number === e164) ?? null
  }

  #get(path: string, filter: Readonly<Record<string, string>>, signal: AbortSignal): Promise<ApiAnswer> {
    const query = new URLSearchParams(
      Object.entries(filter).map(([name, value]): [string, string] => [`filter[${name}]`, value]),
    )
    return this.#json('GET', `${path}?${query}`, { signal })
  }

  async #json(
    method: 'GET' | 'POST' | 'PATCH',
    path: string,
    { change, signal }: { change?: object; signal: AbortSignal },
  ): Promise<ApiAnswer> {
    return checked(answered(await this.#api.send({ method, path, signal, ...(change && { body: jsonBody(change) }) })))
  }
}

/** Only a `begin` can say no. */
function answered(answer: ApiAnswer | null): ApiAnswer {
  if (answer === null) throw new TelephonyError('stopped', { isTransient: true })
  return answer
}

/** @throws TelephonyError for everything but a 2xx */
function checked(answer: ApiAnswer): ApiAnswer {
  if (answer.status >= 200 && answer.status < 300) return answer
  const told = refusal.safeParse(jsonOf(answer.bytes))
  const [code = ''] = told.success ? told.data.errors.map((error) => error.code) : []
  const general = failureOf(answer.status)
  // Whatever its status: a 403 by itself would say that our key is wrong.
  if (!general.isTransient && code in REASONS) throw new TelephonyError(REASONS[code] ?? code)
  throw code === '' || general.reason !== 'refused' ? general : new TelephonyError(`code_${code}`)
}

const jsonBody = (body: object) => ({ type: 'application/json', text: JSON.stringify(body) }) as const
