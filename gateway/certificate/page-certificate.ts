// The certificate by which the page speaks https: the owner's, if there is one that can be used, otherwise one of the box's own making, which is kept and renewed.
import { X509Certificate } from 'node:crypto'
import { chmodSync, readFileSync, statSync } from 'node:fs'
import { isIP } from 'node:net'
import { replaceFile } from '#gateway/storage/durable-file.ts'
import type { TimeSource } from '#gateway/storage/ticket-door.ts'
import {
  type CertificateFiles,
  checkPair,
  type KeyAndCertificate,
  readProvidedCertificate,
  UnusableCertificate,
  versionOf,
} from '#shared/certificate/certificate-files.ts'
import { type Clock, type EpochMs, toIso } from '#shared/clock.ts'
import type { Logger } from '#shared/log.ts'
import { Rounds } from '#shared/rounds.ts'
import type { Service } from '#shared/service.ts'
import { Signal } from '#shared/signal.ts'
import { selfSigned } from './self-signed.ts'

export interface PageCertificateOptions {
  /** Where the one of the box's own making is kept: key and certificate in one file, so that a power cut cannot leave two that do not belong together. */
  file: string
  /** The owner's; null: none is set. */
  provided: CertificateFiles | null
  /** Host names and IPv4 addresses of this machine as they are now; the first is the subject of a new certificate. */
  names: () => readonly string[]
  /** Relay time: a machine without a clock knows no better. */
  time: TimeSource
  clock: Clock
  log: Logger
}

export interface ServedCertificate extends KeyAndCertificate {
  x509: X509Certificate
  source: 'provided' | 'self-signed'
  /** SHA-256 of the certificate, as browsers show it: 32 bytes in hexadecimal with colons between. */
  fingerprint: string
  fromMs: EpochMs
  untilMs: EpochMs
}

const DAY_MS = 86_400_000
/** Apple's systems take none that holds for more than 825 days, whoever vouches for it. */
const VALID_MS = 820 * DAY_MS
const RENEWED_MS = 60 * DAY_MS
/** The clocks of phones differ. */
const EARLIER_MS = DAY_MS
const LOOK_EVERY_MS = 60_000
/** Rights of all but the owner of a file. */
const OF_OTHERS = 0o077
/** Addresses that the box had before stay in, so that a box between two networks does not get a new certificate each time. */
const MOST_NAMES = 16
/** 2026-01-01. A clock that says less is wrong: a certificate by it would have to be replaced as soon as the clock is put right. */
const EARLIEST_MS = 1_767_225_600_000
const KEPT =
  /^(-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----\n)(-----BEGIN PRIVATE KEY-----[\s\S]+-----END PRIVATE KEY-----\n)$/

export class PageCertificate implements Service {
  /** Another one is served from now on. */
  readonly changed = new Signal()
  readonly #options: PageCertificateOptions
  readonly #rounds: Rounds
  #served: ServedCertificate | null = null
  #providedVersion: string | null = null
  #providedFault: string | null = null
  /** Served, but not on the disk yet. */
  #unkept: KeyAndCertificate | null = null

  constructor(options: PageCertificateOptions) {
    this.#options = options
    this.#rounds = new Rounds({
      ...{ clock: options.clock, everyMs: LOOK_EVERY_MS },
      pass: () => this.#look(),
      failed: (error) => this.#failed(error),
    })
  }

  /** Resolves when there is one to serve, or none could be made. Never rejects. */
  async start(): Promise<void> {
    if (this.#rounds.started) return
    await this.#look().catch((error: unknown) => this.#failed(error))
    await this.#rounds.start()
  }

  async stop(): Promise<void> {
    await this.#rounds.stop()
  }

  /** Null: none could be made yet. */
  get served(): ServedCertificate | null {
    return this.#served
  }

  /** Why the owner's certificate is not served as it stands in its files now; null: it is, or none is set. */
  get providedFault(): string | null {
    return this.#providedFault
  }

  async #look(): Promise<void> {
    if (!this.#serveProvided()) await this.#serveSelfSigned()
  }

  /**
   * Reads the owner's files if they changed, and serves what they hold if it can be used; otherwise the one that was served before stays.
   * @returns whether one from the owner's files is served now
   */
  #serveProvided(): boolean {
    const { provided, log } = this.#options
    if (!provided) return false
    const version = versionOf(provided)
    if (version !== this.#providedVersion) {
      // Noted before they are read: what changes meanwhile is read at the next look.
      this.#providedVersion = version
      try {
        this.#serve(readProvidedCertificate(provided), 'provided')
        this.#providedFault = null
      } catch (error) {
        if (!(error instanceof UnusableCertificate)) throw error
        this.#providedFault = error.message
        log.warn(`the certificate that was put in cannot be used, another one is served: ${error.message}`)
      }
    }
    return this.#served?.source === 'provided'
  }

  /** Serves the kept one of the box's own making, or makes and keeps a new one if there is none or it is due. */
  async #serveSelfSigned(): Promise<void> {
    const { names, time } = this.#options
    const nowMs = Math.max(time.now(), EARLIEST_MS)
    const kept = this.#served === null ? this.#kept() : null
    if (kept) this.#serve(kept, 'self-signed')
    const old = this.#served
    if (old && !isDue(old, names(), nowMs)) return this.#keep()
    const made = await selfSigned({
      names: [...new Set([...names(), ...(old ? addressesOf(old) : [])])].slice(0, MOST_NAMES),
      fromMs: nowMs - EARLIER_MS,
      untilMs: nowMs + VALID_MS,
    })
    this.#unkept = made
    // On the disk before anybody is told its fingerprint.
    this.#keep()
    this.#serve(made, 'self-signed')
  }

  /** What was not written yet is written now; what cannot be is tried again at the next look. */
  #keep(): void {
    const made = this.#unkept
    if (made === null) return
    const { file, log } = this.#options
    try {
      replaceFile(file, `${made.certificate}${made.key}`)
      this.#unkept = null
    } catch (error) {
      log.error(
        { err: error, file },
        'the certificate of the page cannot be kept: after a restart it would be another one',
      )
    }
  }

  /** Null: there is none, or what is there is no pair that can be served. */
  #kept(): KeyAndCertificate | null {
    const { file, log } = this.#options
    let text: string
    try {
      const found = statSync(file)
      if (!found.isFile()) return null
      if ((found.mode & OF_OTHERS) !== 0) {
        chmodSync(file, 0o600)
        log.warn({ file }, 'others on this machine could read the key of the page: now only the gateway can')
      }
      text = readFileSync(file, 'utf8')
    } catch {
      return null
    }
    let why = 'it is not signed with its own key'
    try {
      const [, certificate = '', key = ''] = KEPT.exec(text) ?? []
      const x509 = checkPair({ certificate, key }, { certificateFile: file, keyFile: file })
      if (x509.verify(x509.publicKey)) return { certificate, key }
    } catch (error) {
      why = error instanceof Error ? error.message : 'unknown'
    }
    log.warn({ file, why }, 'the kept certificate of the page cannot be read or served: a new one is made')
    return null
  }

  #serve(pair: KeyAndCertificate, source: ServedCertificate['source']): void {
    const x509 = new X509Certificate(pair.certificate)
    const { fingerprint256: fingerprint, validFromDate, validToDate } = x509
    const [fromMs, untilMs] = [validFromDate.getTime(), validToDate.getTime()]
    this.#served = { ...pair, x509, source, fingerprint, fromMs, untilMs }
    this.#options.log.info({ source, fingerprint, until: toIso(untilMs) }, 'the certificate of the page')
    this.changed.notify()
  }

  #failed(error: unknown): void {
    this.#options.log.error({ err: error }, 'the certificate of the page could not be made; tried again later')
  }
}

function isDue({ x509, fromMs, untilMs }: ServedCertificate, names: readonly string[], nowMs: EpochMs): boolean {
  return nowMs < fromMs || nowMs > untilMs - RENEWED_MS || !names.every((name) => isFor(x509, name))
}

function isFor(x509: X509Certificate, name: string): boolean {
  const found = isIP(name) === 0 ? x509.checkHost(name, { subject: 'never', wildcards: false }) : x509.checkIP(name)
  return found !== undefined
}

/** Its IPv4 addresses. */
function addressesOf({ x509 }: ServedCertificate): string[] {
  return [...(x509.subjectAltName ?? '').matchAll(/IP Address:([\d.]+)(?:,|$)/g)].flatMap(
    ([, address]) => address ?? [],
  )
}
