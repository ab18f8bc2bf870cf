// logo: the picture on receipts.
import { word } from '#shared/cli/command.ts'
import { readInput } from '#shared/cli/read-input.ts'
import type { Command } from './command.ts'

export const logoCommands: readonly Command[] = [
  {
    name: 'logo set',
    usage: '<file.png>',
    summary: 'Print a picture on receipts, in black and white, as wide as the paper allows',
    options: {},
    examples: ['logo.png'],
    run: async (line) => {
      const png = readInput(word(line, 0)).toString('base64')
      const size = await line.call('logo.put', { png })
      return { data: size, text: `Receipts carry it, ${size.widthDots} by ${size.heightDots} dots on wide paper.` }
    },
  },
  {
    name: 'logo remove',
    usage: '',
    summary: 'Print no picture on receipts',
    options: {},
    examples: [''],
    run: async ({ call }) => ({ data: await call('logo.remove', {}), text: 'Receipts carry no picture.' }),
  },
]
