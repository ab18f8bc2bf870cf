// The process of `ticketrail`, the command line for client developers. Runs on Node 20 and later.
import { spawn } from 'node:child_process'
import { systemClock } from '#shared/clock.ts'
import { VERSION } from '#shared/version.ts'
import { EXIT, type Surroundings } from './command.ts'
import { runTicketrail } from './run-ticketrail.ts'

const { argv, env, stdin, stdout, stderr } = process

async function main(args: readonly string[]): Promise<number> {
  if (args[0] === '--version') {
    stdout.write(`ticketrail ${VERSION}\n`)
    return EXIT.ok
  }
  const stopped = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      // A second Ctrl-C does not wait for the clean end.
      if (stopped.signal.aborted) process.exit(EXIT.stopped)
      stopped.abort(new Error('stopped'))
    })
  }
  return runTicketrail({
    args,
    // The name of the package's command, or how it is started with `npm run`.
    program: env['npm_lifecycle_event'] === 'ticketrail' ? 'npm run -s ticketrail --' : 'ticketrail',
    env,
    stopped: stopped.signal,
    clock: systemClock,
    random: Math.random,
    fetch: (url, init) => fetch(url, init),
    terminal: {
      columns: stdout.isTTY ? stdout.columns : undefined,
      hasColours: stdout.isTTY && !env['NO_COLOR'] && env['TERM'] !== 'dumb',
      onKey: stdin.isTTY && stdout.isTTY ? onKey : null,
    },
    input: () => stdin,
    open,
    write: (text) => void stdout.write(`${text}\n`),
    writeError: (text) => void stderr.write(`${text}\n`),
  })
}

/** Reports key presses without Enter, until it is stopped. */
function onKey(press: (key: string) => void): () => void {
  const take = (key: Buffer): void => {
    // In raw mode Ctrl-C sends no signal.
    if (key[0] === 3) process.kill(process.pid, 'SIGINT')
    else press(key.toString())
  }
  stdin.setRawMode(true).on('data', take)
  return () => {
    stdin.off('data', take).setRawMode(false).pause()
  }
}

const open: Surroundings['open'] = (program, args) =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { detached: true, stdio: 'ignore' })
    child.once('error', reject)
    child.once('spawn', () => {
      child.unref()
      resolve()
    })
  })

// If the reader of a pipe, such as `head`, closes it, that is not an error.
stdout.on('error', () => process.exit(EXIT.ok))
process.exitCode = await main(argv.slice(2))
