// Operations on voicemails: their inputs and answers. The sound itself is a route of its own: /dashboard/api/voicemails/sound.
import { z } from 'zod'
import type { CallId, VoicemailId } from '#shared/ids.ts'
import { idField, merchantId } from './input-fields.ts'
import { changes, reads } from './operation.ts'

const voicemailId = idField('vm', 'a voicemail')

export const VOICEMAIL_OPERATIONS = {
  'voicemails.list': reads(
    'Voicemails of a restaurant, newest first',
    z.strictObject({
      merchantId,
      /** The last of the page before. */
      before: voicemailId.optional(),
      limit: z.number().int().min(1).max(100).default(25),
    }),
    'serve',
  ),
  'voicemails.get': reads('A voicemail', z.strictObject({ merchantId, voicemailId }), 'serve'),
  'voicemails.done': changes(
    'Settle a voicemail, or open it again',
    z.strictObject({ merchantId, voicemailId, done: z.boolean() }),
    'serve',
  ),
  'voicemails.delete': changes(
    'Delete a voicemail: sound, text, and text messages that have it',
    z.strictObject({ merchantId, voicemailId }),
    { right: 'audit', stepUp: 'live' },
  ),
}

export interface VoicemailAnswer {
  voicemailId: VoicemailId
  /** Null: the call is not known any more. */
  callId: CallId | null
  /** Null: withheld, erased, or not known. */
  from: string | null
  at: string
  seconds: number
  /** `waits`: its sound is being fetched, or turned into text. */
  state: 'waits' | 'text' | 'no-text'
  /** Null: there is none, it was deleted, or it is hidden from this person. */
  text: string | null
  /** The text may be wrong. */
  isUncertain: boolean
  /** There is sound, and this person may hear it. */
  hasSound: boolean
  isDone: boolean
}

export interface VoicemailAnswers {
  /** Without `next` there is no further page. */
  'voicemails.list': { voicemails: VoicemailAnswer[]; next: VoicemailId | null }
  'voicemails.get': VoicemailAnswer
  'voicemails.done': { changed: boolean }
  'voicemails.delete': null
}
