// The session of the page: set-up, sign-in, or the page itself.
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Session } from './answers.ts'
import { get } from './api.ts'

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async () => ((await get('session')) as { result: Session }).result,
  // A sign-out elsewhere shows by a refusal; the feed asks again when it breaks.
  staleTime: 60_000,
})

export function useSession(): Session | undefined {
  return useQuery(sessionQuery).data
}

/** Pages and buttons that only a technician may use are not shown to a manager: no dead buttons. */
export function useIsTechnician(): boolean {
  return useSession()?.user?.role === 'technician'
}
