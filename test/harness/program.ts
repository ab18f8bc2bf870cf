// One real program of ours as a child process: start until its `ready` line, kill, start again on the same ports.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { createInterface } from 'node:readline'
import { compiledCode, fromBundle } from './compiled-code.ts'

const ROOT = new URL('../../', import.meta.url).pathname

/** Where sites keep what their programs store: in memory where the test project says so (vitest.config.ts), else, as a bench does, on the disk. */
export const foldersOfSites = (): string => process.env['TEST_SITES'] ?? tmpdir()

export interface ReadyLine {
  msg: 'ready'
  httpUrl: string
  mqttPort?: number
}

export interface LogLine {
  msg: string
  level: number
  [key: string]: unknown
}

export class Program {
  /** Log lines of all lives of the program: all of them, or only those up to `ready`. */
  readonly log: LogLine[] = []
  readonly #entry: string
  readonly #env: Readonly<Record<string, string>>
  readonly #keepLog: boolean
  readonly #nodeArgs: readonly string[]
  readonly #command: readonly string[]
  #child: ChildProcess | null = null

  /**
   * @param entry `cloud/main.ts` or `gateway/main.ts`, from its bundle where the test project has one; the path of a source, which is started
   *   itself; `run` of a packaged gateway
   * @param command runs it; default: this Node
   */
  constructor(
    entry: string,
    env: Readonly<Record<string, string>>,
    keepLog: boolean,
    // As `npm run cloud` does.
    nodeArgs: readonly string[] = entry.endsWith('cloud/main.ts') ? ['--max-semi-space-size=4'] : [],
    command: readonly string[] = [process.execPath],
  ) {
    this.#entry = entry
    this.#env = env
    this.#keepLog = keepLog
    this.#nodeArgs = nodeArgs
    this.#command = command
  }

  get pid(): number {
    return this.#child?.pid ?? 0
  }

  /** It was started and has not ended. */
  get isRunning(): boolean {
    return this.#child !== null && this.#child.exitCode === null && this.#child.signalCode === null
  }

  /** Starts it and resolves with its ready line; `ms` is the time from spawn to ready. */
  async start(extraEnv: Readonly<Record<string, string>> = {}): Promise<ReadyLine & { ms: number }> {
    const startedAt = performance.now()
    const [file = '', ...args] = fromBundle([...this.#command, ...this.#nodeArgs, this.#entry])
    const kind = this.#entry.endsWith('gateway/main.ts') ? 'gateways' : 'relays'
    const child = spawn(file, args, {
      cwd: ROOT,
      env: { PATH: process.env['PATH'] ?? '', ...compiledCode(file, kind), ...this.#env, ...extraEnv },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#child = child
    let errors = ''
    child.stderr?.on('data', (chunk) => {
      errors = (errors + chunk).slice(-4_000)
    })
    const ready = new Promise<ReadyLine & { ms: number }>((resolve, reject) => {
      const lines = createInterface({ input: child.stdout ?? process.stdin })
      lines.on('line', (text) => {
        const line = parseLine(text)
        if (!line) return
        this.log.push(line)
        if (line.msg !== 'ready') return
        resolve({ ...(line as unknown as ReadyLine), ms: performance.now() - startedAt })
        if (this.#keepLog) return
        lines.close()
        child.stdout?.resume()
      })
      child.once('exit', (code, signal) => {
        const last = this.log.at(-1)
        reject(
          new Error(`${this.#entry} ended (${code ?? signal}) before it was ready: ${errors} ${JSON.stringify(last)}`),
        )
      })
    })
    return ready
  }

  /** Ends it with `signal` and resolves with its exit code (null after SIGKILL). */
  async kill(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null
    const exited = once(child, 'exit')
    child.kill(signal)
    const [code] = await exited
    return code
  }

  /** Resolves when it has ended, by itself or by a signal. */
  async ended(): Promise<void> {
    const child = this.#child
    if (child && child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }

  /** Sends a signal that does not end it (SIGSTOP, SIGCONT). */
  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal)
  }
}

function parseLine(text: string): LogLine | null {
  try {
    return JSON.parse(text) as LogLine
  } catch {
    return null
  }
}
