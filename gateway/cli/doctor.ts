// What `doctor` says: every part of the box as one line, well or not, with what to do. Pure.
import type {
  BoxFiguresAnswer,
  DisplayAnswer,
  PairingAnswer,
  PrinterAnswer,
  RepairAnswer,
  StatusAnswer,
  UserAnswer,
} from '#gateway/control/answers.ts'
import { EXIT } from './command.ts'
import { addressOf } from './status-commands.ts'

export interface Check {
  /** The part: `disk`, `printer Grill`. */
  name: string
  result: 'pass' | 'warn' | 'fail'
  /** What was found, and what to do when it is not well. */
  text: string
}

/** What the running gateway knows. */
export interface DoctorFacts {
  status: StatusAnswer
  repairs: readonly RepairAnswer[]
  figures: BoxFiguresAnswer
  pairing: PairingAnswer
  displays: readonly DisplayAnswer[]
  users: readonly UserAnswer[]
}

/** A Pi slows down from here on. */
const HOT_CELSIUS = 80
const WORN_PERCENT = 80
const RESULT = { error: 'fail', warning: 'warn', info: 'warn' } as const

/** Parts whose troubles the gateway's own list of repairs tells; `well`: what to say without one, null: nothing. */
const PARTS: readonly { name: string; trouble: readonly string[]; well: (facts: DoctorFacts) => string | null }[] = [
  {
    name: 'https',
    trouble: ['page-https', 'page-certificate', 'page-certificate-ends'],
    well: ({ status }) => httpsWords(status.https),
  },
  { name: 'pairing', trouble: ['not-paired', 'pairing-unusable'], well: ({ pairing }) => pairedWith(pairing) },
  {
    name: 'relay',
    trouble: ['relay-unreachable', 'relay-refuses', 'relay-certificate'],
    well: ({ status: { link } }) => (link.state === 'connected' ? `connected since ${link.since}` : null),
  },
  { name: 'disk', trouble: ['disk-full', 'disk-low'], well: ({ figures }) => freeDisk(figures) },
  { name: 'memory', trouble: ['memory-high'], well: ({ figures }) => usedMemory(figures) },
  { name: 'clock', trouble: ['clock-wrong', 'clock-unset'], well: ({ figures }) => clockWords(figures) },
  {
    name: 'time zone',
    trouble: ['time-zone'],
    well: ({ pairing: { timeZone } }) => (timeZone === '' ? 'set on the page' : timeZone),
  },
  { name: 'database', trouble: ['database-replaced'], well: () => 'whole' },
  {
    name: 'newest disk',
    trouble: ['older-image', 'another-machine', 'another-database', 'no-disk-proof', 'disk-proof-unusable'],
    well: () => 'this disk is the newest, or no tickets were waiting on it',
  },
  {
    name: 'update',
    trouble: ['update-undone', 'update-available'],
    well: () => 'none was undone, none waits',
  },
  { name: 'default printer', trouble: ['no-printer', 'no-default-printer'], well: ({ status }) => defaultOf(status) },
]

/** In the order in which a technician looks: the box, the way to the relay, the machine, printers, screens, tickets. */
export function checksOf(facts: DoctorFacts): Check[] {
  const { status, repairs, figures, users } = facts
  const known = new Set(PARTS.flatMap(({ trouble }) => trouble))
  return [
    check('gateway', status.ready ? 'pass' : 'fail', `${status.app} is ${status.ready ? 'ready' : 'not ready'}`),
    pageCheck(status.pageUrls),
    users.length === 0
      ? check('people', 'warn', 'Nobody can sign in yet. Open the page; its code: ticketrail-gateway welcome')
      : check('people', 'pass', `${users.length} may sign in`),
    ...PARTS.flatMap((part) => partChecks(part, facts)),
    ...connectingCheck(facts),
    ...sensorChecks(figures),
    ...sharedAddresses(status.printers),
    ...status.printers.flatMap((printer) => printerChecks(printer, repairs)),
    ...facts.displays.flatMap((display) => displayChecks(display, repairs)),
    queueCheck(status),
    check('reports', 'pass', `${status.queue.unreported} results not yet told to the relay`),
    ...paperCheck(figures),
    ...repairs
      .filter(({ id, values }) => !known.has(id) && !['printer', 'display'].some((part) => part in values))
      .map((repair) => repairCheck('set-up', repair)),
  ]
}

/** What the shell is told: which part of the world is in the way, when it is only one. */
export function exitCodeOf(checks: readonly Check[]): number {
  const failed = checks.filter(({ result }) => result === 'fail').map(({ name }) => name)
  if (failed.length === 0) return EXIT.ok
  if (failed.every((name) => name.startsWith('relay'))) return EXIT.relayUnreachable
  return failed.every((name) => name.startsWith('printer ')) ? EXIT.printerFault : EXIT.failed
}

export function check(name: string, result: Check['result'], text: string): Check {
  return { name, result, text }
}

function partChecks({ name, trouble, well }: (typeof PARTS)[number], facts: DoctorFacts): Check[] {
  const found = facts.repairs.filter(({ id }) => trouble.includes(id))
  if (found.length > 0) return found.map((repair) => repairCheck(name, repair))
  const text = well(facts)
  return text === null ? [] : [check(name, 'pass', text)]
}

/** Not long enough for a repair. */
function connectingCheck({ status: { link }, repairs }: DoctorFacts): Check[] {
  if (link.state !== 'connecting' || repairs.some(({ id }) => id.startsWith('relay-'))) return []
  return [check('relay', 'warn', `connecting since ${link.since}${link.detail === '' ? '' : `: ${link.detail}`}`)]
}

function repairCheck(name: string, { id, severity, title, text }: RepairAnswer): Check {
  // It installs itself: nothing is to be done.
  return check(name, id === 'update-available' ? 'pass' : RESULT[severity], `${title}. ${text}`)
}

function pageCheck(urls: readonly string[]): Check {
  const [first = ''] = urls
  const isOnlyHere = /^https?:\/\/(127\.|localhost|\[::1\])/.test(first)
  if (!isOnlyHere) return check('page', 'pass', urls.join(' '))
  return check(
    'page',
    'warn',
    `${first} answers on this machine only. For phones and displays: GATEWAY_HTTP_HOST=0.0.0.0`,
  )
}

function pairedWith({ merchantName, gatewayId }: PairingAnswer): string {
  return `${merchantName === '' ? 'paired' : merchantName}, ${gatewayId}`
}

function httpsWords({ state, certificate }: StatusAnswer['https']): string | null {
  if (state !== 'on' || certificate === null) return null
  return `certificate ${certificate.source} until ${certificate.until}, SHA-256 ${certificate.fingerprint}`
}

function freeDisk({ disk }: BoxFiguresAnswer): string | null {
  return disk === null ? null : `${megabytes(disk.freeBytes)} of ${megabytes(disk.totalBytes)} free`
}

function usedMemory({ memory: { rssBytes, limitBytes } }: BoxFiguresAnswer): string {
  return `${megabytes(rssBytes)} in use${limitBytes === null ? '' : ` of ${megabytes(limitBytes)}`}`
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 1_000_000)} MB`

function clockWords({ clock: { offsetMs } }: BoxFiguresAnswer): string {
  if (offsetMs === null) return 'not behind what was known; the relay has not told the time'
  return `within ${Math.ceil(Math.abs(offsetMs) / 1_000)} s of the relay`
}

function defaultOf({ printers }: StatusAnswer): string | null {
  const found = printers.find(({ isDefault }) => isDefault)
  return found ? `${found.name} takes what no station serves` : null
}

function sensorChecks({ temperatureCelsius: heat, storageWearPercent: wear }: BoxFiguresAnswer): Check[] {
  const cool = 'The machine slows down when it is hot: give it air.'
  const worn = 'The storage is near the end of its life: make a backup and replace it.'
  return [
    ...(heat === null ? [] : [measured('temperature', `${Math.round(heat)} °C`, heat >= HOT_CELSIUS ? cool : null)]),
    ...(wear === null ? [] : [measured('storage', `${wear} % worn`, wear >= WORN_PERCENT ? worn : null)]),
  ]
}

function measured(name: string, value: string, trouble: string | null): Check {
  return trouble === null ? check(name, 'pass', value) : check(name, 'warn', `${value}. ${trouble}`)
}

/** Two printers at one address print each other's tickets. */
function sharedAddresses(printers: readonly PrinterAnswer[]): Check[] {
  const at = Map.groupBy(printers, addressOf)
  return [...at].flatMap(([address, several]) => {
    if (several.length < 2) return []
    const names = several.map(({ name }) => name).join(' and ')
    return [check('addresses', 'fail', `${names} have the same address ${address}. Give each its own: printers set`)]
  })
}

function printerChecks(printer: PrinterAnswer, repairs: readonly RepairAnswer[]): Check[] {
  const { name, state, confirm, queued } = printer
  const troubles = repairs
    .filter(({ values }) => values['printer'] === name)
    .filter(({ id }) => id !== 'no-default-printer')
    .map((repair) => repairCheck(`printer ${name}`, repair))
  const isDown = state === 'offline' || troubles.some(({ result }) => result === 'fail')
  const words = `${state} at ${addressOf(printer)}, ${confirm.isAsked ? `proof ${confirm.level}` : 'proof not asked yet'}, ${queued} wait`
  return isDown ? troubles : [check(`printer ${name}`, 'pass', words), ...troubles]
}

function displayChecks(display: DisplayAnswer, repairs: readonly RepairAnswer[]): Check[] {
  const part = `display ${display.name}`
  const troubles = repairs.filter(({ values }) => values['display'] === display.name)
  return [displayCheck(display), ...troubles.map((repair) => repairCheck(part, repair))]
}

function displayCheck({ name, signedInAt, isAlive, lastHeardAt, backupPrinterId }: DisplayAnswer): Check {
  const part = `display ${name}`
  if (signedInAt === null) return check(part, 'warn', 'No screen has signed in. A new code for it: displays code')
  if (isAlive) return check(part, 'pass', 'alive')
  const since = lastHeardAt === null ? '' : ` since ${lastHeardAt}`
  const instead = backupPrinterId === null ? 'Nothing prints instead.' : 'Its backup printer prints instead.'
  return check(part, 'warn', `silent${since}. ${instead} Is the tablet on, and in this network?`)
}

function queueCheck({ queue: { queued, held, parked } }: StatusAnswer): Check {
  const words = `${queued} wait, ${held} for their time, ${parked} for a person`
  return check('queue', parked > 0 ? 'warn' : 'pass', words)
}

function paperCheck({ latency: { tickets, p50Ms, p95Ms, hours } }: BoxFiguresAnswer): Check[] {
  if (tickets === 0 || p50Ms === null || p95Ms === null) return []
  const words = `half of ${tickets} tickets within ${Math.round(p50Ms)} ms, 95 % within ${Math.round(p95Ms)} ms, last ${hours} hours`
  return [check('order to paper', 'pass', words)]
}
