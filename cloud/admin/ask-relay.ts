// The command line's end of the admin socket: lets a running relay run the command, and prints the result.
import { realpathSync, type Stats, statSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { dirname } from 'node:path'
import { EXIT, LineError } from '#shared/cli/command.ts'
import type { Clock } from '#shared/clock.ts'
import { harmless, plain } from '#shared/terminal-text.ts'
import { VERSION } from '#shared/version.ts'
import { listenTo, type RelayMessage, readGreeting, relayMessage, say } from './line-channel.ts'
import { type AdminLine, fileNamedIn } from './run-admin.ts'

/** A running relay sends its greeting at once, however long the command takes. */
const FIRST_WORD_WITHIN_MS = 10_000

/** A relay holds the socket and does not answer. It has got no command, so nothing will be done. */
export class SilentRelay extends LineError {}

/** sysexits(3) EX_TEMPFAIL: nothing was done, the same line may succeed later. */
export const EXIT_LATER = 75

/** The one that a command is meant for. */
export interface AskedDatabase {
  /** Distinguishes it from others, without a password. */
  mark: string
  /** For the operator. */
  words: string
  /** On PostgreSQL. */
  isServer: boolean
}

export interface AskedLine extends Pick<AdminLine, 'args' | 'write' | 'writeError'> {
  /** Path of the admin socket. */
  socketPath: string
  database: AskedDatabase
  caller: Caller
  clock: Pick<Clock, 'after'>
  /** Text of a file that the operator named. @throws LineError */
  readFile: (path: string) => Promise<string>
}

/** @returns the exit code; null when no relay runs there. @throws LineError when the relay may not be asked, or went away meanwhile */
export async function askRelay(line: AskedLine): Promise<number | null> {
  const fault = whyNotTrusted(line.socketPath, line.caller)
  if (fault !== null) throw new LineError(fault)
  const socket = await connected(line.socketPath)
  return socket && talk(socket, line)
}

function connected(path: string): Promise<Socket | null> {
  return new Promise((resolve, reject) => {
    const socket = connect({ path })
    socket.once('connect', () => {
      socket.removeAllListeners('error')
      resolve(socket)
    })
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED' || error.code === 'ENOTSOCK') return resolve(null)
      // A path that no socket can have: the relay logs that, and has none.
      if (error.code === 'EINVAL' || error.code === 'ENAMETOOLONG') return resolve(null)
      const why =
        error.code === 'EACCES'
          ? `${path} may not be opened by this user: use the relay's own, such as with sudo -u`
          : `The relay's socket ${path} cannot be opened (${error.code ?? error.message}).`
      reject(new LineError(why, EXIT.failed, { cause: error }))
    })
  })
}

/** The other end gets no more than the command line names: neither files nor control of the terminal. */
function talk(socket: Socket, line: AskedLine): Promise<number> {
  const { args, readFile, socketPath, clock } = line
  const named = fileNamedIn(args)
  const as = args.includes('--json') ? 'json' : 'text'
  const write = (text: string) => line.write(harmless(text, as))
  const writeError = (text: string) => line.writeError(harmless(text, as))
  return new Promise((resolve, reject) => {
    let code: number | null = null
    let fault: Error | null = null
    let isAsked = false
    const giveUp = () => {
      if (isAsked) return
      const why = `The relay behind ${socketPath} does not answer: is it stopped, or very busy? Nothing was done.`
      reject(new SilentRelay(why, EXIT_LATER))
      socket.destroy()
    }
    // Timers come before sockets: of a line that was held up itself, as by a paused machine, the answer lies there and is read first.
    const cancelWait = clock.after(FIRST_WORD_WITHIN_MS, () => void setImmediate(giveUp))
    const hear = (message: RelayMessage): void => {
      if (message.t === 'out') write(message.text)
      else if (message.t === 'error') writeError(message.text)
      else if (message.t === 'end') code = message.code
      else if (message.t === 'version') {
        if (isAsked) return
        isAsked = true
        cancelWait()
        const { version, database } = readGreeting(message.version)
        if (isOther(database, line.database)) return void socket.destroy(new LineError(otherDatabase(line)))
        warnOfOther(version, writeError)
        // Only now: what was sent to a relay that is stopped would be done when it goes on.
        say(socket, { t: 'run', version: VERSION, args: [...args] })
      } else if (message.path === named) void sendFile(socket, () => readFile(named))
      else socket.destroy(new LineError(unasked(socketPath, message.path)))
    }
    socket.on('error', (error) => {
      fault = error
    })
    socket.on('close', () => {
      cancelWait()
      if (fault instanceof LineError) return reject(fault)
      if (code !== null) return resolve(code)
      const why = fault === null ? '' : ` (${fault.message})`
      reject(new LineError(`The relay went away before it had answered${why}: look whether the change was made.`))
    })
    listenTo(socket, relayMessage, hear)
  })
}

function unasked(socketPath: string, path: string): string {
  return `The program at ${socketPath} asked for a file that the command does not name: ${plain(path)}. It got nothing. Is it your relay, of this version?`
}

function isOther(said: string | null, { mark, isServer }: AskedDatabase): boolean {
  return said === null ? isServer : said !== mark
}

function otherDatabase({ socketPath, database }: AskedLine): string {
  return `The relay behind ${socketPath} works on another database than ${database.words}, which this command is for. Nothing was done: set CLOUD_DATABASE, DATABASE_URL and CLOUD_ADMIN_SOCKET as your relay has them.`
}

function warnOfOther(version: string, writeError: (text: string) => void): void {
  if (version !== VERSION)
    writeError(`The running relay is of version ${version}, this command line of ${VERSION}: restart the relay.`)
}

async function sendFile(socket: Socket, read: () => Promise<string>): Promise<void> {
  try {
    say(socket, { t: 'file', text: await read() })
  } catch (error) {
    say(socket, { t: 'no-file', why: error instanceof Error ? error.message : 'the file cannot be read' })
  }
}

const ROOT = 0
const WRITABLE_BY_OTHERS = 0o002
/** Only a file's owner may move or delete it. */
const STICKY = 0o1000

/** The user of the command line. */
interface Caller {
  callerUid: number
  /** Path of the database: root asks its owner's relay. */
  database: string
}

interface SocketFacts {
  socketUid: number
  /** Of the folder of the socket. */
  folderMode: number
  callerUid: number
  /** Null: there is no database. */
  databaseUid: number | null
}

/** Why this socket must not be used, by its owner and its folder; null: it may be, or there is none, which connecting shows. */
export function whyNotTrusted(path: string, { callerUid, database }: Caller): string | null {
  const real = realPathOf(path)
  const socket = real === null ? null : statOf(real)
  if (real === null || !socket?.isSocket()) return null
  const folderMode = statOf(dirname(real))?.mode ?? WRITABLE_BY_OTHERS
  const databaseUid = statOf(database)?.uid ?? null
  const fault = distrusted({ socketUid: socket.uid, folderMode, callerUid, databaseUid })
  return fault && `Nothing was asked at the socket ${real}: ${fault}`
}

/** Pure. */
export function distrusted({ socketUid, folderMode, callerUid, databaseUid }: SocketFacts): string | null {
  const isOfRelay = callerUid === ROOT && socketUid === databaseUid
  if (socketUid !== ROOT && socketUid !== callerUid && !isOfRelay)
    return `it belongs to user ${socketUid}, who is neither root nor you${callerUid === ROOT ? ' nor the owner of the database' : ''}. Set CLOUD_ADMIN_SOCKET and CLOUD_DATABASE to those of your relay, and use its own user, such as with sudo -u.`
  if ((folderMode & WRITABLE_BY_OTHERS) !== 0 && (folderMode & STICKY) === 0)
    return 'every user can write to its folder, and put another socket there. Use chmod o-w, or set CLOUD_ADMIN_SOCKET to a path in a folder of the relay.'
  return null
}

function realPathOf(path: string): string | null {
  try {
    return realpathSync(path)
  } catch {
    return null
  }
}

function statOf(path: string): Stats | null {
  try {
    return statSync(path)
  } catch {
    return null
  }
}
