// A list that comes in pages by a cursor, and does not shift while one reads: see held-rows.ts.
import { useMutation } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { OperationAnswers } from '#cloud/control/answers.ts'
import type { OperationBody, OperationName } from '#cloud/control/operations.ts'
import { perform } from '#cloud/web/api.ts'
import { useRead } from '#cloud/web/operations.ts'
import { usePlace } from '#cloud/web/place.tsx'
import type { ApiError } from '#shared/ui/api.ts'
import { freshRows, type HeldRows, heldFrom, type RowPage, withHead, withMore } from './held-rows.ts'

/** More than anybody reads; a spreadsheet takes it. */
const MOST_IN_FILE = 10_000

export interface PagesOf<N extends OperationName, R> {
  /** Rows and cursor of an answer. */
  page: (answer: OperationAnswers[N]) => RowPage<R>
  /** The input that asks for the page behind a cursor. */
  after: (cursor: string) => Partial<OperationBody<N>>
  keyOf: (row: R) => string
  /** The first page is asked for again this often, milliseconds; absent: only when something made it stale. */
  everyMs?: number
}

export interface Pages<R, A = unknown> {
  /** Undefined: nothing has come yet. */
  rows: readonly R[] | undefined
  /** How many have come and are not shown. */
  fresh: number
  showFresh: () => void
  /** Null: there is no further page. */
  more: (() => void) | null
  isLoadingMore: boolean
  /** Every row that the filter holds, for a file. @throws ApiError */
  all: () => Promise<readonly R[]>
  /** The newest answer with the first page; undefined: none has come yet. */
  newest: A | undefined
  /** For `Answer`: loading, refused, there. */
  answer: ReturnType<typeof useRead>
  moreError: ApiError | null
}

/** @param pages the same functions at each drawing */
export function usePages<N extends OperationName, R>(
  name: N,
  body: OperationBody<N>,
  pages: PagesOf<N, R>,
): Pages<R, OperationAnswers[N]> {
  const { account, environment } = usePlace()
  const accountId = account?.accountId ?? null
  const asked = JSON.stringify([name, accountId, environment, body])
  const head = useRead(name, body, { everyMs: pages.everyMs ?? false })
  const [held, setHeld] = useState<{ asked: string; rows: HeldRows<R> } | null>(null)
  const mine = held?.asked === asked ? held.rows : null
  const newest = useMemo(() => (head.data === undefined ? null : pages.page(head.data)), [head.data, pages])
  // While it is drawn, not after: the list would be drawn twice for each answer.
  if (newest !== null && mine?.head !== newest)
    setHeld({ asked, rows: mine === null ? heldFrom(newest) : withHead(mine, newest, pages.keyOf) })
  const ask = (cursor: string) =>
    perform(name, { ...body, ...pages.after(cursor) } as OperationBody<N>, { accountId, environment })
  const further = useMutation<{ asked: string; page: RowPage<R> }, ApiError, string>({
    mutationFn: async (cursor) => ({ asked, page: pages.page(await ask(cursor)) }),
    onSuccess: (came) =>
      setHeld((before) =>
        before?.asked === came.asked
          ? { asked: came.asked, rows: withMore(before.rows, came.page, pages.keyOf) }
          : before,
      ),
  })
  const all = async () => {
    const rows: R[] = [...(newest?.rows ?? [])]
    let cursor = newest?.next ?? null
    while (cursor !== null && rows.length < MOST_IN_FILE) {
      const page: RowPage<R> = pages.page(await ask(cursor))
      rows.push(...page.rows)
      cursor = page.next
    }
    return rows
  }
  const next = mine?.next ?? null
  return {
    rows: mine?.rows ?? newest?.rows,
    fresh: mine === null ? 0 : freshRows(mine, pages.keyOf).length,
    showFresh: () => newest && setHeld({ asked, rows: heldFrom(newest) }),
    more: next === null ? null : () => further.mutate(next),
    isLoadingMore: further.isPending,
    all,
    newest: head.data,
    answer: head as unknown as ReturnType<typeof useRead>,
    moreError: further.error,
  }
}
