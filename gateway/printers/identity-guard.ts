// Checks that the device at a printer's address is the one that was set up: identified on each new connection, together with its status.
import type { Clock } from '#shared/clock.ts'
import { type DeviceAnswers, type DeviceFacts, NO_ANSWERS } from '#shared/printer-identity.ts'
import type { PrinterCapability } from '#shared/printer-profile.ts'
import type { Look } from './acquaintance.ts'
import { bestMethod, isProof, processIdOf } from './confirm-ladder.ts'
import { type ConfirmLevel, confirmLevelOf } from './confirm-level.ts'
import { askName, onName } from './device-names.ts'
import { MAKER_QUERY, MODEL_QUERY, SERIAL_QUERY } from './escpos-commands.ts'
import type { EscposConnection } from './escpos-dialogue.ts'
import { lacksFeatures, likeness, saysNothing } from './identity.ts'
import { MetDevices } from './met-devices.ts'
import { SLOWEST, tryEveryQuestion } from './probe.ts'

/** Where the printer itself was reached. */
export interface Place {
  /** IP address. Null: it is not in a network. */
  address: string | null
  /** The kernel's hardware address for it. */
  mac: string | null
}

/** A device that is not the printer, or does not answer like it, as far as it could be identified. */
export interface Stranger extends DeviceFacts {
  /** Null: not probed. */
  level: ConfirmLevel['level'] | null
}

export interface IdentityGuardOptions {
  /** The recorded facts about the printer. */
  known: () => DeviceFacts
  /** Where the last opened connection leads. No hardware address: the kernel has none (loopback, another network). */
  placeNow: () => Place
  /** The printer is set up by a name: its address depends on the name's resolution. */
  isByName: boolean
  /** Called once, with the device's own description. */
  learnt: (answers: DeviceAnswers) => void
  clock: Clock
}

export interface Patience {
  /** For one answer. */
  probeMs: number
  learnMs: number
  signal: AbortSignal
}

/** Checks in a row of a device that answers too little, without a hardware address, until it counts as another one. */
const STRANGE_LOOKS = 2
/** The same for silent contacts: the connection may be in use by another program. */
const SILENT_CONTACTS = 3
/**
 * A device with the printer's hardware address and without an answer that proves tickets probably hangs. After this time it is shown as one
 * with other settings.
 */
const HANGS_MS = 60_000
/** How often a device with unintelligible answers is identified. */
const MOST_TIMES_ASKED = 3
/** What another till has sent may still be printing: a query that is answered in order waits for that. */
const ANSWERS_LATE = SLOWEST / 2

/** The identifying query on one connection. */
interface Talk {
  connection: EscposConnection
  /** Null: the printer has never answered any such query. */
  asked: 'serial' | 'model' | null
  /** Its answer; undefined: none yet. */
  answer: string | null | undefined
  /** The answer to the next query, which is always for the model. */
  model: string | null
  isSame: boolean
  /** Stops listening. */
  stop: () => void
}

export class IdentityGuard {
  /** The device at the address instead of the printer; null: none is known. */
  stranger: Stranger | null = null
  /** Where the printer itself was last recognised; null: not yet. */
  place: Place | null = null
  readonly #options: IdentityGuardOptions
  readonly #met: MetDevices<Stranger>
  #talk: Talk | null = null
  /** Facts found on this connection contradict the recorded ones. */
  #isStrange = false
  #strangeLooks = 0
  #silentContacts = 0
  #timesAsked = 0
  /** Since when, and how often in a row, it answers less than before with its own hardware address. */
  #quieter: { sinceMs: number; looks: number } | null = null

  constructor(options: IdentityGuardOptions) {
    this.#options = options
    this.#met = new MetDevices(options.clock)
  }

  /** True if its own description was never read, and requesting it is worthwhile. */
  get isNew(): boolean {
    return saysNothing(this.#options.known()) && this.#timesAsked < MOST_TIMES_ASKED
  }

  /** Its answer to GS I 67; null: never read. */
  get model(): string | null {
    return this.#options.known().model
  }

  /** True if facts found on this connection contradict the recorded ones. */
  get sawStrange(): boolean {
    return this.#isStrange
  }

  /** Sends the identifying query, after what was written before. Call it right after the connection was opened. */
  ask(connection: EscposConnection): void {
    this.#isStrange = false
    const { serial, model } = this.#options.known()
    const other = model === null ? null : 'model'
    const asked = serial === null ? other : 'serial'
    this.#talk?.stop()
    this.#talk = listen(connection, asked)
    if (asked === null) return
    // Other answers of this kind come later: they are distinguished by their order.
    connection.dialogue.expectModel()
    connection.write(asked === 'serial' ? SERIAL_QUERY : MODEL_QUERY)
  }

  /** True if the hardware address is another device's: it gets only the queries that identify it. */
  isOtherHardware(): boolean {
    const { mac } = this.#options.known()
    const macNow = this.#macNow()
    if (mac === null) return false
    // A name may resolve to an address for which the kernel has none: a printer that had one is then not assumed to be there.
    return macNow === null ? this.#options.isByName : mac !== macNow
  }

  /**
   * Identifies a device with another hardware address, for the person who decides about it: when it is first seen, and at growing
   * intervals, because it may be replaced. In between no byte is sent to it.
   */
  async meet(connection: EscposConnection, patience: Patience): Promise<void> {
    const seen = { ...NO_ANSWERS, mac: this.#macNow() }
    const before = this.#met.find(seen.mac)
    if (before !== null) this.stranger = before
    if (!this.#met.mayAsk(seen.mac)) return
    connection.dialogue.askStatus()
    connection.dialogue.dleEot = await connection.until(
      () => connection.dialogue.pollAnswered,
      patience.probeMs,
      patience.signal,
    )
    const stranger = await this.#question(connection, seen, patience)
    // An interrupted check has less information than the previous one.
    const isWhole = connection.end === null && !patience.signal.aborted
    this.stranger = isWhole ? stranger : (before ?? stranger)
    if (!patience.signal.aborted) this.#met.note(seen.mac, this.stranger)
  }

  /** The same for a printer that has no such queries. */
  noteOtherHardware(): void {
    this.stranger = { ...NO_ANSWERS, mac: this.#macNow(), level: null }
  }

  noteSameHardware(): void {
    this.#forgetStranger()
  }

  /** True if the query was sent on this connection. */
  hasAsked(connection: EscposConnection): boolean {
    return this.#talk?.connection === connection
  }

  /**
   * Returns whether the printer itself answers. Waits for it, unless `isStopped`: then it is checked again when it continues. `silent`: it
   * hangs, or cannot be distinguished from another one yet.
   */
  async recognise(
    connection: EscposConnection,
    isStopped: boolean,
    patience: Patience,
  ): Promise<'same' | 'other' | 'silent'> {
    const talk = this.#talk
    if (talk === null || talk.asked === null || talk.isSame || isStopped) return 'same'
    const limitMs = ANSWERS_LATE * patience.probeMs
    if (!(await connection.until(() => talk.answer !== undefined, limitMs, patience.signal))) {
      if (connection.end !== null || patience.signal.aborted) return 'silent'
      return this.#judgeMute(connection, patience)
    }
    talk.stop()
    const answer = talk.answer ?? null
    const seen = { ...NO_ANSWERS, [talk.asked]: answer, mac: this.#macNow() }
    // It answers, and the printer had a name before.
    if (answer !== null && likeness(this.#options.known(), seen) !== 'other') {
      talk.isSame = true
      this.#forgetStranger()
      return 'same'
    }
    const isMet = this.stranger !== null && likeness(this.stranger, seen) === 'same'
    if (!isMet) this.stranger = await this.#question(connection, seen, patience)
    return 'other'
  }

  /** It accepted the connection, and no status came: one more contact without an answer. */
  countSilence(): 'other' | 'silent' {
    if (this.#isStrange) return 'other'
    if (this.#hasItsMac() || ++this.#silentContacts < SILENT_CONTACTS) return 'silent'
    this.stranger = { ...NO_ANSWERS, mac: this.#macNow(), level: confirmLevelOf(null).level }
    return 'other'
  }

  /** It answered its status, and nothing contradicts. */
  noteSame(): void {
    if (this.#talk?.asked === null) this.#forgetStranger()
  }

  /**
   * The current answers contradict the earlier ones, and neither its own name nor the hardware address shows that it is the same
   * printer after all: from now on it counts as another device.
   */
  async refuseIfStrange(connection: EscposConnection, { before, now }: Look, patience: Patience): Promise<boolean> {
    // Answers on an earlier connection may have come from another device.
    const talk = this.#talk?.connection === connection ? this.#talk : null
    const hasSaidSo = talk?.isSame && talk.asked !== null
    if (!lacksFeatures(before, now) || hasSaidSo) return false
    if (this.#hasItsMac()) {
      if (!isProof(bestMethod(now))) this.#noteQuieter(now)
      return false
    }
    this.#isStrange = true
    await this.#introduce(connection, { model: talk?.model ?? null, capability: now }, patience)
    return true
  }

  /**
   * Identifies once a device that answers GS I. False: the connection cannot be used any more, because an answer may still come
   * that would be taken for the proof of a ticket.
   */
  async askWhoItIs(connection: EscposConnection, { probeMs, signal }: Patience): Promise<boolean> {
    this.#timesAsked++
    const texts: (string | null)[] = []
    const stop = onName(connection, (text) => texts.push(text))
    const answered = [0, 1, 2, 3, 4].map(() => connection.dialogue.expectModel()).at(-1)
    connection.write(Buffer.concat([MODEL_QUERY, MAKER_QUERY, MODEL_QUERY, SERIAL_QUERY, MODEL_QUERY]))
    await connection.untilQuiet(() => answered?.() ?? true, { quietMs: probeMs, limitMs: SLOWEST * probeMs, signal })
    stop()
    if (signal.aborted || connection.end !== null) return false
    const answers = answersOf(texts)
    if (answers !== null) this.#options.learnt(answers)
    return texts.length === 5 && !connection.dialogue.answersUnasked
  }

  /** It answers its status, and not the question that the printer has always answered. */
  async #judgeMute(connection: EscposConnection, patience: Patience): Promise<'other' | 'silent'> {
    const seen = await this.#look(connection, patience)
    if (connection.end !== null || patience.signal.aborted) return 'silent'
    if (this.#hasItsMac()) {
      this.#noteQuieter(seen)
      return 'silent'
    }
    if (++this.#strangeLooks < STRANGE_LOOKS) return 'silent'
    // An answer this late is the one to the probe's query for its model.
    await this.#introduce(connection, { model: this.#talk?.answer ?? null, capability: seen }, patience)
    return 'other'
  }

  /**
   * It has the printer's hardware address and answers less than the printer: its settings were changed, or it hangs. It gets no ticket, and when
   * that lasts a person may accept it as it is now. When it answers as before, it continues by itself.
   */
  #noteQuieter(now: PrinterCapability | null): void {
    const nowMs = this.#options.clock.monotonicMs()
    this.#quieter ??= { sinceMs: nowMs, looks: 0 }
    this.#quieter.looks++
    const isAwake = isProof(bestMethod(now)) && this.#quieter.looks >= STRANGE_LOOKS
    if (!isAwake && nowMs - this.#quieter.sinceMs < HANGS_MS) return
    this.stranger = { ...NO_ANSWERS, mac: this.#macNow(), level: confirmLevelOf(now).level }
  }

  #forgetStranger(): void {
    this.#quieter = null
    this.#strangeLooks = 0
    this.#silentContacts = 0
    this.stranger = null
    this.place = this.#options.placeNow()
  }

  #macNow(): string | null {
    return this.#options.placeNow().mac
  }

  /** For the person who decides about it. The connection cannot be used for tickets afterwards. */
  async #question(connection: EscposConnection, seen: DeviceFacts, patience: Patience): Promise<Stranger> {
    const capability = connection.dialogue.dleEot ? await this.#look(connection, patience) : null
    const stranger: Stranger = { ...seen, level: connection.dialogue.dleEot ? confirmLevelOf(capability).level : null }
    return capability?.gsI ? this.#askNames(connection, stranger, patience) : stranger
  }

  /**
   * Identifies a device that was detected by missing answers: a person decides about it. One that was identified already, and still
   * has the same model, is not queried again. The connection cannot be used for tickets afterwards.
   */
  async #introduce(
    connection: EscposConnection,
    { model, capability }: { model: string | null; capability: PrinterCapability | null },
    patience: Patience,
  ): Promise<void> {
    const before = this.stranger
    const isMet = before !== null && model !== null && before.model === model
    const { maker, serial } = isMet ? before : NO_ANSWERS
    const seen: Stranger = { maker, model, serial, mac: this.#macNow(), level: confirmLevelOf(capability).level }
    this.stranger = !isMet && capability?.gsI ? await this.#askNames(connection, seen, patience) : seen
  }

  async #askNames(connection: EscposConnection, stranger: Stranger, patience: Patience): Promise<Stranger> {
    const texts: (string | null)[] = []
    for (const query of [MODEL_QUERY, MAKER_QUERY, SERIAL_QUERY]) texts.push(await askName(connection, query, patience))
    const [model = null, maker = null, serial = null] = texts
    return { ...stranger, maker, model: model ?? stranger.model, serial: serial ?? stranger.serial }
  }

  #look(connection: EscposConnection, { learnMs, signal }: Patience): Promise<PrinterCapability | null> {
    const { clock } = this.#options
    const processId = processIdOf(`stranger ${clock.monotonicMs()}`)
    return tryEveryQuestion(connection, {
      dleEot: connection.dialogue.dleEot,
      processId,
      windowMs: learnMs,
      clock,
      signal,
    })
  }

  #hasItsMac(): boolean {
    const { mac } = this.#options.known()
    return mac !== null && this.#macNow() === mac
  }
}

/** Listens only until the answers that count have arrived: on a kept connection each ticket may bring one more. */
function listen(connection: EscposConnection, asked: Talk['asked']): Talk {
  const stop = onName(connection, (text) => {
    const isOurs = asked !== null && talk.answer === undefined
    if (isOurs) talk.answer = text
    if (!isOurs || asked === 'model') talk.model = text
    if (!isOurs) stop()
  })
  const talk: Talk = { connection, asked, answer: undefined, model: null, isSame: false, stop }
  return talk
}

/**
 * The answers to model, maker, model, serial, model: each model marks the position of the others. Null: they cannot be matched. A device
 * with the same text for every query has neither maker nor serial number.
 */
function answersOf(texts: readonly (string | null)[]): DeviceAnswers | null {
  const [model = null] = texts
  if (model === null || texts.at(-1) !== model) return null
  const others = texts.map((text, at) => ({ text, at })).filter(({ text }) => text !== model)
  const full = texts.length === 5 && texts[2] === model
  const own = (text: string | null | undefined): string | null => (text === model ? null : (text ?? null))
  if (full) return { model, maker: own(texts[1]), serial: own(texts[3]) }
  // One of the two is not answered: before the second model it is the maker, after it the serial number.
  if (others.length === 0) return { model, maker: null, serial: null }
  const [one] = others
  if (others.length !== 1 || texts.length !== 4 || one === undefined) return null
  return one.at === 1 ? { model, maker: one.text, serial: null } : { model, maker: null, serial: one.text }
}
