// A copy of the working tree in a temporary folder, in which faults are planted and tests run: the tree itself is never written to.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Mutant, type NamedTests, planted } from './mutant.ts'
import type { EndedRun } from './verdict.ts'

/** A fault may make a test wait for what never comes. */
const TEST_TIMEOUT_MS = 30_000
/** And a program spin where no timeout reaches it. */
const RUN_TIMEOUT_MS = 600_000
const KEPT_CHARACTERS = 4_000
const REPORT = 'report.json'

export class ThrowAwayTree {
  readonly #root: string
  readonly #folder: string
  #child: ChildProcess | null = null

  /** @param root the working tree, with its node_modules. Copies what git knows or would take, as it is on disk. */
  constructor(root: string) {
    this.#root = root
    this.#folder = mkdtempSync(join(tmpdir(), 'ticketrail-mutants-'))
    const list = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
      cwd: root,
      encoding: 'utf8',
    })
    for (const path of new Set(list.split('\0'))) {
      if (path === '' || !existsSync(join(root, path))) continue
      mkdirSync(dirname(join(this.#folder, path)), { recursive: true })
      copyFileSync(join(root, path), join(this.#folder, path))
    }
    // A folder of its own, full of links: what vitest keeps there is this copy's.
    mkdirSync(join(this.#folder, 'node_modules'))
    for (const name of readdirSync(join(root, 'node_modules')))
      if (!name.startsWith('.') || name === '.bin')
        symlinkSync(join(root, 'node_modules', name), join(this.#folder, 'node_modules', name))
  }

  /** Plants a fault, runs its tests until the first that fails, and takes the fault out again. */
  async tryOut(mutant: Mutant): Promise<EndedRun> {
    const file = join(this.#folder, mutant.file)
    const whole = readFileSync(file, 'utf8')
    writeFileSync(file, planted(whole, mutant))
    try {
      return await this.test(mutant.tests, ['--bail=1'])
    } finally {
      // The copy may have been removed meanwhile.
      if (existsSync(file)) writeFileSync(file, whole)
    }
  }

  /** Runs tests of the tree as it is. */
  async test({ project, files }: NamedTests, more: readonly string[] = []): Promise<EndedRun> {
    const report = join(this.#folder, REPORT)
    rmSync(report, { force: true })
    const vitest = join(this.#root, 'node_modules/vitest/vitest.mjs')
    const limits = [`--testTimeout=${TEST_TIMEOUT_MS}`, `--hookTimeout=${TEST_TIMEOUT_MS}`]
    const output = ['--reporter=json', `--outputFile=${report}`]
    const child = spawn(
      process.execPath,
      [vitest, 'run', '--project', project, ...files, ...limits, ...output, ...more],
      {
        cwd: this.#folder,
        env: { ...process.env, NO_COLOR: '1' },
        stdio: ['ignore', 'pipe', 'pipe'],
        // A group of its own: with vitest end the programs that the tests have started.
        detached: true,
      },
    )
    this.#child = child
    let said = ''
    const keep = (text: Buffer): void => {
      said = (said + String(text)).slice(-KEPT_CHARACTERS)
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    const timer = setTimeout(() => this.#end(), RUN_TIMEOUT_MS)
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (exit) => resolve(exit))
    })
    clearTimeout(timer)
    this.#end()
    this.#child = null
    return { code, report: existsSync(report) ? readFileSync(report, 'utf8') : null, output: said }
  }

  /** Ends what runs in the copy and deletes it. */
  remove(): void {
    this.#end()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #end(): void {
    if (this.#child?.pid === undefined) return
    try {
      process.kill(-this.#child.pid, 'SIGKILL')
    } catch {
      // The whole group has ended by itself.
    }
  }
}
