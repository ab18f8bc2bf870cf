// The gateways of all accounts.
import { isoOrNull } from '#shared/clock.ts'
import type { FLEET_OPERATIONS } from './fleet-list.ts'
import type { Handlers } from './handler.ts'

export const FLEET_HANDLERS: Pick<Handlers, keyof typeof FLEET_OPERATIONS> = {
  'op.fleet': async ({ fleet }, _doing, { silent, version, after, limit }) => {
    const filter = { isSilent: silent, version: version ?? null, after: after ?? null }
    const rows = await fleet.page({ ...filter, limit: limit + 1 })
    const gateways = rows.slice(0, limit).map(({ presence, lastSeenAtMs, ...row }) => ({
      ...row,
      state: presence,
      lastSeenAt: isoOrNull(lastSeenAtMs),
    }))
    const next = rows.length > limit ? (gateways.at(-1)?.gatewayId ?? null) : null
    return { gateways, next, versions: await fleet.versions() }
  },
}
