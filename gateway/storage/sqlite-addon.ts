// The native half of SQLite when the gateway is one executable: it cannot be mapped from inside a program, and no executable file may be left on the disk.
import { closeSync, existsSync, constants as files, openSync, writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { dlopen, execPath } from 'node:process'
import { getAsset, isSea } from 'node:sea'
import { brotliDecompressSync } from 'node:zlib'

const ADDON = 'better_sqlite3.node'
const PACKED_ADDON = `${ADDON}.br`
/** Linux: a file without a name, gone with its last descriptor; Node has no name for it. */
const O_TMPFILE = 0o20000000 | files.O_DIRECTORY

/**
 * Options for better-sqlite3; empty if it finds its addon in node_modules.
 * @param folder for an unnamed file, if the executable was not installed as a package
 */
export function sqliteAddon(folder: string): { nativeBinding?: string } {
  if (!isSea()) return {}
  // The Debian package installs it beside the program, where the unit allows code to be mapped from.
  const beside = join(dirname(execPath), ADDON)
  const addon: unknown = existsSync(beside) ? createRequire(execPath)(beside) : loadUnnamed(folder)
  // The library accepts the loaded object as well; its types have only the path.
  return { nativeBinding: addon as string }
}

function loadUnnamed(folder: string): unknown {
  const fd = openSync(folder, O_TMPFILE | files.O_RDWR, 0o600)
  try {
    const bytes = brotliDecompressSync(getAsset(PACKED_ADDON))
    for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at)
    const loaded = { exports: {} }
    dlopen(loaded, `/proc/self/fd/${fd}`)
    return loaded.exports
  } finally {
    // The mapping stays valid.
    closeSync(fd)
  }
}
