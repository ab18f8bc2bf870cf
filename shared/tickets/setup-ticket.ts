// The set-up ticket: where the box's page is, for whoever stands before the printer. Pure; the layout sanitises every line.
import type { EpochMs } from '#shared/clock.ts'
import type { LocalDoc } from './local-doc.ts'

export interface SetupTicketFacts {
  /** Addresses of the page; the likeliest first. */
  urls: readonly string[]
  /** SHA-256 of the certificate by which the page speaks https, in hexadecimal with colons between; null: it does not. */
  fingerprint: string | null
  printerName: string
  /** Lets the first user in; null: there is one, or somebody else might read it here. */
  code: string | null
  /** False: the box waits for its first user. */
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
    // What stands behind # is seen by no server on the way.
    ...(first === undefined ? {} : { qr: code === null ? first : `${first}#setup=${code}` }),
    ...(code === null ? {} : { footer: 'The code works once.' }),
  }
}

/** Half of it: what nobody can make another certificate for, and still short enough to be compared. */
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
