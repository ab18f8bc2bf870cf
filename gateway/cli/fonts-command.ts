// fonts: the packs that text is drawn with where a printer has no characters of its own.
import type { Command } from './command.ts'
import { table } from './terminal.ts'

export const fontsCommand: Command = {
  name: 'fonts',
  usage: '',
  summary: 'Fonts for text that a printer has no characters for; needs no running gateway',
  options: {},
  examples: [''],
  run: async () => {
    const { fontPacks } = await import('#shared/raster/font-packs.ts')
    const packs = fontPacks()
    const rows = packs.map(({ name, scripts }) => [name, scripts])
    return { data: packs, text: table(['pack', 'scripts'], rows, 'No fonts.') }
  },
}
