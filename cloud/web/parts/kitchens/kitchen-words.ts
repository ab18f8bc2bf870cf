// The state of a kitchen, as a mark and a sentence. Pure.
import type { KitchenAnswer, KitchenPrinter } from '#cloud/control/kitchen-list.ts'
import type { KitchensWords } from '#cloud/web/messages/kitchens-en.ts'
import { folded } from '#shared/folded.ts'
import type { FindingSentences } from '#shared/health-words.ts'
import { isIpv4 } from '#shared/ipv4.ts'
import type { Formats } from '#shared/ui/languages.ts'
import type { Tone } from '#shared/ui/parts/mark.tsx'

type Condition = KitchenAnswer['condition']

const TONES = { critical: 'bad', warning: 'warn', none: 'ok' } as const satisfies Record<Condition['severity'], Tone>

export function conditionTone({ kind, severity }: Condition): Tone {
  return kind === 'unknown' || kind === 'simulated' ? 'idle' : TONES[severity]
}

interface Telling {
  t: KitchensWords
  /** What boxes find wrong with themselves. */
  findings: FindingSentences
  formats: Pick<Formats, 'ago' | 'text'>
  nowMs: number
}

export function conditionWords(condition: Condition, { t, findings, formats, nowMs }: Telling): string {
  const { kind, since, printer } = condition
  const said = findingOf(condition, t, findings)
  if (said !== null) return said.title
  const about = kind === 'silent' ? formats.ago(since ?? '', nowMs) : (printer ?? '')
  return t.kinds[kind](formats.text(about))
}

const PLACE = /\{\w+\}/

/** What the box reports about itself, in its own words. A printer is "a printer": its name is not included. Null: nothing, or a finding of a newer box. */
function findingOf(
  { kind, finding }: Condition,
  t: KitchensWords,
  findings: FindingSentences,
): { title: string; text: string } | null {
  if ((kind !== 'box-warning' && kind !== 'box-critical') || finding === null) return null
  const short: Readonly<Record<string, string>> = t.findings
  const known: Readonly<Record<string, { title: string; text: string }>> = findings
  const own = Object.hasOwn(known, finding) ? known[finding] : undefined
  if (own === undefined) return null
  const title = Object.hasOwn(short, finding) ? short[finding] : own.title
  return title === undefined || PLACE.test(title) ? null : { title, text: own.text }
}

/** `0.1.0` of `ticketrail-gateway/0.1.0`. */
export function versionOf(told: string | null): string {
  return told?.replace(/^.*\//, '') ?? '–'
}

/** What a person can do about it; null: nothing has to be done. */
export function conditionHint(condition: Condition, t: KitchensWords, findings: FindingSentences): string | null {
  const { kind } = condition
  const own = t.hints[kind as keyof KitchensWords['hints']]
  const said = findingOf(condition, t, findings)
  // The relay does not have names and figures: findings that need them have a text of their own here, or are on the box's own page.
  const bare: Readonly<Record<string, string>> = t.findingHints
  const { finding } = condition
  if (said !== null && finding !== null && Object.hasOwn(bare, finding)) return `${bare[finding]} ${own}`
  if (said !== null && said.text !== '' && !PLACE.test(said.text)) return `${said.text} ${own}`
  return Object.hasOwn(t.hints, kind) ? t.hints[kind as keyof KitchensWords['hints']] : null
}

export interface PrinterStanding {
  tone: Tone
  words: string
  /** A whole sentence, when more than a mark is needed. */
  hint: string | null
}

export function printerStanding(printer: KitchenPrinter, t: KitchensWords, formats: Formats): PrinterStanding {
  const { state, reasons, standIn, proposal } = printer
  if (proposal?.removed) return { tone: 'idle', words: t.proposals.removing, hint: reasonOf(proposal.reason, t) }
  if (proposal?.state === 'refused')
    return { tone: 'warn', words: t.proposals.refused, hint: reasonOf(proposal.reason, t) }
  if (printer.printerId === null) return { tone: 'idle', words: t.proposals.waiting, hint: null }
  const why = reasons.map((reason) => t.reasons[reason] ?? reason)
  const tail = standIn === null || state !== 'offline' ? [] : [t.standIn(formats.text(standIn))]
  const hint = proposal !== null && proposal.conflicts.length > 0 ? t.proposals.conflict : null
  const tone = state === 'online' ? (why.length > 0 ? 'warn' : 'ok') : state === 'offline' ? 'bad' : 'idle'
  const words = state === 'online' && why.length > 0 ? why : [t.printerStates[state], ...why]
  return { tone, words: [...words, ...tail].join(', '), hint }
}

function reasonOf(reason: string | null, t: KitchensWords): string | null {
  const known: Readonly<Record<string, string>> = t.refusedBecause
  return reason === null ? null : (known[reason] ?? reason)
}

/** A family of printers in a list: maker and models; one without models of its own by its id, as the documents call it. */
export function familyName({ id, vendor, models }: { id: string; vendor: string; models: readonly string[] }): string {
  return [vendor, models.length > 0 ? models.join(', ') : id].filter(Boolean).join(' ')
}

export const KITCHEN_STATES = ['all', 'needed', 'silent', 'fine'] as const

export interface KitchenFilter {
  /** Searched in the names of box, restaurant and printers. */
  q: string
  state: string
  version: string
}

export function matchesFilter(kitchen: KitchenAnswer, { q, state, version }: KitchenFilter): boolean {
  const { condition, name, locationName, printers } = kitchen
  if (state === 'needed' && condition.severity === 'none') return false
  if (state === 'silent' && condition.kind !== 'silent') return false
  if (state === 'fine' && condition.severity !== 'none') return false
  if (version !== '' && kitchen.version !== version) return false
  const word = folded(q.trim())
  return (
    word === '' || [name, locationName, ...printers.map((one) => one.name)].some((one) => folded(one).includes(word))
  )
}

/** `192.168.1.50` or `192.168.1.50:9101`, `localhost` as its address; null: the text is neither. */
export function addressOf(typed: string): { host: string; port: number } | null {
  const [, host = '', port = '9100'] = /^([\d.]+|localhost)(?::(\d{1,5}))?$/i.exec(typed.trim()) ?? []
  // RFC 6761: this machine, whatever a name server answers.
  if (host.toLowerCase() === 'localhost') return { host: '127.0.0.1', port: Number(port) }
  return isIpv4(host) ? { host, port: Number(port) } : null
}

export function stationsOf(typed: string): string[] {
  return typed
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
}
