// Operations on the menu of a merchant: its items, whether they are sold, and a whole menu from a file.
import { z } from 'zod'
import * as api from '#shared/wire/api/catalog.ts'
import { channelIdField, text, umsIdField } from '#shared/wire/api/fields.ts'
import { merchantId } from './input-fields.ts'
import type { MenuDiff } from './menu-diff.ts'
import type { MenuWarning } from './menu-warnings.ts'
import { changes, reads } from './operation.ts'

/** What the operator's line may send; over HTTP the body limit is smaller. */
const MOST_CHARACTERS = 33_554_432

const scope = 'menu:write'
const umsId = umsIdField

export const MENU_OPERATIONS = {
  'menu.list': reads(
    'The menu as one reads it, by category and name, modifiers last; each item with what it is on every channel',
    z.strictObject({
      merchantId,
      channelId: channelIdField.optional(),
      state: z.enum(['live', 'silenced']).optional(),
      /** Text to find in name and UMS id, without regard to case and accents. */
      q: text(120).optional(),
      limit: z.number().int().min(1).max(100).default(50),
      cursor: z.string().max(512).optional(),
    }),
    { right: 'serve', scope: 'menu:read' },
  ),
  'sku.silence': changes(
    'Stop selling an item, on some channels or on all, for a time or for good',
    api.silenceSku.extend({
      umsId,
      /** Minutes, or `today`: until 4 in the morning at the restaurant. Instead of `until`. */
      lasts: z.union([z.literal('today'), z.number().int().min(1).max(10_080)]).optional(),
    }),
    { right: 'serve', scope },
  ),
  'sku.restore': changes('Sell an item again, whatever had silenced it', api.restoreSku.extend({ umsId }), {
    right: 'serve',
    scope,
  }),
  'sku.stock': changes(
    'Say how many of an item are left, or that they are not counted',
    api.setStock.extend({ umsId }),
    { right: 'serve', scope },
  ),
  'menu.import': changes(
    'Add or change items from CSV or JSON text; stock and silences stay as they are, and no item goes',
    z.strictObject({
      merchantId,
      content: z.string().max(MOST_CHARACTERS),
      /** Only returns what would change. */
      dryRun: z.boolean().default(false),
      /** `basis` of the dry run that the person saw: refused if these items have changed since. */
      seen: z.strictObject({ basis: z.string().max(64) }).optional(),
    }),
    { right: 'kitchen', scope },
  ),
}

export type { SkuChannel, SkuResource } from '#shared/wire/api/catalog.ts'

export interface MenuAnswers {
  'menu.list': { data: api.SkuResource[]; nextCursor: string | null }
  'sku.silence': api.SkuResource
  'sku.restore': api.SkuResource
  'sku.stock': api.SkuResource
  'menu.import': {
    /** False: a dry run. */
    done: boolean
    /** In the file. */
    items: number
    diff: MenuDiff
    basis: string
    /** Characters that no kitchen can print. */
    warnings: MenuWarning[]
  }
}
