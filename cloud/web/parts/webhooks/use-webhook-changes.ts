// What the pages of webhooks show hangs together: a delivery changes its endpoint, its event and the inspector.
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import { useLive } from '#cloud/web/live.tsx'

const ROOMS = ['endpoints', 'deliveries', 'inspector', 'events'] as const

/** @returns asks for all of it anew */
export function useWebhookRefresh(): () => void {
  const queries = useQueryClient()
  return useCallback(() => {
    for (const room of ROOMS) void queries.invalidateQueries({ queryKey: [room] })
  }, [queries])
}

/** Asks anew with each delivery that the live feed tells of. */
export function useWebhookChanges(): void {
  const refresh = useWebhookRefresh()
  const { deliveries } = useLive().topics
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each change of the topic
  useEffect(refresh, [deliveries, refresh])
}
