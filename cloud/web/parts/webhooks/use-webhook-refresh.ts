// What the pages of webhooks show hangs together: a delivery changes its endpoint, its event and the inspector.
import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'

const ROOMS = ['endpoints', 'deliveries', 'inspector', 'events'] as const

/** @returns asks for all of it anew */
export function useWebhookRefresh(): () => void {
  const queries = useQueryClient()
  return useCallback(() => {
    for (const room of ROOMS) void queries.invalidateQueries({ queryKey: [room] })
  }, [queries])
}
