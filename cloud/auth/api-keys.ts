// API keys: their format, how they are created, and the principal of a bearer token. Only a key's SHA-256 is stored.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { ApiKeyStore } from '#cloud/storage/api-key-store.ts'
import type { AccountsTable } from '#cloud/storage/schema-accounts.ts'
import type { Clock } from '#shared/clock.ts'
import { ServiceError } from '#shared/errors.ts'
import type { AccountId, KeyId } from '#shared/ids.ts'
import { type Environment, parseScopes, readsCalls, type Scope } from './scopes.ts'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SECRET_LENGTH = 43
const CHECK_LENGTH = 6
const KEY = /^sk_(sandbox|live)_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/
const BEARER = /^bearer +(\S+)$/i
const NOT_BEARER = 'The Authorization header must be `Bearer <API key>`.'
const NOT_A_KEY = 'This is not an API key: it was cut off or has a typing error. Copy the whole key.'

/** The caller: account and environment of the key, and its scopes. */
export interface Principal {
  accountId: AccountId
  keyId: KeyId
  environment: Environment
  scopes: ReadonlySet<Scope>
  /** It may read active calls (`receptionist:read`). */
  readsCalls: boolean
  /** The scope that the call needs: a grant must have it, too. Null: the call needs none. */
  wanted: Scope | null
  /** What the account pays for, as stored: cloud/billing/plans.ts reads it. */
  plan: AccountsTable['plan']
  planOverrides: string | null
}

/** A new key: `sk_sandbox_` or `sk_live_`, 43 base62 characters (256 random bits), 6 characters of CRC against typing errors. */
export function makeApiKey(environment: Environment): string {
  const secret = base62(BigInt(`0x${randomBytes(32).toString('hex')}`), SECRET_LENGTH)
  const body = `sk_${environment}_${secret}`
  return body + checkOf(body)
}

/** Checks format and checksum only: distinguishes a mistyped key from an unknown one without the database. */
export function isWellFormedApiKey(text: string): boolean {
  const match = KEY.exec(text)
  return match !== null && match[3] === checkOf(text.slice(0, -CHECK_LENGTH))
}

/** Hex SHA-256. 256 random bits need no slow hash. */
export function hashApiKey(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}

/**
 * The principal of an Authorization header. Reads the database each time, so a revoked key is refused from the next request on.
 * @throws ServiceError auth.missing_token, auth.invalid_token (401)
 */
export async function authenticate(
  deps: { apiKeys: ApiKeyStore; clock: Clock },
  header: string | undefined,
): Promise<Principal> {
  if (header === undefined) throw new ServiceError('auth.missing_token')
  const token = BEARER.exec(header)?.[1]
  if (token === undefined) throw new ServiceError('auth.invalid_token', { message: NOT_BEARER })
  if (!isWellFormedApiKey(token)) throw new ServiceError('auth.invalid_token', { message: NOT_A_KEY })
  const hash = hashApiKey(token)
  const row = await deps.apiKeys.byHash(hash)
  const now = deps.clock.now()
  if (row === null || !sameText(row.hash, hash) || row.revoked_at !== null || (row.expires_at ?? Infinity) <= now)
    throw new ServiceError('auth.invalid_token')
  return {
    accountId: row.account_id,
    keyId: row.id,
    environment: row.environment,
    scopes: parseScopes(row.scopes),
    readsCalls: readsCalls(row.environment, row.scopes),
    wanted: null,
    plan: row.plan,
    planOverrides: row.plan_overrides,
  }
}

function sameText(a: string, b: string): boolean {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}

function base62(value: bigint, length: number): string {
  let out = ''
  let rest = value
  while (out.length < length) {
    out = BASE62.charAt(Number(rest % 62n)) + out
    rest /= 62n
  }
  return out
}

/** CRC-32 (IEEE 802.3) as 6 base62 characters: 62^6 > 2^32. */
function checkOf(text: string): string {
  let crc = 0xffffffff
  for (let i = 0; i < text.length; i++) {
    crc ^= text.charCodeAt(i)
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  let rest = ~crc >>> 0
  let out = ''
  for (let i = 0; i < CHECK_LENGTH; i++) {
    out = BASE62.charAt(rest % 62) + out
    rest = Math.floor(rest / 62)
  }
  return out
}
