// What the operator's pages and the command line's help say of an installed relay: paths, units and commands are those of deploy/install-relay.sh.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { projectFiles, ROOT, read } from './source-files.ts'

const PAGES = [
  ...['docs/operate-cloud.md', 'docs/relay-backup.md', 'docs/relay-retention.md', 'docs/relay-limits.md'],
  'cloud/admin/backup-commands.ts',
]
const HOME = '/opt/ticketrail'
const INSTALLER = read('deploy/install-relay.sh')
const UNITS = projectFiles('.service', '.timer').filter((path) => /^systemd\/ticketrail-relay/.test(path))
/** Ends at a blank, a quotation mark or what closes a sentence. */
const PATHS = /(?<![\w.$}])\/(?:etc|opt|run|srv|usr|var)\/[\w./@-]*ticketrail[\w./@-]*/g

const pathsIn = (text: string): string[] =>
  [...text.matchAll(PATHS)].map(([path]) => path.replace(/[./]+$/, '')).filter((path) => path !== HOME)

/** Made by the installer, by systemd for the unit, or put in its place by hand as a file of deploy/ says at its head. */
const MADE = new Set([
  ...[...projectFiles(''), ...UNITS]
    .filter((path) => /^deploy\//.test(path) || UNITS.includes(path))
    .flatMap((path) => pathsIn(read(path))),
  ...UNITS.map((path) => `/etc/systemd/system/${basename(path)}`),
  ...UNITS.flatMap((path) =>
    [...read(path).matchAll(/^StateDirectory=(\S+)$/gm)].map(([, name]) => `/var/lib/${name}`),
  ),
])

function isThere(path: string): boolean {
  if (path.startsWith(`${HOME}/`)) return existsSync(join(ROOT, path.slice(HOME.length + 1)))
  return MADE.has(path) || [...MADE].some((made) => !made.startsWith(HOME) && path.startsWith(`${made}/`))
}

describe('an installed relay', () => {
  it.each(PAGES)('has every path that %s names', (page) => {
    const named = pathsIn(read(page))
    expect(named.filter((path) => !isThere(path))).toEqual([])
  })

  it.each(PAGES)('has every unit that %s names', (page) => {
    const commands = [...read(page).matchAll(/(?:systemctl|journalctl) [^`#\n]*/g)].map(([command]) => command)
    const named = commands
      .flatMap((command) => [...command.matchAll(/\b(ticketrail-[\w-]+)(\.\w+)?/g)])
      .map(([, name, kind = '.service']) => `systemd/${name}${kind}`)
    expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
  })

  it('gets every unit of systemd/ by the installer', () => {
    expect(UNITS.length).toBeGreaterThanOrEqual(5)
    const copied = UNITS.filter((path) => INSTALLER.includes(basename(path)))
    expect(copied).toEqual(UNITS)
  })
})

const hasSystemd = existsSync('/usr/bin/systemd-analyze')
if (!hasSystemd) process.stderr.write('units are not verified: no systemd-analyze here\n')

it.skipIf(!hasSystemd).each(UNITS)('systemd understands the whole of %s', (path) => {
  const dir = mkdtempSync(join(tmpdir(), 'units-'))
  try {
    // Where the programs of these units lie differs from machine to machine: they are not looked for here.
    for (const unit of UNITS)
      writeFileSync(join(dir, basename(unit)), read(unit).replace(/^ExecStart=\S+/gm, 'ExecStart=/bin/true'))
    const verified = spawnSync('systemd-analyze', ['verify', '--man=no', join(dir, basename(path))], {
      encoding: 'utf8',
      env: { ...process.env, SYSTEMD_UNIT_PATH: `${dir}:` },
    })
    expect([verified.status, verified.stdout + verified.stderr]).toEqual([0, ''])
  } finally {
    rmSync(dir, { recursive: true })
  }
})
