// The protocol between the operator's command line and the running relay over the admin socket: one JSON message per line.
import type { Socket } from 'node:net'
import { z } from 'zod'
import { parseJson } from '#shared/parse-json.ts'
import { VERSION } from '#shared/version.ts'

/** A menu of 100,000 items has some 10 MB. */
const MOST_CHARS = 33_554_432

const path = z.string().min(1).max(4_096)

/** From the command line. */
export const lineMessage = z.discriminatedUnion('t', [
  z.strictObject({
    t: z.literal('run'),
    version: z.string().max(64),
    /** Everything after `admin`. */
    args: z.array(z.string().max(65_536)).max(200),
  }),
  z.strictObject({ t: z.literal('file'), text: z.string() }),
  z.strictObject({ t: z.literal('no-file'), why: z.string() }),
])
export type LineMessage = z.output<typeof lineMessage>

/** From the relay. */
export const relayMessage = z.discriminatedUnion('t', [
  /** The first of all, before it is asked anything: `greetingOf`. */
  z.strictObject({ t: z.literal('version'), version: z.string() }),
  z.strictObject({ t: z.literal('out'), text: z.string() }),
  z.strictObject({ t: z.literal('error'), text: z.string() }),
  /** The command needs this file of the operator's: the relay may not be allowed to open it. Answered by `file` or `no-file`. */
  z.strictObject({ t: z.literal('read'), path }),
  z.strictObject({ t: z.literal('end'), code: z.int().min(0).max(255) }),
])
export type RelayMessage = z.output<typeof relayMessage>

const DATABASE = '+db.'

/**
 * The version, and its database, as the build metadata of a version (semver.org): an older command line knows no other member
 * of this message, and would not continue.
 */
export const greetingOf = (database: string): string => `${VERSION}${DATABASE}${database}`

/** @returns `database` null: a relay of a release that did not send it, and supported only SQLite */
export function readGreeting(greeting: string): { version: string; database: string | null } {
  const [version = '', database = null] = greeting.split(DATABASE)
  return { version, database }
}

/** Sends one message. It is lost without a word when the other side has gone. */
export function say(socket: Socket, message: LineMessage | RelayMessage): void {
  if (socket.writable) socket.write(`${JSON.stringify(message)}\n`)
}

/**
 * Calls `heard` for each message of the other side, in order. A message that does not match `schema`, or is too long, ends the connection with
 * an error, which `socket`'s own `error` event reports.
 */
export function listenTo<T>(socket: Socket, schema: z.ZodType<T>, heard: (message: T) => void): void {
  // The pieces of a line that has not ended: joined once, at its end, because a menu comes in hundreds of pieces.
  let pieces: string[] = []
  let chars = 0
  socket.setEncoding('utf8')
  socket.on('data', (chunk: string) => {
    const [first = '', ...others] = chunk.split('\n')
    pieces.push(first)
    chars += first.length
    for (const next of others) {
      if (socket.destroyed) return
      const message = schema.safeParse(parseJson(pieces.join('')))
      pieces = [next]
      chars = next.length
      if (message.success) heard(message.data)
      else socket.destroy(new Error('a message cannot be understood'))
    }
    if (chars > MOST_CHARS) socket.destroy(new Error('a message is too long'))
  })
}
