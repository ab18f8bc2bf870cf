// channels: a merchant's connections to ordering platforms, and the platforms' ids of its items.
import { z } from 'zod'
import { perform } from '#cloud/control/perform.ts'
import { channelIdField, text, umsIdField } from '#shared/wire/api/fields.ts'
import { type Command, defineCommand } from './command.ts'
import { consoleAct } from './context.ts'
import { merchantField, nameField, ownerField } from './fields.ts'
import { facts, table } from './print.ts'

const of = { merchant: merchantField, account: ownerField }
const channelField = channelIdField.describe('Channel id, such as uber-eats')

export const channelCommands: readonly Command[] = [
  defineCommand({
    name: 'channels list',
    summary: "A merchant's channels",
    options: of,
    example: '--merchant M-PROD-BISTRO',
    run: async (context, { merchant: merchantId, account }) => {
      const channels = await perform(context, consoleAct(account), { name: 'channels.list', raw: { merchantId } })
      const rows = channels.map(({ channelId, platform, name, status, items, silenced }) => ({
        ...{ channelId, platform, name, status, items, silenced },
      }))
      return { data: rows, text: table(rows, 'No channels.') }
    },
  }),

  defineCommand({
    name: 'channels connect',
    summary: 'Connect a platform within the plan, or change how it is told; an http channel shows its secret once',
    options: {
      ...of,
      channel: channelField,
      platform: text(64).describe('The platform, such as Uber Eats'),
      name: nameField.optional(),
      connector: z.enum(['http', 'simulated']).default('http').describe('http (signed POSTs to --url) or simulated'),
      url: z.string().optional().describe('Where an http channel is told'),
      fails: z
        .boolean()
        .default(false)
        .describe('A simulated channel refuses everything, until connected again without'),
    },
    example: '--merchant M-PROD-BISTRO --channel uber-eats --platform "Uber Eats" --url https://bridge.example/uber',
    run: async (
      context,
      { channel: channelId, platform, name, connector, url, fails, merchant: merchantId, account },
    ) => {
      const answer = await perform(context, consoleAct(account), {
        name: 'channels.connect',
        raw: { merchantId, channelId, platform, name, connector, url, fails },
      })
      const hint =
        answer.secret === null ? '' : '\n\nThe secret signs what the platform is told. It is shown this once.'
      return { data: answer, text: `${facts({ ...answer })}${hint}` }
    },
  }),

  defineCommand({
    name: 'channels disconnect',
    summary: 'Tell a platform nothing any more; its mapping stays',
    options: { ...of, channel: channelField },
    example: '--merchant M-PROD-BISTRO --channel uber-eats',
    run: async (context, { channel, merchant: merchantId, account }) => {
      const raw = { merchantId, channelId: channel }
      const data = await perform(context, consoleAct(account), { name: 'channels.disconnect', raw })
      return { data, text: `${channel} is disconnected.` }
    },
  }),

  defineCommand({
    name: 'channels map',
    summary: 'Say by which id a platform knows an item',
    options: {
      ...of,
      channel: channelField,
      item: umsIdField.describe('UMS id of the item'),
      externalId: text(128).describe("The platform's own id of the item"),
    },
    example: '--merchant M-PROD-BISTRO --channel uber-eats --item UMS-BURGER-01 --external-id 8f31',
    run: async (context, { channel, item, externalId, merchant: merchantId, account }) => {
      const raw = { merchantId, channelId: channel, umsId: item, externalId }
      const data = await perform(context, consoleAct(account), { name: 'channels.map', raw })
      return { data, text: `${channel} knows ${item} as ${externalId}.` }
    },
  }),
]
