// Points of sale: an outside one, the built-in register, a test message.
import { connectPos } from '#cloud/orders/pos-config.ts'
import { testPos } from '#cloud/orders/test-pos.ts'
import { urlOrigin } from './context.ts'
import { ControlRefusal } from './control-refusal.ts'
import { chosenBy, type Handlers, merchantOf } from './handler.ts'
import { refuseTarget } from './refuse-target.ts'
import { requireSecretBox } from './secrets.ts'

export const POS_HANDLERS: Pick<Handlers, 'pos.connect' | 'pos.register' | 'pos.test'> = {
  'pos.connect': {
    before: async (context, doing, { url }) => {
      await refuseTarget(context, { url, merchant: merchantOf(doing), said: { key: 'pos.url' } })
      requireSecretBox(context)
    },
    run: async (context, doing, { url }) => {
      const merchant = merchantOf(doing)
      const deps = { merchants: context.merchants, secretBox: requireSecretBox(context) }
      const { secret } = await connectPos(doing.tx, deps, { merchantKey: merchant.key, url, chosenBy: chosenBy(doing) })
      const entry = { accountId: merchant.ownerAccountId, action: 'pos.connect' as const, subject: merchant.key }
      return {
        answer: { merchantId: merchant.publicId, pos: 'http', url, secret },
        audit: { ...entry, before: { pos: merchant.pos }, after: { pos: 'http', site: urlOrigin(url) } },
      }
    },
  },

  'pos.register': async (context, doing) => {
    const merchant = merchantOf(doing)
    await context.merchants.change(doing.tx, merchant.key, { pos: 'register' })
    const entry = { accountId: merchant.ownerAccountId, action: 'pos.register' as const, subject: merchant.key }
    return {
      answer: { merchantId: merchant.publicId, pos: 'register' },
      audit: { ...entry, before: { pos: merchant.pos }, after: { pos: 'register' } },
    }
  },

  'pos.test': {
    alone: async (context, doing) => {
      const { key, publicId, environment, pos } = merchantOf(doing)
      const config = pos === 'http' ? (await context.merchants.row(key)).pos_config : null
      const tested = await testPos(
        { ...context, secretBox: requireSecretBox(context) },
        { publicId, environment, config },
      )
      if (tested !== null) return tested
      throw new ControlRefusal('refused', 'There is no outside point of sale: the built-in register needs no test.', {
        said: { key: 'pos.none' },
      })
    },
  },
}
