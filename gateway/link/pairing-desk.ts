// Pairing while everything runs: claims a code, keeps the pairing file, and opens or closes the link to the relay with it.
//
// The claim's secret is on disk before the relay is asked. If the power goes between the relay's answer and the pairing file, the next
// start repeats the claim with the same secret and gets a fresh password for the same gateway.
import { randomBytes } from 'node:crypto'
import type { Cancel, Clock } from '#shared/clock.ts'
import type { Logger } from '#shared/log.ts'
import type { Service } from '#shared/service.ts'
import { Signal } from '#shared/signal.ts'
import type { SiteFacts } from '#shared/site-facts.ts'
import { CLAIM_VALID_MS, type PairOutcome, readClaimCode } from '#shared/wire/gateway-claim.ts'
import type { Pairing } from '#shared/wire/gateway-link.ts'
import { claim, relayUrlFault } from './claim-client.ts'
import type { CloudLink } from './cloud-link.ts'
import { type OpenClaim, PairingFile, type StoredPairing } from './pairing-file.ts'

export interface PairingDeskOptions {
  /** Path of the pairing file. */
  file: string
  /** Where codes are claimed, unless the technician names another place. */
  relayUrl: string | undefined
  /** Identity of this gateway's memory against doubles. */
  stream: () => string
  app: string
  /** What this is, for people, such as `linux arm64`. */
  hardware: string
  /** Makes the link of a pairing; it is started here. */
  createLink: (pairing: Pairing, desk: PairingDesk) => CloudLink
  clock: Clock
  log: Logger
}

/** Somebody may put the file in place by hand. */
const LOOK_EVERY_MS = 2_000
const CLAIM_AGAIN_MS = 5_000

export class PairingDesk implements Service {
  /** Paired, unpaired, connected, disconnected. */
  readonly changed = new Signal()
  readonly #options: PairingDeskOptions
  readonly #file: PairingFile
  #stored: StoredPairing = { kind: 'unpaired' }
  #mark: string | null = null
  #link: CloudLink | null = null
  #stopHearing: Cancel = () => {}
  #stopLooking: Cancel | null = null
  /** One change at a time. */
  #turn: Promise<unknown> = Promise.resolve()
  #claimAgain: Cancel = () => {}

  constructor(options: PairingDeskOptions) {
    this.#options = options
    this.#file = new PairingFile(options.file)
  }

  get stored(): StoredPairing {
    return this.#stored
  }

  get pairing(): Pairing | null {
    return this.#stored.kind === 'paired' ? this.#stored.pairing : null
  }

  get link(): CloudLink | null {
    return this.#link
  }

  /** Of the pairing as it is now. */
  readonly facts: SiteFacts = factsOf(() => this.pairing)

  /** What is on disk. Before `start`, so that everything else is built with it. */
  read(): void {
    this.#stored = this.#file.read()
    this.#mark = this.#file.mark()
    this.#tellOfFile()
  }

  /** Opens the link, if there is a pairing; completes a claim that was interrupted; loads a pairing file that appears later. */
  async start(): Promise<void> {
    if (this.#stopLooking) return
    this.#stopLooking = this.#options.clock.every(LOOK_EVERY_MS, () => this.#look())
    await this.#openLink()
    const open = this.#file.openClaim()
    if (open) this.#resume(open)
  }

  async stop(): Promise<void> {
    this.#stopLooking?.()
    this.#stopLooking = null
    this.#claimAgain()
    await this.#turn.catch(() => undefined)
    await this.#closeLink()
  }

  /** Claims a code. Nothing that prints notices; the link opens by itself afterwards. @param relayUrl instead of the configured one */
  pair(typed: string, relayUrl = this.#options.relayUrl): Promise<PairOutcome> {
    return this.#inTurn(async () => {
      const code = readClaimCode(typed)
      if (code === null)
        return { kind: 'bad-code', words: 'A claim code has ten letters and digits, such as 7K2M9-XQ4TB.' }
      if (relayUrl === undefined)
        return { kind: 'no-relay', words: 'Which relay? Set GATEWAY_RELAY_URL, or name it with --relay.' }
      const fault = relayUrlFault(relayUrl)
      if (fault !== null) return { kind: 'no-relay', words: fault }
      const { pairing } = this
      if (pairing) {
        const whose = pairing.merchantName === '' ? pairing.gatewayId : pairing.merchantName
        return { kind: 'already-paired', words: `This box belongs to ${whose} already. Unpair it first.` }
      }
      const earlier = this.#file.openClaim()
      const open =
        earlier?.code === code && earlier.relayUrl === relayUrl
          ? earlier
          : { code, relayUrl, attempt: randomBytes(32).toString('base64url'), atMs: this.#options.clock.now() }
      try {
        if (open !== earlier) this.#file.saveClaim(open)
      } catch (error) {
        return this.#notStored(error)
      }
      return this.#claim(open)
    })
  }

  /** Unpairs: sends `bye` and deletes the identity. What is on paper or waits for paper is not touched. False when it was not paired. */
  unpair(): Promise<boolean> {
    return this.#inTurn(async () => {
      this.#claimAgain()
      this.#file.endClaim()
      if (this.#stored.kind === 'unpaired') return false
      await this.#closeLink()
      this.#file.remove()
      this.#take({ kind: 'unpaired' })
      this.#options.log.warn('unpaired: this box belongs to no restaurant until it is paired again')
      return true
    })
  }

  /** The relay sent the next password: stored in addition to the current one. False when the disk does not store it: the current one stays. */
  keepNextToken(nextToken: string): Pairing | null {
    return this.#save({ nextToken })
  }

  /** The next password was taken by the relay: it is the only one. */
  nextTokenWorks(): Pairing | null {
    const { pairing } = this
    return pairing?.nextToken === undefined ? pairing : this.#save({ token: pairing.nextToken, nextToken: undefined })
  }

  #save(change: { token?: string; nextToken: string | undefined }): Pairing | null {
    const { pairing } = this
    if (!pairing) return null
    const { nextToken: _, ...rest } = { ...pairing, ...change }
    const next: Pairing = change.nextToken === undefined ? rest : { ...rest, nextToken: change.nextToken }
    try {
      this.#file.save(next)
    } catch (error) {
      this.#options.log.error({ err: error, file: this.#file.path }, 'the pairing file cannot be written')
      return null
    }
    this.#stored = { kind: 'paired', pairing: next }
    this.#mark = this.#file.mark()
    return next
  }

  async #claim(open: OpenClaim): Promise<PairOutcome> {
    const { clock, log, stream, app, hardware } = this.#options
    const request = { code: open.code, attempt: open.attempt, stream: stream(), app, hw: hardware }
    const result = await claim(open.relayUrl, request, { clock })
    if (result.kind !== 'claimed') {
      if (result.final) this.#file.endClaim()
      log.warn({ why: result.kind }, 'not paired')
      return { kind: result.kind, words: result.words }
    }
    const pairing: Pairing = { ...result.answer, relayUrl: open.relayUrl }
    try {
      this.#file.save(pairing)
    } catch (error) {
      // The claim stays open: the same code gives a fresh password.
      return this.#notStored(error)
    }
    this.#file.endClaim()
    this.#take({ kind: 'paired', pairing })
    log.info({ gatewayId: pairing.gatewayId }, 'paired')
    await this.#openLink()
    return { kind: 'paired', gatewayId: pairing.gatewayId, merchantName: pairing.merchantName }
  }

  #notStored(error: unknown): PairOutcome {
    this.#options.log.error({ err: error, file: this.#file.path }, 'the pairing file cannot be written')
    const words = `${this.#file.path} cannot be written. Is the disk full, or the folder another user's? Try the same code again.`
    return { kind: 'not-stored', words }
  }

  /** The program was cut off in a claim. The relay judges whether the code is still valid; our clock may be wrong. */
  #resume(open: OpenClaim): void {
    if (this.pairing) {
      this.#file.endClaim()
      return
    }
    this.#options.log.info('a claim was cut off: asking the relay again')
    const begunMs = this.#options.clock.monotonicMs()
    const attempt = (): void => {
      void this.#inTurn(async () => {
        const isOurs = this.#file.openClaim()?.attempt === open.attempt
        if (this.pairing || !isOurs || !this.#stopLooking) return
        await this.#claim(open)
        const { clock } = this.#options
        if (this.#file.openClaim() === null) return
        if (clock.monotonicMs() - begunMs >= CLAIM_VALID_MS) this.#file.endClaim()
        else this.#claimAgain = clock.after(CLAIM_AGAIN_MS, attempt)
      })
    }
    attempt()
  }

  /** The file was written or removed by something else. */
  #look(): void {
    const mark = this.#file.mark()
    if (mark === this.#mark) return
    void this.#inTurn(async () => {
      if (this.#file.mark() === this.#mark || !this.#stopLooking) return
      this.#mark = this.#file.mark()
      const found = this.#file.read()
      // A partly saved file, or a mistake: the working pairing stays.
      if (found.kind === 'unusable' && this.pairing) {
        this.#options.log.error(
          { file: this.#file.path, fields: found.fields },
          'the pairing file was changed and cannot be used',
        )
        return
      }
      await this.#closeLink()
      this.#take(found)
      this.#tellOfFile()
      await this.#openLink()
    })
  }

  #take(stored: StoredPairing): void {
    this.#stored = stored
    this.#mark = this.#file.mark()
    this.changed.notify()
  }

  async #openLink(): Promise<void> {
    const { pairing } = this
    if (!pairing || this.#link || !this.#stopLooking) return
    const link = this.#options.createLink(pairing, this)
    this.#link = link
    this.#stopHearing = link.changed.subscribe(() => this.changed.notify())
    await link.start()
  }

  async #closeLink(): Promise<void> {
    const link = this.#link
    this.#link = null
    this.#stopHearing()
    await link?.stop()
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.catch(() => undefined).then(work)
    this.#turn = done
    return done
  }

  /** The fields' names only: the file holds a secret. */
  #tellOfFile(): void {
    const { log } = this.#options
    const { path: file } = this.#file
    if (this.#stored.kind === 'unpaired')
      log.warn({ file }, 'not paired: GATEWAY_PAIRING_FILE does not exist; page and printers work')
    if (this.#stored.kind === 'unusable')
      log.error({ file, fields: this.#stored.fields }, 'GATEWAY_PAIRING_FILE is not a pairing; page and printers work')
  }
}

function factsOf(pairing: () => Pairing | null): SiteFacts {
  return {
    get gatewayId() {
      return pairing()?.gatewayId ?? ''
    },
    get merchantName() {
      return pairing()?.merchantName ?? ''
    },
    get timeZone() {
      return pairing()?.timeZone ?? 'UTC'
    },
  }
}
