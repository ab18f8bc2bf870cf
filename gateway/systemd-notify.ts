// Notifies systemd that the gateway is ready, alive, or stopping. Node has no datagram sockets of this family, so systemd provides an open one.
import { execFile } from 'node:child_process'
import { writeSync } from 'node:fs'
import type { Cancel, Clock } from '#shared/clock.ts'
import type { Logger } from '#shared/log.ts'
import type { Service } from '#shared/service.ts'

/** sd_listen_fds(3): the first descriptor that systemd hands over. */
const FIRST_FD = 3
/** The unit's `OpenFile=/run/systemd/notify:notify`, of systemd 253 and newer. */
const FD_NAME = 'notify'
const PROGRAM_TIMEOUT_MS = 5_000

export interface SystemdNotifyOptions {
  env: Readonly<Record<string, string | undefined>>
  pid: number
  clock: Clock
  log: Logger
  /** Whether tickets are accepted and printed. Otherwise the watchdog gets no notification, and systemd restarts the program. */
  isHealthy: () => boolean
}

export class SystemdNotify implements Service {
  readonly #options: SystemdNotifyOptions
  #fd: number | null
  #cancel: Cancel | null = null

  constructor(options: SystemdNotifyOptions) {
    this.#options = options
    this.#fd = descriptorOf(options)
  }

  /** Sends READY, and from then on watchdog notifications as long as it is healthy. Does nothing without systemd. */
  async start(): Promise<void> {
    if (this.#cancel) return
    this.#tell('READY=1')
    const everyMs = watchdogMs(this.#options) / 2
    if (everyMs <= 0) return
    this.#cancel = this.#options.clock.every(everyMs, () => this.#sayAlive())
  }

  async stop(): Promise<void> {
    this.#cancel?.()
    this.#cancel = null
    this.#tell('STOPPING=1')
  }

  #sayAlive(): void {
    if (this.#options.isHealthy()) this.#tell('WATCHDOG=1')
    else this.#options.log.error('not healthy: the watchdog gets no signal')
  }

  #tell(state: string): void {
    const { env, log } = this.#options
    if (this.#fd !== null) {
      try {
        writeSync(this.#fd, state)
        return
      } catch (error) {
        log.warn({ err: error }, 'the socket of systemd does not take messages: its program is used')
        this.#fd = null
      }
    }
    if (!env['NOTIFY_SOCKET']) return
    // Debian 12 provides no socket. The unit allows any process of the service to notify (NotifyAccess=all).
    execFile('systemd-notify', [state], { timeout: PROGRAM_TIMEOUT_MS }, (error) => {
      if (error) log.warn({ err: error }, 'systemd-notify failed')
    })
  }
}

/** Null: systemd handed nothing over, or to another process. */
function descriptorOf({ env, pid }: SystemdNotifyOptions): number | null {
  if (env['LISTEN_PID'] !== String(pid)) return null
  const index = (env['LISTEN_FDNAMES'] ?? '').split(':').indexOf(FD_NAME)
  return index < 0 ? null : FIRST_FD + index
}

/** How long systemd waits for a sign of life; 0: for ever. */
function watchdogMs({ env, pid }: SystemdNotifyOptions): number {
  const { WATCHDOG_PID: watched, WATCHDOG_USEC: microseconds = '0' } = env
  if (watched !== undefined && watched !== String(pid)) return 0
  return /^\d{1,15}$/.test(microseconds) ? Number(microseconds) / 1_000 : 0
}
