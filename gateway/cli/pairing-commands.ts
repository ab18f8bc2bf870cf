// pair, unpair, pairing: joining a restaurant by a claim code, and leaving it.

import type { PairingAnswer } from '#gateway/control/answers.ts'
import { text } from '#shared/cli/command.ts'
import { asked } from '#shared/cli/read-input.ts'
import { facts } from '#shared/cli/terminal.ts'
import { plain } from '#shared/terminal-text.ts'
import type { Command } from './command.ts'

export const pairingCommands: readonly Command[] = [
  {
    name: 'pair',
    usage: '[code]',
    summary: 'Pair with a restaurant by a claim code; asks for the code if none is given. Printing continues meanwhile',
    options: { relay: { value: '<url>', text: 'Address of the relay, instead of GATEWAY_RELAY_URL' } },
    examples: ['', '7K2M9-XQ4TB', '7K2M9-XQ4TB --relay https://relay.example', '< code.txt'],
    run: async (line) => {
      const relayUrl = text(line, 'relay')
      const answer = await line.call('pairing.pair', {
        code: line.words[0] ?? asked(line, 'Claim code, such as 7K2M9-XQ4TB:'),
        ...(relayUrl === undefined ? {} : { relayUrl }),
      })
      return { data: answer, text: `Paired.\n${pairingText(answer)}` }
    },
  },
  {
    name: 'unpair',
    usage: '',
    summary: 'End the pairing; printers and waiting tickets stay',
    options: {},
    examples: [''],
    run: async ({ call }) => {
      const answer = await call('pairing.unpair', {})
      const next = 'Unpaired. Its operator should revoke it in the cloud too: gateways revoke'
      return { data: answer, text: next }
    },
  },
  {
    name: 'pairing',
    usage: '',
    summary: 'Show the restaurant of this box, and what was set up from the cloud',
    options: {},
    examples: ['', '--json'],
    run: async ({ call }) => {
      const answer = await call('pairing.show', {})
      return { data: answer, text: pairingText(answer) }
    },
  },
]

function pairingText({ state, gatewayId, merchantName, timeZone, link, cloud }: PairingAnswer): string {
  const head = facts([
    ['state', state],
    ['gateway', gatewayId],
    ['merchant', merchantName],
    ['time zone', timeZone],
    ['relay', `${link.state} since ${link.since}${link.detail === '' ? '' : `: ${link.detail}`}`],
    ['configuration', cloud === null ? '' : `version ${cloud.version}`],
  ])
  const lines = (cloud?.printers ?? []).flatMap(({ name, words }) => words.map((one) => plain(`${name}: ${one}`)))
  return [head, ...(lines.length === 0 ? [] : ['', ...lines])].join('\n')
}
