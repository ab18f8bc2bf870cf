// fonts: what text is drawn with where a printer has no characters of its own.

import { table } from '#shared/cli/terminal.ts'
import { fontLicence } from '#shared/raster/raster-files.ts'
import type { Command } from './command.ts'

export const fontsCommand: Command = {
  name: 'fonts',
  usage: '',
  summary: 'List the fonts for text that a printer has no characters for',
  options: { licence: { text: 'Print the notices and the licence of the built-in fonts' } },
  examples: ['', '--licence'],
  run: async ({ call, options }) => {
    if (options['licence'] === true) {
      const licence = await fontLicence()
      return { data: { licence }, text: licence }
    }
    const packs = await call('fonts', {})
    const rows = packs.map(({ name, scripts, state }) => [name, scripts, state])
    return { data: packs, text: table(['font', 'for', 'state'], rows, 'No fonts.') }
  },
}
