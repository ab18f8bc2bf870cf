// Makes shared/tickets/letter-widths.ts from the fonts in node_modules: to be run when a font package changes.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { letterWidthsFile } from './letter-widths/letter-widths.ts'

const FILE = join(import.meta.dirname, '../shared/tickets/letter-widths.ts')
writeFileSync(FILE, await letterWidthsFile())
process.stdout.write(`wrote ${FILE}\n`)
