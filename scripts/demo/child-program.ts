// One of our two programs as a child process: its log goes to a file, and it is started again when it dies, as systemd will do.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Clock } from '#shared/clock.ts'
import type { LogFile } from './log-file.ts'

/** Exit code of a program that cannot start as configured (sysexits.h EX_CONFIG): starting it again would not help. */
const EXIT_CONFIG = 78
const FIRST_WAIT_MS = 100
const LONGEST_WAIT_MS = 2_000
const KILL_AFTER_MS = 6_000
/** Deaths before it was ever ready, after which we give up. */
const MAX_FAILED_STARTS = 5

export interface ChildOptions {
  name: 'cloud' | 'gateway'
  /** Absolute path of its main.ts. */
  entry: string
  /** Options of Node itself. */
  nodeArgs?: readonly string[]
  cwd: string
  env: Readonly<Record<string, string | undefined>>
  log: LogFile
  clock: Clock
  /** A new process runs. */
  onStarted: (pid: number) => void
  /** Prints a message for the person at the terminal. */
  say: (text: string) => void
  /** It will not be started again; `reason` is its own last word. */
  onGivenUp: (reason: string) => void
}

/** States: stopped -> running -> (dead, waiting -> running)* -> stopping -> stopped, or given up. */
export class ChildProgram {
  readonly #options: ChildOptions
  #child: ChildProcess | null = null
  #stopping = false
  /** Deaths in a row of processes that had not become ready. */
  #failures = 0
  #everReady = false
  #cancelRestart: () => void = () => {}
  #lastError = ''

  constructor(options: ChildOptions) {
    this.#options = options
  }

  start(): void {
    if (this.#stopping) return
    const { entry, nodeArgs = [], cwd, env, log } = this.#options
    // Its own process group: Ctrl-C reaches only the starter, which then stops the programs in order.
    const child = spawn(process.execPath, [...nodeArgs, entry], {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    this.#child = child
    let ready = false
    const lines = lineReader((line) => {
      if (line.includes('"msg":"ready"')) ready = true
      this.#remember(line)
    })
    child.stdout.on('data', (chunk: Buffer) => {
      log.write(chunk)
      lines(chunk)
    })
    child.stderr.on('data', (chunk: Buffer) => {
      log.write(chunk)
      if (!ready) this.#lastError = (this.#lastError + chunk).slice(-4_000)
    })
    child.once('error', (error) => this.#giveUp(error.message))
    child.once('close', (code, signal) => this.#ended({ code, signal, ready }))
    if (child.pid !== undefined) this.#options.onStarted(child.pid)
  }

  /** SIGTERM, then SIGKILL after 6 s. Resolves when the process is gone. */
  async stop(): Promise<void> {
    this.#stopping = true
    this.#cancelRestart()
    const child = this.#child
    if (!child) return
    const closed = once(child, 'close')
    child.kill('SIGTERM')
    const cancel = this.#options.clock.after(KILL_AFTER_MS, () => {
      this.#options.say(`The ${this.#options.name} did not stop within ${KILL_AFTER_MS / 1_000} s and is killed.`)
      child.kill('SIGKILL')
    })
    await closed
    cancel()
  }

  kill(): void {
    this.#child?.kill('SIGKILL')
  }

  #ended({ code, signal, ready }: { code: number | null; signal: NodeJS.Signals | null; ready: boolean }): void {
    this.#child = null
    if (this.#stopping) return
    this.#everReady ||= ready
    this.#failures = ready ? 0 : this.#failures + 1
    const hopeless = code === EXIT_CONFIG || (!this.#everReady && this.#failures >= MAX_FAILED_STARTS)
    if (hopeless) this.#giveUp(this.#lastError)
    else this.#restart(signal ?? `exit code ${code}`)
  }

  /** At once after a death of a ready program, with growing waits when it dies before it is ready. */
  #restart(why: string): void {
    const waitMs = this.#failures === 0 ? 0 : Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (this.#failures - 1))
    const { name, say, clock } = this.#options
    say(`The ${name} ended (${why}) and is started again${waitMs > 0 ? ` in ${waitMs} ms` : ''}.`)
    this.#lastError = ''
    if (waitMs === 0) this.start()
    else this.#cancelRestart = clock.after(waitMs, () => this.start())
  }

  #giveUp(reason: string): void {
    this.#stopping = true
    this.#options.onGivenUp(reason.trim())
  }

  /** Keeps the text of the last error line (pino: level 50 error, 60 fatal). */
  #remember(line: string): void {
    if (!/"level":[56]0/.test(line)) return
    try {
      const entry: { msg?: unknown; err?: { message?: unknown } } = JSON.parse(line)
      this.#lastError = [entry.msg, entry.err?.message].filter((part) => typeof part === 'string').join(': ')
    } catch {
      this.#lastError = line.slice(0, 1_000)
    }
  }
}

/** Cuts a byte stream into lines; a line of more than 64 kB is dropped. */
function lineReader(onLine: (line: string) => void): (chunk: Buffer) => void {
  let rest = ''
  return (chunk) => {
    const parts = (rest + chunk.toString('utf8')).split('\n')
    rest = (parts.pop() ?? '').slice(-65_536)
    for (const part of parts) onLine(part)
  }
}
