// Option schemas that several commands share, and the things that they name looked up.
import { z } from 'zod'
import { SCOPES } from '#cloud/auth/scopes.ts'
import type { MerchantRecord } from '#cloud/storage/merchant-store.ts'
import type { AccountsTable, MerchantsTable } from '#cloud/storage/schema-accounts.ts'
import type { SecretBox } from '#cloud/webhooks/secret-box.ts'
import { isUsableCurrency } from '#shared/currency.ts'
import { type AccountId, type Id, type IdPrefix, isId } from '#shared/ids.ts'
import { text } from '#shared/wire/api/fields.ts'
import { AdminError } from './command.ts'
import type { AdminContext } from './context.ts'

/** An id as other commands print it. */
const idField = <P extends IdPrefix>(prefix: P, noun: string) =>
  z.custom<Id<P>>((value) => typeof value === 'string' && isId(prefix, value), {
    error: `must be the id of ${noun}, such as ${prefix}_01jd3k5v8wz9x0y1a2b3c4d5e6`,
  })

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
  .pipe(z.array(z.enum(SCOPES)).min(1))
  .describe(`Scopes with commas between, of: ${SCOPES.join(', ')}`)

export const timeZoneField = z
  .string()
  .refine((zone) => Intl.supportedValuesOf('timeZone').includes(zone) || zone === 'UTC', {
    error: 'must be an IANA time zone such as America/New_York',
  })
  .describe('IANA time zone of the restaurant, such as America/New_York')

export const currencyField = z
  .string()
  .toUpperCase()
  .refine(isUsableCurrency, { error: 'must be a currency of ISO 4217 with at most two decimals, such as EUR' })
  .describe('Currency of its prices, ISO 4217, such as EUR')

export const wholeNumber = (max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, { error: `must be a whole number from 0 to ${max}` })
    .transform(Number)
    .refine((n) => n <= max, { error: `must be a whole number from 0 to ${max}` })

/** @throws AdminError */
export async function requireAccount({ accounts }: AdminContext, accountId: AccountId): Promise<AccountsTable> {
  const account = await accounts.find(accountId)
  if (account === null) throw new AdminError(`There is no account ${accountId}. \`accounts list\` shows all.`)
  return account
}

/** A merchant by its public id. @throws AdminError when there is none, or when only an account makes it one of several */
export async function requireMerchant(
  { merchants }: AdminContext,
  of: { merchant: string; account?: AccountId | undefined },
): Promise<MerchantsTable> {
  const named = await merchants.named(of.merchant)
  const meant = of.account === undefined ? named : named.filter((row) => row.account_id === of.account)
  const [first, second] = meant
  if (first === undefined) throw new AdminError(`There is no merchant ${of.merchant}. \`merchants list\` shows all.`)
  if (second !== undefined)
    throw new AdminError(`Each sandbox account has its own ${of.merchant}: say which one with --account.`)
  return first
}

/** The same, as the catalog and the channels want it. */
export async function requireRecord(
  context: AdminContext,
  of: { merchant: string; account?: AccountId | undefined },
): Promise<MerchantRecord> {
  return context.merchants.byKey((await requireMerchant(context, of)).id)
}

/** @throws AdminError without the relay's master key */
export function requireSecretBox({ secretBox }: AdminContext): SecretBox {
  if (secretBox !== null) return secretBox
  throw new AdminError("Set CLOUD_MASTER_KEY to the relay's own: secrets are encrypted with it.")
}
