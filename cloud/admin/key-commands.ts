// keys, grants: who may call, and on which merchants.
import { ONLY_LIVE } from '#cloud/control/grant-list.ts'
import { perform } from '#cloud/control/perform.ts'
import { keyName } from '#cloud/people/email.ts'
import { LineError } from '#shared/cli/command.ts'
import { allPages } from './all-pages.ts'
import { type Command, defineCommand } from './command.ts'
import { consoleAct } from './context.ts'
import { accountField, environmentField, keyField, merchantField, scopesField, wholeNumber } from './fields.ts'
import { facts, table } from './print.ts'

const SHOWN_ONCE = 'The key is shown this once: only its hash is stored.'

const keyCommandsOnly: readonly Command[] = [
  defineCommand({
    name: 'keys list',
    summary: "An account's keys with state, scopes and last use",
    options: { account: accountField },
    example: '--account acc_01jd3k5v8wz9x0y1a2b3c4d5e6',
    run: async (context, { account }) => {
      const rows = await perform(context, consoleAct(account), { name: 'keys.list', raw: {} })
      return { data: rows, text: table([...rows.map((row) => ({ ...row }))], 'This account has no keys.') }
    },
  }),

  defineCommand({
    name: 'keys create',
    summary: 'A new key; a sandbox key may do everything, a live key only read unless --scopes says more',
    options: {
      account: accountField,
      environment: environmentField,
      name: keyName.optional().describe('What people call it'),
      scopes: scopesField.optional(),
      expiresInDays: wholeNumber(3_650).optional().describe('Days until the key ends; without it, it does not'),
    },
    example: '--account acc_01jd3k5v8wz9x0y1a2b3c4d5e6 --environment live --scopes orders:read,orders:write,menu:read',
    run: async (context, { account, ...raw }) => {
      const issued = await perform(context, consoleAct(account), { name: 'keys.create', raw })
      return { data: issued, text: `${facts({ ...issued })}\n\n${SHOWN_ONCE}` }
    },
  }),

  defineCommand({
    name: 'keys rotate',
    summary: 'A new key in place of this one, which goes on for 24 hours',
    options: { key: keyField },
    example: '--key key_01jd3k5v8wz9x0y1a2b3c4d5e6',
    run: async (context, { key: keyId }) => {
      const data = await perform(context, consoleAct(), { name: 'keys.rotate', raw: { keyId } })
      return { data, text: `${facts({ ...data })}\n\n${SHOWN_ONCE} Both work until then.` }
    },
  }),

  defineCommand({
    name: 'keys revoke',
    summary: 'End a key with the next request',
    options: { key: keyField },
    example: '--key key_01jd3k5v8wz9x0y1a2b3c4d5e6',
    run: async (context, { key: keyId }) => {
      const data = await perform(context, consoleAct(), { name: 'keys.revoke', raw: { keyId } })
      return { data, text: facts({ ...data }) }
    },
  }),

  defineCommand({
    name: 'keys scopes',
    summary: 'Set what a key may do, from the next request on',
    options: { key: keyField, scopes: scopesField },
    example: '--key key_01jd3k5v8wz9x0y1a2b3c4d5e6 --scopes orders:read,orders:write,menu:read',
    run: async (context, { key: keyId, scopes }) => {
      const data = await perform(context, consoleAct(), { name: 'keys.scopes', raw: { keyId, scopes } })
      return { data, text: facts({ ...data }) }
    },
  }),
]

/** Of a page. */
const MOST_ROWS = 100

const grantOptions = { account: accountField, merchant: merchantField }

const grantCommands: readonly Command[] = [
  defineCommand({
    name: 'grants list',
    summary: 'Which accounts may act on live merchants of others',
    options: { account: accountField.optional(), merchant: merchantField.optional() },
    example: '--merchant M-PROD-BISTRO',
    run: async (context, { account: accountId, merchant: merchantId }) => {
      const raw = { ...(accountId && { accountId }), ...(merchantId && { merchantId }) }
      const rows = await allPages(async (cursor) => {
        const page = { ...raw, limit: MOST_ROWS, ...(cursor !== null && { cursor }) }
        const { data, nextCursor } = await perform(context, consoleAct(), { name: 'op.grants', raw: page })
        return { rows: data, next: nextCursor }
      })
      return {
        data: rows,
        text: table([...rows.map((row) => ({ ...row, scopes: row.scopes ?? 'all' }))], 'No grants.'),
      }
    },
  }),

  defineCommand({
    name: 'grants add',
    summary: "Let another account's live keys act on a live merchant; each sees only its own orders",
    options: {
      ...grantOptions,
      scopes: scopesField
        .optional()
        .describe('Scopes with commas between; without it what the account asked for, else all'),
    },
    example: '--account acc_01jd3k5v8wz9x0y1a2b3c4d5e6 --merchant M-PROD-BISTRO',
    run: async (context, { account, merchant, scopes }) => {
      refuseTestMerchant(merchant)
      const raw = { accountId: account, merchantId: merchant, ...(scopes && { scopes }) }
      const { changed } = await perform(context, consoleAct(), { name: 'grants.approve', raw })
      const data = { account, merchant, changed }
      return { data, text: `${account} may act on ${merchant}${changed ? '' : ' (nothing changed)'}.` }
    },
  }),

  defineCommand({
    name: 'grants remove',
    summary: 'Take the grant back, from the next request on',
    options: grantOptions,
    example: '--account acc_01jd3k5v8wz9x0y1a2b3c4d5e6 --merchant M-PROD-BISTRO',
    run: async (context, { account, merchant }) => {
      refuseTestMerchant(merchant)
      const raw = { accountId: account, merchantId: merchant }
      const { changed } = await perform(context, consoleAct(), { name: 'grants.remove', raw })
      const data = { account, merchant, changed }
      return { data, text: `${account} may no longer act on ${merchant}${changed ? '' : ' (nothing changed)'}.` }
    },
  }),
]

/** Before the merchant is looked up: every sandbox account has one with this name. @throws LineError */
function refuseTestMerchant(merchant: string): void {
  if (merchant.startsWith('M-TEST-')) throw new LineError(ONLY_LIVE)
}

export const keyCommands: readonly Command[] = [...keyCommandsOnly, ...grantCommands]
