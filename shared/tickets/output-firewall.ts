// The last check before the wire: reads the finished bytes back and lets only our own commands through. In addition to sanitising, not instead of it.
import { type CommandOperation, type Operation, tokenize } from '#shared/escpos/tokenize.ts'
import type { PrinterProfile } from '#shared/printer-profile.ts'
import { hasKnownParameters } from './command-parameters.ts'
import { type Dialect, isStar } from './dialect.ts'
import { cutBytes, frameCommands } from './document-frame.ts'
import { pictureCommands } from './graphics.ts'
import { symbolCommands } from './symbols.ts'

/** A document holds something that we never write. It must not be printed; the job fails. Names commands only, never text. */
export class FirewallError extends Error {
  /** What was refused: command names, with a reason if the name is not sufficient. */
  readonly refused: readonly string[]

  constructor(refused: readonly string[]) {
    super(`The document was not printed, because it holds commands that no ticket may hold: ${refused.join(', ')}`)
    this.name = 'FirewallError'
    this.refused = refused
  }
}

/** Names of all commands that a ticket for this printer may hold. */
export function allowedCommands(profile: PrinterProfile, dialect: Dialect): ReadonlySet<string> {
  const kanji = profile.kanji === null ? [] : ['FS &', 'FS C', 'FS .']
  const label = profile.media.kind === 'label' ? ['FS ( L'] : []
  return new Set([
    ...dialect.commands,
    ...frameCommands(profile),
    ...pictureCommands(profile),
    ...symbolCommands(profile),
    ...kanji,
    ...label,
  ])
}

/**
 * Throws FirewallError unless every command is in the printer's list with parameters that we use, there is no real-time command anywhere,
 * and the document ends with this printer's cut, which is nowhere else.
 */
export function checkDocument(bytes: Uint8Array, profile: PrinterProfile, dialect: Dialect): void {
  const { operations, rest } = tokenize(bytes, { family: dialect.family })
  const allowed = allowedFor(profile, dialect)
  const refused = operations.flatMap((operation) => refusal(operation, profile, allowed) ?? [])
  if (rest.length > 0) refused.push('an unfinished command')
  if (hasRealTimeCommand(bytes, profile)) refused.push('a real-time command')
  refused.push(...cutFaults(bytes, operations, profile))
  if (refused.length > 0) throw new FirewallError([...new Set(refused)])
}

// A cache of values that never change, kept by profile as the encoders are.
const allowLists = new WeakMap<PrinterProfile, ReadonlySet<string>>()

function allowedFor(profile: PrinterProfile, dialect: Dialect): ReadonlySet<string> {
  const known = allowLists.get(profile)
  if (known !== undefined) return known
  const allowed = allowedCommands(profile, dialect)
  allowLists.set(profile, allowed)
  return allowed
}

/** Why an operation may not be in a document, or null when it may. */
function refusal(operation: Operation, profile: PrinterProfile, allowed: ReadonlySet<string>): string | null {
  if (operation.kind === 'text') return profile.language === 'star-raster' ? 'text outside a picture' : null
  const { name, params } = operation
  if (!operation.known || !allowed.has(name)) return name
  return hasKnownParameters(operation, profile) ? null : `${name} ${params[0] ?? ''}`.trim()
}

/** The commands by which a printer cuts, or lets go of a label, whatever the profile says. */
function isCut({ name, params }: CommandOperation, profile: PrinterProfile): boolean {
  if (isStar(profile)) return name === 'ESC d' || name === 'ESC FF' || name === 'FF'
  if (name === 'FS ( L') return params[0] !== 67
  return name === 'GS V' || name === 'ESC m' || name === 'ESC i'
}

function cutFaults(bytes: Uint8Array, operations: readonly Operation[], profile: PrinterProfile): string[] {
  const faults: string[] = []
  const cuts = operations.filter((operation) => operation.kind === 'command' && isCut(operation, profile)).length
  const wanted = profile.cut === 'none' ? 0 : 1
  if (cuts !== wanted) faults.push(`${cuts} cuts instead of ${wanted}`)
  const end = cutBytes(profile)
  const tail = bytes.subarray(Math.max(0, bytes.length - end.length))
  if (cuts === wanted && !end.every((byte, i) => tail[i] === byte))
    faults.push('something else than the cut at the end')
  return faults
}

const DLE = 0x10
const REAL_TIME_CODES: ReadonlySet<number> = new Set([0x04, 0x05, 0x14])
const ESC = 0x1b
const ACK = 0x06

/** DLE EOT, ENQ or DC4 in any place, also in data, and Star's ESC ACK: a printer obeys them on arrival. */
function hasRealTimeCommand(bytes: Uint8Array, profile: PrinterProfile): boolean {
  for (let at = bytes.indexOf(DLE); at !== -1; at = bytes.indexOf(DLE, at + 1)) {
    if (REAL_TIME_CODES.has(bytes[at + 1] ?? 0)) return true
  }
  if (!isStar(profile)) return false
  for (let at = bytes.indexOf(ESC); at !== -1; at = bytes.indexOf(ESC, at + 1)) {
    if (bytes[at + 1] === ACK) return true
  }
  return false
}
