// One certificate that the relay serves: read at the start, read again when its files change or somebody asks for it, watched until it ends.
import { constants, X509Certificate } from 'node:crypto'
import { createSecureContext, type SecureContext, type SecureContextOptions } from 'node:tls'
import {
  type CertificateFiles,
  isOpenToEverybody,
  type KeyAndCertificate,
  readProvidedCertificate,
  UnusableCertificate,
  versionOf,
} from '#shared/certificate/certificate-files.ts'
import { type Cancel, type Clock, type EpochMs, toIso } from '#shared/clock.ts'
import type { Logger } from '#shared/log.ts'
import type { Service } from '#shared/service.ts'
import { ConfigError } from '#shared/settings.ts'
import { Signal } from '#shared/signal.ts'

/** The names of the two settings, such as CLOUD_TLS_CERT_FILE. */
export interface CertificateSettings {
  certificate: string
  key: string
}

export interface ServedCertificateOptions {
  settings: CertificateSettings
  files: CertificateFiles
  clock: Clock
  log: Logger
}

interface Served {
  options: SecureContextOptions
  context: SecureContext
  x509: X509Certificate
}

/** Four `stat`s. Programs that renew replace the two files within milliseconds of each other. */
const LOOK_EVERY_MS = 5_000

export class ServedCertificate implements Service {
  /** New connections get another certificate from now on. */
  readonly changed = new Signal()
  readonly #options: ServedCertificateOptions
  #served: Served | null = null
  /** Of the files that were tried last, whatever became of it. */
  #version = ''
  /** Why the files of that version cannot be used, and when they can be without being changed; null: they are served. */
  #fault: { reason: string; isSaid: boolean; endsMs: EpochMs } | null = null
  #stage: string | null = null
  #cancel: Cancel | null = null

  constructor(options: ServedCertificateOptions) {
    this.#options = options
  }

  /** @throws ConfigError in one line that names setting and file, and says what to do */
  async start(): Promise<void> {
    if (this.#cancel) return
    const { settings, files, clock } = this.#options
    try {
      this.#read()
    } catch (error) {
      if (!(error instanceof UnusableCertificate)) throw error
      throw new ConfigError(
        `${settings.certificate} and ${settings.key} cannot be used: ${error.message}. Put a valid certificate and its key at ${files.certificateFile} and ${files.keyFile}, then start the relay again.`,
        { cause: error },
      )
    }
    this.#cancel = clock.every(LOOK_EVERY_MS, () => this.look())
  }

  async stop(): Promise<void> {
    this.#cancel?.()
    this.#cancel = null
  }

  /** What servers are made with, TLS 1.2 and newer. Known after start. */
  get options(): SecureContextOptions {
    return this.#now.options
  }

  /** The same for one connection. Known after start. */
  get context(): SecureContext {
    return this.#now.context
  }

  /** A host name by which clients can reach this relay, as its certificate has it: `host` if it is one, else the first that is no wildcard. */
  nameFor(host: string): string {
    const { x509 } = this.#now
    if (x509.checkHost(host) !== undefined || x509.checkIP(host) !== undefined) return host
    const names = (x509.subjectAltName ?? '').split(', ').map((name) => /^DNS:([^*"]+)$/.exec(name)?.[1])
    return names.find((name) => name !== undefined) ?? host
  }

  /**
   * Reads the files if they have changed. Two files are not replaced in one moment: a pair that cannot be used is complained of when it
   * is still there at the next look.
   */
  look(): void {
    const { settings, files, clock, log } = this.#options
    if (versionOf(files) !== this.#version) this.#readAgain()
    else if (this.#fault && this.#fault.endsMs <= clock.now()) this.#readAgain()
    else if (this.#fault && !this.#fault.isSaid) {
      this.#fault.isSaid = true
      const detail = { setting: settings.certificate, file: files.certificateFile, reason: this.#fault.reason }
      log.error(detail, 'the new certificate cannot be used: the one before it stays')
    }
    this.#watchEnd(clock.now())
  }

  /** Somebody has asked for it: reads the files now and says what became of it. */
  reload(): void {
    this.#readAgain()
    this.look()
  }

  get #now(): Served {
    if (!this.#served) throw new Error('a certificate is known after its start')
    return this.#served
  }

  #readAgain(): void {
    const { settings, files, log } = this.#options
    try {
      this.#read()
    } catch (error) {
      if (!(error instanceof UnusableCertificate)) throw error
      const endsMs = error instanceof NotYetValid ? error.fromMs : Number.POSITIVE_INFINITY
      this.#fault = { reason: error.message, isSaid: false, endsMs }
      return
    }
    const detail = { setting: settings.certificate, file: files.certificateFile, expiresAt: toIso(this.#untilMs) }
    log.info(detail, 'certificate read again: new connections get it')
    this.changed.notify()
  }

  /** @throws UnusableCertificate; what was served before stays then */
  #read(): void {
    const { files, clock } = this.#options
    // Before the files: what is written while they are read makes another version.
    this.#version = versionOf(files)
    this.#served = servedFrom(readProvidedCertificate(files), { files, nowMs: clock.now() })
    this.#fault = null
    this.#stage = null
    this.#warnOfRights()
    this.#watchEnd(clock.now())
  }

  get #untilMs(): EpochMs {
    return this.#now.x509.validToDate.getTime()
  }

  #warnOfRights(): void {
    const { settings, files, log } = this.#options
    if (!isOpenToEverybody(files.keyFile)) return
    const detail = { setting: settings.key, file: files.keyFile }
    log.warn(detail, 'every user of this machine can read the private key: chmod 640 it, or 600')
  }

  #watchEnd(nowMs: EpochMs): void {
    const { settings, files, log } = this.#options
    const stage = expiryStage(this.#untilMs, nowMs)
    if (stage === this.#stage) return
    this.#stage = stage
    if (stage === null) return
    const detail = {
      setting: settings.certificate,
      file: files.certificateFile,
      expiresAt: toIso(this.#untilMs),
      daysLeft: daysLeft(this.#untilMs, nowMs),
    }
    if (this.#untilMs > nowMs)
      log.warn(detail, 'the certificate ends soon: renew it, the relay reads the new one by itself')
    else
      log.error(
        detail,
        'the certificate has ended, clients and gateways refuse it: renew it, the relay reads the new one by itself',
      )
  }
}

/** Nothing is wrong with it but the time. */
class NotYetValid extends UnusableCertificate {
  readonly fromMs: EpochMs

  constructor(file: string, { fromMs, nowMs }: { fromMs: EpochMs; nowMs: EpochMs }) {
    super(
      `the certificate in ${file} is valid from ${toIso(fromMs)} on, and the clock of this machine says ${toIso(nowMs)}`,
    )
    this.fromMs = fromMs
  }
}

/** @throws UnusableCertificate */
function servedFrom(pair: KeyAndCertificate, { files, nowMs }: { files: CertificateFiles; nowMs: EpochMs }): Served {
  const x509 = new X509Certificate(pair.certificate)
  const { validFromDate, validToDate } = x509
  if (validToDate.getTime() <= nowMs)
    throw new UnusableCertificate(
      `the certificate in ${files.certificateFile} ended at ${toIso(validToDate.getTime())}`,
    )
  const fromMs = validFromDate.getTime()
  if (fromMs > nowMs) throw new NotYetValid(files.certificateFile, { fromMs, nowMs })
  const options: SecureContextOptions = {
    cert: pair.certificate,
    key: pair.key,
    // Said here, so that no option of Node's command line opens older versions.
    minVersion: 'TLSv1.2',
    // TLS 1.2 lets a client ask for handshake after handshake on one connection: each costs it little and the relay much.
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
  }
  return { options, context: createSecureContext(options), x509 }
}

const DAY_MS = 86_400_000
const WARN_DAYS_BEFORE = [1, 7, 21]

/**
 * The line about a certificate's end that is due: `in-21-days`, `in-7-days`, `in-1-days`, `ended-0-days-ago` and so every day; null while there
 * is time. A line is written each time that this changes.
 */
export function expiryStage(untilMs: EpochMs, nowMs: EpochMs): string | null {
  const leftMs = untilMs - nowMs
  if (leftMs <= 0) return `ended-${Math.floor(-leftMs / DAY_MS)}-days-ago`
  const within = WARN_DAYS_BEFORE.find((days) => leftMs <= days * DAY_MS)
  return within === undefined ? null : `in-${within}-days`
}

/** Whole days that are left, rounded down; 0 when it has ended. */
export function daysLeft(untilMs: EpochMs, nowMs: EpochMs): number {
  return Math.max(0, Math.floor((untilMs - nowMs) / DAY_MS))
}
