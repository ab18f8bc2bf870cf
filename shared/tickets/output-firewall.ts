// The last guard before the wire: reads the finished bytes back and lets only our own commands through. Stands behind sanitising, not instead of it.
import { type CommandOperation, tokenize } from '#shared/escpos/tokenize.ts'
import type { PrinterProfile } from '#shared/printer-profile.ts'
import type { Dialect } from './dialect.ts'

/** A document holds something that we never write. It must not be printed; the job fails. Names commands only, never text. */
export class FirewallError extends Error {
  /** What was refused: command names with a reason where the name alone does not tell. */
  readonly refused: readonly string[]

  constructor(refused: readonly string[]) {
    super(`The document was not printed, because it holds commands that no ticket may hold: ${refused.join(', ')}`)
    this.name = 'FirewallError'
    this.refused = refused
  }
}

const CUTS: ReadonlySet<string> = new Set(['GS V', 'ESC m'])
const QR_FUNCTIONS: ReadonlySet<number> = new Set([65, 67, 69, 80, 81])
const REAL_TIME_CODES: ReadonlySet<number> = new Set([0x04, 0x05, 0x14])

/**
 * Throws FirewallError unless every command is in the dialect's list with parameters that we use, no real-time command stands anywhere,
 * and the paper is cut exactly once, at the end (never, for a printer without cutter).
 */
export function checkDocument(bytes: Uint8Array, profile: PrinterProfile, dialect: Dialect): void {
  const { operations, rest } = tokenize(bytes, { family: dialect.family })
  const commands = operations.filter((operation) => operation.kind === 'command')
  const refused = commands.flatMap((command) => refusal(command, profile, dialect) ?? [])
  if (rest.length > 0) refused.push('an unfinished command')
  if (hasRealTimeCommand(bytes)) refused.push('a real-time command')
  const cuts = commands.filter((command) => CUTS.has(command.name)).length
  const wanted = profile.cut === 'none' ? 0 : 1
  if (cuts !== wanted) refused.push(`${cuts} cuts instead of ${wanted}`)
  const last = operations.at(-1)
  if (cuts > 0 && !(last?.kind === 'command' && CUTS.has(last.name))) refused.push('something behind the cut')
  if (refused.length > 0) throw new FirewallError([...new Set(refused)])
}

/** Why a command may not be in a document, or null when it may. */
function refusal(command: CommandOperation, profile: PrinterProfile, dialect: Dialect): string | null {
  const { name, params } = command
  if (!command.known || !dialect.allowed.has(name)) return name
  const n = params[0] ?? 0
  switch (name) {
    case 'ESC t':
      return profile.codePages.some((entry) => entry.page === n) ? null : `ESC t ${n}`
    case 'GS V':
      return n === 1 || (n === 66 && params[1] === 0) ? null : `GS V ${n}`
    case 'ESC d': // a long feed wastes the roll
      return n <= 10 ? null : `ESC d ${n}`
    case 'ESC ( A': // fn 97, the buzzer; nothing else of this group
      return params.length === 5 && n === 97 ? null : `ESC ( A ${n}`
    case 'GS k': // CODE 128, code set B
      return n === 73 && params[2] === 0x7b && params[3] === 0x42 ? null : `GS k ${n}`
    case 'GS ( k': // a QR code: model, size, correction, store, print
      return n === 49 && QR_FUNCTIONS.has(params[1] ?? 0) ? null : `GS ( k ${n} ${params[1]}`
    case 'GS 0xf9': // Bematech: 5 1 selects ESC/POS. Others change stored settings.
      return n === 0x35 && params[1] === 0x31 ? null : `GS 0xf9 ${n}`
    default:
      return null
  }
}

/** DLE EOT, ENQ or DC4 in any place, also in data: a printer obeys them on arrival. */
function hasRealTimeCommand(bytes: Uint8Array): boolean {
  for (let at = bytes.indexOf(0x10); at !== -1; at = bytes.indexOf(0x10, at + 1)) {
    if (REAL_TIME_CODES.has(bytes[at + 1] ?? 0)) return true
  }
  return false
}
