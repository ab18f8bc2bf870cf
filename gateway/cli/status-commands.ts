// status, profiles: the state of the gateway and its printers.

import type { PrinterAnswer, ProfileAnswer, StatusAnswer } from '#gateway/control/answers.ts'
import { facts, table } from '#shared/cli/terminal.ts'
import { plain } from '#shared/terminal-text.ts'
import type { Command } from './command.ts'

export const statusCommands: readonly Command[] = [
  {
    name: 'status',
    usage: '',
    summary: 'Show the gateway, its connection to the relay, its queue and its printers',
    options: {},
    examples: ['', '--json'],
    run: async ({ call }) => {
      const status = await call('status', {})
      const { queued, held, parked, unreported } = status.queue
      const text = [
        facts([
          ['gateway', `${status.app}${status.merchantName === '' ? '' : `, ${status.merchantName}`}`],
          ['ready', status.ready],
          ['page', status.pageUrls.join(' ')],
          ...httpsFacts(status.https),
          [
            'relay',
            `${status.link.state} since ${status.link.since}${status.link.detail === '' ? '' : `: ${status.link.detail}`}`,
          ],
          [
            'tickets',
            `${queued} wait, ${held} for their time, ${parked} for a person; ${unreported} results not yet told`,
          ],
        ]),
        '',
        printerTable(status.printers),
        ...adviceOf(status.printers),
      ]
      return { data: status, text: text.join('\n') }
    },
  },
]

/** The fingerprint is what a browser's warning is compared with. */
export function httpsFacts({ state, fault, certificate }: StatusAnswer['https']): [string, string][] {
  if (state === 'off') return []
  if (fault !== null) return [['https', `does not answer: ${fault}`]]
  return certificate === null
    ? []
    : [
        ['certificate', `${certificate.source}, until ${certificate.until}`],
        ['SHA-256', certificate.fingerprint],
      ]
}

export const profilesCommand: Command = {
  name: 'profiles',
  usage: '',
  summary: 'List the supported printer profiles',
  options: {},
  examples: [''],
  run: async ({ call }) => {
    const profiles = await call('profiles', {})
    const rows = profiles.map((profile) => [
      profile.id,
      profile.vendor,
      profile.columns,
      traitsOf(profile),
      profile.models,
    ])
    return { data: profiles, text: table(['profile', 'maker', 'columns', 'for', 'models'], rows, 'No profiles.') }
  },
}

/** What tells a family from the others of its maker: some list no model. */
function traitsOf({ cut, labelMm, kanji }: ProfileAnswer): string[] {
  return [
    ...(cut === 'none' ? ['no cutter'] : []),
    ...(labelMm === null ? [] : [`labels ${labelMm} mm`]),
    ...(kanji === null ? [] : [`own ${kanji} characters`]),
  ]
}

export function printerTable(printers: readonly PrinterAnswer[]): string {
  const rows = printers.map((printer) => [
    `${printer.name}${printer.isDefault ? ' *' : ''}`,
    addressOf(printer),
    printer.profileId,
    printer.settings.paused ? `${printer.state}, paused` : printer.state,
    printer.reasons.filter((reason) => reason !== 'none'),
    printer.queued,
    printer.parked,
    printer.confirm.isAsked ? printer.confirm.level : '?',
    printer.testedAt === null ? 'no' : printer.testedAt.slice(0, 10),
    printer.stations,
  ])
  const headings = [
    'printer',
    'address',
    'profile',
    'state',
    'reasons',
    'waiting',
    'parked',
    'proof',
    'tested',
    'stations',
  ]
  return table(headings, rows, 'No printer is set up yet. Find them with: discover')
}

/** What to do about each printer that is not ready, and other messages. */
export function adviceOf(printers: readonly PrinterAnswer[]): string[] {
  const lines = printers.flatMap(({ name, printerId, state, hint, parked, notes }) => [
    ...(state === 'offline' ? [`${name}: ${hint}`] : []),
    ...(parked > 0
      ? [
          `${name}: ${parked} wait for a person. Look at them: jobs list --printer ${printerId} --state parked. Then jobs resolve, or all of them: jobs release ${printerId}`,
        ]
      : []),
    ...notes.filter((note) => state !== 'offline' || note !== hint).map((note) => `${name}: ${note}`),
  ])
  return lines.length === 0 ? [] : ['', ...lines.map(plain)]
}

export function addressOf({ host, port }: { host: string; port: number }): string {
  return port === 0 || port === 9_100 ? host : `${host}:${port}`
}
