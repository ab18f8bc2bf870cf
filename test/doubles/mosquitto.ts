// Debian's Mosquitto as an operator runs it: its own process, with files of passwords and rules that somebody else writes.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'

const PLACES = ['/usr/sbin/mosquitto', '/usr/bin/mosquitto', '/usr/local/sbin/mosquitto']

/** Path of the program, or null if it is not installed. */
export function mosquittoProgram(): string | null {
  return PLACES.find((path) => existsSync(path)) ?? null
}

export class MosquittoProcess {
  readonly passwordFile: string
  readonly pidFile: string
  readonly #dir: string
  readonly #port: number
  #process: ChildProcess | null = null

  constructor(dir: string, port: number) {
    this.#dir = dir
    this.#port = port
    this.passwordFile = join(dir, 'passwords')
    this.pidFile = join(dir, 'mosquitto.pid')
  }

  /** The files must be there. Resolves when it takes connections. */
  async start(program: string): Promise<void> {
    const file = join(this.#dir, 'mosquitto.conf')
    const lines = [
      `listener ${this.#port} 127.0.0.1`,
      'allow_anonymous false',
      `password_file ${this.passwordFile}`,
      `acl_file ${this.passwordFile}.acl`,
      `pid_file ${this.pidFile}`,
      'persistence false',
      'user root',
      'log_dest none',
    ]
    writeFileSync(file, lines.join('\n'))
    const child = spawn(program, ['-c', file], { stdio: 'ignore' })
    this.#process = child
    // It writes this itself only when it runs in the background.
    writeFileSync(this.pidFile, String(child.pid))
    while (!(await isListening(this.#port))) {
      if (child.exitCode !== null) throw new Error(`mosquitto ended with ${child.exitCode}`)
    }
  }

  async stop(): Promise<void> {
    const child = this.#process
    this.#process = null
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    await exited
  }
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const end = (answer: boolean): void => {
      socket.destroy()
      resolve(answer)
    }
    socket.once('connect', () => end(true))
    socket.once('error', () => end(false))
  })
}
