// Creates the folder for a copy, or refuses with the reason and what to do.
import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { missingTarget } from '#cloud/storage/sqlite/database-path.ts'
import { folderWords } from '#cloud/storage/sqlite/folder-words.ts'
import { FileRefusal } from './file-refusal.ts'

/** Makes it if it is missing. @throws FileRefusal when it cannot be made or used */
export function makeCopyFolder(folder: string): void {
  const missing = missingTarget(folder)
  if (missing !== null) throw new FileRefusal(`${folder} cannot be a folder of copies: ${missing}`)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new FileRefusal(`${folder} cannot be a folder of copies ${folderWords(error, 'say another --into')}`)
  }
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
