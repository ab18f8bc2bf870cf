// Who uses the page.
import { queryOptions } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import type { SessionAnswer } from '#cloud/control/session-answers.ts'
import { get } from './api.ts'

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: () => get<SessionAnswer>('session'),
  // A sign-out elsewhere shows by a refusal; the feed asks again when it breaks.
  staleTime: 60_000,
})

/** The newest in which somebody was signed in: what stands on the page stays while they sign in again. */
export const SessionContext = createContext<SessionAnswer | null>(null)

export function useSession(): SessionAnswer {
  const session = useContext(SessionContext)
  if (!session) throw new Error('useSession outside of its provider')
  return session
}
