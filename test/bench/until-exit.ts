// What a measurement starts and makes does not outlive it, however it ends: by itself, by an error, by a signal that ends with `process.exit`.
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Kills the child when this program ends. */
export function killAtExit(child: ChildProcess): void {
  const kill = (): void => {
    child.kill('SIGKILL')
  }
  // Before the folders in which it may still write are removed.
  process.prependOnceListener('exit', kill)
  child.once('exit', () => process.off('exit', kill))
}

/** A new folder that is removed when this program ends. @returns its path */
export function folderUntilExit(prefix: string): string {
  const dir = mkdtempSync(join(tmpdir(), prefix))
  process.once('exit', () => rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }))
  return dir
}
