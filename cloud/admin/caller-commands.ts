// callers: what the restaurants of this relay keep of one telephone number, given out or erased when its owner asks.
import { z } from 'zod'
import { ControlRefusal } from '#cloud/control/control-refusal.ts'
import { perform } from '#cloud/control/perform.ts'
import { EXIT } from '#shared/cli/command.ts'
import { E164 } from '#shared/e164.ts'
import type { AccountId } from '#shared/ids.ts'
import { type Command, defineCommand } from './command.ts'
import { type AdminContext, consoleAct } from './context.ts'
import { merchantField, ownerField } from './fields.ts'
import { table } from './print.ts'

const options = {
  number: z
    .string()
    .regex(E164, { error: 'must be a telephone number with + and country, such as +12125550100' })
    .describe('Telephone number with + and country'),
  merchant: merchantField.optional().describe('Only of this merchant; without it, of all'),
  account: ownerField,
}
const NOTHING = 'Nothing is kept of this number.'

export const callerCommands: readonly Command[] = [
  defineCommand({
    name: 'callers export',
    summary: 'Everything that is kept of a telephone number, as JSON, for the person who asks for it',
    options,
    example: '--number +12125550142',
    run: async (context, { number, ...of }) => {
      const data: object[] = []
      let isWhole = true
      for (const { merchantId, accountId } of await restaurants(context, of)) {
        const { unreadable, ...kept } = await perform(context, consoleAct(accountId), {
          name: 'callers.export',
          raw: { merchantId, number },
        })
        if (Object.values(kept).some((rows) => rows.length > 0))
          data.push({ merchantId, accountId, ...kept, unreadable })
        // The person is to be told that there is more.
        if (unreadable > 0) isWhole = false
      }
      return {
        data,
        text: data.length === 0 ? NOTHING : JSON.stringify(data, null, 2),
        exitCode: isWhole ? EXIT.ok : EXIT.failed,
      }
    },
  }),

  defineCommand({
    name: 'callers erase',
    summary: 'Erase everything that is kept of a telephone number; orders stay, without their customer',
    options,
    example: '--number +12125550142 --merchant M-PROD-BISTRO',
    run: async (context, { number, ...of }) => {
      const data: Record<string, unknown>[] = []
      let isWhole = true
      for (const { merchantId, accountId } of await restaurants(context, of)) {
        try {
          const erased = await perform(context, consoleAct(accountId), {
            name: 'callers.erase',
            raw: { merchantId, number },
          })
          if (Object.values(erased).some((count) => count > 0))
            data.push({ merchantId, accountId, ...erased, callsNow: false })
        } catch (error) {
          if (!(error instanceof ControlRefusal) || error.said?.key !== 'caller.calls-now') throw error
          // The others are erased all the same.
          isWhole = false
          data.push({ merchantId, accountId, callsNow: true })
        }
      }
      const rest = isWhole ? '' : '\n\nThis number is on the telephone now: run this again when the call is over.'
      return { data, text: `${table(data, NOTHING)}${rest}`, exitCode: isWhole ? EXIT.ok : EXIT.failed }
    },
  }),
]

/** The one that is named, or all of the account, or all. */
async function restaurants(
  { merchants }: Pick<AdminContext, 'merchants'>,
  { merchant, account }: { merchant?: string | undefined; account?: AccountId | undefined },
): Promise<{ merchantId: string; accountId: AccountId | null }[]> {
  // One that is not there is refused by the operation.
  if (merchant !== undefined) return [{ merchantId: merchant, accountId: account ?? null }]
  const rows = await merchants.list(account ?? null)
  return rows.map(({ public_id: merchantId, account_id: accountId }) => ({ merchantId, accountId }))
}
