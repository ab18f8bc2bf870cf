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

/**
 * A logger that writes JSON lines to `destination` (default: standard output). Level by name of pino.
 * @param copy gets each line as well
 */
export function createLogger(
  program: string,
  level: string,
  destination?: DestinationStream,
  copy?: (line: string) => void,
): Logger {
  const out = destination ?? pino.destination({ fd: 1, sync: false, minLength: 0 })
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
    copy ? copying(out, copy) : out,
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

/** The walk's line. `message` says in words what was done. */
export function logWalk(log: Logger, line: WalkLine, message: string): void {
  log.info({ ...line, ms: Math.round(line.ms * 100) / 100 }, message)
}
