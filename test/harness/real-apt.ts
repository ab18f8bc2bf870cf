// The machine's own apt-get, over a root of its own: whether it reads a source as it was written.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const APT = '/usr/bin/apt-get'
export const hasApt = existsSync(APT)

/**
 * Puts a list of one package into the repository, unsigned, and has apt fetch it.
 * @param sources what stands in the .sources file
 * @param dir for apt's own files; not there yet
 * @returns apt's exit code, and the names of the packages that it knows then
 */
export function aptReads(
  sources: string,
  { repository, dir }: { repository: string; dir: string },
): { status: number | null; packages: string[] } {
  const list =
    'Package: tried\nVersion: 1\nArchitecture: amd64\nMaintainer: T <t@example.com>\nFilename: pool/t.deb\nSize: 1\n'
  const suite = join(repository, 'dists/stable')
  mkdirSync(join(suite, 'main/binary-amd64'), { recursive: true })
  writeFileSync(join(suite, 'main/binary-amd64/Packages'), list)
  const hash = createHash('sha256').update(list).digest('hex')
  const facts = ['Suite: stable', 'Codename: stable', 'Components: main', 'Architectures: amd64', 'SHA256:']
  const line = ` ${hash} ${list.length} main/binary-amd64/Packages`
  writeFileSync(join(suite, 'Release'), [...facts, line, ''].join('\n'))
  for (const folder of ['lists/partial', 'archives/partial']) mkdirSync(join(dir, folder), { recursive: true })
  writeFileSync(join(dir, 'status'), '')
  writeFileSync(join(dir, 'tried.sources'), sources.replace(/Signed-By: .*/, 'Trusted: yes'))
  const options = {
    'Dir::Etc::sourcelist': join(dir, 'tried.sources'),
    'Dir::Etc::sourceparts': '/dev/null',
    'Dir::State': dir,
    'Dir::State::status': join(dir, 'status'),
    'Dir::Cache': dir,
    'APT::Architecture': 'amd64',
    'APT::Sandbox::User': 'root',
    'APT::Update::Error-Mode': 'any',
  }
  const flags = Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`])
  const { status } = spawnSync(APT, [...flags, 'update'])
  const names = spawnSync('/usr/bin/apt-cache', [...flags, 'pkgnames'], { encoding: 'utf8' }).stdout
  return { status, packages: names.split('\n').filter((name) => name !== '') }
}
