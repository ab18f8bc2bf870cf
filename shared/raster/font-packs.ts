// The fonts that text is drawn with, for people: those that are built in, and those that were put into the folder.
import { FontLibrary, type FontPack } from './font-library.ts'

/**
 * Reads the installed fonts to see what they can be used for.
 * @param folder of installed fonts; null: none
 */
export function fontPacks(folder: string | null = null): Promise<FontPack[]> {
  return new FontLibrary(folder).packs()
}
