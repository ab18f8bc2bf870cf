// The button by which a person leaves one thing out of the last check by its name, or takes that back.
import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { CheckLine } from '#gateway/control/check-answers.ts'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useChange, useRead } from '#gateway/web/admin/operations.ts'
import { Problem } from '#shared/ui/parts/problem.tsx'

interface LeftOut {
  kind: CheckLine['kind'] | 'health'
  id: string
  /** Who left it out; null: it was not left out. */
  leftOutBy: string | null
}

export function LeaveOut({ line: { kind, id, leftOutBy }, name }: { line: LeftOut; name: string }) {
  const { t } = useSpeech()
  const queries = useQueryClient()
  const guide = useRead('guide.get', {})
  const put = useChange('guide.put', () => void queries.invalidateQueries({ queryKey: ['orders'] }))
  const known = (guide.data?.leftOut ?? []).map((one) => ({ kind: one.kind, id: one.id }))
  const others = known.filter((one) => one.kind !== kind || one.id !== id)
  const leftOut = leftOutBy === null ? [...others, { kind, id }] : others
  return (
    <>
      <Button
        variant="subtle"
        size="compact-md"
        loading={put.isPending}
        disabled={guide.data === undefined}
        aria-label={leftOutBy === null ? t.check.leaveOutOf(name) : t.check.takeBackOf(name)}
        onClick={() => put.mutate({ leftOut })}
      >
        {leftOutBy === null ? t.check.leaveOut : t.check.takeBack}
      </Button>
      <Problem error={put.error} />
    </>
  )
}
