// Courses that wait to be fired, each with its button; nothing where none waits.

import { Button } from '@mantine/core'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useChange, useRead } from '#gateway/web/admin/operations.ts'
import { listed } from '#shared/ui/isolation.ts'
import { focusHeading } from '#shared/ui/parts/page.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'

/** Fired at a display or by the relay meanwhile: gone from here after so long. */
const EVERY_MS = 5_000

export function HeldCourses() {
  const { t } = useSpeech()
  const held = useRead('courses.list', {}, { everyMs: EVERY_MS, keep: true })
  const fire = useChange('courses.fire', focusHeading)
  const courses = held.data ?? []
  if (courses.length === 0 && !fire.error) return null
  return (
    <section aria-label={t.courses.title}>
      <h2>{t.courses.title}</h2>
      <Problem error={fire.error} />
      <ul className="rows">
        {courses.map(({ orderId, number, course, items }) => (
          <li key={`${orderId} ${course}`}>
            <strong>{t.courses.name(number, course)}</strong>
            <Button
              variant="default"
              aria-label={t.courses.fireOf(number, course)}
              loading={fire.isPending && fire.variables.order === orderId && fire.variables.course === course}
              onClick={() => fire.mutate({ order: orderId, course })}
            >
              {t.courses.fire}
            </Button>
            <span className="soft">{listed(items, t.common.comma)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
