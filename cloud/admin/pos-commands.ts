// pos: where a merchant's orders are told to, beside the kitchen.
import { z } from 'zod'
import { siteOf } from '#cloud/control/context.ts'
import { connectPos } from '#cloud/orders/pos-config.ts'
import { AdminError, type Command, defineCommand } from './command.ts'
import { audited } from './context.ts'
import { merchantField, ownerField, requireMerchant, requireSecretBox } from './fields.ts'
import { facts } from './print.ts'

const of = { merchant: merchantField, account: ownerField }

export const posCommands: readonly Command[] = [
  defineCommand({
    name: 'pos connect',
    summary: 'Tell orders, voids and refunds to an outside point of sale from now on; shows its secret once',
    options: { ...of, url: z.string().describe('Where it takes signed POSTs: see docs/pos.md') },
    example: '--merchant M-PROD-BISTRO --url https://pos.example/ticketrail',
    run: async (context, { url, ...which }) => {
      const merchant = await requireMerchant(context, which)
      const refusal = await context.guard.refusal(url, merchant.environment)
      if (refusal !== null) throw new AdminError(`--url: ${refusal}`)
      const deps = { merchants: context.merchants, secretBox: requireSecretBox(context) }
      const { secret } = await context.db.unit(async (tx) => {
        const connected = await connectPos(tx, deps, merchant.id, { url })
        const entry = { accountId: merchant.account_id, action: 'pos.connect', subject: merchant.id }
        await audited(tx, context, {
          ...entry,
          before: { pos: merchant.pos },
          after: { pos: 'http', site: siteOf(url) },
        })
        return connected
      })
      const data = { merchantId: merchant.public_id, pos: 'http', url, secret }
      return { data, text: `${facts(data)}\n\nThe secret signs what is told. It is shown this once.` }
    },
  }),

  defineCommand({
    name: 'pos register',
    summary: 'Go back to the built-in register; what the outside one has not heard yet is still told to it',
    options: of,
    example: '--merchant M-PROD-BISTRO',
    run: async (context, which) => {
      const merchant = await requireMerchant(context, which)
      await context.db.unit(async (tx) => {
        await context.merchants.change(tx, merchant.id, { pos: 'register' })
        const entry = { accountId: merchant.account_id, action: 'pos.register', subject: merchant.id }
        await audited(tx, context, { ...entry, before: { pos: merchant.pos }, after: { pos: 'register' } })
      })
      const data = { merchantId: merchant.public_id, pos: 'register' }
      return { data, text: facts(data) }
    },
  }),
]
