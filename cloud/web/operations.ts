// Operations as hooks: reading with a cache, changing with what it makes stale. Both ask for the account and environment that the page shows.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import type { OperationAnswers } from '#cloud/control/answers.ts'
import type { OperationBody, OperationName } from '#cloud/control/operations.ts'
import { ApiError } from '#shared/ui/api.ts'
import { newTapId, perform } from './api.ts'
import { usePlace } from './place.tsx'
import { useStepUp } from './step-up.tsx'

/** The room of an operation (`keys.list` is of `keys`) is the first part of its key: a change makes the whole room stale. */
export const roomOf = (name: string): string => name.split('.')[0] ?? name

/** A delivery changes its endpoint, its event and the inspector. */
export const WEBHOOK_ROOMS = ['deliveries', 'endpoints', 'events', 'inspector']

/** Rooms that show what a change of another room changes. */
const ALSO_STALE: Readonly<Record<string, readonly string[]>> = {
  gateways: ['kitchens'],
  printers: ['kitchens'],
  locations: ['kitchens', 'merchant'],
  sku: ['menu'],
  channels: ['menu'],
  pos: ['merchant'],
  numbers: ['receptionist'],
  receptionist: ['calls', 'tables', 'numbers', 'knowledge'],
  callers: ['calls', 'voicemails', 'tables', 'texts', 'orders'],
  voicemails: ['texts'],
  endpoint: WEBHOOK_ROOMS,
  ...Object.fromEntries(WEBHOOK_ROOMS.map((room) => [room, WEBHOOK_ROOMS])),
}

export interface ReadOptions {
  enabled?: boolean
  /** Asked again this often, milliseconds; false: only when something made it stale. */
  everyMs?: number | false
  /** Shows the last answer while another question is asked. */
  keep?: boolean
}

export function useRead<N extends OperationName>(name: N, body: OperationBody<N>, options: ReadOptions = {}) {
  const { account, environment } = usePlace()
  const accountId = account?.accountId ?? null
  return useQuery<OperationAnswers[N], ApiError>({
    queryKey: [roomOf(name), name, accountId, environment, body],
    queryFn: () => perform(name, body, { accountId, environment }),
    enabled: options.enabled ?? true,
    refetchInterval: options.everyMs ?? false,
    ...(options.keep ? { placeholderData: (before: OperationAnswers[N] | undefined) => before as never } : {}),
  })
}

/**
 * A change. Where the relay wants a password or passkey first, a dialog asks for it and the change goes on by itself.
 * @param done called with what the relay answered, and with what was asked
 */
export function useChange<N extends OperationName>(
  name: N,
  done?: (answer: OperationAnswers[N], body: OperationBody<N>) => void,
) {
  const queries = useQueryClient()
  const stepUp = useStepUp()
  const { account, environment } = usePlace()
  /** The tap id of a change that got no answer: the same change once more is sent with the same id. */
  const unheard = useRef<{ said: string; tapId: string } | null>(null)
  return useMutation<OperationAnswers[N], ApiError, OperationBody<N>>({
    mutationFn: async (body) => {
      const said = JSON.stringify([account?.accountId, environment, body])
      const tapId = unheard.current?.said === said ? unheard.current.tapId : newTapId()
      unheard.current = null
      const send = () => perform(name, body, { accountId: account?.accountId ?? null, environment, tapId })
      try {
        return await stepUp(send)
      } catch (error) {
        if (error instanceof ApiError && error.code === 'unreachable') unheard.current = { said, tapId }
        throw error
      }
    },
    onSuccess: (answer, body) => {
      const room = roomOf(name)
      for (const stale of new Set([room, ...(ALSO_STALE[room] ?? [])]))
        void queries.invalidateQueries({ queryKey: [stale] })
      done?.(answer, body)
    },
    onError: (error) => {
      if (error.status === 401) void queries.invalidateQueries({ queryKey: ['session'] })
    },
  })
}
