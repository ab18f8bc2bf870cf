// The folder in which a copy is to be: made, or refused in words that say why and what to do.
import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { missingTarget } from '#cloud/storage/database-path.ts'
import { codeOf } from '#shared/code-of.ts'
import { FileRefusal } from './file-refusal.ts'

const NOT_ALLOWED = 'this user may not write there. Give the folder to this user (chown), or'
const WHY: Readonly<Record<string, string>> = {
  EEXIST: 'it is a file. Say another --into.',
  ENOTDIR: 'a part of its path is a file. Say another --into.',
  EACCES: `${NOT_ALLOWED} say another --into.`,
  EPERM: `${NOT_ALLOWED} say another --into.`,
  EROFS: 'its disk is mounted for reading only. Mount it for writing, or say another --into.',
  ENOSPC: 'there is no room on its disk. Make room there, or say another --into.',
}

/** Makes it if it is missing. @throws FileRefusal when it cannot be made or used */
export function makeCopyFolder(folder: string): void {
  const missing = missingTarget(folder)
  if (missing !== null) throw new FileRefusal(`${folder} cannot be a folder of copies: ${missing}`)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw folderRefusal(folder, error)
  }
}

/** What the system said of the folder, for the operator. */
export function folderRefusal(folder: string, error: unknown): FileRefusal {
  const code = codeOf(error) || 'unknown'
  const why = WHY[code] ?? 'the system refuses it. Say another --into.'
  return new FileRefusal(`${folder} cannot be a folder of copies (${code}): ${why}`)
}

/** For a copy that is named by its path: a mistyped one must not make folders. @throws FileRefusal */
export function mustHaveFolder(copy: string): void {
  const folder = dirname(copy)
  if (existsSync(folder)) return
  const missing = missingTarget(folder)
  if (missing !== null) throw new FileRefusal(`${copy} cannot be written: ${missing}`)
  throw new FileRefusal(
    `${copy} cannot be written: ENOENT, there is no folder ${folder}. Make it first (--to makes none), or say --into.`,
  )
}
