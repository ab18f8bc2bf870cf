// What a line of the audit log was done to, in words. Pure.
import type { AuditLine } from '#cloud/control/audit-list.ts'
import type { AuditWords } from '#cloud/web/messages/audit-en.ts'

export interface SubjectWords {
  t: AuditWords['things']
  roles: Readonly<Record<string, string>>
  /** Kinds of mail. */
  mails: Readonly<Record<string, string>>
}

/** @returns null: there is nothing but the id */
export function subjectWords(
  { subject, subjectName, about }: Pick<AuditLine, 'subject' | 'subjectName' | 'about'>,
  { t, roles, mails }: SubjectWords,
): string | null {
  if (subjectName !== null) return subjectName
  if (about?.kind === 'job' && about.order !== null) return t.orderJob(about.order.number)
  if (about?.kind === 'mail') return t.mailOf(mails[about.notice] ?? about.notice)
  if (about?.kind === 'invitation') {
    const { role, email } = about
    const words = t.invitationAs(role === 'operator' ? t.operator : (roles[role] ?? role))
    return email === null ? words : `${words}: ${email}`
  }
  const kinds: Readonly<Record<string, string>> = t.kinds
  const prefix = /^([a-z]+)_[0-9a-z]{26}$/.exec(subject)?.[1] ?? ''
  return Object.hasOwn(kinds, prefix) ? (kinds[prefix] ?? null) : null
}
