// preview: how bytes in a file, or a ticket of the running gateway, look on paper.

import { existsSync } from 'node:fs'
import type { PreviewAnswer } from '#gateway/control/answers.ts'
import { LineError, type Output, text, word } from '#shared/cli/command.ts'
import { readInput } from '#shared/cli/read-input.ts'
import { table } from '#shared/cli/terminal.ts'
import { plain } from '#shared/terminal-text.ts'
import { charactersOf } from '#shared/tickets/stand-in.ts'
import { type Command, EXIT, type Line } from './command.ts'

const DEFAULT_PROFILE = 'generic-80'

export const previewCommand: Command = {
  name: 'preview',
  usage: '<file|ticket>',
  summary: 'Show how a ticket, or raw printer bytes in a file, look on paper; a file needs no gateway',
  options: {
    text: { text: 'As text, the default' },
    svg: { text: 'As a picture: SVG on the dot grid of the printer' },
    ops: { text: 'Each command with its place in the bytes' },
    profile: { value: '<id>', text: `Paper of this family; a file: ${DEFAULT_PROFILE}, a ticket: its printer’s` },
  },
  examples: [
    'ticket.bin',
    '- --profile epson-thermal-180 < ticket.bin',
    'pj_01jd3k5v8wz9x0y1a2b3c4d5e6-1 --svg > ticket.svg',
  ],
  run: async (line) => {
    const named = word(line, 0)
    const isFile = named === '-' || named.includes('/') || existsSync(named)
    const preview = isFile
      ? await previewOfFile(named, text(line, 'profile') ?? DEFAULT_PROFILE)
      : await line.call('jobs.preview', { ticketId: named, profileId: text(line, 'profile') })
    for (const warning of preview.warnings) line.progress(plain(warning))
    if (preview.unprintable > 0) line.progress(`${charactersOf(preview.unprintable)} could not be printed`)
    return shown(preview, line)
  },
}

function shown(preview: PreviewAnswer, { options }: Line): Output {
  if (options['svg'] === true) return { data: preview, text: preview.svg }
  if (options['ops'] !== true) return { data: preview, text: preview.text }
  const rows = preview.operations.map(({ offset, length, name, detail }) => [offset, length, name, detail])
  return { data: preview, text: table(['at', 'bytes', 'command', 'means'], rows, 'No bytes.') }
}

/** The interpreter is loaded only here: the other commands stay quick. */
async function previewOfFile(path: string, profileId: string): Promise<PreviewAnswer> {
  const [{ previewOf }, { paperOptionsFor }, { PROFILES }] = await Promise.all([
    import('#shared/escpos/preview.ts'),
    import('#shared/tickets/profile-paper.ts'),
    import('#shared/tickets/printer-profiles.ts'),
  ])
  const profile = PROFILES.find(({ id }) => id === profileId)
  if (!profile) throw new LineError(`There is no profile ${profileId}: profiles lists them.`, EXIT.usage)
  const { text: words, svg, operations, warnings } = previewOf(readInput(path), paperOptionsFor(profile))
  return { profileId, text: words, svg, operations: [...operations], warnings: [...warnings], unprintable: 0 }
}
