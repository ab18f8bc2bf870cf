// Pairing: show it, pair by a claim code, unpair.
import { toIso } from '#shared/clock.ts'
import type { ConfigPrinterReport, ConfigRefusal } from '#shared/wire/gateway-config.ts'
import type { PairingAnswer } from './answers.ts'
import { conflictWords } from './cloud-printer-words.ts'
import type { ControlContext } from './context.ts'
import type { ControlHandlers } from './control.ts'
import { ControlRefusal } from './control-refusal.ts'

type Operations = Pick<ControlHandlers, 'pairing.show' | 'pairing.pair' | 'pairing.unpair'>

export function pairingOperations(context: ControlContext): Operations {
  const { pairing, site, about, cloudPrinters } = context
  const show = (): PairingAnswer => {
    const { link } = about()
    const result = cloudPrinters.result()
    return {
      state: site.gatewayId === '' ? 'unpaired' : 'paired',
      gatewayId: site.gatewayId,
      merchantName: site.merchantName,
      timeZone: site.timeZone,
      relay: link.brokerUrl ?? null,
      link: { state: link.state, trouble: link.trouble ?? null, detail: link.detail, since: toIso(link.sinceMs) },
      cloud:
        result === null || result.ver === 0
          ? null
          : { version: result.ver, printers: result.printers.map((report) => shown(report, context)) },
    }
  }
  return {
    'pairing.show': show,

    'pairing.pair': async ({ code, relayUrl }) => {
      const outcome = await pairing.pair(code, relayUrl)
      switch (outcome.kind) {
        case 'paired':
          return show()
        case 'bad-code':
        case 'no-relay':
          throw new ControlRefusal('invalid', outcome.words, { said: { key: `pairing.${outcome.kind}` } })
        case 'unreachable':
          throw new ControlRefusal('relay-unreachable', outcome.words, { said: { key: `pairing.${outcome.kind}` } })
        default:
          throw new ControlRefusal('refused', outcome.words, { said: { key: `pairing.${outcome.kind}` } })
      }
    },

    'pairing.unpair': async () => {
      if (!(await pairing.unpair()))
        throw new ControlRefusal('refused', 'This box is not paired.', { said: { key: 'pairing.not-paired' } })
      return show()
    },
  }
}

const REFUSALS: Readonly<Record<ConfigRefusal, string>> = {
  'address-forbidden': 'The cloud may never set up that address: it is this box itself, or no address of a printer.',
  'address-elsewhere':
    'The address is in none of the private networks of this box. GATEWAY_CLOUD_PRINTERS allows more networks.',
  'port-forbidden': 'The cloud may set up ports 9100 to 9109 only. GATEWAY_CLOUD_PRINTERS allows more ports.',
  'unknown-profile': 'This version knows no such profile: update the box.',
  'name-taken': 'Another printer has that name.',
  'too-many': 'There are too many printers here.',
  'tickets-wait': 'It is taken away when no ticket waits for it any more: move them.',
  printing: 'It is taken away when its ticket has ended.',
  'changed-on-the-box': 'It was changed here later than in the cloud.',
}

function shown(
  { id, printerId, state, reason, conflicts }: ConfigPrinterReport,
  { printers, cloudPrinters }: Pick<ControlContext, 'printers' | 'cloudPrinters'>,
): NonNullable<PairingAnswer['cloud']>['printers'][number] {
  const here = printerId === null ? undefined : printers.find(printerId)?.name
  const name = here ?? cloudPrinters.nameOf(id) ?? id
  const words = [...(reason === null ? [] : [REFUSALS[reason]]), ...conflicts.map(conflictWords)]
  return { name, printerId, state, words }
}
