// Operation on the audit log: its input and what it answers.
import { z } from 'zod'
import type { AccountId, ServiceOrderId } from '#shared/ids.ts'
import { text } from '#shared/wire/api/fields.ts'
import { reads } from './operation.ts'
import type { Role } from './roles.ts'

export type { AuditAction } from '#cloud/storage/audit-actions.ts'

export const AUDIT_OPERATIONS = {
  'audit.list': reads(
    'Who changed what, newest first',
    z.strictObject({
      /** The id of a person or key, `cli` or `relay`. */
      actor: text(64).optional(),
      /** Such as `key.rotate`; `key.` with its full stop is all of a noun. */
      action: text(64).optional(),
      /** The id of what was changed; of a restaurant `M-...`. */
      subject: text(128).optional(),
      limit: z.number().int().min(1).max(10_000).default(50),
      /** `next` of the page before. */
      before: z.number().int().min(1).optional(),
    }),
    'audit',
  ),
}

export type SubjectAbout =
  /** `order` null: it is of no order, as a note is. */
  | { kind: 'job'; order: { serviceOrderId: ServiceOrderId; number: string } | null }
  /** `email` null: it waits no longer, or the viewer does not see it. */
  | { kind: 'invitation'; role: Role | 'operator'; email: string | null }
  /** `notice`: as in cloud/notices/notice-kinds.ts. */
  | { kind: 'mail'; notice: string }

export interface AuditLine {
  ordinal: number
  at: string
  /** `cli`, `relay`, or the id of a person or key. */
  actor: string
  /** Name of the person, or of the key, or the end of a key without one; null: it is neither, or is gone. */
  actorName: string | null
  accountId: AccountId | null
  action: string
  /** As clients use it: a restaurant is `M-...`, however the stored line names it. */
  subject: string
  /** Null: the thing has none, or is gone. */
  subjectName: string | null
  /** Details of an id without a name of its own, as far as the viewer may see them. */
  about: SubjectAbout | null
  /** Where the page of the thing is; null: it is gone, or of no restaurant or environment. */
  merchantId: string | null
  environment: 'sandbox' | 'live' | null
  before: unknown
  after: unknown
  /** `cli`, `dashboard`, `api`; null: the relay itself, or an older release. */
  via: string | null
  address: string | null
}

export interface AuditAnswers {
  'audit.list': { lines: AuditLine[]; next: number | null }
}
