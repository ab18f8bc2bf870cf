// The stored capabilities of an ESC/POS printer: which queries it answers, how that is probed, doubted and probed again.
import type { Clock } from '#shared/clock.ts'
import type { Logger } from '#shared/log.ts'
import type { PrinterCapability } from '#shared/printer-profile.ts'
import { bestMethod, isProof, mergeCapability, processIdOf } from './confirm-ladder.ts'
import { onName } from './device-names.ts'
import type { EscposConnection } from './escpos-dialogue.ts'
import { tryEveryQuestion } from './probe.ts'
import type { TransportTimeouts } from './timeouts.ts'

/** Probes without any in-order answer after which the wait becomes short. */
const PATIENT_LOOKS = 3
/** For a printer whose answers came after the probe. */
const LATE_ANSWERS = 5
/** Contacts without an answer after which a known printer is probed completely: another one may be at the address now. */
const STRANGER_AFTER = 2
/** Times within an hour that unrequested bytes came between GS r and a proof, until only its status is used. Once, it may just have restarted. */
const MOST_TALKS = 2
const TALK_COUNTS_MS = 60 * 60_000
/** A printer that sends unrequested bytes is probed this many times less often, and for as long as one whose answers come late. */
const TALKER_RESTS = 6
const NOTHING = { dleEot: false, asb: false, gsParenH: false, gsI: false, gsR: false }

export interface AcquaintanceOptions {
  /** Its recorded answers. Null: it is new, or never answered anything. */
  capability: PrinterCapability | null
  clock: Clock
  random: () => number
  log: Logger
  timeouts: TransportTimeouts
  /** Compares the current answers with the recorded ones. True: they are those of another device, and are not stored. */
  refuseIfStrange?: (connection: EscposConnection, look: Look, signal: AbortSignal) => Promise<boolean>
}

/** The answers of a device in one probe. Null: none. */
export interface Look {
  before: PrinterCapability | null
  now: PrinterCapability | null
}

export class Acquaintance {
  /** It used to prove its tickets and did not prove the last one: it is probed again before the next one. */
  isDoubted = false
  /** Its answer to GS I 67 at the last complete probe; null: not requested. */
  model: string | null = null
  readonly #options: AcquaintanceOptions
  readonly #listeners: ((capability: PrinterCapability) => void)[] = []
  #capability: PrinterCapability | null
  #fruitlessLooks = 0
  #silentContacts = 0
  #lookedAtMs = 0
  /** Answers came after the probe had ended. */
  #answersLate = false
  /** When unrequested bytes came between GS r and a proof. */
  #talkedAtMs: number[] = []

  constructor(options: AcquaintanceOptions) {
    this.#options = options
    this.#capability = options.capability
  }

  get capability(): PrinterCapability | null {
    return this.#capability
  }

  /** True if it can prove its tickets, as far as is known. */
  get proves(): boolean {
    return isProof(bestMethod(this.#capability))
  }

  onCapability(listener: (capability: PrinterCapability) => void): void {
    this.#listeners.push(listener)
  }

  /**
   * Twice the usual time after a silent contact: some printers answer only after seconds, and one in use by others answers when it is free.
   */
  get probeMs(): number {
    const { probeMs } = this.#options.timeouts
    return this.#silentContacts === 0 ? probeMs : 2 * probeMs
  }

  /** True if it proves nothing so far, and another probe is worthwhile. */
  get isLookDue(): boolean {
    if (this.proves) return false
    const { clock, timeouts } = this.#options
    const restedMs = clock.monotonicMs() - this.#lookedAtMs
    if (this.#capability?.talks) return restedMs >= TALKER_RESTS * timeouts.lookAgainEveryMs
    if (this.#answersLate || this.#fruitlessLooks < PATIENT_LOOKS) return true
    return restedMs >= timeouts.lookAgainEveryMs
  }

  get lookMs(): number {
    const { learnMs, learnAgainMs } = this.#options.timeouts
    if (this.#answersLate || this.#capability?.talks || this.#talkedAtMs.length > 0) return learnMs * LATE_ANSWERS
    return this.#fruitlessLooks < PATIENT_LOOKS ? learnMs : learnAgainMs
  }

  /** True if its proofs cannot be trusted on this connection. */
  isUnbelievable({ dialogue }: EscposConnection): boolean {
    const method = bestMethod(this.#capability)
    const isTalk = dialogue.answersUnasked || (method === 'gs-r' && dialogue.talksUnasked)
    return isTalk && (method === 'gs-i' || method === 'gs-r')
  }

  /** The expected answer to GS I 67 is not known yet. */
  get isModelNeeded(): boolean {
    return this.model === null && bestMethod(this.#capability) === 'gs-i'
  }

  /** It answered. For a printer that never answered before, only that is stored: from now on its silence is an error. */
  noteAnswer({ dialogue }: EscposConnection): void {
    const { dleEot } = dialogue
    this.#silentContacts = 0
    if (this.#capability === null && dleEot) this.#keep({ ...NOTHING, dleEot, learntAtMs: this.#options.clock.now() })
  }

  /** Counts a contact at which a known printer did not answer. True: another device may be there, so a complete probe is worthwhile. */
  countSilence(): boolean {
    return ++this.#silentContacts > STRANGER_AFTER
  }

  /** The time for the proof has passed. */
  noteUnproved({ dialogue }: EscposConnection): void {
    if (!this.proves) return
    const known = this.#capability
    const isTalk = dialogue.talksUnasked && bestMethod(known) === 'gs-r'
    this.isDoubted = true
    if (!isTalk || !this.#countTalk() || !known?.dleEot) return
    this.isDoubted = false
    this.#lookedAtMs = this.#options.clock.monotonicMs()
    this.#keep({ ...known, gsR: false, talks: true, learntAtMs: this.#options.clock.now() })
  }

  /** Sends all queries once and stores which are answered. Returns true if that changed anything. */
  async learn(connection: EscposConnection, signal: AbortSignal): Promise<boolean> {
    const { clock, random } = this.#options
    this.#lookedAtMs = clock.monotonicMs()
    const processId = processIdOf(`look ${random()}`)
    const names: string[] = []
    const stop = onName(connection, (name) => names.push(name ?? ''))
    const seen = await tryEveryQuestion(connection, {
      dleEot: connection.dialogue.dleEot,
      processId,
      windowMs: this.lookMs,
      clock,
      signal,
    })
    stop()
    if (signal.aborted || connection.end !== null) return false
    const { answersUnasked, talksUnasked } = connection.dialogue
    // Sending more than requested does not make it another printer.
    const heard = seen && { ...seen, gsI: seen.gsI || answersUnasked, gsR: seen.gsR || talksUnasked }
    const look = { before: this.#capability, now: heard }
    if (await this.#options.refuseIfStrange?.(connection, look, signal)) return false
    this.model = names.at(-1) ?? this.model
    const isTalker = this.#isTalker(connection, seen)
    const merged = isTalker && seen ? { ...seen, talks: true } : mergeCapability(this.#capability, seen)
    if (isTalker || isProof(bestMethod(seen))) this.isDoubted = false
    else this.#listenForLateAnswers(connection, seen === null)
    if (!merged || isSame(merged, this.#capability)) return false
    this.#keep(merged)
    return true
  }

  /** It answers its status, and GS r only in a way that cannot be distinguished from its unrequested bytes. */
  #isTalker({ dialogue }: EscposConnection, seen: PrinterCapability | null): boolean {
    const known = this.#capability
    if (!seen?.dleEot || isProof(bestMethod(seen)) || known?.gsI || known?.gsParenH) return false
    const isDrowned = dialogue.talksUnasked && dialogue.hasPaperAnswers
    return (isDrowned && this.#countTalk()) || known?.talks === true
  }

  /** Returns true if it happened so often that its answers to GS r cannot be trusted. */
  #countTalk(): boolean {
    const nowMs = this.#options.clock.monotonicMs()
    this.#talkedAtMs = [...this.#talkedAtMs.filter((atMs) => nowMs - atMs < TALK_COUNTS_MS), nowMs].slice(-MOST_TALKS)
    return this.#talkedAtMs.length === MOST_TALKS
  }

  #keep(capability: PrinterCapability): void {
    this.#capability = capability
    const { log } = this.#options
    log.info({ capability }, 'learnt what the printer answers')
    if (capability.talks) log.warn('the printer sends bytes unasked: its tickets are only assumed')
    for (const listener of this.#listeners) listener(capability)
  }

  /** From now on only real-time status is requested, and nothing at all from a printer that seems mute. */
  #listenForLateAnswers(connection: EscposConnection, seemsMute: boolean): void {
    this.#fruitlessLooks++
    this.#answersLate = false
    connection.dialogue.replies.subscribe(({ kind }) => {
      if (kind === 'block' || (seemsMute && kind !== 'noise')) this.#answersLate = true
    })
  }
}

function isSame(a: PrinterCapability, b: PrinterCapability | null): boolean {
  if (b === null || (a.talks ?? false) !== (b.talks ?? false)) return false
  return (['dleEot', 'asb', 'gsParenH', 'gsI', 'gsR'] as const).every((key) => a[key] === b[key])
}
