// Option schemas that several commands share, and looking up what they name.
import { z } from 'zod'
import { KEY_SCOPES } from '#cloud/auth/scopes.ts'
import { currency, idField, timeZone } from '#cloud/control/input-fields.ts'
import { LineError } from '#shared/cli/command.ts'
import type { AccountId, GatewayId, LocationId } from '#shared/ids.ts'
import { text } from '#shared/wire/api/fields.ts'
import type { AdminContext } from './context.ts'

export const accountField = idField('acc', 'an account').describe('Account id: `accounts list` shows them')
export const keyField = idField('key', 'an API key').describe('Key id: `keys list` shows them')
export const gatewayField = idField('gw', 'a gateway').describe('Gateway id: `gateways list` shows them')
export const locationField = idField('loc', 'a location').describe('Location id: `locations list` shows them')
export const merchantField = text(64).describe('Merchant: M-PROD-... or, with --account, M-TEST-...')
export const ownerField = accountField.optional().describe('Account id; needed with M-TEST-... merchants')
export const nameField = text(120).describe('Name for people')
export const environmentField = z.enum(['sandbox', 'live']).describe('sandbox or live')

export const scopesField = z
  .string()
  .transform((names) => names.split(',').map((name) => name.trim()))
  .pipe(z.array(z.enum(KEY_SCOPES)).min(1))
  .describe(`Scopes with commas between, of: ${KEY_SCOPES.join(', ')}`)

export const timeZoneField = timeZone.describe('IANA time zone of the restaurant, such as America/New_York')
export const currencyField = currency.describe('Currency of its prices, ISO 4217, such as EUR')

export const wholeNumber = (max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, { error: `must be a whole number from 0 to ${max}` })
    .transform(Number)
    .refine((n) => n <= max, { error: `must be a whole number from 0 to ${max}` })

/** A merchant as an operation names it: its public id, and the account that has it. */
export interface NamedMerchant {
  merchantId: string
  account: AccountId
}

/** The owner of this location. @throws LineError */
export async function requirePlace(context: AdminContext, location: LocationId): Promise<NamedMerchant> {
  const place = await context.locations.find(location)
  if (place === null) throw new LineError(`There is no location ${location}. \`locations list\` shows them.`)
  const { publicId, ownerAccountId } = await context.merchants.byKey(place.merchant_id)
  return { merchantId: publicId, account: ownerAccountId }
}

/** The owner of this gateway. @throws LineError also for a simulated kitchen */
export async function requireOwnGateway(context: AdminContext, gatewayId: GatewayId): Promise<NamedMerchant> {
  const row = await context.gateways.byId(gatewayId)
  if (row === null || row.simulated)
    throw new LineError(`There is no gateway ${gatewayId}. \`gateways list\` shows all.`)
  return requirePlace(context, row.locationId)
}
