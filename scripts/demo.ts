// The starter behind `npm start`: reads the options, runs the demo until a signal comes, and ends with a clear word and exit code.
import { join } from 'node:path'
import { isAsciiLocale } from '#shared/cli/ticket-frame.ts'
import { systemClock } from '#shared/clock.ts'
import { Demo } from './demo/demo.ts'
import { DemoError } from './demo/demo-error.ts'
import { type DemoOptions, HELP, parseDemoOptions } from './demo/options.ts'

const ROOT = join(import.meta.dirname, '..')
/** npm, the terminal and start.mjs may each hand on the same Ctrl-C: signals this close together are one. */
const SAME_SIGNAL_MS = 1_000

async function main(): Promise<number> {
  const baseDir = process.env['INIT_CWD'] ?? process.cwd()
  const options = parseDemoOptions(process.argv.slice(2), baseDir, join(ROOT, 'data'))
  if (options) return await run(options)
  say(HELP)
  return 0
}

async function run(options: DemoOptions): Promise<number> {
  const isAscii = isAsciiLocale(process.env)
  // Asked at each ticket: a window may be resized.
  const look = () => ({ columns: process.stdout.columns, isAscii })
  const demo = new Demo(options, { root: ROOT, env: process.env, clock: systemClock, say, look })
  const stopped = stopAtSignal(demo)
  const failed = new Promise<never>((_, reject) =>
    demo.failed.addEventListener('abort', () => reject(demo.failed.reason), { once: true }),
  )
  try {
    await Promise.race([startThenRun(demo), stopped, failed])
    return 0
  } finally {
    await demo.stop()
  }
}

/** Rejects when the start fails; otherwise never settles, because from then on only a signal or a failure ends the demo. */
async function startThenRun(demo: Demo): Promise<never> {
  try {
    await demo.start()
  } catch (error) {
    if (!demo.closing) throw error
  }
  return await new Promise<never>(() => {})
}

/** Resolves after a clean stop; a second signal ends the programs at once. */
function stopAtSignal(demo: Demo): Promise<void> {
  return new Promise((resolve, reject) => {
    let firstMs: number | null = null
    const onSignal = (): void => {
      if (firstMs === null) {
        firstMs = systemClock.monotonicMs()
        say('\nStopping ...')
        demo.stop().then(() => {
          say('Stopped.')
          resolve()
        }, reject)
      } else if (systemClock.monotonicMs() - firstMs > SAME_SIGNAL_MS) demo.killNow()
    }
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal)
  })
}

/** Bytes that may wait for a reader of our output that does not read. */
const MAX_UNREAD_BYTES = 1_000_000

/** A reader that has gone away (`npm start | head`), or one that does not read, must not end or stop the programs. */
function say(text: string): void {
  if (process.stdout.writableLength < MAX_UNREAD_BYTES) process.stdout.write(`${text}\n`)
}
process.stdout.on('error', () => {})

try {
  process.exit(await main())
} catch (error) {
  if (!(error instanceof DemoError)) throw error
  process.stderr.write(`\n${error.message}\n`)
  process.exit(1)
}
