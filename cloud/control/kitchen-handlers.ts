// Kitchens: one answer draws the whole list of boxes, with what is most wrong first.
import { clockSkewOf, healthOf, queueOf, stationsOf } from '#cloud/pairing/list-gateways.ts'
import type { MerchantRecord } from '#cloud/storage/merchant-store.ts'
import type { Kitchen } from '#cloud/storage/print-job-store.ts'
import { isoOrNull, toIso } from '#shared/clock.ts'
import type { GatewayId } from '#shared/ids.ts'
import type { ControlContext } from './context.ts'
import { ControlRefusal } from './control-refusal.ts'
import { type Handlers, merchantOf } from './handler.ts'
import { kitchenCondition, worstFirst } from './kitchen-condition.ts'
import type { KITCHEN_OPERATIONS, KitchenAnswer, KitchenPrinter } from './kitchen-list.ts'
import { proposalsOf } from './printer-handlers.ts'
import type { ProposalAnswer } from './printer-list.ts'

export const KITCHEN_HANDLERS: Pick<Handlers, keyof typeof KITCHEN_OPERATIONS> = {
  'kitchens.list': async (context, doing) => {
    const merchant = merchantOf(doing)
    const { kitchens, places, queued } = await fleetOf(context, merchant)
    const ownPlaces = isOwn(merchant) ? places : []
    const codes = await context.claims.open(
      ownPlaces.map(({ id }) => id),
      context.clock.now(),
    )
    return {
      kitchens,
      locations: places.map(({ id, name, is_default }) => ({
        locationId: id,
        name,
        isDefault: is_default === 1,
        kitchens: kitchens.filter(({ locationId }) => locationId === id).length,
        waiting: queued.get(id) ?? 0,
      })),
      codes: codes.map((code) => ({
        locationId: code.location_id,
        name: code.gateway_name,
        expiresAt: toIso(code.expires_at),
      })),
      time: toIso(context.clock.now()),
    }
  },

  'kitchens.get': async (context, doing, { gatewayId }) => {
    const { kitchens } = await fleetOf(context, merchantOf(doing), gatewayId)
    const [found] = kitchens
    if (found) return found
    throw new ControlRefusal('not-found', `There is no gateway ${gatewayId}.`, { said: { key: 'gateway.unknown' } })
  },
}

/** An account with a grant sees the restaurant's kitchens; addresses in its network, and pending proposals, are for the owner only. */
function isOwn({ ownerAccountId, accountId }: MerchantRecord): boolean {
  return ownerAccountId === accountId
}

/** @param only absent: all gateways of the merchant */
async function fleetOf(context: ControlContext, merchant: MerchantRecord, only?: GatewayId) {
  const { locations, gatewayList, gatewayPlaces, printJobs, configs, clock } = context
  const places = await locations.ofMerchant(merchant.key)
  const rows = (await gatewayList.list(merchant.key)).filter(
    ({ id, revoked_at }) => revoked_at === null && (only === undefined || id === only),
  )
  const ids = rows.map(({ id }) => id)
  const reported = Map.groupBy(await printJobs.kitchens(merchant.key), ({ gatewayId }) => gatewayId)
  const open = await gatewayPlaces.openJobs(ids)
  const lastPrints = await gatewayPlaces.lastPrints(ids)
  const proposed = await configs.ofMany(isOwn(merchant) ? ids : [])
  const queued = await gatewayPlaces.queuedAt(
    places.map(({ id }) => id),
    clock.now(),
  )
  const kitchens = rows.map((row): KitchenAnswer => {
    const facts = {
      gatewayId: row.id,
      name: row.name,
      locationId: row.location_id,
      locationName: row.location_name,
      simulated: row.simulated === 1,
      presence: row.presence,
      lastSeenAt: isoOrNull(row.last_seen_at),
      pairedAt: toIso(row.created_at),
      version: row.app_version,
      hardware: row.hardware,
      clockSkewMs: clockSkewOf(row.clock_offset_ms),
      queue: queueOf(row.queue),
      open: open.get(row.id) ?? 0,
      waiting: queued.get(row.location_id) ?? 0,
      lastPrintAt: isoOrNull(lastPrints.get(row.id) ?? null),
      stations: stationsOf(row.stations),
      health: healthOf(row.health),
      rotating: row.rotation_asked_at !== null,
      printers: printersOf(reported.get(row.id)?.[0], proposalsOf(proposed.get(row.id) ?? null)),
    }
    return { ...facts, condition: kitchenCondition(facts) }
  })
  kitchens.sort((a, b) => worstFirst(a.condition, b.condition) || a.name.localeCompare(b.name))
  return { kitchens, places, queued }
}

/** Those of the box in its order, then proposals that it has not accepted. A removed one stays until the box has confirmed the removal. */
function printersOf(kitchen: Kitchen | undefined, proposals: readonly ProposalAnswer[]): KitchenPrinter[] {
  const printers = kitchen?.printers ?? []
  const wanted = proposals.filter(({ removed, state }) => !removed || state !== 'removed')
  const own = printers.map(
    (printer): KitchenPrinter => ({
      printerId: printer.printerId,
      name: printer.name,
      stations: [...printer.stations],
      isDefault: printer.isDefault,
      state: kitchen?.presence === 'online' ? printer.state : 'unknown',
      reasons: kitchen?.presence === 'online' ? printer.reasons.filter((reason) => reason !== 'none') : [],
      standIn: printers.find(({ printerId }) => printerId === printer.standIn)?.name ?? null,
      proposal: wanted.find(({ printerId }) => printerId === printer.printerId) ?? null,
    }),
  )
  const taken = new Set(own.flatMap(({ printerId }) => printerId ?? []))
  const untaken = wanted.filter(({ printerId }) => printerId === null || !taken.has(printerId))
  return [
    ...own,
    ...untaken.map(
      (proposal): KitchenPrinter => ({
        printerId: null,
        name: proposal.name,
        stations: proposal.stations === '' ? [] : proposal.stations.split(','),
        isDefault: false,
        state: 'unknown',
        reasons: [],
        standIn: null,
        proposal,
      }),
    ),
  ]
}
