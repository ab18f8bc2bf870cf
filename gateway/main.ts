// The gateway as a process: settings from the environment, one ready line, signals, exit codes; and its command line.
import { enableCompileCache, flushCompileCache } from 'node:module'
import { dirname, join } from 'node:path'
import { isSea } from 'node:sea'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { controlSocketOf, type GatewayConfig, readGatewayConfig } from '#gateway/config.ts'
import { LogRing } from '#gateway/control/log-ring.ts'
import type { Gateway } from '#gateway/gateway.ts'
import { isInstalled, settingsSource, UPDATE_FOLDER } from '#gateway/installed.ts'
import { withSpans } from '#gateway/job-spans.ts'
import { SystemdNotify } from '#gateway/systemd-notify.ts'
import { atACalmMoment } from '#shared/calm-moment.ts'
import { systemClock } from '#shared/clock.ts'
import { createLogger, type Logger, type LogOutput, logOutput } from '#shared/log.ts'
import { ConfigError } from '#shared/settings.ts'
import { VERSION } from '#shared/version.ts'

/** sysexits(3) EX_CONFIG: starting again without a change will not help. */
const EXIT_CONFIG = 78
/** systemd and `npm start` give us 5 s. */
const STOP_WITHIN_MS = 4_500

async function main(): Promise<void> {
  // Files and folders are for this user alone, whatever the umask of the caller.
  process.umask(0o077)
  if (process.argv[2] === '--version') {
    process.stdout.write(`ticketrail-gateway ${VERSION}\n`)
    return
  }
  if (process.argv.length > 2 && process.argv[2] !== 'run') return runCommandLine()
  const output = logOutput(process.stdout)
  process.on('exit', () => output.flushSync())
  const config = readConfig(output)
  const logs = new LogRing()
  const plain = createLogger('gateway', config.GATEWAY_LOG_LEVEL, {
    destination: output,
    copy: (line) => logs.write(line),
  })
  const log = await withSpans(plain, systemClock, config.OTEL_EXPORTER_OTLP_ENDPOINT)
  const die = (error: unknown, message: string): never => {
    log.fatal({ err: error }, message)
    process.exit(1)
  }
  process.on('uncaughtException', (error) => die(error, 'uncaught error: the program ends and must be started again'))
  process.on('unhandledRejection', (error) =>
    die(error, 'unhandled rejection: the program ends and must be started again'),
  )
  startSmall(config)
  const { CannotStart } = await import('#gateway/cannot-start.ts')
  const { Gateway } = await import('#gateway/gateway.ts')
  const gateway = new Gateway({
    config,
    clock: systemClock,
    random: Math.random,
    log,
    logs,
    onFatal: (error) => die(error, 'the disk or the queue failed: the program ends and must be started again'),
    rssBytes: () => process.memoryUsage.rss(),
    memoryLimitBytes: memoryLimit(),
    updateFolder: isInstalled(process.execPath) ? UPDATE_FOLDER : null,
  })
  process.prependListener('uncaughtException', (error) => gateway.noteFailure(error))
  process.prependListener('unhandledRejection', (error) => gateway.noteFailure(error))
  const { env, pid } = process
  const systemd = new SystemdNotify({ env, pid, clock: systemClock, log, isHealthy: () => gateway.isReady })
  endOnSignals(gateway, systemd, log)
  try {
    await gateway.start()
  } catch (error) {
    if (!(error instanceof CannotStart)) return die(error, 'the gateway could not start')
    log.fatal(error.message)
    process.exit(EXIT_CONFIG)
  }
  // Whatever the level: supervisors and tests wait for this line.
  createLogger('gateway', 'info', { destination: output }).info({ httpUrl: gateway.httpUrl }, 'ready')
  await systemd.start()
  atACalmMoment(systemClock, () => {
    // Saved now, because a power cut leaves no time for it. It may take a slow disk seconds.
    flushCompileCache()
    collectGarbageOfStart()
  })
}

/** Of the service, as systemd sets it; null: none. */
function memoryLimit(): number | null {
  const bytes = process.constrainedMemory()
  return bytes > 0 && bytes < Number.MAX_SAFE_INTEGER ? bytes : null
}

/** A command for the running gateway. Its settings are needed only to find its socket. */
async function runCommandLine(): Promise<void> {
  const config = settingsOfCommand()
  if (config === null) return
  // A reader that has seen enough, such as `head`, is no fault.
  process.stdout.on('error', () => process.exit(0))
  const { runLine } = await import('#gateway/cli/run-line.ts')
  process.exitCode = await runLine({
    args: process.argv.slice(2),
    socketPath: controlSocketOf(config),
    page: { host: config.GATEWAY_HTTP_HOST, port: config.GATEWAY_HTTP_PORT },
    updateFolder: isInstalled(process.execPath) ? UPDATE_FOLDER : null,
    program: isSea() ? 'ticketrail-gateway' : 'npm run -s gateway --',
    write: (text) => process.stdout.write(`${text}\n`),
    writeError: (text) => process.stderr.write(`${text}\n`),
  })
}

/** Null when the settings are wrong: the errors are on standard error, because standard output is for data. */
function settingsOfCommand(): GatewayConfig | null {
  try {
    return readGatewayConfig(settingsSource(process.env, process.execPath))
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = EXIT_CONFIG
    return null
  }
}

function readConfig(output: LogOutput): GatewayConfig {
  try {
    return readGatewayConfig(settingsSource(process.env, process.execPath))
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    createLogger('gateway', 'info', { destination: output }).fatal(error.message)
    process.exit(EXIT_CONFIG)
  }
}

/**
 * The box may have 512 MB. Compiled code is kept beside the database (not in /tmp, where others could plant it): the next start is
 * quicker and needs no type stripper in memory. The young generation stays at its first size; it would grow by 15 MB at start.
 */
function startSmall(config: GatewayConfig): void {
  setFlagsFromString('--semi-space-growth-factor=1')
  // The executable carries its code in one piece, which this cache does not take.
  if (!isSea()) enableCompileCache(join(dirname(config.GATEWAY_DATABASE), 'compile-cache'))
}

/** A fifth of the heap is left over from the start. A quiet kitchen makes no garbage of its own, so it would stay for hours. */
function collectGarbageOfStart(): void {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  setFlagsFromString('--no-expose-gc')
  // The last resort also gives the emptied pages back to the system.
  if (typeof collect === 'function') collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

function endOnSignals(gateway: Gateway, systemd: SystemdNotify, log: Logger): void {
  let ending = false
  const end = (signal: NodeJS.Signals): void => {
    if (ending) return
    ending = true
    log.info({ signal }, 'stopping')
    // Everything that was acknowledged is on disk; a ticket cut off here is printed again, marked.
    systemClock.after(STOP_WITHIN_MS, () => {
      log.warn('stopping took too long: the rest is cut off')
      process.exit(0)
    })
    void systemd.stop()
    gateway.stop().then(
      () => {
        log.info('stopped')
        process.exit(0)
      },
      (error: unknown) => {
        log.error({ err: error }, 'stopping failed')
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
}

// Not awaited at the top: the appliance's bundle is CommonJS. Whatever it throws ends in `die`.
void main()
