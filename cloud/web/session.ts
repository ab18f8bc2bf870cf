// The session: the person who uses the page.
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { createContext, useCallback, useContext } from 'react'
import type { SessionAnswer } from '#cloud/control/session-answers.ts'
import { get } from './api.ts'

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: () => get<SessionAnswer>('session'),
  // A sign-out elsewhere shows by a refusal; the feed asks again when it breaks.
  staleTime: 60_000,
})

/**
 * Shows the session that a sign-in or a new password began. The feed of the session before it ends at that moment and asks for the session with the old cookie: that answer, which is "signed out", is not waited for.
 */
export function useShowSession(): (session: SessionAnswer) => Promise<void> {
  const queries = useQueryClient()
  return useCallback(
    async (session) => {
      await queries.cancelQueries({ queryKey: sessionQuery.queryKey })
      queries.setQueryData(sessionQuery.queryKey, session)
    },
    [queries],
  )
}

/** The newest session with a signed-in person: the page's content stays while they sign in again. */
export const SessionContext = createContext<SessionAnswer | null>(null)

export function useSession(): SessionAnswer {
  const session = useContext(SessionContext)
  if (!session) throw new Error('useSession outside of its provider')
  return session
}
