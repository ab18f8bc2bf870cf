// Texts of a menu that no kitchen can print: reported when it is imported, not when the first guest orders the item.

import type { MenuItem } from '#cloud/catalog/menu-item.ts'
import { FontLibrary } from '#shared/raster/font-library.ts'
import { graphemes } from '#shared/tickets/display-width.ts'
import { sanitizeText } from '#shared/tickets/sanitize-text.ts'
import { codePointName, isWrittenOut } from '#shared/tickets/stand-in.ts'
import { turn } from './list-slices.ts'

/** Characters of one text of an item that the built-in fonts of a gateway do not have. */
export interface MenuWarning {
  umsId: string
  field: 'name' | 'station' | 'category'
  /** As they are called: `U+0378`. */
  characters: string[]
  message: string
}

const FIELDS = ['name', 'station', 'category'] as const
const LONGEST = 200
const ASCII = /^[\x20-\x7e]*$/
/** After this many items other work of this thread has its turn: orders above all. */
const AT_ONCE = 50
/** Different characters of one menu that are checked, each in all fonts: a large menu in Chinese has about 3,000. */
const MOST_CHARACTERS = 5_000

/** In the order of the items. A gateway with fonts of its own may print more than this reports. */
export async function menuWarnings(items: readonly MenuItem[]): Promise<MenuWarning[]> {
  const characters = new Characters()
  const warnings: MenuWarning[] = []
  for (const [at, item] of items.entries()) {
    if (at > 0 && at % AT_ONCE === 0) await turn()
    for (const field of FIELDS) {
      const missing = await characters.missingOf(item[field] ?? '')
      if (missing.length === 0) continue
      const message = `${field} of ${item.umsId}: no font has ${missing.join(', ')}; tickets will show the number instead.`
      warnings.push({ umsId: item.umsId, field, characters: missing, message })
    }
  }
  return warnings
}

/** The characters of one menu, each checked once. */
class Characters {
  readonly #library = new FontLibrary(null)
  /** What no font has of each: `''` of nearly all. */
  readonly #known = new Map<string, string>()

  /** Names of the characters of this text that no font has. */
  async missingOf(text: string): Promise<string[]> {
    if (ASCII.test(text)) return []
    const parts = graphemes(sanitizeText(text, { maxLength: LONGEST })).map((each) => each.text)
    const written = parts.filter((part) => !ASCII.test(part) && !isWrittenOut(part))
    await this.#look(new Set(written.filter((part) => !this.#known.has(part))))
    const points = written.flatMap((part) => Array.from(this.#known.get(part) ?? ''))
    return [...new Set(points)].map(codePointName)
  }

  async #look(unknown: ReadonlySet<string>): Promise<void> {
    const looked = [...unknown].slice(0, MOST_CHARACTERS - this.#known.size)
    const missing = await this.#library.missing(looked)
    for (const part of looked) this.#known.set(part, missing.get(part) ?? '')
  }
}
