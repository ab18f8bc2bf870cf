// keys, grants: what may call, and on whose merchants.
import { z } from 'zod'
import { issueApiKey } from '#cloud/auth/accounts.ts'
import { rotateKey } from '#cloud/auth/rotate-key.ts'
import type { Tx } from '#cloud/storage/database.ts'
import type { ApiKeysTable } from '#cloud/storage/schema-accounts.ts'
import { toIso } from '#shared/clock.ts'
import type { KeyId } from '#shared/ids.ts'
import { AdminError, type Command, defineCommand } from './command.ts'
import { type AdminContext, audited } from './context.ts'
import {
  accountField,
  environmentField,
  keyField,
  merchantField,
  requireAccount,
  requireMerchant,
  scopesField,
  wholeNumber,
} from './fields.ts'
import { facts, table } from './print.ts'

const DAY_MS = 86_400_000
const SHOWN_ONCE = 'The key is shown this once: only its hash is stored.'

function keyRow(key: ApiKeysTable, nowMs: number) {
  return {
    keyId: key.id,
    environment: key.environment,
    endsWith: key.hint,
    state: stateOf(key, nowMs),
    scopes: JSON.parse(key.scopes) as string[],
    expiresAt: isoOrNull(key.expires_at),
    lastUsedAt: isoOrNull(key.last_used_at),
    createdAt: toIso(key.created_at),
  }
}

function stateOf(key: ApiKeysTable, nowMs: number): 'valid' | 'rotated' | 'expired' | 'revoked' {
  if (key.revoked_at !== null) return 'revoked'
  if ((key.expires_at ?? Infinity) <= nowMs) return 'expired'
  return key.replaced_by === null ? 'valid' : 'rotated'
}

const isoOrNull = (ms: number | null) => (ms === null ? null : toIso(ms))

/** Reads the key inside the unit that changes it. @throws AdminError */
async function requireKey(tx: Tx, { apiKeys }: AdminContext, keyId: KeyId): Promise<ApiKeysTable> {
  const key = await apiKeys.find(tx, keyId)
  if (key === null)
    throw new AdminError(`There is no key ${keyId}. \`keys list --account ...\` shows those of an account.`)
  return key
}

const keyCommandsOnly: readonly Command[] = [
  defineCommand({
    name: 'keys list',
    summary: "An account's keys with state, scopes and last use",
    options: { account: accountField },
    example: '--account acc_01jd3k5v8wz9x0y1a2b3c4d5e6',
    run: async (context, { account }) => {
      await requireAccount(context, account)
      const rows = (await context.apiKeys.ofAccount(account)).map((key) => keyRow(key, context.clock.now()))
      return { data: rows, text: table(rows, 'This account has no keys.') }
    },
  }),

  defineCommand({
    name: 'keys create',
    summary: 'A new key; a sandbox key may do everything, a live key only read unless --scopes says more',
    options: {
      account: accountField,
      environment: environmentField,
      scopes: scopesField.optional(),
      expiresInDays: wholeNumber(3_650).optional().describe('Days until the key ends; without it, it does not'),
    },
    example: '--account acc_01jd3k5v8wz9x0y1a2b3c4d5e6 --environment live --scopes orders:read,orders:write,menu:read',
    run: async (context, { account, environment, scopes, expiresInDays }) => {
      const row = await requireAccount(context, account)
      if (environment === 'live' && row.live_approved_at === null)
        throw new AdminError(
          `${account} is not approved for live. First: accounts approve --account ${account} --plan ...`,
        )
      const expiresAtMs = expiresInDays === undefined ? undefined : context.clock.now() + expiresInDays * DAY_MS
      const issued = await context.db.unit(async (tx) => {
        const key = await issueApiKey(tx, context, {
          accountId: account,
          environment,
          ...(scopes === undefined ? {} : { scopes }),
          ...(expiresAtMs === undefined ? {} : { expiresAtMs }),
        })
        const after = { environment, scopes: scopes ?? 'default', expiresAtMs }
        await audited(tx, context, { accountId: account, action: 'key.create', subject: key.keyId, after })
        return key
      })
      return { data: issued, text: `${facts({ ...issued })}\n\n${SHOWN_ONCE}` }
    },
  }),

  defineCommand({
    name: 'keys rotate',
    summary: 'A new key in place of this one, which goes on for 24 hours',
    options: { key: keyField },
    example: '--key key_01jd3k5v8wz9x0y1a2b3c4d5e6',
    run: async (context, { key }) => {
      const rotated = await context.db.unit(async (tx) => {
        const old = await requireKey(tx, context, key)
        const rotation = await rotateKey(tx, context, key)
        if (rotation.kind === 'already-rotated')
          throw new AdminError(`${key} was rotated before: ${rotation.successor} took its place. Rotate that one.`)
        if (rotation.kind !== 'rotated')
          throw new AdminError(`${key} has ended and cannot be rotated. Make a new one with \`keys create\`.`)
        const after = { replacedBy: rotation.keyId, endsAtMs: rotation.oldEndsAtMs }
        await audited(tx, context, { accountId: old.account_id, action: 'key.rotate', subject: key, after })
        return rotation
      })
      const data = {
        keyId: rotated.keyId,
        apiKey: rotated.apiKey,
        oldKeyId: key,
        oldEndsAt: toIso(rotated.oldEndsAtMs),
      }
      return { data, text: `${facts(data)}\n\n${SHOWN_ONCE} Both work until then.` }
    },
  }),

  defineCommand({
    name: 'keys revoke',
    summary: 'End a key with the next request',
    options: { key: keyField },
    example: '--key key_01jd3k5v8wz9x0y1a2b3c4d5e6',
    run: async (context, { key }) => {
      const revokedAtMs = await context.db.unit(async (tx) => {
        const old = await requireKey(tx, context, key)
        if (old.revoked_at !== null) return old.revoked_at
        const now = context.clock.now()
        await context.apiKeys.revoke(tx, key, now)
        await audited(tx, context, { accountId: old.account_id, action: 'key.revoke', subject: key })
        return now
      })
      const data = { keyId: key, revokedAt: toIso(revokedAtMs) }
      return { data, text: facts(data) }
    },
  }),

  defineCommand({
    name: 'keys scopes',
    summary: 'Set what a key may do, from the next request on',
    options: { key: keyField, scopes: scopesField },
    example: '--key key_01jd3k5v8wz9x0y1a2b3c4d5e6 --scopes orders:read,orders:write,menu:read',
    run: async (context, { key, scopes }) => {
      await context.db.unit(async (tx) => {
        const old = await requireKey(tx, context, key)
        await context.apiKeys.change(tx, key, { scopes: JSON.stringify(scopes) })
        const before = JSON.parse(old.scopes) as unknown
        const entry = { accountId: old.account_id, action: 'key.scopes', subject: key, before, after: scopes }
        await audited(tx, context, entry)
      })
      const data = { keyId: key, scopes }
      return { data, text: facts(data) }
    },
  }),
]

const grantCommands: readonly Command[] = [
  defineCommand({
    name: 'grants list',
    summary: 'Which accounts may act on live merchants of others',
    options: { account: accountField.optional(), merchant: merchantField.optional() },
    example: '--merchant M-PROD-BISTRO',
    run: async (context, { account, merchant }) => {
      const merchantKey = merchant === undefined ? undefined : (await requireMerchant(context, { merchant })).id
      const grants = await context.grants.list({ accountId: account, merchantKey })
      const rows = grants.map(({ grantedAtMs, ...grant }) => ({ ...grant, grantedAt: toIso(grantedAtMs) }))
      return { data: rows, text: table(rows, 'No grants.') }
    },
  }),

  defineCommand({
    name: 'grants add',
    summary: "Let another account's live keys act on a live merchant; each sees only its own orders",
    options: { account: accountField, merchant: merchantField },
    example: '--account acc_01jd3k5v8wz9x0y1a2b3c4d5e6 --merchant M-PROD-BISTRO',
    run: (context, options) => changeGrant(context, options, 'add'),
  }),

  defineCommand({
    name: 'grants remove',
    summary: 'Take the grant back, from the next request on',
    options: { account: accountField, merchant: merchantField },
    example: '--account acc_01jd3k5v8wz9x0y1a2b3c4d5e6 --merchant M-PROD-BISTRO',
    run: (context, options) => changeGrant(context, options, 'remove'),
  }),
]

const grantOptions = z.object({ account: accountField, merchant: merchantField })

async function changeGrant(context: AdminContext, options: z.output<typeof grantOptions>, kind: 'add' | 'remove') {
  const { account, merchant } = options
  await requireAccount(context, account)
  if (merchant.startsWith('M-TEST-'))
    throw new AdminError('Only live merchants are granted: every sandbox account has its own test merchants.')
  const row = await requireMerchant(context, { merchant })
  if (row.account_id === account) throw new AdminError(`${account} owns ${merchant} and needs no grant.`)
  const changed = await context.db.unit(async (tx) => {
    const done =
      kind === 'add'
        ? await context.grants.add(tx, account, row.id, context.clock.now())
        : await context.grants.remove(tx, account, row.id)
    const entry = { accountId: row.account_id, action: `grant.${kind}`, subject: row.public_id, after: { account } }
    if (done) await audited(tx, context, entry)
    return done
  })
  const data = { account, merchant, changed }
  const words = kind === 'add' ? 'may act on' : 'may no longer act on'
  return { data, text: `${account} ${words} ${merchant}${changed ? '' : ' (nothing changed)'}.` }
}

export const keyCommands: readonly Command[] = [...keyCommandsOnly, ...grantCommands]
