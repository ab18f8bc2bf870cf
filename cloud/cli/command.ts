// What the commands of `ticketrail` get to work with, and its exit codes.
import { type Command as AnyCommand, type Line as AnyLine, EXIT as SHARED_EXIT } from '#shared/cli/command.ts'
import type { Clock } from '#shared/clock.ts'
import type { ConnectionOptions } from '#shared/sdk/call.ts'
import type { Ticketrail } from '#shared/sdk/client.ts'
import type { Environment, Settings } from './settings.ts'

/** What the shell is told; scripts may rely on it. */
export const EXIT = { ...SHARED_EXIT, unreachable: 3, refused: 4, stopped: 130 } as const

/** The process around the command line, so that tests can be one. */
export interface Surroundings {
  env: Environment
  /** Aborted by Ctrl-C. */
  stopped: AbortSignal
  clock: Clock
  /** Uniform in [0, 1). */
  random: () => number
  fetch: NonNullable<ConnectionOptions['fetch']>
  terminal: {
    /** Whether a person reads standard output, and how wide it is. */
    columns: number | undefined
    /** Colours are shown: standard output is a terminal, and NO_COLOR is not set. */
    hasColours: boolean
    /** Calls for each key that a person presses; null: nobody sits there. @returns stops it */
    onKey: ((press: (key: string) => void) => () => void) | null
  }
  /** Starts another program and does not wait for it. @throws Error when there is none of that name */
  open: (program: string, args: readonly string[]) => Promise<void>
}

export interface Line extends AnyLine, Surroundings {
  isJson: boolean
  /** @throws LineError where key or address are missing */
  settings: () => Settings
  /** For raw calls. */
  connection: () => ConnectionOptions
  client: () => Ticketrail
  /** Of `--merchant`, else of the settings, else the first that the key may use. @throws LineError, TicketrailError */
  merchantId: () => Promise<string>
  /** Prints one line of data while the command goes on: `data` with --json, `text` for people. */
  print: (data: unknown, text: string, colour?: 'green' | 'red') => void
}

export type Command = AnyCommand<Line>
