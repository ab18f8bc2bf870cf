// discover: lists the printers on this network.

import type { DiscoverAnswer, FoundAnswer } from '#gateway/control/device-answers.ts'
import { table } from '#shared/cli/terminal.ts'
import { plain } from '#shared/terminal-text.ts'
import type { Command } from './command.ts'
import { addressOf } from './status-commands.ts'

const WAIT_MS = 5_000

export const discoverCommands: readonly Command[] = [
  {
    name: 'discover',
    usage: '',
    summary: 'Look for printers on the local network; prints nothing',
    options: {},
    examples: ['', '--json'],
    run: async ({ call, progress }) => {
      let found: DiscoverAnswer = await call('discover.start', {})
      progress(`Looking in ${found.networks.join(', ') || 'no network: this machine has no private one'} ...`)
      const told = new Set<string>()
      while (found.state === 'running') {
        found = await call('discover.results', { seen: found.seen, waitMs: WAIT_MS })
        for (const printer of found.printers.filter(({ address }) => !told.has(address))) {
          told.add(printer.address)
          progress(
            `  ${plain([addressOf({ host: printer.address, port: printer.port }), printer.model ?? ''].join(' '))}`,
          )
        }
      }
      return { data: found, text: [tableOf(found.printers), ...nextOf(found.printers)].join('\n') }
    },
  },
]

function tableOf(printers: readonly FoundAnswer[]): string {
  const rows = printers.map((found) => [
    addressOf({ host: found.address, port: found.port }),
    found.mac ?? found.claimedMac,
    found.model,
    found.name,
    found.printer,
    found.suggestedProfileId,
    found.methods,
  ])
  const nothing = 'Nothing answers. Is the printer on, and its cable in this network?'
  return table(['address', 'hardware', 'model', 'name', 'set up as', 'profile', 'found by'], rows, nothing)
}

function nextOf(printers: readonly FoundAnswer[]): string[] {
  const fresh = printers.find(({ printer }) => printer === null)
  return fresh ? ['', `Next: printers add <name> ${addressOf({ host: fresh.address, port: fresh.port })}`] : []
}
