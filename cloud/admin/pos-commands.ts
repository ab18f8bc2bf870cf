// pos: where a merchant's orders are sent in addition to the kitchen.
import { z } from 'zod'
import { perform } from '#cloud/control/perform.ts'
import { type Command, defineCommand } from './command.ts'
import { consoleAct } from './context.ts'
import { merchantField, ownerField } from './fields.ts'
import { facts } from './print.ts'

const of = { merchant: merchantField, account: ownerField }

export const posCommands: readonly Command[] = [
  defineCommand({
    name: 'pos connect',
    summary: 'Tell orders, voids and refunds to an outside point of sale from now on; shows its secret once',
    options: { ...of, url: z.string().describe('Where it takes signed POSTs: see docs/pos.md') },
    example: '--merchant M-PROD-BISTRO --url https://pos.example/ticketrail',
    run: async (context, { url, merchant: merchantId, account }) => {
      const data = await perform(context, consoleAct(account), {
        name: 'pos.connect',
        raw: { merchantId, url },
      })
      return { data, text: `${facts({ ...data })}\n\nThe secret signs what is told. It is shown this once.` }
    },
  }),

  defineCommand({
    name: 'pos register',
    summary: 'Go back to the built-in register; what the outside one has not heard yet is still told to it',
    options: of,
    example: '--merchant M-PROD-BISTRO',
    run: async (context, { merchant: merchantId, account }) => {
      const data = await perform(context, consoleAct(account), { name: 'pos.register', raw: { merchantId } })
      return { data, text: facts({ ...data }) }
    },
  }),
]
