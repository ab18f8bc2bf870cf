// Small files that survive a power failure: they have the old content or the new one, never a part of it.
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { syncPath } from '#shared/disk/sync-path.ts'

/** Only its owner may read it. @throws the system's error, such as ENOSPC; then the old content is kept */
export function replaceFile(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true })
  const fresh = `${path}.new`
  // An older one may have other permissions: the mode applies only when the file is created.
  rmSync(fresh, { force: true })
  const file = openSync(fresh, 'wx', 0o600)
  try {
    writeFileSync(file, content)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(fresh, path)
  syncPath(dirname(path))
}

/** No error if it does not exist. */
export function removeFile(path: string): void {
  rmSync(path, { force: true })
  syncPath(dirname(path))
}
