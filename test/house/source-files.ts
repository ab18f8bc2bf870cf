// The project's files as git knows them, new ones included, read from disk.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '..', '..')

/** Asked once in a run: the tests of the house share it. */
let known: string[] | undefined

/** Paths from the project's folder of all files that are not ignored and whose name ends so. */
export function projectFiles(...endings: string[]): string[] {
  known ??= listFiles()
  return known.filter((path) => endings.some((ending) => path.endsWith(ending)))
}

function listFiles(): string[] {
  const list = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  return [...new Set(list.split('\0'))].filter((path) => path !== '' && existsSync(join(ROOT, path))).sort()
}

export function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}

export function firstLine(path: string): string {
  return read(path).split('\n', 1)[0] ?? ''
}
