// merchants, locations, items: the restaurants, their kitchens and what they sell.
import { z } from 'zod'
import { merchantAnswer } from '#cloud/control/merchant-handlers.ts'
import { livePublicId, MOST_DAYS_AHEAD, MOST_PREP_MINUTES } from '#cloud/control/merchant-list.ts'
import { perform } from '#cloud/control/perform.ts'
import { type Command, defineCommand } from './command.ts'
import { consoleAct } from './context.ts'
import {
  accountField,
  currencyField,
  merchantField,
  nameField,
  ownerField,
  timeZoneField,
  wholeNumber,
} from './fields.ts'
import { facts, table } from './print.ts'

const publicIdField = livePublicId.describe('Public id, M-PROD-...; a random one without it')
const prepField = wholeNumber(MOST_PREP_MINUTES).describe('Minutes that an order usually takes')

const merchantOnly: readonly Command[] = [
  defineCommand({
    name: 'merchants list',
    summary: 'All merchants, newest first',
    options: { account: accountField.optional() },
    example: '--account acc_01jd3k5v8wz9x0y1a2b3c4d5e6',
    run: async ({ merchants }, { account }) => {
      const rows = (await merchants.list(account ?? null)).map((row) => ({ ...merchantAnswer(row) }))
      return { data: rows, text: table(rows, 'No merchants.') }
    },
  }),

  defineCommand({
    name: 'merchants create',
    summary: 'A live merchant of an approved account, with its first location',
    options: {
      account: accountField,
      name: nameField,
      timeZone: timeZoneField,
      currency: currencyField.default('USD'),
      location: nameField.default('Main').describe('Name of its first location'),
      id: publicIdField.optional(),
      prepMinutes: prepField.default(15),
    },
    example: '--account acc_01jd3k5v8wz9x0y1a2b3c4d5e6 --name "Bistro Nine" --time-zone America/New_York',
    run: async (context, { account, ...made }) => {
      const data = await perform(context, consoleAct(), {
        name: 'merchants.create',
        raw: { accountId: account, ...made },
      })
      const { merchantId, locationId } = data
      const next = `Next: items import --merchant ${merchantId} --file menu.csv, then gateways code --location ${locationId} --name "Kitchen Pi"`
      return { data, text: `${facts({ ...data })}\n\n${next}` }
    },
  }),

  defineCommand({
    name: 'merchants set',
    summary: 'Change what is said of a merchant',
    options: {
      merchant: merchantField,
      account: ownerField,
      name: nameField.optional(),
      timeZone: timeZoneField.optional(),
      currency: currencyField.optional(),
      prepMinutes: prepField.optional(),
      fireAheadDays: wholeNumber(MOST_DAYS_AHEAD)
        .optional()
        .describe('How many days ahead an order may be scheduled (fireAt); 30 at first'),
      autoSilence: z
        .enum(['on', 'off'])
        .optional()
        .describe('Whether stock at 0 silences an item everywhere: on or off'),
      notifyReady: z
        .enum(['off', 'sms', 'mail', 'both'])
        .optional()
        .describe('How customers hear that an order is ready: off, sms, mail or both; off at first'),
      notifyLanguage: z
        .enum(['en', 'es', 'zh-Hans'])
        .optional()
        .describe('Language of these messages: en, es or zh-Hans; en at first'),
    },
    example: '--merchant M-PROD-BISTRO --prep-minutes 20',
    run: async (context, { merchant: merchantId, account, autoSilence, ...wanted }) => {
      const switched = autoSilence === undefined ? undefined : autoSilence === 'on'
      const data = await perform(context, consoleAct(account), {
        name: 'merchant.save',
        raw: { merchantId, ...wanted, autoSilence: switched },
      })
      return { data, text: facts({ ...data }) }
    },
  }),
]

const locationCommands: readonly Command[] = [
  defineCommand({
    name: 'locations list',
    summary: "A merchant's locations, the default one first",
    options: { merchant: merchantField, account: ownerField },
    example: '--merchant M-PROD-BISTRO',
    run: async (context, { merchant: merchantId, account }) => {
      const rows = await perform(context, consoleAct(account), { name: 'locations.list', raw: { merchantId } })
      return {
        data: rows,
        text: table(
          rows.map((row) => ({ ...row })),
          'This merchant has no location.',
        ),
      }
    },
  }),

  defineCommand({
    name: 'locations add',
    summary: 'One more location of a merchant, within the plan',
    options: { merchant: merchantField, account: ownerField, name: nameField },
    example: '--merchant M-PROD-BISTRO --name "Harbour"',
    run: async (context, { name, merchant: merchantId, account }) => {
      const raw = { merchantId, name }
      const data = await perform(context, consoleAct(account), { name: 'locations.add', raw })
      return { data, text: facts({ ...data }) }
    },
  }),
]

const itemCommands: readonly Command[] = [
  defineCommand({
    name: 'items import',
    summary: 'Add or change catalog items from a CSV or JSON file; stock and silences stay as they are',
    options: {
      merchant: merchantField,
      account: ownerField,
      file: z
        .string()
        .min(1)
        .describe(
          'CSV with a heading line, or JSON array: umsId,name,kind (item or modifier),price,prepMinutes,station,category',
        ),
    },
    reads: 'file',
    example: '--merchant M-PROD-BISTRO --file menu.csv',
    run: async (context, { file, merchant: merchantId, account }) => {
      const raw = { merchantId, content: await context.readFile(file) }
      const { items, warnings } = await perform(context, consoleAct(account), { name: 'menu.import', raw })
      const told = warnings.map(({ message }) => `\nWarning: ${message}`).join('')
      return {
        data: { merchantId, items, warnings },
        text: `${items} items of ${merchantId} are up to date.${told}`,
      }
    },
  }),
]

export const merchantCommands: readonly Command[] = [...merchantOnly, ...locationCommands, ...itemCommands]
