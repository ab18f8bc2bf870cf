// What a line of the audit log was done to: its name, as a link where the thing has a page, over its id.
import { Link } from '@tanstack/react-router'
import type { AuditLine } from '#cloud/control/audit-list.ts'
import { subjectTarget } from '#cloud/web/search-targets.ts'

export function AuditSubject({ line }: { line: AuditLine }) {
  const { subject, subjectName, accountId } = line
  const target = subjectTarget(line)
  const name = subjectName ?? subject
  const inPlace = { ...target?.search, ...(accountId !== null && { account: accountId }) }
  return (
    <>
      {target === null ? (
        subjectName !== null && <bdi>{name}</bdi>
      ) : (
        <Link to={target.to} search={(before: object) => ({ ...before, ...inPlace })}>
          <bdi>{name}</bdi>
        </Link>
      )}
      {(subjectName !== null || target === null) && (
        <code className={subjectName === null ? '' : 'soft block'}>{subject}</code>
      )}
    </>
  )
}
