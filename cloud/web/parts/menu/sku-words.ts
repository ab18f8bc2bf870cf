// The state of an item in words. Pure.
import type { SkuChannel, SkuResource } from '#cloud/control/menu-list.ts'
import type { MenuWords } from '#cloud/web/messages/menu-en.ts'
import type { Formats } from '#shared/ui/languages.ts'
import type { Tone } from '#shared/ui/parts/mark.tsx'

/** Orders through the relay's own API: not a platform's channel. */
export const DIRECT = 'direct'

export interface Telling {
  t: MenuWords
  formats: Pick<Formats, 'dateTime' | 'list' | 'number' | 'text'>
  /** Names of channels by their ids. */
  names: ReadonlyMap<string, string>
}

export interface SkuStanding {
  tone: Tone
  words: string
}

export function skuStanding({ channels, stock }: SkuResource, telling: Telling): SkuStanding {
  const { t, formats, names } = telling
  const off = channels.filter(({ state }) => state === 'silenced')
  if (off.length === 0)
    return stock.quantity === 0 ? { tone: 'warn', words: t.noneLeft } : { tone: 'ok', words: t.sold }
  const isEverywhere = off.length === channels.length
  const where = isEverywhere ? [] : [t.onlyOn(formats.list(off.map(({ channelId }) => nameOf(channelId, t, names))))]
  return { tone: isEverywhere ? 'bad' : 'warn', words: [t.soldOut, ...where, ...lasts(off, telling)].join(', ') }
}

/** Until when and why, where that is the same on all of them. */
function lasts(off: readonly SkuChannel[], { t, formats }: Telling): string[] {
  const [first] = off
  if (first === undefined) return []
  const isSame = off.every((one) => one.silencedUntil === first.silencedUntil && one.reason === first.reason)
  if (!isSame) return []
  if (first.cause === 'out_of_stock') return [t.noneLeft]
  const until = first.silencedUntil === null ? t.forGood : t.until(formats.dateTime(first.silencedUntil))
  return first.reason === null ? [until] : [until, t.because(formats.text(first.reason))]
}

/** Platforms that do not have its current state yet; null: all have it. */
export function notTold({ channels }: SkuResource, { t, formats, names }: Telling): string | null {
  const late = channels.filter(({ sync }) => sync !== 'synced').map(({ channelId }) => nameOf(channelId, t, names))
  return late.length === 0 ? null : t.notTold(formats.list(late))
}

export function nameOf(channelId: string, t: MenuWords, names: ReadonlyMap<string, string>): string {
  return channelId === DIRECT ? t.direct : (names.get(channelId) ?? channelId)
}
