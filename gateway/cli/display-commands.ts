// displays: the kitchen's screens, and the code by which one signs in.
import { renderUnicodeCompact } from 'uqr'
import type { CodeAnswer } from '#gateway/control/answers.ts'
import { LineError, list, text, wholeNumber, word } from '#shared/cli/command.ts'
import { table } from '#shared/cli/terminal.ts'
import { DISPLAY_KINDS, type DisplayKind } from '#shared/wire/kitchen-screens.ts'
import { type Command, EXIT, type Line } from './command.ts'

export const displayCommands: readonly Command[] = [
  {
    name: 'displays list',
    usage: '',
    summary: 'List the kitchen displays, and which are connected',
    options: {},
    examples: ['', '--json'],
    run: async ({ call }) => {
      const displays = await call('displays.list', {})
      const rows = displays.map(({ displayId, name, kind, stations, isAlive, isOnShift, signedInAt }) => [
        name,
        kind !== 'kitchen' ? kind : stations.length === 0 ? 'expo' : stations,
        signedInAt === null ? 'not signed in' : isAlive ? 'alive' : 'silent',
        isOnShift,
        displayId,
      ])
      const headings = ['screen', 'stations', 'state', 'on shift', 'id']
      return { data: displays, text: table(headings, rows, 'No screen yet. Add one with: displays add') }
    },
  },
  {
    name: 'displays add',
    usage: '<name>',
    summary: 'Add a kitchen display; shows its sign-in code',
    options: {
      kind: {
        value: '<kind>',
        text: 'kitchen (the default), runner: carries out what is ready, or pick-up: numbers for the guests',
      },
      'show-names': { text: 'A pick-up board shows first names beside the numbers' },
      stations: { value: '<stations>', text: 'The stations it shows, such as grill,fry; all by default (expo)' },
      'buzz-after': {
        value: '<seconds>',
        text: 'Its backup printer prints an order that nobody has looked at for this long',
      },
      'backup-printer': { value: '<printer>', text: 'Prints what the screen does not show' },
    },
    examples: ['Grill --stations grill,fry --backup-printer Grill', 'Guests --kind pick-up'],
    run: async (line) => {
      const kind = kindOf(line)
      const stations = text(line, 'stations')
      const backupPrinter = text(line, 'backup-printer')
      const buzzAfterS = wholeNumber(line, 'buzz-after')
      const answer = await line.call('displays.add', {
        name: word(line, 0),
        ...(kind !== undefined && { kind }),
        ...(line.options['show-names'] === true && { showNames: true }),
        ...(buzzAfterS !== undefined && { buzzAfterS }),
        ...(stations !== undefined && { stations: list(stations) }),
        ...(backupPrinter !== undefined && { backupPrinter }),
      })
      return { data: answer, text: await codeText(answer, line) }
    },
  },
  {
    name: 'displays code',
    usage: '<display>',
    summary: 'Make a new sign-in code for a display; the old one stops working',
    options: {},
    examples: ['Grill'],
    run: async (line) => {
      const answer = await line.call('displays.code', { displayId: await idOf(line) })
      return { data: answer, text: await codeText(answer, line) }
    },
  },
  {
    name: 'displays remove',
    usage: '<display>',
    summary: 'Remove a display, which signs it out',
    options: {},
    examples: ['Grill'],
    run: async (line) => {
      const answer = await line.call('displays.remove', { displayId: await idOf(line) })
      return { data: answer, text: 'Removed.' }
    },
  },
]

/** @throws LineError */
function kindOf(line: Line): DisplayKind | undefined {
  const typed = text(line, 'kind')
  const kind = DISPLAY_KINDS.find((one) => one === typed)
  if (typed !== undefined && kind === undefined)
    throw new LineError(`--kind must be one of ${DISPLAY_KINDS.join(', ')}`, EXIT.usage)
  return kind
}

/** By its name or its id. @throws LineError */
async function idOf(line: Line): Promise<string> {
  const typed = word(line, 0)
  const displays = await line.call('displays.list', {})
  const known = displays.filter(
    ({ displayId, name }) => displayId === typed || name.toLowerCase() === typed.toLowerCase(),
  )
  const [first, second] = known
  if (first === undefined) {
    const names = displays.map(({ name }) => name).join(', ')
    throw new LineError(`There is no display ${typed}. There are: ${names === '' ? 'none' : names}.`)
  }
  if (second !== undefined)
    throw new LineError(`Several displays are called ${typed}: name its id, which displays list shows.`, EXIT.usage)
  return first.displayId
}

async function codeText({ code, path, expiresAt }: CodeAnswer, { call }: Line): Promise<string> {
  const [url] = (await call('status', {})).displayUrls
  const address = url === undefined ? path : new URL(path, url).href
  return [
    `Open this on the screen, or type the code ${code} there (until ${expiresAt}):`,
    `  ${address}`,
    ...(url === undefined ? [] : [renderUnicodeCompact(address)]),
  ].join('\n')
}
