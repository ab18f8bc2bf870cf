// Makes a directory entry durable.
import { closeSync, fsyncSync, openSync } from 'node:fs'

/** A file's bytes; or a folder's names: a new one, or its end, is on disk only then. */
export function syncPath(path: string): void {
  const fd = openSync(path, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}
