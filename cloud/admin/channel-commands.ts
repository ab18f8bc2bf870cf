// channels: a merchant's connections to ordering platforms, and by which ids they know its items.
import { z } from 'zod'
import { overPlan } from '#cloud/billing/plan-limits.ts'
import { type Plan, planOf } from '#cloud/billing/plans.ts'
import {
  checkChannelUrl,
  connectChannel,
  disconnectChannel,
  listChannels,
  mapChannelItem,
  type NewChannel,
} from '#cloud/catalog/channels.ts'
import { siteOf } from '#cloud/control/context.ts'
import type { Tx } from '#cloud/storage/database.ts'
import type { Effect } from '#cloud/storage/effect.ts'
import { holdRow } from '#cloud/storage/hold.ts'
import type { MerchantRecord } from '#cloud/storage/merchant-store.ts'
import { channelIdField, text, umsIdField } from '#shared/wire/api/fields.ts'
import { AdminError, type Command, defineCommand } from './command.ts'
import { type AdminContext, audited } from './context.ts'
import { merchantField, nameField, ownerField, requireAccount, requireRecord, requireSecretBox } from './fields.ts'
import { facts, table } from './print.ts'

const of = { merchant: merchantField, account: ownerField }
const channelField = channelIdField.describe('Channel id, such as uber-eats')

export const channelCommands: readonly Command[] = [
  defineCommand({
    name: 'channels list',
    summary: "A merchant's channels",
    options: of,
    example: '--merchant M-PROD-BISTRO',
    run: async (context, options) => {
      const rows = await listChannels(context, await requireRecord(context, options))
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
    run: async (context, { channel, platform, name, connector, url, fails, ...which }) => {
      const merchant = await requireRecord(context, which)
      const names = { channelId: channel, platform, name: name ?? platform }
      const wanted = newChannel(names, { connector, url, fails })
      if (wanted.connector === 'simulated' && merchant.environment === 'live')
        throw new AdminError('A live merchant has no simulated channels.')
      await checkChannelUrl(context.guard, merchant, wanted)
      const deps = { ...context, secretBox: requireSecretBox(context) }
      const plan = planOf(await requireAccount(context, merchant.ownerAccountId), merchant.environment)
      const { answer } = await context.db.unit(async (tx) => {
        await refuseOverPlan(tx, context, merchant, { plan, wanted })
        const effect = await connectChannel(tx, deps, merchant, wanted)
        const after = { channel, platform, connector, ...(url === undefined ? {} : { site: siteOf(url) }), fails }
        const entry = { accountId: merchant.ownerAccountId, action: 'channel.connect', subject: merchant.key, after }
        await audited(tx, context, entry)
        return effect
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
    run: async (context, { channel, ...which }) => {
      const merchant = await requireRecord(context, which)
      const { answer } = await context.db.unit(async (tx): Promise<Effect<unknown>> => {
        const effect = await disconnectChannel(tx, context, merchant, channel)
        const entry = { accountId: merchant.ownerAccountId, action: 'channel.disconnect', subject: merchant.key }
        await audited(tx, context, { ...entry, after: { channel } })
        return effect
      })
      return { data: answer, text: `${channel} is disconnected.` }
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
    run: async (context, { channel, item, externalId, ...which }) => {
      const merchant = await requireRecord(context, which)
      const mapping = { channelId: channel, umsId: item, externalId }
      const { answer } = await context.db.unit(async (tx) => {
        const effect = await mapChannelItem(tx, context, merchant, mapping)
        const entry = { accountId: merchant.ownerAccountId, action: 'channel.map', subject: merchant.key }
        await audited(tx, context, { ...entry, after: mapping })
        return effect
      })
      return { data: answer, text: `${channel} knows ${item} as ${externalId}.` }
    },
  }),
]

function newChannel(
  names: { channelId: string; platform: string; name: string },
  { connector, url, fails }: { connector: 'http' | 'simulated'; url: string | undefined; fails: boolean },
): NewChannel {
  if (connector === 'simulated') return { ...names, connector, fails }
  if (fails) throw new AdminError('Only a simulated channel can be told to fail: add --connector simulated.')
  if (url === undefined) throw new AdminError('An http channel needs --url: where it is told.')
  return { ...names, connector, url }
}

/** @throws AdminError when this platform would be one too many */
async function refuseOverPlan(
  tx: Tx,
  { channels }: AdminContext,
  merchant: MerchantRecord,
  { plan, wanted }: { plan: Plan; wanted: NewChannel },
): Promise<void> {
  if (merchant.environment !== 'live') return
  await holdRow(tx, 'merchants', merchant.key)
  const others = (await channels.list(merchant.key, tx)).filter(
    (channel) => channel.status === 'connected' && channel.channel_id !== wanted.channelId,
  )
  const platforms = new Set([...others.map((channel) => channel.platform), wanted.platform])
  const reasons = overPlan(plan, { platforms: platforms.size })
  if (reasons.length > 0) throw new AdminError(`${reasons.join(' ')} \`plans set\` changes plan or contract.`)
}
