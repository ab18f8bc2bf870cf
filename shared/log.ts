// Logging: JSON lines by pino, secrets redacted, and the one line that each step of an order's walk writes.
import { type DestinationStream, type Logger, pino } from 'pino'

export type { Logger } from 'pino'

/** Every step of the walk (docs/architecture.md) logs one info line with this shape, so grepping one id prints the story. */
export interface WalkLine {
  /** `3/10`: the step's number in the walk. */
  walk: string
  serviceOrderId?: string | undefined
  printJobId?: string | undefined
  gatewayId?: string | undefined
  /** Time that the step took, in milliseconds. */
  ms: number
  [detail: string]: unknown
}

/** pino's number. */
const WARN = 40
/** The beginning of a pino line that is not urgent: level 10, 20 or 30. */
const UNHURRIED = /^\{"level":[123]0,/
/** Limit of lines of one event-loop turn that are kept together. */
const MAX_GATHERED = 65_536
/** Log limits of a program whose output is not read. */
const MAX_UNREAD_BYTES = 1_000_000

export interface LogOutput extends DestinationStream {
  /** Writes what waits. */
  flushSync(): void
}

/** What is used of `process.stdout`. */
export interface LogStream {
  readonly writableLength: number
  write(text: string): unknown
  on(event: 'error', listener: () => void): unknown
}

/**
 * Standard output as a log. Its reader may die or sleep: that must neither stop the program, nor fill its memory, nor keep it from
 * ending. (pino's own destination waits for such a reader for ever, in its flush before the end.) What is not read then is lost.
 * The lines of one turn of the event loop go out in one write after that turn: an order writes five, each of which would be a system call
 * before its first byte is sent. A warning goes out at once with what is before it. Make one per program, and call `flushSync` at its end.
 */
export function logOutput(stream: LogStream): LogOutput {
  let lostLines = 0
  let gathered = ''
  const flushSync = (): void => {
    const text = gathered
    gathered = ''
    if (text !== '') stream.write(text)
  }
  stream.on('error', () => {})
  return {
    flushSync,
    write(line) {
      if (stream.writableLength > MAX_UNREAD_BYTES) {
        lostLines++
        return
      }
      if (gathered === '') setImmediate(flushSync)
      if (lostLines > 0) gathered += `${JSON.stringify({ level: WARN, lostLines, msg: 'nobody read the log' })}\n`
      lostLines = 0
      gathered += line
      if (gathered.length > MAX_GATHERED || !UNHURRIED.test(line)) flushSync()
    },
  }
}

/**
 * A logger that writes JSON lines to `destination`. Level by name of pino.
 * @param copy gets each line as well
 */
export function createLogger(
  program: string,
  level: string,
  { destination, copy }: { destination: DestinationStream & { flushSync?: () => void }; copy?: (line: string) => void },
): Logger {
  return pino(
    {
      level,
      base: { program },
      // Last line of defence; callers must not log bodies, keys or customers' data in the first place.
      redact: {
        paths: [
          'authorization',
          'headers.authorization',
          'req.headers.authorization',
          'token',
          'secret',
          'apiKey',
          'key',
          'customer',
          'body',
        ],
        censor: '[redacted]',
      },
    },
    copy ? copying(destination, copy) : destination,
  )
}

/** Pino flushes by this name before a program dies. */
function copying(out: DestinationStream & { flushSync?: () => void }, copy: (line: string) => void): DestinationStream {
  const both = {
    write: (line: string): void => {
      copy(line)
      out.write(line)
    },
    flushSync: (): void => out.flushSync?.(),
  }
  return both
}

/** Called with each step of the walk, before its line is written, also when the level leaves the line out. It must not throw. */
export type WalkObserver = (line: WalkLine) => void

const OBSERVER = Symbol('observer of the walk')
type Observed = Logger & { [OBSERVER]?: WalkObserver }

/** The same log; walk lines written into it, or into a log made from it, are also passed to `observer`. */
export function tellingWalk(log: Logger, observer: WalkObserver): Logger {
  const telling: Observed = Object.create(log)
  const before = telling[OBSERVER]
  telling[OBSERVER] = (line) => {
    before?.(line)
    observer(line)
  }
  return telling
}

/** Writes the walk's line. `message` describes in words what was done. */
export function logWalk(log: Logger, line: WalkLine, message: string): void {
  ;(log as Observed)[OBSERVER]?.(line)
  log.info({ ...line, ms: Math.round(line.ms * 100) / 100 }, message)
}
