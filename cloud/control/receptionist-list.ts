// Operations on what the receptionist says and knows: its profile and its answers. Their inputs and answers.
import { z } from 'zod'
import type { NumberField } from '#cloud/receptionist/allowed-numbers.ts'
import { type ReceptionistProfile, receptionistProfile } from '#cloud/receptionist/profile.ts'
import type { KnowledgeId } from '#shared/ids.ts'
import { text, visibleText } from '#shared/wire/api/fields.ts'
import { idField, merchantId } from './input-fields.ts'
import { changes, reads } from './operation.ts'

const knowledgeId = idField('kn', 'an answer')

export const RECEPTIONIST_OPERATIONS = {
  'receptionist.get': reads('What is set of the receptionist', z.strictObject({ merchantId }), 'kitchen'),
  'receptionist.save': changes(
    'Set what the receptionist says and does',
    z.strictObject({
      merchantId,
      profile: receptionistProfile,
      /** The version that the page showed: a save on an older one is refused. */
      seen: z.strictObject({ version: z.number().int().min(0) }),
    }),
    'kitchen',
  ),
  'receptionist.preview': reads(
    'What a caller hears first with these settings, which are not saved',
    z.strictObject({ merchantId, profile: receptionistProfile }),
    'kitchen',
  ),
  'knowledge.list': reads('What the receptionist can answer', z.strictObject({ merchantId }), 'kitchen'),
  'knowledge.put': changes(
    'Add or change an answer of the receptionist',
    z.strictObject({
      merchantId,
      /** Of one that is there; absent: a new one. */
      knowledgeId: knowledgeId.optional(),
      question: visibleText(200),
      answer: visibleText(500),
      /** Other words for the same, by which it is found too. */
      tags: z.array(text(40)).max(20).default([]),
      enabled: z.boolean().default(true),
      /** The version that the page showed: a change of an older one is refused. Absent: nothing is compared. */
      seen: z.strictObject({ version: z.number().int().min(1) }).optional(),
    }),
    'kitchen',
  ),
  'knowledge.delete': changes(
    'Delete an answer of the receptionist',
    z.strictObject({ merchantId, knowledgeId }),
    'kitchen',
  ),
  'knowledge.try': reads(
    'What the receptionist would answer to a question',
    z.strictObject({ merchantId, question: text(200) }),
    'kitchen',
  ),
}

export interface ReceptionistAnswer {
  profile: ReceptionistProfile
  /** 0: nothing was set. */
  version: number
  /** Of the blocked numbers only the last digits are shown, and nothing can be saved by this person. */
  isMasked: boolean
  /** Numbers that the operator's settings do not allow any more: calls and text messages go on as if they were not set. */
  refused: NumberField[]
}

export interface PreviewAnswer {
  /** While it is open; null: it never is. Empty: the receptionist does not answer. */
  open: string[] | null
  closed: string[] | null
  /** BCP 47. */
  language: string
}

export interface KnowledgeAnswer {
  knowledgeId: KnowledgeId
  question: string
  answer: string
  tags: string[]
  enabled: boolean
  /** How often a caller was answered with it. */
  hits: number
  version: number
  updatedAt: string
}

export interface ReceptionistAnswers {
  'receptionist.get': ReceptionistAnswer
  'receptionist.save': ReceptionistAnswer
  'receptionist.preview': PreviewAnswer
  'knowledge.list': KnowledgeAnswer[]
  'knowledge.put': KnowledgeAnswer
  'knowledge.delete': { deleted: boolean }
  /** Null: it has no answer to that, and asks the caller again. Without an id: the opening hours. */
  'knowledge.try': { found: { knowledgeId: KnowledgeId | null; question: string | null; answer: string } | null }
}
