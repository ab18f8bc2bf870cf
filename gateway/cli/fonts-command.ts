// fonts: what text is drawn with where a printer has no characters of its own.
import type { Command } from './command.ts'
import { table } from './terminal.ts'

export const fontsCommand: Command = {
  name: 'fonts',
  usage: '',
  summary: 'Fonts for text that a printer has no characters for, built in and installed',
  options: {},
  examples: [''],
  run: async ({ call }) => {
    const packs = await call('fonts', {})
    const rows = packs.map(({ name, scripts, state }) => [name, scripts, state])
    return { data: packs, text: table(['font', 'for', 'state'], rows, 'No fonts.') }
  },
}
