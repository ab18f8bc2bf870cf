// Gateways: claim codes, pairing files, names, places, passwords.
import { mayAddGateway } from '#cloud/billing/gateway-cap.ts'
import { makeClaimCode } from '#cloud/pairing/claim-codes.ts'
import { insertGateway, revokeInUnit } from '#cloud/relay/gateway-registry.ts'
import type { Tx } from '#cloud/storage/database.ts'
import { toIso } from '#shared/clock.ts'
import { ServiceError } from '#shared/errors.ts'
import type { LocationId } from '#shared/ids.ts'
import type { ControlContext } from './context.ts'
import { ControlRefusal } from './control-refusal.ts'
import { requireGateway, requireLocation } from './find-gateway.ts'
import type { GATEWAY_OPERATIONS } from './gateway-list.ts'
import { type Handlers, merchantOf } from './handler.ts'
import { refuseStale } from './stale.ts'

/** @throws ControlRefusal when the account of this location has as many gateways as it may */
async function mayAdd(tx: Tx, context: ControlContext, locationId: LocationId): Promise<void> {
  try {
    await mayAddGateway(tx, context, locationId)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    throw new ControlRefusal('refused', error.message, { said: { key: 'gateway.over-plan' } })
  }
}

export const GATEWAY_HANDLERS: Pick<Handlers, keyof typeof GATEWAY_OPERATIONS> = {
  'gateways.code': async (context, doing, { locationId, name }) => {
    const merchant = merchantOf(doing)
    await requireLocation(doing.tx, context, { merchant, id: locationId })
    const madeBy = doing.by === 'person' ? doing.userId : 'cli'
    const made = await makeClaimCode(doing.tx, context, { locationId, name, madeBy })
    if (made === null)
      throw new ControlRefusal(
        'refused',
        'Ten claim codes of this location wait for their box: use one, or wait until they expire.',
        { said: { key: 'gateway.too-many-codes' } },
      )
    const here = (await context.gateways.ofLocation(locationId, doing.tx)).filter(({ simulated }) => !simulated)
    return {
      answer: {
        code: made.code,
        // As a phone that has read it pastes it into the field on the page of the box.
        qr: made.code,
        expiresAt: toIso(made.expiresAtMs),
        locationId,
        name,
        gateways: here.map((gateway) => ({ gatewayId: gateway.gatewayId, name: gateway.name })),
      },
      audit: { accountId: merchant.ownerAccountId, action: 'gateway.code', subject: locationId, after: { name } },
    }
  },

  'gateways.add': async (context, doing, { locationId, name, brokerUrl }) => {
    const merchant = merchantOf(doing)
    await requireLocation(doing.tx, context, { merchant, id: locationId })
    await mayAdd(doing.tx, context, locationId)
    const { gatewayId, token, topics } = await insertGateway(doing.tx, context, { locationId, name })
    const pairing = { gatewayId, token, brokerUrl, topics, merchantName: merchant.name, timeZone: merchant.timeZone }
    const after = { gatewayId, name, location: locationId }
    return {
      answer: { gatewayId, pairing },
      audit: { accountId: merchant.ownerAccountId, action: 'gateway.add', subject: gatewayId, after },
    }
  },

  'gateways.rename': async (context, doing, { gatewayId, name, seen }) => {
    const merchant = merchantOf(doing)
    const { gateway } = await requireGateway(doing.tx, context, { merchant, id: gatewayId })
    refuseStale({ name: gateway.name }, seen)
    await context.gatewayPlaces.rename(doing.tx, gatewayId, name)
    const entry = { accountId: merchant.ownerAccountId, action: 'gateway.rename' as const, subject: gatewayId }
    return {
      answer: { gatewayId, name },
      audit: { ...entry, before: { name: gateway.name }, after: { name } },
    }
  },

  'gateways.move': async (context, doing, { gatewayId, locationId, seen }) => {
    const merchant = merchantOf(doing)
    const { gateway } = await requireGateway(doing.tx, context, { merchant, id: gatewayId })
    refuseStale({ locationId: gateway.locationId as string }, seen)
    await requireLocation(doing.tx, context, { merchant, id: locationId })
    if (gateway.locationId === locationId) return { answer: { gatewayId, locationId } }
    if (gateway.revoked) throw revoked(`${gatewayId} is revoked: pair the box anew at its place.`)
    if (gateway.presence !== 'offline')
      throw new ControlRefusal(
        'refused',
        'The box is connected, and goes on with the place that it connected for. Switch it off, move it here, and switch it on there.',
        { said: { key: 'gateway.move-online' } },
      )
    const open = (await context.gatewayPlaces.openJobs([gatewayId], doing.tx)).get(gatewayId) ?? 0
    if (open > 0)
      throw new ControlRefusal(
        'refused',
        `The box has ${open} tickets of its present place that it has not told the outcome of. Let it print them there first, or retire it: then the next box of that place gets them.`,
        { said: { key: 'gateway.move-open', values: { tickets: open } } },
      )
    await context.gatewayPlaces.move(doing.tx, gatewayId, { locationId, nowMs: context.clock.now() })
    const entry = { accountId: merchant.ownerAccountId, action: 'gateway.move' as const, subject: gatewayId }
    return {
      answer: { gatewayId, locationId },
      audit: { ...entry, before: { location: gateway.locationId }, after: { location: locationId } },
      wake: () => context.dispatches.changed.notify(locationId),
    }
  },

  'gateways.rotate': async (context, doing, { gatewayId }) => {
    const merchant = merchantOf(doing)
    await requireGateway(doing.tx, context, { merchant, id: gatewayId })
    if (context.brokerHasOwnList === true)
      throw new ControlRefusal(
        'refused',
        'The broker of this relay knows one password a gateway, so two cannot be good at once. For another one make a code, then unpair the box and pair it with that: its tickets stay, and its former self ends by itself.',
        { said: { key: 'gateway.one-password' } },
      )
    if (!(await context.credentials.askRotation(doing.tx, gatewayId, context.clock.now())))
      throw revoked(`${gatewayId} is revoked: it has no password to change.`)
    return {
      answer: { gatewayId, rotating: true },
      audit: { accountId: merchant.ownerAccountId, action: 'gateway.rotate', subject: gatewayId },
    }
  },

  'gateways.revoke': async (context, doing, { gatewayId }) => {
    const merchant = merchantOf(doing)
    const { gateway } = await requireGateway(doing.tx, context, { merchant, id: gatewayId })
    const requeued = await revokeInUnit(doing.tx, context, gatewayId)
    return {
      answer: { gatewayId, revoked: true, requeued },
      audit: { accountId: merchant.ownerAccountId, action: 'gateway.revoke', subject: gatewayId },
      wake: () => context.dispatches.changed.notify(gateway.locationId),
    }
  },
}

function revoked(words: string): ControlRefusal {
  return new ControlRefusal('refused', words, { said: { key: 'gateway.revoked' } })
}
