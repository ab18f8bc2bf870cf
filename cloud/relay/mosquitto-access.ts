// The relay keeps the list of passwords of a Mosquitto: whoever claims a code gets in there, whoever is revoked does not any more.
//
// The relay alone writes the list, because two writers would lose each other's lines; the operator's command line only changes the
// database, and the registry's next look strikes a revoked gateway off.
import { readFile } from 'node:fs/promises'
import type { GatewayStore } from '#cloud/storage/gateway-store.ts'
import type { Clock } from '#shared/clock.ts'
import type { Logger } from '#shared/log.ts'
import { MosquittoFiles } from './broker-auth.ts'

export interface MosquittoAccessOptions {
  passwordFile: string
  /** Where Mosquitto writes the number of its process; without it somebody else makes it read its files again. */
  pidFile: string | undefined
  relay: { username: string; password: string }
  gateways: Pick<GatewayStore, 'revokedSince'>
  /** Sends SIGHUP. @throws when the process is not there or not ours to signal */
  hangUp: (pid: number) => void
  clock: Clock
  log: Logger
}

const LOOK_EVERY_MS = 100
/** A Mosquitto that starts is ready within a fraction of this. */
const MOST_LOOKS = 50

export class MosquittoAccess {
  readonly #options: MosquittoAccessOptions
  readonly #files: MosquittoFiles

  constructor(options: MosquittoAccessOptions) {
    const { passwordFile, relay } = options
    this.#options = options
    this.#files = new MosquittoFiles({
      passwordFile,
      aclFile: `${passwordFile}.acl`,
      relay,
      reload: () => this.#reload(),
    })
  }

  /** Both files, with the relay's own line and without whoever was revoked while the relay was away. @throws when they cannot be written */
  async start(): Promise<void> {
    await this.#files.prepare()
    await this.#files.revoke(...(await this.#options.gateways.revokedSince(0)))
  }

  admit(credential: { gatewayId: string; token: string }): Promise<void> {
    return this.#files.admit(credential)
  }

  revoke(...gatewayIds: string[]): Promise<void> {
    return this.#files.revoke(...gatewayIds)
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
      log.error({ err: error, pid }, 'Mosquitto could not be told to read its passwords again')
    }
  }

  /** Its process, once it catches SIGHUP: while it starts, as beside us after a power cut, it would end by it. */
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
