// Checks owner and folder of the admin socket before the command line uses it.
import { realpathSync, type Stats, statSync } from 'node:fs'
import { dirname } from 'node:path'

const ROOT = 0
const WRITABLE_BY_OTHERS = 0o002
/** Only a file's owner may move or delete it. */
const STICKY = 0o1000

/** The user of the command line. */
export interface Caller {
  callerUid: number
  /** Path of the database: root asks its owner's relay. */
  database: string
}

export interface SocketFacts {
  socketUid: number
  /** Of the folder of the socket. */
  folderMode: number
  callerUid: number
  /** Null: there is no database. */
  databaseUid: number | null
}

/** Why this socket must not be used; null: it may be, or there is none, which connecting shows. */
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
