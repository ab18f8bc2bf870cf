// The Node program of an architecture, from the npm registry, held to the lock file's hash and stripped of what only debuggers need.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

export type Arch = 'x64' | 'arm64'

const GNU_PREFIX: Readonly<Record<Arch, string>> = { x64: 'x86_64-linux-gnu', arm64: 'aarch64-linux-gnu' }

interface Locked {
  version: string
  integrity: string
}

/** Version and hash of `node-linux-<arch>` as the lock file has them. */
export function lockedNode(root: string, arch: Arch): Locked {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Record<string, Locked> }
  const entry = lock.packages[`node_modules/node-linux-${arch}`]
  if (!entry) throw new Error(`package-lock.json has no node-linux-${arch}`)
  return entry
}

/** Path of the stripped program; fetched once into `cache`. @throws when the registry's file is not the lock file's */
export function nodeBinary(root: string, cache: string, arch: Arch): string {
  const { version, integrity } = lockedNode(root, arch)
  const folder = join(cache, `node-${version}-${arch}`)
  const program = join(folder, 'node')
  if (existsSync(program)) return program
  rmSync(folder, { recursive: true, force: true })
  const fresh = `${folder}.new`
  rmSync(fresh, { recursive: true, force: true })
  mkdirSync(fresh, { recursive: true })
  const packed = execFileSync('npm', ['pack', `node-linux-${arch}@${version}`, '--json', '--pack-destination', fresh], {
    stdio: ['ignore', 'pipe', 'ignore'],
    encoding: 'utf8',
  })
  const [{ filename }] = JSON.parse(packed) as [{ filename: string }]
  const archive = join(fresh, filename)
  const found = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`
  if (found !== integrity) throw new Error(`${filename} is ${found}, the lock file wants ${integrity}`)
  execFileSync('tar', ['-xzf', archive, '-C', fresh, '--strip-components=2', 'package/bin/node'])
  rmSync(archive)
  strip(join(fresh, 'node'), arch, [])
  execFileSync('mv', [fresh, folder])
  return program
}

/** Before the program's own code is put in, never after. @throws when binutils for the architecture is missing */
export function strip(file: string, arch: Arch, args: readonly string[]): void {
  const tool = arch === process.arch ? 'strip' : `${GNU_PREFIX[arch]}-strip`
  try {
    execFileSync(tool, [...args, file])
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
    const name = arch === process.arch ? 'binutils' : `binutils-${GNU_PREFIX[arch]}`
    throw new Error(`${tool} is missing: apt-get install ${name}`, { cause: error })
  }
}
