// What a line of the audit log was done to: its name, as a link where the thing has a page, over its id.
import { Link } from '@tanstack/react-router'
import type { AuditLine } from '#cloud/control/audit-list.ts'
import { auditWords } from '#cloud/web/messages/audit.ts'
import { outboxWords } from '#cloud/web/messages/outbox.ts'
import { subjectTarget } from '#cloud/web/search-targets.ts'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { subjectWords } from './audit-words.ts'

export function AuditSubject({ line }: { line: AuditLine }) {
  const { subject, accountId } = line
  const words = useSubjectWords()(line)
  const target = subjectTarget(line)
  const inPlace = { ...target?.search, ...(accountId !== null && { account: accountId }) }
  return (
    <>
      {target === null ? (
        words !== null && <bdi>{words}</bdi>
      ) : (
        <Link to={target.to} search={(before: object) => ({ ...before, ...inPlace })}>
          <bdi>{words ?? subject}</bdi>
        </Link>
      )}
      {(words !== null || target === null) && <code className={words === null ? '' : 'soft block'}>{subject}</code>}
    </>
  )
}

/** Null: there is nothing but the id. */
export function useSubjectWords(): (line: AuditLine) => string | null {
  const { things } = usePageWords(auditWords)
  const { kinds } = usePageWords(outboxWords)
  const { t } = useSpeech()
  return (line) => subjectWords(line, { t: things, roles: t.roles, mails: kinds })
}
