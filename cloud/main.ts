// The relay as a process: settings from the environment, one ready line, signals, exit codes; and its operator's command line.
import { enableCompileCache, flushCompileCache } from 'node:module'
import { dirname, join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { atACalmMoment } from '#shared/calm-moment.ts'
import { EXIT } from '#shared/cli/command.ts'
import { systemClock } from '#shared/clock.ts'
import { createLogger, type Logger, type LogOutput, logOutput } from '#shared/log.ts'
import { ConfigError } from '#shared/settings.ts'
import { VERSION } from '#shared/version.ts'
import type { Cloud } from './cloud.ts'
import { type CloudConfig, readCloudConfig } from './config.ts'
import { StorageRefusal } from './storage/storage-refusal.ts'

/** sysexits(3) EX_CONFIG: starting again without a change will not help. */
const EXIT_CONFIG = 78
const HELP = `The relay of Ticketrail. Its settings are environment variables (docs/configuration.md).

  npm run cloud                      starts it
  npm run -s cloud -- admin help     shows the operator's commands
  npm run -s cloud -- --version      shows its version
`
/** Of the stop that follows the drain: `npm start` gives us 5 s, systemd as much as the drain takes besides. */
const STOP_WITHIN_MS = 4_500

function readConfig(output: LogOutput): CloudConfig {
  try {
    return readCloudConfig(process.env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    createLogger('cloud', 'info', { destination: output }).fatal(error.message)
    process.exit(EXIT_CONFIG)
  }
}

/**
 * The heap may grow by so much before V8 collects it; at 50 each order costs a third more processor time, at 80 a flood of
 * connections takes more than 1.3 times the quiet memory. By itself V8 lets the heap grow to several times what is in use where the machine
 * has much memory: one address that opened connections without end doubled the relay's memory, nearly all of it garbage
 * (docs/decisions/0072).
 */
const HEAP_GROWTH = '--heap-growing-percent=65'

function answer(word: string): void {
  if (word === '--version') process.stdout.write(`ticketrail-cloud ${VERSION}\n`)
  else if (['--help', '-h', 'help'].includes(word)) process.stdout.write(HELP)
  else {
    process.stderr.write(
      `No relay was started: it takes no arguments. The operator's commands begin with \`admin\`.\n\n${HELP}`,
    )
    process.exitCode = EXIT.usage
  }
}

async function main(): Promise<void> {
  // Files and folders are for this user alone, whatever the umask of the caller.
  process.umask(0o077)
  const [word, ...words] = process.argv.slice(2)
  if (word === 'admin') {
    const { adminMain } = await import('./admin-main.ts')
    process.exitCode = await adminMain(words, process)
    return
  }
  // A request for anything else must not start a relay.
  if (word !== undefined) return answer(word)
  setFlagsFromString(HEAP_GROWTH)
  const output = logOutput(process.stdout)
  process.on('exit', () => output.flushSync())
  const config = readConfig(output)
  const log = createLogger('cloud', config.CLOUD_LOG_LEVEL, { destination: output })
  const die = (error: unknown, message: string): never => {
    log.fatal({ err: error }, message)
    process.exit(1)
  }
  process.on('uncaughtException', (error) => die(error, 'uncaught error: the program ends and must be started again'))
  process.on('unhandledRejection', (error) => {
    // Nothing of it was stored, and its caller will try again.
    if (error instanceof StorageRefusal) log.error({ err: error }, 'a refusal of the database was not handled')
    else die(error, 'unhandled rejection: the program ends and must be started again')
  })

  // Compiled code is cached next to the database (not in /tmp, where others could plant it): the next start takes half the time.
  enableCompileCache(join(dirname(config.CLOUD_DATABASE), 'compile-cache'))
  const { Cloud } = await import('./cloud.ts')
  const { whyNotStarted } = await import('./cannot-start.ts')
  const cloud = new Cloud({
    config,
    clock: systemClock,
    random: Math.random,
    log,
    hangUp: (pid) => process.kill(pid, 'SIGHUP'),
    onFatal: (error) => die(error, 'a commit failed: the program ends and must be started again'),
  })
  endOnSignals(cloud, log)
  try {
    await cloud.start()
  } catch (error) {
    const why = whyNotStarted(error)
    if (why === null) return die(error, 'the relay could not start')
    log.fatal(why.message)
    process.exit(why.code)
  }
  // Whatever the level: supervisors and tests wait for this line.
  createLogger('cloud', 'info', { destination: output }).info(
    { httpUrl: cloud.httpUrl, mqttPort: cloud.mqttPort },
    'ready',
  )
  // Saved now, because a power cut leaves no time for it. It may take a slow disk seconds.
  atACalmMoment(systemClock, () => flushCompileCache())
}

/** npm and its terminal both pass one Ctrl-C on. */
const SAME_SIGNAL_MS = 250
/** What a commit takes that is under way. */
const ABANDON_WITHIN_MS = 1_000

/** The first signal ends it in order: drained, then stopped. The second one ends it at once. */
function endOnSignals(cloud: Cloud, log: Logger): void {
  const hurry = new AbortController()
  let firstMs: number | null = null
  const end = (signal: NodeJS.Signals): void => {
    const nowMs = systemClock.monotonicMs()
    if (firstMs !== null) {
      if (nowMs - firstMs < SAME_SIGNAL_MS || hurry.signal.aborted) return
      hurry.abort()
      log.warn({ signal }, 'a second signal: ending at once, what runs is cut off')
      systemClock.after(ABANDON_WITHIN_MS, () => process.exit(0))
      void cloud.abandon().finally(() => process.exit(0))
      return
    }
    firstMs = nowMs
    log.info({ signal }, 'stopping')
    endInOrder(cloud, log, hurry.signal).catch((error: unknown) => {
      log.error({ err: error }, 'stopping failed')
      process.exit(1)
    })
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
  // SIGHUP is sent both by a closing terminal and by an operator who has new certificates.
  process.on('SIGHUP', (signal) => (process.stdin.isTTY ? end(signal) : cloud.reload()))
}

async function endInOrder(cloud: Cloud, log: Logger, hurry: AbortSignal): Promise<void> {
  await cloud.drain(hurry)
  if (hurry.aborted) return
  // Everything that was answered is on disk: requests that are cut off here are repeated by their clients.
  systemClock.after(STOP_WITHIN_MS, () => {
    log.warn('stopping took too long: the rest is cut off')
    process.exit(0)
  })
  await cloud.stop()
  log.info('stopped')
  process.exit(0)
}

await main()
