// Debian's Mosquitto as an operator runs it: its own process, with files of passwords and rules that somebody else writes.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const PLACES = ['/usr/sbin/mosquitto', '/usr/bin/mosquitto', '/usr/local/sbin/mosquitto']

/** Path of the program, or null if it is not installed. */
export function mosquittoProgram(): string | null {
  return PLACES.find((path) => existsSync(path)) ?? null
}

export class MosquittoProcess {
  readonly passwordFile: string
  readonly aclFile: string
  readonly pidFile: string
  readonly #dir: string
  #process: ChildProcess | null = null

  constructor(dir: string) {
    this.#dir = dir
    this.passwordFile = join(dir, 'passwords')
    this.aclFile = `${this.passwordFile}.acl`
    this.pidFile = join(dir, 'mosquitto.pid')
  }

  /** The files must be there. Resolves when it answers. */
  async start(program: string, port: number): Promise<void> {
    const file = join(this.#dir, 'mosquitto.conf')
    const lines = [
      `listener ${port} 127.0.0.1`,
      'allow_anonymous false',
      `password_file ${this.passwordFile}`,
      `acl_file ${this.aclFile}`,
      `pid_file ${this.pidFile}`,
      'set_tcp_nodelay true',
      'max_packet_size 262144',
      'persistence false',
      'user root',
      'log_dest none',
    ]
    writeFileSync(file, lines.join('\n'))
    const child = spawn(program, ['-c', file], { stdio: 'ignore' })
    this.#process = child
    // It writes this itself only when it runs in the background.
    writeFileSync(this.pidFile, String(child.pid))
    while (!(await answers(port))) {
      if (child.exitCode !== null) throw new Error(`mosquitto ended with ${child.exitCode}`)
      await sleep(10)
    }
  }

  /** It reads its files again. */
  hangUp(): void {
    this.#process?.kill('SIGHUP')
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const child = this.#process
    this.#process = null
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill(signal)
    await exited
  }
}

/** A CONNECT without a name. */
const CONNECT = Buffer.from('100d00044d5154540402003c000178', 'hex')

/** Whether it refuses us: it listens a moment before it is ready for signals, and SIGHUP would end it then. */
function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(CONNECT))
    socket.once('data', () => {
      resolve(true)
      socket.destroy()
    })
    socket.once('error', () => {})
    socket.once('close', () => resolve(false))
  })
}
