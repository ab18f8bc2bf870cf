// The interface of the commands of `ticketrail`, and its exit codes.
import { type Command as AnyCommand, type Line as AnyLine, EXIT as SHARED_EXIT } from '#shared/cli/command.ts'
import type { Clock } from '#shared/clock.ts'
import type { ConnectionOptions } from '#shared/sdk/call.ts'
import type { Ticketrail } from '#shared/sdk/client.ts'
import type { Environment, Settings } from './settings.ts'

/** Exit codes, on which scripts may rely. */
export const EXIT = { ...SHARED_EXIT, unreachable: 3, refused: 4, stopped: 130 } as const

/** The process around the command line, which tests replace. */
export interface Surroundings {
  env: Environment
  /** Aborted by Ctrl-C. */
  stopped: AbortSignal
  clock: Clock
  /** Uniform in [0, 1). */
  random: () => number
  fetch: NonNullable<ConnectionOptions['fetch']>
  terminal: {
    /** Width of the terminal; undefined if standard output is not one. */
    columns: number | undefined
    /** True if standard output is a terminal and NO_COLOR is not set. */
    hasColours: boolean
    /** Calls back for each key press. Null: there is no terminal. @returns a function that stops it */
    onKey: ((press: (key: string) => void) => () => void) | null
  }
  /** Standard input, as it comes. */
  input: () => AsyncIterable<string | Uint8Array>
  /** Starts another program without waiting for it. @throws Error if it does not exist */
  open: (program: string, args: readonly string[]) => Promise<void>
}

export interface Line extends AnyLine, Surroundings {
  isJson: boolean
  /** @throws LineError if key or address are missing */
  settings: () => Settings
  /** For raw HTTP calls. */
  connection: () => ConnectionOptions
  client: () => Ticketrail
  /** From `--merchant`, otherwise from the settings, otherwise the first merchant of the key. @throws LineError, TicketrailError */
  merchantId: () => Promise<string>
  /** Prints a message for a program as one line of JSON, with or without --json. */
  printMessage: (message: unknown) => void
  /** Prints one entry while the command continues: `data` with --json, `text` for people. */
  print: (data: unknown, text: string, colour?: 'green' | 'red') => void
}

export type Command = AnyCommand<Line>
