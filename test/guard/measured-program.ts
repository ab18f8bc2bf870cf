// Relay or gateway of some checkout as a process that is measured from outside: its processor time, and its inspector once it is asked for.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { killAtExit } from '#test/bench/until-exit.ts'
import { Inspector } from './inspector.ts'
import { cpuMsOf } from './process-cpu.ts'

const READY_CAP_MS = 60_000

export interface ProgramStart {
  /** Folder of the checkout: its working directory. */
  root: string
  /** From there, such as `cloud/main.ts`. */
  entry: string
  env: Readonly<Record<string, string>>
  nodeArgs?: readonly string[]
}

export interface Ready {
  httpUrl: string
  mqttPort?: number
}

export class MeasuredProgram {
  readonly root: string
  readonly ready: Ready
  readonly #child: ChildProcess
  readonly #words: { text: string }
  #inspectorUrl: string | null = null

  private constructor(root: string, child: ChildProcess, words: { text: string }, ready: Ready) {
    this.root = root
    this.#child = child
    this.#words = words
    this.ready = ready
  }

  static async start({ root, entry, env, nodeArgs = [] }: ProgramStart): Promise<MeasuredProgram> {
    // SIGUSR1 opens the inspector for the first reading of the heap. While processor time is measured no session is open: then it costs nothing.
    const args = [...nodeArgs, '--inspect-port=127.0.0.1:0', entry]
    const options = { cwd: root, env: { PATH: process.env['PATH'] ?? '', ...env } }
    const child = spawn(process.execPath, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    killAtExit(child)
    const words = { text: '' }
    child.stderr.on('data', (chunk) => {
      words.text = (words.text + chunk).slice(-8_000)
    })
    const ready = await new Promise<Ready>((resolve, reject) => {
      const lines = createInterface({ input: child.stdout })
      lines.on('line', (text) => {
        if (!text.includes('"msg":"ready"')) return
        resolve(JSON.parse(text))
        lines.close()
        child.stdout.resume()
      })
      child.once('exit', (code) => reject(new Error(`${entry} of ${root} ended with ${code}: ${words.text}`)))
      const giveUp = () => reject(new Error(`${entry} of ${root} was not ready within 60 s: ${words.text}`))
      setTimeout(giveUp, READY_CAP_MS).unref()
    })
    return new MeasuredProgram(root, child, words, ready)
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  cpuMs(): number {
    return cpuMsOf(this.pid)
  }

  /** A new session with its inspector: close it. */
  async inspect(): Promise<Inspector> {
    this.#inspectorUrl ??= await this.#openInspector()
    return Inspector.connect(this.#inspectorUrl)
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const exited = once(this.#child, 'exit')
    this.#child.kill('SIGKILL')
    await exited
  }

  async #openInspector(): Promise<string> {
    this.#child.kill('SIGUSR1')
    for (;;) {
      const [, url] = /Debugger listening on (ws:\S+)/.exec(this.#words.text) ?? []
      if (url !== undefined) return url
      if (this.#child.exitCode !== null) throw new Error('the program ended when its inspector was asked for')
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}
