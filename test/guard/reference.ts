// The tree of the limits, taken out of the repository to be measured on this machine.
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { folderUntilExit } from '#test/bench/until-exit.ts'
import type { Judged } from './judge.ts'
import type { Part } from './options.ts'

/** It takes five minutes. */
const WITHIN_MS = 15 * 60_000
/** As `npm start` installs: no package may run install scripts. */
const INSTALL = ['ci', '--ignore-scripts', '--include=dev', '--include=optional', '--no-audit', '--no-fund']

/**
 * @param here this checkout, a clone that has the commit
 * @param measure gets the folder of its tree, with its packages, which is gone afterwards
 * @throws Error when the repository has no such commit, or its packages cannot be installed
 */
export async function withReference<T>(
  here: string,
  commit: string,
  measure: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = checkedOut(here, commit)
  try {
    return await measure(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * @param folder of the tree of the limits
 * @returns its figures of these parts, measured by its own guard
 * @throws Error when something did not happen as it was meant to while it was measured
 */
export function measureByItsGuard(folder: string, parts: ReadonlySet<Part>): Judged[] {
  const args = ['test/guard/run.ts', '--only', [...parts].join(',')]
  // It fails where limits are crossed, which is why it is asked.
  spawnSync(process.execPath, args, { cwd: folder, stdio: 'inherit', timeout: WITHIN_MS })
  const { judged, flaws } = JSON.parse(readFileSync(join(folder, 'bench-results/guard.json'), 'utf8'))
  if (flaws.length > 0) throw new Error(flaws.join('; '))
  return judged
}

function checkedOut(here: string, commit: string): string {
  const folder = folderUntilExit('ticketrail-reference-')
  const archive = ['archive', commit]
  const tree = execFileSync('git', archive, { cwd: here, maxBuffer: 1e9, stdio: ['ignore', 'pipe', 'inherit'] })
  execFileSync('tar', ['-x', '-C', folder], { input: tree })
  const lock = (root: string): string => readFileSync(join(root, 'package-lock.json'), 'utf8')
  if (lock(folder) === lock(here)) symlinkSync(join(here, 'node_modules'), join(folder, 'node_modules'))
  else execFileSync('npm', [...INSTALL, '--loglevel=error'], { cwd: folder, stdio: 'inherit' })
  return folder
}
