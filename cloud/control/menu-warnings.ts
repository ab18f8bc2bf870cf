// What a menu says that no kitchen can print: told when it is imported, not when the first guest orders it.
import { FontLibrary } from '#shared/raster/font-library.ts'
import { graphemes } from '#shared/tickets/display-width.ts'
import { sanitizeText } from '#shared/tickets/sanitize-text.ts'
import { codePointName, isWrittenOut } from '#shared/tickets/stand-in.ts'
import type { MenuItem } from './parse-items.ts'

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

/** In the order of the items. A gateway with fonts of its own may print more than this tells. */
export async function menuWarnings(items: readonly MenuItem[]): Promise<MenuWarning[]> {
  const library = new FontLibrary(null)
  const warnings: MenuWarning[] = []
  for (const item of items) {
    for (const field of FIELDS) {
      const text = item[field] ?? ''
      if (ASCII.test(text)) continue
      const characters = await undrawable(library, text)
      if (characters.length === 0) continue
      const message = `${field} of ${item.umsId}: no font has ${characters.join(', ')}; tickets will show the number instead.`
      warnings.push({ umsId: item.umsId, field, characters, message })
    }
  }
  return warnings
}

async function undrawable(library: FontLibrary, text: string): Promise<string[]> {
  const parts = graphemes(sanitizeText(text, { maxLength: LONGEST })).map((each) => each.text)
  const missing = await library.missing(parts.filter((part) => !ASCII.test(part) && !isWrittenOut(part)))
  const points = [...missing.values()].flatMap((characters) => Array.from(characters))
  return [...new Set(points)].map(codePointName)
}
