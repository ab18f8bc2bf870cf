// What an operation answers, in each of its states: loading, refused with the last answer kept, there.
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useNow } from '#cloud/web/live.tsx'
import { useSpeech } from '#cloud/web/speech.tsx'
import type { ApiError } from '#shared/ui/api.ts'
import { Problem } from '#shared/ui/parts/problem.tsx'
import { problemWords } from '#shared/ui/problem-words.ts'

/** What is used of a query. */
interface Asked<T> {
  data: T | undefined
  error: ApiError | null
  /** When `data` came, epoch ms of this browser. */
  dataUpdatedAt: number
  isFetching: boolean
  refetch: () => unknown
}

/** @param rows grey lines while nothing is there, as many as usually come */
export function Answer<T>({
  of,
  rows = 4,
  children,
}: {
  of: Asked<T>
  rows?: number
  children: (data: T) => ReactNode
}) {
  if (of.error?.code === 'forbidden') return <NoRight error={of.error} />
  return (
    <>
      {of.error && <Refused of={of} error={of.error} />}
      {of.data === undefined ? of.error === null && <GreyRows count={rows} /> : children(of.data)}
    </>
  )
}

function Refused<T>({ of, error }: { of: Asked<T>; error: ApiError }) {
  const { t, formats } = useSpeech()
  const now = useNow()
  const { requestId } = error.values
  return (
    <div className="stack">
      <Problem error={error} />
      {requestId !== undefined && <code className="soft">{t.states.requestId(String(requestId))}</code>}
      {of.data !== undefined && <p className="soft">{t.states.oldData(formats.ago(of.dataUpdatedAt, now))}</p>}
      <p>
        <Button variant="default" loading={of.isFetching} onClick={() => void of.refetch()}>
          {t.common.tryAgain}
        </Button>
      </p>
    </div>
  )
}

/** They show after 200 ms: what comes sooner needs none. */
export function GreyRows({ count }: { count: number }) {
  const { t } = useSpeech()
  return (
    <div className="grey-rows" role="status" aria-label={t.common.loading}>
      {Array.from({ length: count }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: all are alike
        <span key={row} />
      ))}
    </div>
  )
}

/** The person's role does not reach here: which roles do. */
function NoRight({ error }: { error: ApiError }) {
  const speech = useSpeech()
  const { t, formats } = speech
  const roles = String(error.said?.values['roles'] ?? '')
    .split(', ')
    .map((role) => (Object.hasOwn(t.roles, role) ? t.roles[role as keyof typeof t.roles] : role))
    .filter((role) => role !== '')
  return (
    <section className="empty">
      <h2>{t.states.noRight}</h2>
      <p>{roles.length > 0 ? t.states.noRightHint(formats.list(roles)) : problemWords(error, speech).text}</p>
    </section>
  )
}
