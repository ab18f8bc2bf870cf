// The session of the page: set-up, sign-in, or the page itself.
import { queryOptions, useQuery } from '@tanstack/react-query'
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

// What the box answers beside its operations' own list: who is signed in.
interface Session {
  /** `setup`: no user yet. */
  state: 'setup' | 'signed-out' | 'signed-in'
  user: { userId: string; name: string; role: 'technician' | 'manager' } | null
  box: { name: string; language: string; app: string; gatewayId: string; merchantName: string }
  time: string
}
