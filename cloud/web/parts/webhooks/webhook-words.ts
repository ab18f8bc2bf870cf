// Endpoints and deliveries in words: failures as sentences, states as marks. Pure.
import type { DeliveryAnswer, EndpointAnswer } from '#cloud/control/webhook-list.ts'
import type { WebhookWords } from '#cloud/web/messages/webhooks-en.ts'
import type { Tone } from '#shared/ui/parts/mark.tsx'
import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from '#shared/wire/webhook-event-names.ts'

type Words = Pick<WebhookWords, 'failures'>

/** The failure as half a sentence. A class that this page does not have is shown as it is. */
export function failureWords({ failures }: Words, { error, status }: { error: string; status: number | null }): string {
  const known = Object.hasOwn(failures, error) ? failures[error as keyof typeof failures] : undefined
  return known === undefined ? error : known(String(status ?? ''))
}

/** What it answered last; null: nothing was sent yet. */
export function lastAnswerWords(t: Words, { lastError, lastStatus }: DeliveryAnswer): string | null {
  if (lastError !== null) return failureWords(t, { error: lastError, status: lastStatus })
  return lastStatus === null ? null : String(lastStatus)
}

export const DELIVERY_TONES: Readonly<Record<DeliveryAnswer['state'], Tone>> = {
  pending: 'idle',
  retrying: 'warn',
  delivered: 'ok',
  failed: 'bad',
}

export type EndpointState = 'enabled' | 'failing' | 'disabled'

export function endpointState({
  status,
  failingSince,
}: Pick<EndpointAnswer, 'status' | 'failingSince'>): EndpointState {
  if (status === 'disabled') return 'disabled'
  return failingSince === null ? 'enabled' : 'failing'
}

export const ENDPOINT_TONES: Readonly<Record<EndpointState, Tone>> = { enabled: 'ok', failing: 'warn', disabled: 'bad' }

/** Characters of a name in a choice. */
const LONGEST_NAME = 60

/** An endpoint's name in a list or a choice: its address without the path, which may be long, and what distinguishes it from others with the same address. */
export function endpointName(
  { url, kind, description }: Pick<EndpointAnswer, 'url' | 'kind' | 'description'>,
  t: Pick<WebhookWords, 'inspector' | 'listener'>,
): string {
  const own = kind === 'url' ? url : t[kind]
  const name = kind === 'inspector' ? own : (description ?? own)
  return name.length <= LONGEST_NAME ? name : `${name.slice(0, LONGEST_NAME - 1)}…`
}

export const eventTypeOf = (text: string): WebhookEventType | undefined =>
  WEBHOOK_EVENT_TYPES.find((type) => type === text)

/** JSON for reading; what is sent has no spaces. */
export function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
