// Around a list that comes in pages, however it is drawn: what is new above it, "Show more" below.
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useSpeech } from '#cloud/web/speech.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'
import type { Pages } from './use-pages.ts'

interface PagedProps {
  /** Absent: all of the list has come. */
  pages: Pick<Pages<unknown>, 'fresh' | 'showFresh' | 'more' | 'isLoadingMore' | 'moreError'> | undefined
  /** Shown beside "Show more". */
  foot?: ReactNode
  children: ReactNode
}

export function Paged({ pages, foot, children }: PagedProps) {
  const { t } = useSpeech()
  return (
    <>
      {pages && pages.fresh > 0 && (
        <Button className="fresh" variant="light" onClick={pages.showFresh}>
          {t.list.fresh(pages.fresh)}
        </Button>
      )}
      {children}
      <Problem error={pages?.moreError ?? null} />
      <div className="list-foot">
        {pages?.more && (
          <Button variant="default" loading={pages.isLoadingMore} onClick={pages.more}>
            {t.list.more}
          </Button>
        )}
        {foot}
      </div>
    </>
  )
}
