// Channels: connect, disconnect, map items, and how much their platforms have confirmed.

import { overPlan } from '#cloud/billing/plan-limits.ts'
import { type Plan, planOf } from '#cloud/billing/plans.ts'
import {
  connectChannel,
  disconnectChannel,
  listChannels,
  mapChannelItem,
  type NewChannel,
} from '#cloud/catalog/channels.ts'
import type { AuditAction } from '#cloud/storage/audit-actions.ts'
import type { Tx } from '#cloud/storage/database.ts'
import { holdRow } from '#cloud/storage/hold.ts'
import type { MerchantRecord } from '#cloud/storage/merchant-store.ts'
import { isoOrNull } from '#shared/clock.ts'
import type { CHANNEL_OPERATIONS, ChannelAnswer } from './channel-list.ts'
import { type ControlContext, urlOrigin } from './context.ts'
import { ControlRefusal } from './control-refusal.ts'
import { chosenBy, type Doing, type Handlers, merchantOf } from './handler.ts'
import type { OperationInput } from './operations.ts'
import { refuseTarget } from './refuse-target.ts'
import { requireSecretBox } from './secrets.ts'
import { refuseStale } from './stale.ts'

export const CHANNEL_HANDLERS: Pick<Handlers, keyof typeof CHANNEL_OPERATIONS> = {
  'channels.list': async (context, doing) => {
    const merchant = merchantOf(doing)
    const rows = new Map((await context.channels.list(merchant.key)).map((row) => [row.channel_id, row]))
    const told = await context.channels.told(merchant.key)
    return (await listChannels(context, merchant)).map((channel): ChannelAnswer => {
      const { connector = 'simulated', config = '{}' } = rows.get(channel.channelId) ?? {}
      const { unconfirmed = 0, failed = 0, lastMs = null } = told.get(channel.channelId) ?? {}
      const { url } = JSON.parse(config) as { url?: string }
      return {
        ...channel,
        connector,
        site: url === undefined ? null : urlOrigin(url),
        unconfirmed,
        failed,
        lastConfirmedAt: isoOrNull(lastMs),
      }
    })
  },

  'channels.connect': {
    before: async (context, doing, input) => {
      const merchant = merchantOf(doing)
      const wanted = newChannel(doing, input)
      if (wanted.connector === 'simulated' && merchant.environment === 'live')
        throw new ControlRefusal('refused', 'A live merchant has no simulated channels.', {
          said: { key: 'channel.simulated-live' },
        })
      if (wanted.connector === 'http') await refuseTarget(context, { url: wanted.url, merchant })
      requireSecretBox(context)
    },
    run: async (context, doing, input) => {
      const merchant = merchantOf(doing)
      const wanted = newChannel(doing, input)
      const { channelId: channel, platform, connector, url, fails } = input
      const account = await context.accounts.find(merchant.ownerAccountId)
      if (account === null) throw new Error(`account ${merchant.ownerAccountId} of a merchant is gone`)
      await refuseOverPlan(doing.tx, context, { merchant, plan: planOf(account, merchant.environment), wanted })
      const deps = { ...context, secretBox: requireSecretBox(context) }
      const effect = await connectChannel(doing.tx, deps, { merchant, channel: wanted })
      const after = { channel, platform, connector, ...(url === undefined ? {} : { site: urlOrigin(url) }), fails }
      return { ...effect, audit: entry(merchant, 'channel.connect', after) }
    },
  },

  'channels.disconnect': async (context, doing, { channelId }) => {
    const merchant = merchantOf(doing)
    const effect = await disconnectChannel(doing.tx, context, { merchant, channelId })
    return { ...effect, audit: entry(merchant, 'channel.disconnect', { channel: channelId }) }
  },

  'channels.map': async (context, doing, { channelId, umsId, externalId, seen }) => {
    const merchant = merchantOf(doing)
    const mapping = { channelId, umsId, externalId }
    const known = (await context.channels.links(doing.tx, merchant.key, umsId)).find(
      (one) => one.channel_id === channelId,
    )
    refuseStale({ externalId: known?.external_id ?? '' }, seen)
    const effect = await mapChannelItem(doing.tx, context, { merchant, ...mapping })
    return { ...effect, audit: entry(merchant, 'channel.map', mapping) }
  },
}

function entry(merchant: MerchantRecord, action: AuditAction, after: unknown) {
  return { accountId: merchant.ownerAccountId, action, subject: merchant.key, after }
}

/** @throws ControlRefusal invalid */
function newChannel(doing: Doing, input: OperationInput<'channels.connect'>): NewChannel {
  const { channelId, platform, name = platform, connector, url, fails } = input
  const names = { channelId, platform, name }
  if (connector === 'simulated') return { ...names, connector, fails }
  if (fails) throw wrong('fails', 'must be absent: only a simulated channel can be told to fail', 'channel.fails')
  if (url === undefined) throw wrong('url', 'is required: where an http channel is told', 'channel.no-url')
  return { ...names, connector, url, chosenBy: chosenBy(doing) }
}

function wrong(field: string, message: string, key: string): ControlRefusal {
  return new ControlRefusal('invalid', `${field} ${message}`, { errors: [{ field, message }], said: { key } })
}

/** @throws ControlRefusal when this platform would be one too many */
async function refuseOverPlan(
  tx: Tx,
  { channels }: ControlContext,
  { merchant, plan, wanted }: { merchant: MerchantRecord; plan: Plan; wanted: NewChannel },
): Promise<void> {
  if (merchant.environment !== 'live') return
  await holdRow(tx, 'merchants', merchant.key)
  const others = (await channels.list(merchant.key, tx)).filter(
    (channel) => channel.status === 'connected' && channel.channel_id !== wanted.channelId,
  )
  const platforms = new Set([...others.map((channel) => channel.platform), wanted.platform])
  const reasons = overPlan(plan, { platforms: platforms.size })
  if (reasons.length > 0) throw new ControlRefusal('refused', reasons.join(' '), { said: { key: 'plan.over' } })
}
