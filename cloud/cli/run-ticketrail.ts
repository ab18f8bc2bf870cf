// Runs a command line of `ticketrail`: creates the client, and turns refusals of the relay into messages and exit codes.
import * as z from 'zod/mini'
import { LineError, text } from '#shared/cli/command.ts'
import { runLine, type Streams } from '#shared/cli/run-line.ts'
import { once } from '#shared/once.ts'
import type { ConnectionOptions } from '#shared/sdk/call.ts'
import { Ticketrail } from '#shared/sdk/client.ts'
import { ConnectionError, TicketrailError } from '#shared/sdk/error.ts'
import { harmless } from '#shared/terminal-text.ts'
import { ticketrailProgram } from './all-commands.ts'
import { type Command, EXIT, type Line, type Surroundings } from './command.ts'
import { readSettings, type Settings } from './settings.ts'

export interface TicketrailLine extends Streams, Surroundings {
  args: readonly string[]
  /** How the user starts the program, such as `ticketrail`. */
  program: string
}

/** Shorter than the SDK's: a person waits. */
const CALL_TIMEOUT_MS = 10_000

/** @returns the exit code, one of EXIT */
export function runTicketrail({ args, program, write, writeError, ...around }: TicketrailLine): Promise<number> {
  const isJson = args.includes('--json')
  return runLine<Line, Command>(ticketrailProgram(program), {
    args,
    write,
    writeError,
    refusalOf: (error) => refusalOf(error, around),
    lineOf: (line): Line => {
      const settings = once((): Settings => readSettings(around.env))
      const connection = once((): ConnectionOptions => {
        const { apiKey, url } = settings()
        return { apiKey, baseUrl: url, fetch: around.fetch, clock: around.clock, random: around.random }
      })
      const client = once(() => new Ticketrail({ ...connection(), timeoutMs: CALL_TIMEOUT_MS }))
      return {
        ...line,
        ...around,
        isJson,
        settings,
        connection,
        client,
        merchantId: once(
          async () => text(line, 'merchant') ?? settings().merchantId ?? firstMerchant(client(), around.stopped),
        ),
        printMessage: (message) => write(harmless(JSON.stringify(message), 'json')),
        print: (data, words, colour) => {
          const shown = isJson ? harmless(JSON.stringify(data), 'json') : harmless(words)
          const isColoured = colour !== undefined && around.terminal.hasColours && !isJson
          write(isColoured ? `\u001b[${COLOURS[colour]}m${shown}\u001b[39m` : shown)
        },
      }
    },
  })
}

const COLOURS = { green: 32, red: 31 } as const
/** The sandbox restaurant without a simulated problem. */
const USUAL_MERCHANT = 'M-TEST-001'

async function firstMerchant(client: Ticketrail, signal: AbortSignal): Promise<string> {
  const { data } = await client.merchants.list({}, { signal }).page()
  const first = data.find(({ merchantId }) => merchantId === USUAL_MERCHANT) ?? data[0]
  if (first === undefined)
    throw new LineError('This key may not use any merchant: name one with --merchant.', EXIT.refused)
  return first.merchantId
}

/** The SDK passes on what the relay sent, whatever it is. */
const fieldErrors = z.catch(z.array(z.object({ field: z.string(), message: z.string() })), [])

function refusalOf(error: unknown, { stopped }: Surroundings): LineError | null {
  if (stopped.aborted) return new LineError('Stopped.', EXIT.stopped)
  if (error instanceof LineError) return error
  if (!(error instanceof TicketrailError)) return null
  // The message has the first one.
  const fields = fieldErrors.parse(error.errors.slice(1)).map(({ field, message }) => `${field}: ${message}`)
  const name = error.requestId === '' ? [] : [`(${error.code}, request ${error.requestId})`]
  if (error instanceof ConnectionError)
    return new LineError(`${error.message}\n\`ticketrail doctor\` finds the cause.`, EXIT.unreachable)
  return new LineError([error.message, ...fields, ...name].join('\n'), EXIT.refused)
}
