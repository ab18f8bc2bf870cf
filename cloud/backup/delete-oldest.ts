// Deletes the oldest copies of a folder beyond a number, and returns those that it could not delete.
import { readdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { codeOf } from '#shared/code-of.ts'
import { holdPlace, passingFiles, whyNotHeld } from './copy-place.ts'
import { sumFileOf } from './copy-sum.ts'
import { FileRefusal } from './file-refusal.ts'
import { tooMany } from './keep-copies.ts'
import { firstOwn, ownFileAt, type RelayFiles } from './own-files.ts'

export interface NotDeleted {
  name: string
  /** In words for the operator, without a full stop. */
  why: string
}

export interface Deletions {
  deleted: string[]
  /** Without those that a running backup holds: they are left to it. */
  notDeleted: NotDeleted[]
}

/** Call it after the newest one is there. A database may be named as a copy is, as one that was started on a copy where it stood. */
export function deleteOldest(own: RelayFiles, folder: string, keep: number): Deletions {
  const copies = readdirSync(folder).filter((name) => ownFileAt(join(folder, name), own) === null)
  const deletions: Deletions = { deleted: [], notDeleted: [] }
  for (const name of tooMany(copies, keep)) {
    const outcome = deleteCopy(own, join(folder, name))
    if (outcome === 'deleted') deletions.deleted.push(name)
    else if (outcome !== 'held') deletions.notDeleted.push({ name, why: outcome.why })
  }
  return deletions
}

/** `held`: one that has its name and not yet its sum is left to the backup that makes it. */
function deleteCopy(own: RelayFiles, copy: string): 'deleted' | 'held' | { why: string } {
  const beside = firstOwn(passingFiles(copy), own)
  if (beside !== null) return { why: `${basename(beside.path)} beside it is ${beside.what}` }
  let letGo: (() => void) | null = null
  try {
    letGo = holdPlace(copy)
    if (letGo === null) return 'held'
    // The sum first: after a power cut between the two the copy is still there to be counted.
    if (ownFileAt(sumFileOf(copy), own) === null) rmSync(sumFileOf(copy), { force: true })
    // Another backup may have deleted it.
    rmSync(copy, { force: true })
    return 'deleted'
  } catch (error) {
    if (error instanceof FileRefusal) return { why: whyNotHeld(copy, error) }
    return { why: `the system refuses it (${codeOf(error) || 'unknown'}): it must be a file that this user may delete` }
  } finally {
    letGo?.()
  }
}
