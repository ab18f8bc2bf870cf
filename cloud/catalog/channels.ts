// A merchant's channels: connect, disconnect, map items, list.
import type { Tx } from '#cloud/storage/database.ts'
import type { Effect } from '#cloud/storage/effect.ts'
import type { MerchantRecord } from '#cloud/storage/merchant-store.ts'
import type { ChannelsTable } from '#cloud/storage/schema-catalog.ts'
import type { SecretBox } from '#cloud/webhooks/secret-box.ts'
import { newSigningSecret } from '#cloud/webhooks/signature.ts'
import type { ChosenBy } from '#cloud/webhooks/target-guard.ts'
import { type FieldError, ServiceError } from '#shared/errors.ts'
import { type ChannelResource, DIRECT_CHANNEL } from '#shared/wire/api/catalog.ts'
import type { HttpChannelConfig } from './http-connector.ts'
import { itemState, type Place } from './item-state.ts'
import { loadItem, saveItem } from './save-item.ts'
import type { SkuDeps } from './silence-sku.ts'
import type { SimulatedChannelConfig } from './simulated-connector.ts'

export type ChannelDeps = SkuDeps & { secretBox: SecretBox }

interface ChannelNames {
  /** Such as `uber-eats`: small letters, digits and hyphens; never `direct`. */
  channelId: string
  platform: string
  name: string
}

/** An `http` channel gets messages at `url`; a `simulated` one accepts everything, or nothing while it `fails`. */
export type NewChannel = ChannelNames &
  ({ connector: 'http'; url: string; chosenBy: ChosenBy } | { connector: 'simulated'; fails?: boolean })

/**
 * Connects a channel, changes one, or connects it again: then everything that its platform has missed is sent.
 * @returns `secret`: the signing secret of an `http` channel, only when it is a new one. No other call shows it.
 * @throws ServiceError request.invalid (422)
 */
export async function connectChannel(
  tx: Tx,
  deps: ChannelDeps,
  { merchant, channel }: { merchant: MerchantRecord; channel: NewChannel },
): Promise<Effect<{ channelId: string; secret: string | null }>> {
  refuseOddNames(channel)
  const before = await deps.channels.find(tx, merchant.key, channel.channelId)
  const { config, secret } = configOf(deps.secretBox, channel, before)
  const nowMs = deps.clock.now()
  await deps.channels.put(tx, {
    merchant_id: merchant.key,
    channel_id: channel.channelId,
    platform: channel.platform,
    name: channel.name,
    connector: channel.connector,
    config: JSON.stringify(config),
    status: 'connected',
    created_at: before?.created_at ?? nowMs,
  })
  await deps.channels.holdOrTell(tx, { merchantKey: merchant.key, channelId: channel.channelId, nextAt: nowMs })
  if (before?.status === 'disconnected') await deriveItems(tx, deps, { merchant, channelId: channel.channelId })
  return { answer: { channelId: channel.channelId, secret }, wake: () => deps.channels.changed.notify() }
}

/** Its platform gets nothing until it is connected again; the mapping and silenced items stay. @throws ServiceError channel.unknown (422) */
export async function disconnectChannel(
  tx: Tx,
  deps: SkuDeps,
  { merchant, channelId }: { merchant: MerchantRecord; channelId: string },
): Promise<Effect<{ channelId: string }>> {
  const channel = await requireChannel(tx, deps, { merchant, channelId })
  await deps.channels.put(tx, { ...channel, status: 'disconnected' })
  await deps.channels.holdOrTell(tx, { merchantKey: merchant.key, channelId, nextAt: null })
  await deriveItems(tx, deps, { merchant, channelId })
  return { answer: { channelId } }
}

/**
 * Sets the platform's id of an item, and sends it the item's state. An item that is silenced wherever it is sold is silenced on the new
 * channel as it is on `direct`.
 * @throws ServiceError ums.not_found (404), channel.unknown, request.invalid (422)
 */
export async function mapChannelItem(
  tx: Tx,
  deps: SkuDeps,
  { merchant, ...mapping }: { merchant: MerchantRecord; channelId: string; umsId: string; externalId: string },
): Promise<Effect<{ channelId: string; umsId: string }>> {
  const { channelId, umsId, externalId } = mapping
  refuseOddText([['externalId', externalId, 128]])
  const channel = await requireChannel(tx, deps, { merchant, channelId })
  const state = await loadItem(tx, deps, { merchant, umsId })
  if (state === null) throw new ServiceError('ums.not_found')
  const nextAt = channel.status === 'connected' ? deps.clock.now() : null
  const mapped = state.places.find((place) => place.channelId === channelId)
  if (mapped?.link?.external_id === externalId) return { answer: { channelId, umsId } }
  if (mapped?.link) {
    await deps.channels.rename(tx, mapped.link, externalId)
    await deps.channels.mark(tx, mapped.link, { mark: mapped.link, nextAt })
  } else {
    await deps.channels.insertItem(tx, {
      merchant_id: merchant.key,
      channel_id: channelId,
      ums_id: umsId,
      external_id: externalId,
      ...firstMark(state.places),
      sync_state: 'pending',
      revision: 1,
      attempts: 0,
      next_at: nextAt,
    })
    const after = itemState(state.row, await deps.channels.links(tx, merchant.key, umsId))
    await saveItem(tx, deps, { merchant, change: { state: after, channels: [] }, events: [] })
  }
  return { answer: { channelId, umsId }, wake: () => deps.channels.changed.notify() }
}

/** In the order of their ids. `direct` is none of them: it is no platform's. */
export async function listChannels(
  { channels }: Pick<SkuDeps, 'channels'>,
  merchant: MerchantRecord,
): Promise<ChannelResource[]> {
  const counts = await channels.counts(merchant.key)
  return (await channels.list(merchant.key)).map((channel): ChannelResource => {
    const { items, silenced, failed } = counts.get(channel.channel_id) ?? { items: 0, silenced: 0, failed: 0 }
    const status = channel.status === 'connected' && failed > 0 ? 'failing' : channel.status
    return { channelId: channel.channel_id, platform: channel.platform, name: channel.name, status, items, silenced }
  })
}

async function requireChannel(
  tx: Tx,
  deps: SkuDeps,
  { merchant, channelId }: { merchant: MerchantRecord; channelId: string },
) {
  const channel = await deps.channels.find(tx, merchant.key, channelId)
  if (channel !== null) return channel
  throw new ServiceError('channel.unknown', {
    errors: [{ field: 'channelId', message: `${channelId} is not connected` }],
  })
}

/** Whether an item can be ordered directly depends on which channels are connected. */
async function deriveItems(
  tx: Tx,
  deps: SkuDeps,
  { merchant, channelId }: { merchant: MerchantRecord; channelId: string },
): Promise<void> {
  for (const umsId of await deps.channels.itemsOf(tx, merchant.key, channelId)) {
    const state = await loadItem(tx, deps, { merchant, umsId })
    if (state !== null) await saveItem(tx, deps, { merchant, change: { state, channels: [] }, events: [] })
  }
}

function firstMark(places: readonly Place[]) {
  const [direct] = places
  if (direct === undefined || places.some((place) => place.silencedAt === null)) return {}
  const { silencedAt, until, cause, reason } = direct
  return { silenced_at: silencedAt, silenced_until: until, cause, reason }
}

/** An `http` channel keeps its secret when its address changes. */
function configOf(
  secretBox: SecretBox,
  channel: NewChannel,
  before: ChannelsTable | null,
): { config: HttpChannelConfig | SimulatedChannelConfig; secret: string | null } {
  if (channel.connector === 'simulated') return { config: { fails: channel.fails ?? false }, secret: null }
  const { url, chosenBy } = channel
  if (before?.connector === 'http') {
    const { secretEnc } = JSON.parse(before.config) as HttpChannelConfig
    return { config: { url, secretEnc, chosenBy }, secret: null }
  }
  const secret = newSigningSecret()
  return { config: { url, secretEnc: secretBox.seal(secret), chosenBy }, secret }
}

function refuseOddNames({ channelId, platform, name }: NewChannel): void {
  if (channelId === DIRECT_CHANNEL || !/^[a-z0-9][a-z0-9-]{0,63}$/.test(channelId)) {
    const message = 'must be 1 to 64 small letters, digits and hyphens, and not direct'
    throw new ServiceError('request.invalid', { errors: [{ field: 'channelId', message }] })
  }
  refuseOddText([
    ['platform', platform, 64],
    ['name', name, 120],
  ])
}

function refuseOddText(fields: readonly (readonly [field: string, text: string, max: number])[]): void {
  const errors: FieldError[] = fields
    .filter(([, text, max]) => text.length === 0 || text.length > max || !text.isWellFormed() || /\p{Cc}/u.test(text))
    .map(([field, , max]) => ({ field, message: `must be 1 to ${max} characters without control characters` }))
  if (errors.length > 0) throw new ServiceError('request.invalid', { errors })
}
