// The stored capabilities of a Star printer: which queries it answers, and how that is probed.
import type { Clock } from '#shared/clock.ts'
import type { Logger } from '#shared/log.ts'
import type { PrinterCapability, PrinterProfile } from '#shared/printer-profile.ts'
import { bestMethod, isProof } from './confirm-ladder.ts'
import { SLOWEST } from './probe.ts'
import { PUSH_OFF, PUSH_ON } from './star-commands.ts'
import type { EndQuestion, StarConnection } from './star-dialogue.ts'
import type { StarStatusPort } from './star-status-port.ts'
import type { TransportTimeouts } from './timeouts.ts'

/** Probes of a printer with nothing new after which the wait becomes short. */
const PATIENT_LOOKS = 3

export interface StarAcquaintanceOptions {
  /** Its recorded answers. Null: it is new, or never answered anything. */
  capability: PrinterCapability | null
  profile: PrinterProfile
  statusPort: StarStatusPort | null
  clock: Clock
  random: () => number
  log: Logger
  timeouts: TransportTimeouts
}

export class StarAcquaintance {
  readonly #options: StarAcquaintanceOptions
  readonly #listeners: ((capability: PrinterCapability) => void)[] = []
  #capability: PrinterCapability | null
  #fruitlessLooks = 0

  constructor(options: StarAcquaintanceOptions) {
    this.#options = options
    // Capabilities of an ESC/POS printer under the same name do not apply to this one.
    this.#capability = options.capability?.starStatus ? options.capability : null
  }

  get capability(): PrinterCapability | null {
    return this.#capability
  }

  onCapability(listener: (capability: PrinterCapability) => void): void {
    this.#listeners.push(listener)
  }

  /** Requests the status, on the connection and then at the status port. True if it came; it is in `connection.condition`. */
  async askStatus(connection: StarConnection, signal: AbortSignal): Promise<boolean> {
    const { statusPort } = this.#options
    const ways = statusPort ? [null, statusPort] : [null, null]
    for (const port of connection.dialogue.statusPort ? [statusPort] : ways) {
      connection.dialogue.statusPort = port
      connection.dialogue.askStatus()
      if (await this.#until(() => connection.dialogue.pollAnswered, { connection, signal, limitMs: this.#probeMs() })) {
        // For a printer that never answered before, only that is stored: from now on its silence is an error.
        if (this.#capability === null) this.#keep({ starEtb: false, starPrintEnd: false })
        return true
      }
      connection.dialogue.forgetPoll()
      if (connection.end !== null || signal.aborted) break
    }
    connection.dialogue.statusPort = null
    this.#fruitlessLooks++
    return false
  }

  /**
   * Sends the in-order queries on a connection that is ready: a known printer must show that it still answers them, any other what it
   * supports. False if one that used to answer does not: it waits for the rest of a broken picture, or prints for another program. A
   * printer without support prints nothing of it.
   */
  async tryInOrder(connection: StarConnection, signal: AbortSignal): Promise<boolean> {
    const { timeouts } = this.#options
    const isKnown = isProof(bestMethod(this.#capability))
    if (!isKnown && !connection.dialogue.spoke) return this.#done(connection)
    const { etb, end } = this.#ask(connection, isKnown ? this.#capability : null)
    const answers = (): boolean => (end ?? etb)?.answered() ?? false
    const answersAll = (): boolean => [etb, end].every((question) => question?.answered() ?? true)
    // What a new one does not answer soon, it does not support; a known one gets the time to finish printing.
    const limitMs = isKnown ? SLOWEST * timeouts.probeMs : this.#lookMs()
    if (etb !== null || end !== null) await this.#until(isKnown ? answers : answersAll, { connection, signal, limitMs })
    if (signal.aborted || connection.end !== null || connection.condition?.blocked) return false
    if (isKnown) return answers() && this.#done(connection)
    this.#learn(connection, etb?.answered() ?? false, end?.answered() ?? false)
    return this.#done(connection)
  }

  /** If the printer's answers are not known, sends every query of its language and status. */
  #ask(
    connection: StarConnection,
    capability: PrinterCapability | null,
  ): { etb: EndQuestion | null; end: EndQuestion | null } {
    const { profile, random } = this.#options
    const asksEnd = capability ? capability.starPrintEnd : profile.language === 'starprnt'
    const asksEtb = connection.dialogue.counts && !(capability && asksEnd)
    const etb = asksEtb ? connection.dialogue.askEtb() : null
    const end = asksEnd ? connection.dialogue.askPrintEnd(1 + Math.floor(random() * 0xffff)) : null
    const questions = Buffer.concat([etb, end].flatMap((question) => question?.bytes ?? []))
    const isPushed = questions.length > 0 && connection.dialogue.statusPort === null
    connection.dialogue.pushing ||= isPushed
    connection.write(isPushed ? Buffer.concat([PUSH_ON, questions]) : questions)
    return { etb, end }
  }

  #learn(connection: StarConnection, starEtb: boolean, starPrintEnd: boolean): void {
    if (!starEtb && !starPrintEnd && connection.dialogue.pushing) {
      // Its only evidence will be requested status, and Star forbids requests while status is pushed.
      connection.write(PUSH_OFF)
      connection.dialogue.pushing = false
    }
    if (starEtb || starPrintEnd) this.#keep({ starEtb, starPrintEnd })
    else this.#fruitlessLooks++
  }

  #keep(proofs: { starEtb: boolean; starPrintEnd: boolean }): void {
    const { clock, log } = this.#options
    const none = { dleEot: false, asb: false, gsParenH: false, gsI: false, gsR: false }
    const capability = { ...none, starStatus: true, ...proofs, learntAtMs: clock.now() }
    this.#capability = capability
    log.info({ capability }, 'learnt what the printer answers')
    for (const listener of this.#listeners) listener(capability)
  }

  #done(connection: StarConnection): true {
    connection.dialogue.proven = true
    return true
  }

  /** Waits for an answer; if only the status port reports it, queries that repeatedly. */
  async #until(
    done: () => boolean,
    { connection, signal, limitMs }: { connection: StarConnection; signal: AbortSignal; limitMs: number },
  ): Promise<boolean> {
    const { clock, timeouts } = this.#options
    const deadline = clock.monotonicMs() + limitMs
    for (;;) {
      const leftMs = deadline - clock.monotonicMs()
      if (await connection.untilAnswered(done, Math.min(leftMs, timeouts.pollMs), signal)) return true
      if (clock.monotonicMs() >= deadline || connection.end !== null || signal.aborted) return done()
      if (connection.dialogue.statusPort && connection.dialogue.pollAnswered) connection.dialogue.askStatus()
    }
  }

  #probeMs(): number {
    return this.#capability === null ? this.#lookMs() : this.#options.timeouts.probeMs
  }

  #lookMs(): number {
    const { learnMs, learnAgainMs } = this.#options.timeouts
    return this.#fruitlessLooks < PATIENT_LOOKS ? learnMs : learnAgainMs
  }
}
