// The output firewall: reads the finished bytes back and allows only our own commands. An addition to sanitizing, not a replacement.
import { type CommandOperation, type Operation, tokenize } from '#shared/escpos/tokenize.ts'
import type { PrinterProfile } from '#shared/printer-profile.ts'
import { hasKnownParameters } from './command-parameters.ts'
import { type Dialect, isStar } from './dialect.ts'
import { cutBytes, frameCommands } from './document-frame.ts'
import { pictureCommands } from './graphics.ts'
import { symbolCommands } from './symbols.ts'

/**
 * The document contains a command that we never write. It must not be printed, and the job fails. The message has command names only, never
 * text.
 */
export class FirewallError extends Error {
  /** What was refused: command names, with a reason where the name is not sufficient. */
  readonly refused: readonly string[]

  constructor(refused: readonly string[]) {
    super(`The document was not printed, because it holds commands that no ticket may hold: ${refused.join(', ')}`)
    this.name = 'FirewallError'
    this.refused = refused
  }
}

/** Names of all commands that a ticket for this printer may contain. */
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
 * Checks that every command is on the printer's list and has parameters that we use, that there is no real-time command anywhere, and that
 * the document ends with this printer's cut, which occurs nowhere else.
 * @throws FirewallError
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

// A cache by profile.
const allowLists = new WeakMap<PrinterProfile, ReadonlySet<string>>()

function allowedFor(profile: PrinterProfile, dialect: Dialect): ReadonlySet<string> {
  const known = allowLists.get(profile)
  if (known !== undefined) return known
  const allowed = allowedCommands(profile, dialect)
  allowLists.set(profile, allowed)
  return allowed
}

/** Why an operation is not allowed in a document. Null if it is. */
function refusal(operation: Operation, profile: PrinterProfile, allowed: ReadonlySet<string>): string | null {
  if (operation.kind === 'text') return profile.language === 'star-raster' ? 'text outside a picture' : null
  const { name, params } = operation
  if (!operation.known || !allowed.has(name)) return name
  return hasKnownParameters(operation, profile) ? null : `${name} ${params[0] ?? ''}`.trim()
}

/** The commands by which any printer cuts or releases a label, whatever the profile has. */
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

/** DLE EOT, ENQ or DC4 anywhere, also in data, and Star's ESC ACK: printers execute them on arrival. */
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
