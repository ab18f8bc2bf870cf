// The gateways of a merchant as the API shows them.
import type { GatewayConfig, GatewayConfigStore } from '#cloud/storage/gateway-config-store.ts'
import type { GatewayListStore } from '#cloud/storage/gateway-list-store.ts'
import type { MerchantRecord } from '#cloud/storage/merchant-store.ts'
import { toIso } from '#shared/clock.ts'
import type { LocationId } from '#shared/ids.ts'
import type { GatewayResource } from '#shared/wire/api/gateways.ts'
import type { HealthSummary, StationWay } from '#shared/wire/gateway-standing.ts'

export interface ListDeps {
  gatewayList: GatewayListStore
  configs: GatewayConfigStore
}

/** Newest first, without revoked ones. @param locationId only those of this location */
export async function listGateways(
  { gatewayList, configs }: ListDeps,
  merchant: Pick<MerchantRecord, 'key'>,
  locationId?: LocationId,
): Promise<GatewayResource[]> {
  const rows = (await gatewayList.list(merchant.key)).filter(
    (row) => row.revoked_at === null && (locationId === undefined || row.location_id === locationId),
  )
  return Promise.all(
    rows.map(async (row) => ({
      gatewayId: row.id,
      name: row.name,
      locationId: row.location_id,
      state: row.presence,
      version: row.app_version,
      simulated: row.simulated === 1,
      clockSkewMs: clockSkewOf(row.clock_offset_ms),
      queue: queueOf(row.queue),
      stations: stationsOf(row.stations),
      health: healthOf(row.health),
      lastSeenAt: row.last_seen_at === null ? null : toIso(row.last_seen_at),
      pairedAt: toIso(row.created_at),
      configuration: configurationOf(await configs.find(row.id)),
    })),
  )
}

/** How far its clock is ahead of ours: the opposite sign of the gateway's report. */
export function clockSkewOf(offsetMs: number | null): number | null {
  return offsetMs === null ? null : 0 - offsetMs
}

/** The stored `gateways.queue` in the form of the API. */
export function queueOf(json: string | null): GatewayResource['queue'] {
  if (json === null) return null
  // Written from a checked status.
  const { queued, held, unreported } = JSON.parse(json) as { queued: number; held: number; unreported: number }
  return { waiting: queued, held, unreported }
}

/** Of `gateways.stations`. */
export function stationsOf(json: string | null): GatewayResource['stations'] {
  if (json === null) return null
  // As are these.
  const stations = JSON.parse(json) as StationWay[]
  return stations.map(({ station, way }) => ({ station, way: way?.kind ?? null, name: way?.name ?? null }))
}

/** Of `gateways.health`. */
export function healthOf(json: string | null): GatewayResource['health'] {
  if (json === null) return null
  const { sinceMs, ...health } = JSON.parse(json) as HealthSummary
  return { ...health, since: sinceMs === null ? null : toIso(sinceMs) }
}

function configurationOf(config: GatewayConfig | null): GatewayResource['configuration'] {
  if (config === null) return null
  const { ver, doc, answer } = config
  return {
    version: ver,
    answeredVersion: answer?.ver ?? null,
    printers: doc.printers.map(({ id, name }) => {
      const report = answer?.printers.find((one) => one.id === id)
      return {
        name: name.value,
        printerId: report?.printerId ?? null,
        state: report?.state ?? 'waiting',
        reason: report?.reason ?? null,
        conflicts: (report?.conflicts ?? []).map(({ field, stands, value, by, at }) => ({
          ...{ field, stands, value, by, at: toIso(at) },
        })),
      }
    }),
  }
}
