// Operations on a merchant's channels, its connections to ordering platforms: their inputs and what they answer.
import { z } from 'zod'
import type { ChannelResource } from '#shared/wire/api/catalog.ts'
import { channelIdField, text, umsIdField } from '#shared/wire/api/fields.ts'
import { merchantId, plainName } from './input-fields.ts'
import { changes, reads } from './operation.ts'

const channelId = channelIdField

export const CHANNEL_OPERATIONS = {
  'channels.list': reads("A merchant's channels", z.strictObject({ merchantId }), {
    right: 'serve',
    scope: 'menu:read',
  }),
  'channels.connect': changes(
    'Connect a platform within the plan, or change how it is told; an http channel shows its secret once',
    z.strictObject({
      merchantId,
      channelId,
      platform: text(64),
      name: plainName.optional(),
      connector: z.enum(['http', 'simulated']).default('http'),
      url: z.string().max(2_048).optional(),
      /** A simulated channel refuses everything, until connected again without. */
      fails: z.boolean().default(false),
    }),
    { right: 'kitchen', isSecret: true, stepUp: 'live' },
  ),
  'channels.disconnect': changes(
    'Tell a platform nothing any more; its mapping stays',
    z.strictObject({ merchantId, channelId }),
    'kitchen',
  ),
  'channels.map': changes(
    'Say by which id a platform knows an item',
    z.strictObject({
      merchantId,
      channelId,
      umsId: umsIdField,
      externalId: text(128),
      seen: z.strictObject({ externalId: z.string() }).optional(),
    }),
    'kitchen',
  ),
}

export interface ChannelAnswer extends ChannelResource {
  connector: 'http' | 'simulated'
  /** Its address without path: the rest may be a secret of the platform's. Null for a simulated one. */
  site: string | null
  /** Items whose state the platform has not confirmed yet, and those of them that it refused or that failed. */
  unconfirmed: number
  failed: number
  /** When it last confirmed one; null: never. */
  lastConfirmedAt: string | null
}

export interface ChannelAnswers {
  'channels.list': ChannelAnswer[]
  /** `secret` is shown this once, and only for a new http channel. */
  'channels.connect': { channelId: string; secret: string | null }
  'channels.disconnect': { channelId: string }
  'channels.map': { channelId: string; umsId: string }
}
