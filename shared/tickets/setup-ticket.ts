// The set-up ticket: where the box's page is, for whoever stands before the printer. Pure; the layout sanitises every line.
import type { EpochMs } from '#shared/clock.ts'
import type { LocalDoc } from './local-doc.ts'

export interface SetupTicketFacts {
  /** Addresses of the page; the likeliest first. */
  urls: readonly string[]
  printerName: string
  /** Lets the first user in; null: there is one, or somebody else might read it here. */
  code: string | null
  /** False: the box waits for its first user. */
  hasUser: boolean
  isPaired: boolean
  queuedAtMs: EpochMs
  timeZone: string
}

export function setupTicket({ urls, printerName, code, hasUser, isPaired, ...when }: SetupTicketFacts): LocalDoc {
  const [first] = urls
  const addresses =
    first === undefined ? ['  (this box has no address in a network yet)'] : urls.map((url) => `  ${url}`)
  return {
    kind: 'slip',
    ...when,
    title: hasUser ? 'THE PAGE OF THIS BOX' : 'SET UP THIS BOX',
    lines: [
      'Open on a phone or computer in this network:',
      ...addresses,
      ...(code === null ? [] : [`Set-up code: ${code}`]),
      ...(code === null && !hasUser
        ? ["Set-up code: in the installer's terminal, or on the box: sudo ticketrail-gateway welcome"]
        : []),
      `This printer: ${printerName}`,
      ...(hasUser ? [] : ['Other printers: many print their address when FEED is held while they are switched on.']),
      ...(isPaired ? [] : ['Not paired yet: type the claim code of your account into the page, step Pairing.']),
    ],
    // What stands behind # is seen by no server on the way.
    ...(first === undefined ? {} : { qr: code === null ? first : `${first}#setup=${code}` }),
    ...(code === null ? {} : { footer: 'The code works once.' }),
  }
}
