// Maintains the password list of a Mosquitto: a gateway that claims a code is added, a revoked one is removed.
//
// Only one relay writes the list, because two writers would lose each other's lines. The operator's command line only changes the
// database, and the registry's next poll removes a revoked gateway. Of several relays the one with the lease is started; the others store
// new gateways in the database, and it adds them to the list.
import { readFile } from 'node:fs/promises'
import type { BrokerAdmissionStore } from '#cloud/storage/broker-admission-store.ts'
import type { GatewayStore } from '#cloud/storage/gateway-store.ts'
import type { Clock } from '#shared/clock.ts'
import type { Logger } from '#shared/log.ts'
import { Rounds } from '#shared/rounds.ts'
import type { Service } from '#shared/service.ts'
import { MosquittoFiles } from './broker-auth.ts'

export interface MosquittoAccessOptions {
  passwordFile: string
  /** The file with Mosquitto's process id; without it something else must make Mosquitto reload its files. */
  pidFile: string | undefined
  relay: { username: string; password: string }
  gateways: Pick<GatewayStore, 'revokedSince'>
  /** Where other relays store new gateways; null: there is no other relay. */
  admissions: BrokerAdmissionStore | null
  /**
   * Whether this relay still has the lease; always unless given. A relay that was suspended may resume after another has become the writer.
   */
  mayWrite?: () => boolean
  /** Sends SIGHUP. @throws when the process is not there or not ours to signal */
  hangUp: (pid: number) => void
  clock: Clock
  log: Logger
}

const LOOK_EVERY_MS = 100
/** A Mosquitto that starts is ready within a fraction of this. */
const MOST_LOOKS = 50

/** How often the writer reads the new gateways of other relays. */
const ADMISSIONS_EVERY_MS = 1_000
/** A box that is admitted tries again by itself, should the list take longer. */
const ADMITTED_WITHIN_LOOKS = 50

export class MosquittoAccess implements Service {
  readonly #options: MosquittoAccessOptions
  readonly #files: MosquittoFiles
  readonly #rounds: Rounds
  #isWriter = false

  constructor(options: MosquittoAccessOptions) {
    const { passwordFile, relay } = options
    this.#options = options
    this.#files = new MosquittoFiles({
      passwordFile,
      aclFile: `${passwordFile}.acl`,
      relay,
      reload: () => this.#reload(),
      ...(options.mayWrite && { mayWrite: options.mayWrite }),
    })
    this.#rounds = new Rounds({
      clock: options.clock,
      everyMs: ADMISSIONS_EVERY_MS,
      pass: () => this.#takeAdmitted(),
      failed: (err) => options.log.error({ err }, 'the list of passwords could not be written: it is tried again'),
    })
  }

  /** Writes both files, with the relay's own line and without gateways revoked while no relay wrote them. @throws when they cannot be written */
  async start(): Promise<void> {
    if (this.#isWriter) return
    await this.#files.prepare()
    await this.#takeAdmitted()
    await this.#files.revoke(...(await this.#options.gateways.revokedSince(0)))
    this.#isWriter = true
    if (this.#options.admissions !== null) await this.#rounds.start()
  }

  /** Resolves when nothing is being written: another relay may become the writer. */
  async stop(): Promise<void> {
    this.#isWriter = false
    await this.#rounds.stop()
    await this.#files.settled()
  }

  /** Resolves when the gateway is in the list, or will be soon. */
  async admit(credential: { gatewayId: string; token: string }): Promise<void> {
    const { admissions, clock, log } = this.#options
    if (this.#isWriter || admissions === null) return this.#files.admit(credential)
    const { gatewayId } = credential
    await admissions.add({ gatewayId, line: await this.#files.lineFor(credential) })
    for (let looks = 0; looks < ADMITTED_WITHIN_LOOKS; looks++) {
      if (!(await admissions.isWaiting(gatewayId))) return
      await clock.sleep(LOOK_EVERY_MS)
    }
    log.warn(
      { gatewayId },
      'no other relay has put this gateway into the list of passwords yet: it cannot connect until one does',
    )
  }

  /** Called on the writer only: it gets every revocation itself. */
  async revoke(...gatewayIds: string[]): Promise<void> {
    if (this.#isWriter) await this.#files.revoke(...gatewayIds)
  }

  async #takeAdmitted(): Promise<void> {
    const { admissions, gateways } = this.#options
    const waiting = (await admissions?.waiting()) ?? []
    if (waiting.length === 0) return
    await this.#files.admitLines(waiting)
    await admissions?.done(waiting)
    // One of them may have been revoked meanwhile, when the list did not have it yet.
    await this.#files.revoke(...(await gateways.revokedSince(0)))
  }

  async #reload(): Promise<void> {
    const { pidFile, hangUp, log } = this.#options
    if (pidFile === undefined) return
    const pid = await this.#whenReady(pidFile)
    if (pid === null) {
      log.warn(
        { pidFile },
        'no Mosquitto was told of its new passwords: it does not run, and reads them when it starts, or this is not its pid_file',
      )
      return
    }
    try {
      hangUp(pid)
    } catch (error) {
      log.error({ err: error, pid }, 'Mosquitto could not be signalled to read its passwords again')
    }
  }

  /** Mosquitto's process id, once it handles SIGHUP: while it starts, as at the same time as us after a power cut, SIGHUP would end it. */
  async #whenReady(pidFile: string): Promise<number | null> {
    for (let looks = 0; looks < MOST_LOOKS; looks++) {
      const found = await mosquittoOf(pidFile)
      if (found === null) return null
      if (found.catchesHangUp) return found.pid
      await this.#options.clock.sleep(LOOK_EVERY_MS)
    }
    return null
  }
}

/** Its process. A number that was left behind may be another program's by now, which a SIGHUP would end. */
async function mosquittoOf(pidFile: string): Promise<{ pid: number; catchesHangUp: boolean } | null> {
  try {
    const pid = Number((await readFile(pidFile, 'utf8')).trim())
    const status = await readFile(`/proc/${pid}/status`, 'utf8')
    if (/^Name:\s*(.*)$/m.exec(status)?.[1] !== 'mosquitto') return null
    // A mask of signals in hexadecimal; SIGHUP is the first one.
    return { pid, catchesHangUp: /^SigCgt:\s*[0-9a-f]*[13579bdf]$/m.test(status) }
  } catch {
    return null
  }
}
