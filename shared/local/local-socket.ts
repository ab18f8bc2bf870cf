// A socket in a file that only the program's own user may open: how the command lines reach their running programs.
import { chmodSync, lstatSync, mkdirSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { dirname } from 'node:path'

/** Another program answers at the socket, or a file that is not a socket is there. */
export class LocalSocketInUse extends Error {
  override readonly name = 'LocalSocketInUse'
}

/** The socket's owner, in the words of a refusal. */
export interface SocketOwner {
  /** Such as `control socket`. */
  what: string
  /** Such as `gateway`. */
  program: string
  /** The setting that moves it. */
  variable: string
  /** What else lets two of them run beside each other, as a command. */
  orElse?: string
}

/**
 * Makes the socket's folder and listens there. What a killed program left behind is removed first.
 * @throws LocalSocketInUse
 * @throws the error of the system, such as ENAMETOOLONG or EACCES
 */
export async function listenLocally(path: string, owner: SocketOwner, listen: () => Promise<unknown>): Promise<void> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  await removeStale(path, owner)
  await listen()
  chmodSync(path, 0o600)
}

/** A program that was killed leaves its socket behind; a running one answers at it. */
async function removeStale(path: string, { what, program, variable, orElse }: SocketOwner): Promise<void> {
  const there = lstatSync(path, { throwIfNoEntry: false })
  if (!there) return
  if (!there.isSocket()) throw new LocalSocketInUse(`${path} is not a socket: set ${variable} to another path`)
  const ways = ['end that one', ...(orElse === undefined ? [] : [orElse]), `set ${variable} to another path`]
  if (await answers(path))
    throw new LocalSocketInUse(`the ${what} ${path} is in use by another ${program}: ${ways.join(', or ')}`)
  rmSync(path, { force: true })
}

/** Whether a program listens at the socket. */
export function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ path })
    const end = (answered: boolean): void => {
      socket.destroy()
      resolve(answered)
    }
    socket.once('connect', () => end(true))
    // Only a refused connection proves that no program listens.
    socket.once('error', (error: NodeJS.ErrnoException) =>
      end(error.code !== 'ECONNREFUSED' && error.code !== 'ENOENT'),
    )
  })
}
