// The account and contents of an order, sealed into its kitchen job: a relay that was restored from an older copy accepts nothing else when a gateway hands the order back.
import { createHash } from 'node:crypto'
import type { SecretBox } from '#cloud/webhooks/secret-box.ts'
import type { AccountId } from '#shared/ids.ts'
import type { KitchenOrder } from '#shared/order.ts'
import { canonicalJson } from './body-hash.ts'

/** Later forms get another number. A seal over fewer fields proves less, so one with another number is not opened. */
const VERSION = '2'

/** What a restored relay needs and a gateway does not. */
export interface OrderOrigin {
  accountId: AccountId
  bodyHash: string
  totalCents: number
  tipCents: number
}

/** What it is bound to: with another job, kitchen, line, note or customer it proves nothing. */
export interface OriginOf {
  jobId: string
  /** The relay's own key of the merchant. */
  merchantKey: string
  kind: 'order' | 'board'
  order: KitchenOrder
}

export function sealOrigin(box: SecretBox, of: OriginOf, origin: OrderOrigin): string {
  const { accountId, bodyHash, totalCents, tipCents } = origin
  return box.seal([VERSION, contentOf(of), customerOf(of), accountId, bodyHash, totalCents, tipCents].join(' '))
}

/** Null: it was not sealed by this relay for this order with these contents. */
export function openOrigin(box: SecretBox, of: OriginOf, sealed: string): OrderOrigin | null {
  let text: string
  try {
    text = box.open(sealed)
  } catch {
    return null
  }
  const [version, content, customer, accountId = '', bodyHash = '', totalCents, tipCents] = text.split(' ')
  if (version !== VERSION || content !== contentOf(of)) return null
  // Boxes and relay forget a guest before they forget the order.
  if (of.order.customer !== undefined && customer !== customerOf(of)) return null
  return { accountId: accountId as AccountId, bodyHash, totalCents: Number(totalCents), tipCents: Number(tipCents) }
}

/** Hash of everything except the customer, independent of the order of keys: a box serialises a document again. */
function contentOf({ jobId, merchantKey, kind, order }: OriginOf): string {
  return digestOf([jobId, merchantKey, kind, { ...order, customer: undefined }])
}

function customerOf({ jobId, order }: OriginOf): string {
  return digestOf([jobId, order.customer ?? null])
}

function digestOf(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('base64url')
}
