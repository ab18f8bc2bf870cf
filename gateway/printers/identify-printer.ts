// Identifies the device at one address, for a technician who is about to add a printer. Nothing printable is ever sent.
import type { Clock } from '#shared/clock.ts'
import type { PrinterReason } from '#shared/print-job.ts'
import type { PrinterCapability } from '#shared/printer-profile.ts'
import { type OpenChannel, reasonOfOpenFailure } from './byte-channel.ts'
import { processIdOf } from './confirm-ladder.ts'
import { type ConfirmLevel, confirmLevelOf } from './confirm-level.ts'
import { askName } from './device-names.ts'
import { ASB_OFF, CANCEL_KANJI, INITIALISE, MAKER_QUERY, MODEL_QUERY, SERIAL_QUERY } from './escpos-commands.ts'
import { type EscposConnection, speakEscpos } from './escpos-dialogue.ts'
import { hintFor } from './printer-status.ts'
import { tryEveryQuestion } from './probe.ts'
import { STATUS_QUERY } from './star-commands.ts'
import { StarStatusParser } from './star-status.ts'
import { type ProfileSuggestion, suggestProfile } from './suggest-profile.ts'
import { DEFAULT_TIMEOUTS, type TransportTimeouts } from './timeouts.ts'

export interface IdentifyOptions {
  openChannel: OpenChannel
  clock: Clock
  random: () => number
  signal: AbortSignal
  timeouts?: Partial<TransportTimeouts>
}

export type Identity = Met & {
  /** IP address that was queried; null: no device accepted the connection, or it is not in a network. */
  peer: string | null
}

type Met =
  /** No device answers at the address, or it closed the connection. */
  | { kind: 'unreachable'; reason: PrinterReason; hint: string }
  /** It accepted the connection and sent nothing: in use by another program, hung, or one that never answers. */
  | { kind: 'silent'; hint: string; level: ConfirmLevel; suggestion: ProfileSuggestion }
  | {
      kind: 'printer'
      language: 'escpos' | 'star'
      /** As it answered, printable ASCII. Null: no answer. */
      maker: string | null
      model: string | null
      serial: string | null
      /** Null: it is stopped (see `reasons`), or is a Star printer, so it could not be probed. The first ticket does that. */
      capability: PrinterCapability | null
      level: ConfirmLevel | null
      /** Worst first. Empty if there is no error. */
      reasons: readonly PrinterReason[]
      hint: string
      suggestion: ProfileSuggestion
    }

const SILENT =
  'The address takes the connection and answers nothing. Another program may hold the printer: close it there and ask again. If nobody does, it is one of those that never answer; it will print, and every ticket counts as assumed.'

/** Never rejects. Takes a second or two, during which other programs must wait for the printer. */
export async function identifyPrinter(options: IdentifyOptions): Promise<Identity> {
  const { openChannel, clock, signal } = options
  const timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts }
  const channel = await openChannel({ timeoutMs: timeouts.connectMs, clock, signal })
  if ('failed' in channel) return { ...unreachable(reasonOfOpenFailure(channel)), peer: null }
  const connection = speakEscpos(channel, clock)
  const identity = await interview(connection, { ...options, timeouts })
  await connection.retire(timeouts.finMs, false)
  return { ...identity, peer: channel.peer }
}

type Interview = Omit<IdentifyOptions, 'timeouts'> & { timeouts: TransportTimeouts }

async function interview(connection: EscposConnection, options: Interview): Promise<Met> {
  const { clock, random, signal, timeouts } = options
  connection.dialogue.askStatus()
  const dleEot = await connection.until(() => connection.dialogue.pollAnswered, timeouts.probeMs, signal)
  if (dleEot && connection.condition?.blocked) return stopped(connection)
  // A Star printer would print our next queries as text, so it gets its own query first.
  if (!dleEot && (await speaksStar(connection, options))) return star()
  if (connection.end !== null) return ended(connection)
  const processId = processIdOf(`identify ${random()}`)
  const capability = await tryEveryQuestion(connection, {
    dleEot,
    processId,
    windowMs: timeouts.learnMs,
    clock,
    signal,
  })
  const name = async (query: Uint8Array) =>
    capability?.gsI ? askName(connection, query, { probeMs: timeouts.probeMs, signal }) : null
  const maker = await name(MAKER_QUERY)
  const model = await name(MODEL_QUERY)
  const serial = await name(SERIAL_QUERY)
  connection.write(Buffer.concat([INITIALISE, CANCEL_KANJI, ASB_OFF]))
  if (capability === null) {
    if (connection.end !== null) return ended(connection)
    return { kind: 'silent', hint: SILENT, level: confirmLevelOf(null), suggestion: suggestProfile('', '') }
  }
  const reasons = connection.condition?.reasons ?? []
  return {
    kind: 'printer',
    language: 'escpos',
    maker,
    model,
    serial,
    capability,
    level: confirmLevelOf(capability),
    reasons,
    hint: hintFor(reasons[0] ?? 'none'),
    suggestion: suggestProfile(maker ?? '', model ?? ''),
  }
}

/** A stopped printer answers no in-order query, so nothing more can be determined. */
function stopped(connection: EscposConnection): Met {
  const reasons = connection.condition?.reasons ?? []
  return {
    kind: 'printer',
    language: 'escpos',
    maker: null,
    model: null,
    serial: null,
    capability: null,
    level: null,
    reasons,
    hint: hintFor(reasons[0] ?? 'offline'),
    suggestion: suggestProfile('', ''),
  }
}

function star(): Met {
  return {
    kind: 'printer',
    language: 'star',
    maker: 'Star',
    model: null,
    serial: null,
    capability: null,
    level: null,
    reasons: [],
    hint: hintFor('none'),
    suggestion: suggestProfile('Star', ''),
  }
}

async function speaksStar(connection: EscposConnection, { signal, timeouts }: Interview): Promise<boolean> {
  const parser = new StarStatusParser()
  let isStar = false
  const stop = connection.dialogue.chunks.subscribe((chunk) => {
    if (parser.push(chunk).some(({ kind }) => kind === 'status')) isStar = true
  })
  connection.write(STATUS_QUERY)
  await connection.until(() => isStar, timeouts.probeMs / 2, signal)
  stop()
  return isStar
}

function ended({ flooded }: EscposConnection): Met {
  return unreachable(flooded ? 'not-responding' : 'busy')
}

function unreachable(reason: PrinterReason): Met {
  return { kind: 'unreachable', reason, hint: hintFor(reason) }
}
