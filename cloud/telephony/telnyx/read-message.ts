// News of text messages as Telnyx tells them: JSON, in the form of its messaging API and not of TeXML.
import { z } from 'zod'
import { textOf } from '#cloud/telephony/hook-address.ts'
import type { HookNews, HookText } from '#cloud/telephony/telephony.ts'
import { parseJson } from '#shared/parse-json.ts'

const event = z.object({ data: z.object({ event_type: z.string().max(64), payload: z.unknown() }) })
const message = z.object({
  id: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
  to: z.array(z.object({ status: z.string().max(64) })).length(1),
  errors: z
    .array(z.object({ code: z.string().regex(/^\d{1,8}$/) }))
    .max(100)
    .nullish(),
  /** The address that we gave. It is within what is signed: the address of the request is not. */
  webhook_url: z.string().max(2_048).nullish(),
})

/** Whose payload is a message of ours. */
const EVENTS: readonly string[] = ['message.sent', 'message.finalized']

const STATES: Readonly<Record<string, Extract<HookText, { kind: 'status' }>['status']>> = {
  sent: 'sent',
  delivered: 'delivered',
  // The carrier tells nothing of messages that arrive.
  delivery_unconfirmed: 'sent',
  delivery_failed: 'failed',
  sending_failed: 'failed',
  expired: 'failed',
}

/** @param body what was signed. @returns null: news that say nothing to us. @throws ZodError */
export function readTelnyxMessage(body: string): HookNews | null {
  const { event_type: type, payload } = event.parse(parseJson(body)).data
  if (!EVENTS.includes(type)) return null
  const { id: providerId, to, errors, webhook_url: url } = message.parse(payload)
  const status = STATES[to[0]?.status ?? '']
  if (status === undefined) return null
  const [first] = errors ?? []
  const error = status === 'failed' ? (first === undefined ? 'not_delivered' : `code_${first.code}`) : null
  return { about: 'text', text: { kind: 'status', providerId, textId: textOf(url ?? ''), status, error } }
}
