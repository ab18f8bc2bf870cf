// Operations as hooks: reading with a cache, changing with what it makes stale.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { OperationAnswers } from '#gateway/control/answers.ts'
import type { OperationName } from '#gateway/control/operations.ts'
import type { ApiError } from '#shared/ui/api.ts'
import { type PageBody, perform } from './api.ts'

/** The room of an operation (`jobs.list` is of `jobs`) is the first part of its key: a change makes the whole room stale. */
const roomOf = (name: OperationName): string => name.split('.')[0] ?? name

export interface ReadOptions {
  enabled?: boolean
  /** Asked again this often, milliseconds; false: only when something made it stale. */
  everyMs?: number | false
  /** Shows the last answer while another question is asked. */
  keep?: boolean
}

export function useRead<N extends OperationName>(name: N, body: PageBody<N>, options: ReadOptions = {}) {
  return useQuery<OperationAnswers[N], ApiError>({
    queryKey: [roomOf(name), name, body],
    queryFn: () => perform(name, body),
    enabled: options.enabled ?? true,
    refetchInterval: options.everyMs ?? false,
    ...(options.keep ? { placeholderData: (before: OperationAnswers[N] | undefined) => before as never } : {}),
  })
}

/** @param done called with what the box answered */
export function useChange<N extends OperationName>(name: N, done?: (answer: OperationAnswers[N]) => void) {
  const queries = useQueryClient()
  return useMutation<OperationAnswers[N], ApiError, PageBody<N>>({
    mutationFn: (body) => perform(name, body),
    onSuccess: (answer) => {
      void queries.invalidateQueries({ queryKey: [roomOf(name)] })
      done?.(answer)
    },
    onError: (error) => {
      if (error.status === 401) void queries.invalidateQueries({ queryKey: ['session'] })
    },
  })
}
