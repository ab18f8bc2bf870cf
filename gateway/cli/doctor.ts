// The output of `doctor`: every part of the box as one line, working or not, with what to do. Pure.
import type {
  BoxFiguresAnswer,
  DisplayAnswer,
  PairingAnswer,
  PrinterAnswer,
  StatusAnswer,
  UserAnswer,
} from '#gateway/control/answers.ts'
import type { FindingAnswer } from '#gateway/control/health-answers.ts'
import { EXIT } from './command.ts'
import { addressOf } from './status-commands.ts'

export interface Check {
  /** The part: `disk`, `printer Grill`. */
  name: string
  result: 'pass' | 'warn' | 'fail'
  /** What was found, and what to do when it is not well. */
  text: string
}

/** The state of the running gateway. */
export interface DoctorFacts {
  status: StatusAnswer
  findings: readonly FindingAnswer[]
  figures: BoxFiguresAnswer
  pairing: PairingAnswer
  displays: readonly DisplayAnswer[]
  users: readonly UserAnswer[]
}

const RESULT = { critical: 'fail', warning: 'warn', advice: 'warn' } as const

/** Parts, with the findings about each; `well`: the text without one, null: none. Only the health of the box decides what is wrong. */
const PARTS: readonly { name: string; trouble: readonly string[]; well: (facts: DoctorFacts) => string | null }[] = [
  { name: 'page', trouble: ['page-only-here'], well: ({ status }) => status.pageUrls.join(' ') },
  {
    name: 'people',
    trouble: ['nobody-signs-in'],
    well: ({ users }) => `${users.length} may sign in`,
  },
  {
    name: 'https',
    trouble: ['page-https', 'page-certificate', 'page-certificate-ends'],
    well: ({ status }) => httpsWords(status.https),
  },
  { name: 'pairing', trouble: ['not-paired', 'pairing-unusable'], well: ({ pairing }) => pairedWith(pairing) },
  {
    name: 'relay',
    trouble: [
      'relay-unreachable',
      'relay-name',
      'relay-no-way',
      'relay-closed',
      'relay-busy',
      'relay-refuses',
      'relay-certificate',
    ],
    well: ({ status: { link } }) => (link.state === 'connected' ? `connected since ${link.since}` : null),
  },
  { name: 'disk', trouble: ['disk-full', 'disk-low'], well: ({ figures }) => freeDisk(figures) },
  { name: 'memory', trouble: ['memory-high'], well: ({ figures }) => usedMemory(figures) },
  { name: 'clock', trouble: ['clock-wrong', 'clock-unset'], well: ({ figures }) => clockWords(figures) },
  {
    name: 'time zone',
    trouble: ['time-zone', 'time-zones-differ'],
    well: ({ pairing: { timeZone } }) => (timeZone === '' ? 'set on the page' : timeZone),
  },
  { name: 'database', trouble: ['database-replaced'], well: () => 'whole' },
  {
    name: 'newest disk',
    trouble: [
      'older-image',
      'another-machine',
      'another-database',
      'no-disk-proof',
      'disk-proof-unusable',
      'image-held',
    ],
    well: () => 'this disk is the newest, or no tickets were waiting on it',
  },
  {
    name: 'update',
    trouble: ['update-undone', 'update-available'],
    well: () => 'none was undone, none waits',
  },
  { name: 'temperature', trouble: ['box-hot'], well: ({ figures }) => heatOf(figures) },
  { name: 'storage', trouble: ['storage-worn'], well: ({ figures }) => wearOf(figures) },
  { name: 'backup', trouble: ['box-not-backed-up'], well: () => null },
  { name: 'displays', trouble: ['no-screen-alive'], well: () => null },
  { name: 'board', trouble: ['board-unread'], well: () => null },
  { name: 'default printer', trouble: ['no-printer', 'no-default-printer'], well: ({ status }) => defaultOf(status) },
]

/** In the order of a technician's check: the box, the relay, the machine, printers, screens, tickets. */
export function checksOf(facts: DoctorFacts): Check[] {
  const { status, findings, figures } = facts
  const known = new Set(PARTS.flatMap(({ trouble }) => trouble))
  return [
    check('gateway', status.ready ? 'pass' : 'fail', `${status.app} is ${status.ready ? 'ready' : 'not ready'}`),
    ...PARTS.flatMap((part) => partChecks(part, facts)),
    ...connectingCheck(facts),
    ...status.printers.flatMap((printer) => printerChecks(printer, findings)),
    ...facts.displays.flatMap((display) => displayChecks(display, findings)),
    queueCheck(facts),
    check('reports', 'pass', `${status.queue.unreported} results not yet told to the relay`),
    ...paperCheck(figures),
    ...findings
      .filter(({ id, subject }) => !known.has(id) && subject.kind !== 'printer' && subject.kind !== 'display')
      .map((finding) => findingCheck('set-up', finding)),
  ]
}

/** The exit code: where the problem is, when there is only one. */
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
  const found = facts.findings.filter(({ id }) => trouble.includes(id))
  if (found.length > 0) return found.map((finding) => findingCheck(name, finding))
  const text = well(facts)
  return text === null ? [] : [check(name, 'pass', text)]
}

/** Not long enough for a finding. */
function connectingCheck({ status: { link }, findings }: DoctorFacts): Check[] {
  if (link.state !== 'connecting' || findings.some(({ id }) => id.startsWith('relay-'))) return []
  return [check('relay', 'warn', `connecting since ${link.since}${link.detail === '' ? '' : `: ${link.detail}`}`)]
}

/** In one line, with what it costs and what mends it. */
function findingCheck(name: string, { id, severity, title, text, cost, act }: FindingAnswer): Check {
  const said = [
    `${title}.`,
    text,
    ...(cost ? [cost.text] : []),
    ...(act?.kind === 'do' ? [`On the page: ${act.label}.`] : []),
  ]
  // It installs itself: nothing is to be done.
  return check(name, id === 'update-available' ? 'pass' : RESULT[severity], said.join(' '))
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

function heatOf({ temperatureCelsius: heat }: BoxFiguresAnswer): string | null {
  return heat === null ? null : `${Math.round(heat)} °C`
}

function wearOf({ storageWearPercent: wear }: BoxFiguresAnswer): string | null {
  return wear === null ? null : `${wear} % worn`
}

function printerChecks(printer: PrinterAnswer, findings: readonly FindingAnswer[]): Check[] {
  const { printerId, name, state, hint, confirm, queued } = printer
  const troubles = findings
    .filter(({ subject }) => subject.kind === 'printer' && subject.id === printerId)
    .map((finding) => findingCheck(`printer ${name}`, finding))
  // A person at the command line wants the state now: the list waits for a moment before an alarm.
  const isNew = state === 'offline' && !findings.some(({ key, subject }) => isOfState(key) && subject.id === printerId)
  if (isNew) return [check(`printer ${name}`, 'fail', `${name} does not print. ${hint}`.trim()), ...troubles]
  const isDown = state === 'offline' || troubles.some(({ result }) => result === 'fail')
  const words = `${state} at ${addressOf(printer)}, ${confirm.isAsked ? CONFIRMS[confirm.level] : 'not yet asked how it confirms'}, ${queued} wait`
  return isDown ? troubles : [check(`printer ${name}`, 'pass', words), ...troubles]
}

/** How sure a print is: the levels of docs/printers.md. */
const CONFIRMS: Readonly<Record<PrinterAnswer['confirm']['level'], string>> = {
  L3: 'confirms each ticket',
  L2: 'answers a query after each ticket',
  L1: 'reports its state, but not that a ticket is done',
  L0: 'answers nothing',
}

/** The reason why a printer does not print. */
const isOfState = (key: string): boolean => ['printer-down', 'printer-other', 'printer-quieter'].includes(key)

function displayChecks({ displayId, name, isAlive }: DisplayAnswer, findings: readonly FindingAnswer[]): Check[] {
  const part = `display ${name}`
  const troubles = findings.filter(({ subject }) => subject.kind === 'display' && subject.id === displayId)
  return [...(isAlive ? [check(part, 'pass', 'alive')] : []), ...troubles.map((finding) => findingCheck(part, finding))]
}

function queueCheck({ status: { queue }, findings }: DoctorFacts): Check {
  const words = `${queue.queued} wait, ${queue.held} for their time, ${queue.parked} for a person`
  return check('queue', findings.some(({ key }) => key === 'tickets-parked') ? 'warn' : 'pass', words)
}

function paperCheck({ latency: { tickets, p50Ms, p95Ms, hours } }: BoxFiguresAnswer): Check[] {
  if (tickets === 0 || p50Ms === null || p95Ms === null) return []
  const words = `half of ${tickets} tickets within ${Math.round(p50Ms)} ms, 95 % within ${Math.round(p95Ms)} ms, last ${hours} hours`
  return [check('order to paper', 'pass', words)]
}
