// The generators and linters that other people use on our document, in a folder of their own: they are no packages of ours, and need another TypeScript.
import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const CACHE = new URL('../../../node_modules/.cache/ticketrail-outside', import.meta.url).pathname

const PACKAGES = {
  '@hey-api/openapi-ts': '0.99.0',
  '@redocly/cli': '2.41.0',
  '@stoplight/spectral-cli': '6.16.3',
  'openapi-fetch': '0.17.0',
  'openapi-typescript': '7.13.0',
  quicktype: '26.0.0',
  typescript: '5.9.3',
}

export interface Ran {
  code: number
  /** Both streams. */
  text: string
}

/** Where the tools are, or why they are not there. */
export type Tools = { folder: string; missing: null } | { folder: null; missing: string }

/** What npm says when there is no registry, as against a version that does not exist. */
const NO_REGISTRY = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|network|socket hang up|E50\d/i

/**
 * Installs the tools, once for these versions: a second run finds them.
 * @throws when npm fails for another reason than a registry that is away
 */
export async function installTools(): Promise<Tools> {
  const manifest = JSON.stringify({ name: 'outside', private: true, type: 'module', dependencies: PACKAGES })
  const folder = join(CACHE, createHash('sha256').update(manifest).digest('hex').slice(0, 16))
  if (existsSync(folder)) return { folder, missing: null }
  // npm ends a line of folders above that have packages: this one must be its own root.
  const work = join(CACHE, `work-${randomUUID()}`)
  mkdirSync(work, { recursive: true })
  writeFileSync(join(work, 'package.json'), manifest)
  const npm = await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--fetch-retries=1'], work)
  if (npm.code === 0) {
    try {
      renameSync(work, folder)
    } catch (error) {
      // Another run was quicker.
      if (!existsSync(folder)) throw error
      rmSync(work, { recursive: true, force: true })
    }
    return { folder, missing: null }
  }
  rmSync(work, { recursive: true, force: true })
  if (NO_REGISTRY.test(npm.text)) return { folder: null, missing: `npm cannot install them: ${npm.text.slice(-300)}` }
  throw new Error(`npm cannot install the outside tools:\n${npm.text}`)
}

/** Runs a program to its end. It never throws: the exit code tells. */
export function run(program: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): Promise<Ran> {
  return new Promise((resolve) => {
    const options = { cwd, env: { ...process.env, ...env }, maxBuffer: 64 * 1_048_576 }
    execFile(program, [...args], options, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 127
      resolve({ code, text: stdout + stderr })
    })
  })
}

/** Whether a program of another language is on this machine. */
export async function hasProgram(name: string): Promise<boolean> {
  return (await run('sh', ['-c', 'command -v "$0"', name], '/')).code === 0
}
