// The set-up ticket: the address of the box's page, for the person at the printer. Pure; the layout sanitizes every line.
import type { EpochMs } from '#shared/clock.ts'
import type { LocalDoc } from './local-doc.ts'

export interface SetupTicketFacts {
  /** Addresses of the page, the most likely one first. */
  urls: readonly string[]
  /** SHA-256 fingerprint of the page's https certificate, in hexadecimal with colons. Null without https. */
  fingerprint: string | null
  printerName: string
  /** Code with which the first user signs in. Null if there is a user already, or if others might read it here. */
  code: string | null
  /** False: there is no user yet. */
  hasUser: boolean
  isPaired: boolean
  queuedAtMs: EpochMs
  timeZone: string
}

export function setupTicket({
  urls,
  fingerprint,
  printerName,
  code,
  hasUser,
  isPaired,
  ...when
}: SetupTicketFacts): LocalDoc {
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
      ...(fingerprint === null ? [] : fingerprintLines(fingerprint)),
      ...(code === null ? [] : [`Set-up code: ${code}`]),
      ...(code === null && !hasUser
        ? ["Set-up code: in the installer's terminal, or on the box: sudo ticketrail-gateway welcome"]
        : []),
      `This printer: ${printerName}`,
      ...(hasUser ? [] : ['Other printers: many print their address when FEED is held while they are switched on.']),
      ...(isPaired ? [] : ['Not paired yet: type the claim code of your account into the page, step Pairing.']),
    ],
    // Browsers do not send the part after # to a server.
    ...(first === undefined ? {} : { qr: code === null ? first : `${first}#setup=${code}` }),
    ...(code === null ? {} : { footer: 'The code works once.' }),
  }
}

/** Half of the fingerprint: too long to forge, short enough to compare. */
const BYTES_SHOWN = 16

function fingerprintLines(fingerprint: string): string[] {
  const groups =
    fingerprint
      .replaceAll(':', '')
      .slice(0, BYTES_SHOWN * 2)
      .match(/.{4}/g) ?? []
  return [
    'The browser will warn: this box made its certificate itself. Go on only if its SHA-256 fingerprint begins with',
    `  ${groups.slice(0, 4).join(' ')}`,
    `  ${groups.slice(4).join(' ')}`,
  ]
}
