// The updater against a real signed repository, with apt and dpkg in a root of their own: good, broken, interrupted, tampered with. Only systemd is a double.
import { execFileSync, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ROOT } from './release.ts'
import { makeSigningKey, publish as publishDeb } from './signed-repository.ts'

const NAME = 'ticketrail-gateway'
const ALWAYS = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0')).join(' ')
const UPDATER = join(ROOT, `systemd/${NAME}-update`)

describe('the updater', () => {
  let dir: string
  let key: string
  let env: Record<string, string>
  const at = (...parts: string[]): string => join(dir, ...parts)

  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), 'updater-'))
    chmodSync(dir, 0o755)
    key = makeSigningKey(dir, 'releases')
    for (const version of ['1.0.0', '1.1.0', '1.2.0-broken', '1.3.0']) makePackage(version)
  })
  afterAll(() => rmSync(dir, { recursive: true, force: true }))

  beforeEach(() => {
    for (const name of ['root', 'state', 'sources', 'repository', 'bin'])
      rmSync(at(name), { recursive: true, force: true })
    for (const name of [
      'root/var/lib/dpkg/info',
      'root/var/lib/dpkg/updates',
      'root/var/lib/apt/lists/partial',
      'root/var/log/apt',
      'root/var/cache/apt/archives/partial',
      'root/etc/apt/apt.conf.d',
      'root/etc/apt/preferences.d',
      'sources',
      'bin',
    ])
      mkdirSync(at(name), { recursive: true })
    for (const name of ['status', 'available']) writeFileSync(at('root/var/lib/dpkg', name), '')
    const apt = [
      `Dir "${at('root')}/";`,
      `Dir::State::status "${at('root/var/lib/dpkg/status')}";`,
      'Dir::Bin::dpkg "/usr/bin/dpkg";',
      `DPkg::Options { "--root=${at('root')}"; "--force-script-chrootless"; };`,
      'APT::Sandbox::User "root";',
      'APT::Architecture "amd64";',
      'APT::Architectures { "amd64"; };',
    ]
    writeFileSync(at('apt.conf'), apt.join('\n'))
    doubles()
    env = {
      PATH: `${at('bin')}:${process.env['PATH']}`,
      APT_CONFIG: at('apt.conf'),
      DPKG_ROOT: at('root'),
      UPDATE_STATE: at('state'),
      UPDATE_SOURCES: at('sources'),
      UPDATE_RUN: at('bin'),
      UPDATE_READY_WITHIN_S: '8',
      UPDATE_STEADY_S: '1',
      // The gateway is asked once all the same whether tickets wait.
      UPDATE_QUIET_WITHIN_S: '0',
      UPDATE_ASK_WITHIN_S: '20',
      UPDATE_NIGHT: ALWAYS,
      TZ: 'UTC',
    }
    publish('1.0.0')
    const sources = `Types: deb\nURIs: file:${at('repository')}\nSuites: stable\nComponents: main\nSigned-By: ${at('repository/ticketrail-archive.gpg')}\n`
    writeFileSync(at('sources/ticketrail.sources'), sources)
    execFileSync('dpkg', ['--root', at('root'), '-i', debFile('1.0.0')], { env, stdio: 'pipe' })
  })

  /** systemd and the program: what is installed is ready unless its version says that it is broken. */
  function doubles(): void {
    const systemctl = `#!/bin/sh
version=$(cat ${at('root/usr/lib', NAME, 'version')})
echo "$version $*" >>${at('systemctl')}
case "$*" in
  *ActiveState*) case $version in *broken*) echo activating ;; *) echo active ;; esac ;;
  *NRestarts*) echo 0 ;;
esac
`
    writeFileSync(at('bin/systemctl'), systemctl, { mode: 0o755 })
    gatewaySays(`#!/bin/sh\n${answerReady()}`)
    writeFileSync(at('queued'), '0')
    writeFileSync(at('zone'), '')
  }
  const answerReady = (): string =>
    `printf '{\\n  "ready": true,\\n  "queue": {\\n    "queued": %s,\\n    "held": 0\\n  },\\n  "timeZone": "%s"\\n}\\n' "$(cat ${at('queued')})" "$(cat ${at('zone')})"\n`
  const gatewaySays = (program: string): void => writeFileSync(at('bin', NAME), program, { mode: 0o755 })
  const waitingSince = (agoS: number): void =>
    writeFileSync(at('state/waiting-since'), `${Math.floor(Date.now() / 1_000) - agoS}\n`)
  const hourIn = (zone: string): string => execFileSync('date', ['+%H'], { env: { TZ: zone }, encoding: 'utf8' }).trim()
  function makePackage(version: string): void {
    const tree = at('trees', version)
    mkdirSync(join(tree, 'DEBIAN'), { recursive: true })
    mkdirSync(join(tree, 'usr/lib', NAME), { recursive: true })
    mkdirSync(at('debs'), { recursive: true })
    writeFileSync(join(tree, 'usr/lib', NAME, 'version'), version)
    writeFileSync(
      join(tree, 'DEBIAN/control'),
      `Package: ${NAME}\nVersion: ${version}\nArchitecture: amd64\nMaintainer: T <t@t.example>\nDescription: test\n`,
    )
    execFileSync('dpkg-deb', ['-Znone', '--root-owner-group', '--build', tree, debFile(version)], { stdio: 'pipe' })
  }
  const debFile = (version: string): string => at(`debs/${NAME}_${version}_amd64.deb`)
  const publish = (version: string, by = key): string => publishDeb(by, debFile(version), at('repository'))
  function update(...args: string[]): { code: number | null; said: string } {
    const { status, stdout, stderr } = spawnSync('sh', [UPDATER, ...args], { env, encoding: 'utf8', timeout: 60_000 })
    return { code: status, said: stdout + stderr }
  }
  const installed = (): string => readFileSync(at('root/usr/lib', NAME, 'version'), 'utf8')

  it('leaves alone what is up to date', () => {
    expect(update()).toMatchObject({ code: 0, said: expect.stringContaining('1.0.0 is up to date') })
  })

  it('installs what is new, keeps the way back, and does so once', () => {
    publish('1.1.0')
    expect(update()).toMatchObject({ code: 0, said: expect.stringContaining('1.1.0 runs') })
    expect(installed()).toBe('1.1.0')
    expect(readdirSync(at('state/keep')).sort()).toEqual([`${NAME}_1.0.0.deb`, `${NAME}_1.1.0.deb`])
    expect(existsSync(at('state/pending'))).toBe(false)
    expect(update().said).toContain('1.1.0 is up to date')
  })

  it('gives a machine on which every answer takes seconds its time: what counts is how long it answers, not how often', () => {
    Object.assign(env, { UPDATE_READY_WITHIN_S: '6', UPDATE_STEADY_S: '6' })
    gatewaySays(`#!/bin/sh\nsleep 1\n${answerReady()}`)
    publish('1.1.0')
    expect(update()).toMatchObject({ code: 0, said: expect.stringContaining('1.1.0 runs') })
  })

  it('is notified by the gateway also where nothing can be written in memory', () => {
    env['UPDATE_RUN'] = at('nowhere')
    publish('1.1.0')
    expect(update()).toMatchObject({ code: 0, said: expect.stringContaining('1.1.0 runs') })
  })

  it('reverts by itself when the new version does not become ready, never tries it again, and takes the next', () => {
    publish('1.2.0-broken')
    const { code, said } = update()
    expect([code, installed()]).toEqual([2, '1.0.0'])
    expect(said).toContain('going back to 1.0.0')
    expect(said).toContain('1.0.0 runs again')
    expect(readFileSync(at('state/undone'), 'utf8').trim()).toBe('1.2.0-broken')
    expect(update()).toMatchObject({ code: 1, said: expect.stringContaining('did not work on this machine before') })
    expect(installed()).toBe('1.0.0')
    publish('1.3.0')
    expect([update().code, installed()]).toEqual([0, '1.3.0'])
    expect(existsSync(at('state/undone'))).toBe(false)
  })

  it('ends what a power cut interrupted: forward when the new version is ready, back when it is not', () => {
    publish('1.1.0')
    update()
    writeFileSync(at('state/pending'), '1.0.0 1.1.0\n')
    expect(update()).toMatchObject({ code: 0, said: expect.stringContaining('1.1.0 runs') })
    publish('1.2.0-broken')
    execFileSync('cp', [debFile('1.2.0-broken'), at('state/keep', `${NAME}_1.2.0-broken.deb`)])
    execFileSync('dpkg', ['--root', at('root'), '-i', debFile('1.2.0-broken')], {
      env,
      stdio: 'pipe',
    })
    writeFileSync(at('state/pending'), '1.1.0 1.2.0-broken\n')
    expect([update().code, installed()]).toEqual([2, '1.1.0'])
  })

  it('installs nothing from a repository that was changed, or that another key has signed', () => {
    publish('1.1.0')
    const list = at('repository/dists/stable/main/binary-amd64/Packages')
    appendFileSync(list, '\n')
    rmSync(`${list}.gz`)
    expect(update()).toMatchObject({ code: 1, said: expect.stringContaining('could not be read or verified') })
    const trusted = readFileSync(at('repository/ticketrail-archive.gpg'))
    rmSync(at('repository'), { recursive: true })
    publish('1.1.0', makeSigningKey(dir, 'stranger'))
    writeFileSync(at('repository/ticketrail-archive.gpg'), trusted)
    expect(update()).toMatchObject({ code: 1, said: expect.stringContaining('could not be read or verified') })
    expect(installed()).toBe('1.0.0')
  })

  it('waits for a quiet moment, unless an option overrides that', () => {
    publish('1.1.0')
    writeFileSync(at('queued'), '3')
    expect(update()).toMatchObject({ code: 1, said: expect.stringContaining('kept waiting') })
    expect(installed()).toBe('1.0.0')
    expect(update('--now').code).toBe(0)
    expect(installed()).toBe('1.1.0')
  })

  it('continues when the last ticket that waited has been printed', () => {
    env['UPDATE_QUIET_WITHIN_S'] = '60'
    publish('1.1.0')
    writeFileSync(at('queued'), '3')
    gatewaySays(`#!/bin/sh\n${answerReady()}[ $1 != status ] || echo 0 >${at('queued')}\n`)
    expect(update()).toMatchObject({ code: 0, said: expect.stringContaining('1.1.0 runs') })
  })

  it('only checks by day, and reports what it found; day and night are those of the restaurant', () => {
    const available = at('state/available')
    publish('1.1.0')
    writeFileSync(at('zone'), 'Pacific/Kiritimati')
    env['UPDATE_NIGHT'] = hourIn('UTC')
    expect(update()).toMatchObject({ code: 0, said: '1.1.0 is available\n' })
    expect(update()).toEqual({ code: 0, said: '' })
    expect([installed(), readFileSync(available, 'utf8')]).toEqual(['1.0.0', '1.1.0\n'])
    env['UPDATE_NIGHT'] = hourIn('Pacific/Kiritimati')
    expect(update().code).toBe(0)
    expect([installed(), existsSync(available)]).toEqual(['1.1.0', false])
  })

  describe('when the gateway itself keeps it from updating', () => {
    beforeEach(() => {
      publish('1.1.0')
      // Its first look.
      env['UPDATE_NIGHT'] = 'none'
      update()
      env['UPDATE_NIGHT'] = ALWAYS
    })

    it('notes when the first new version was seen, and a further one does not restart the count', () => {
      waitingSince(1_000)
      const noted = readFileSync(at('state/waiting-since'), 'utf8')
      publish('1.3.0')
      env['UPDATE_NIGHT'] = 'none'
      update()
      expect(readFileSync(at('state/waiting-since'), 'utf8')).toBe(noted)
    })

    it('updates after three days at night although tickets are reported to wait, and not an hour before', () => {
      writeFileSync(at('queued'), '3')
      waitingSince(71 * 3_600)
      expect(update()).toMatchObject({ code: 1, said: expect.stringContaining('kept waiting') })
      expect(installed()).toBe('1.0.0')
      waitingSince(72 * 3_600)
      expect(update()).toMatchObject({ code: 0, said: expect.stringContaining('has waited for 3 days') })
      expect(installed()).toBe('1.1.0')
      expect(existsSync(at('state/waiting-since'))).toBe(false)
    })

    it('never by day of both clocks, however long it has waited', () => {
      waitingSince(30 * 86_400)
      env['UPDATE_NIGHT'] = 'none'
      expect(update()).toEqual({ code: 0, said: '' })
      expect(installed()).toBe('1.0.0')
    })

    it('uses the night of its own clock after three days, when the restaurant’s place has no night', () => {
      writeFileSync(at('zone'), 'Pacific/Kiritimati')
      env['UPDATE_NIGHT'] = hourIn('UTC')
      expect(update()).toEqual({ code: 0, said: '' })
      waitingSince(72 * 3_600)
      expect(update().code).toBe(0)
      expect(installed()).toBe('1.1.0')
    })

    it.each([
      ['never answers', 'exec sleep 600'],
      ['answers without an end', 'exec yes \'"queued": 3,\''],
      ['leaves a process behind that holds its output', 'setsid sleep 600 & echo $! >>children'],
    ])('waits for no gateway that %s', (_, program) => {
      env['UPDATE_ASK_WITHIN_S'] = '1'
      gatewaySays(`#!/bin/sh\n${program.replace('children', at('children'))}\n`)
      writeFileSync(at('children'), '')
      try {
        expect(update().said).toContain('updating 1.0.0 to 1.1.0')
      } finally {
        for (const pid of readFileSync(at('children'), 'utf8').split('\n')) if (pid !== '') process.kill(Number(pid))
      }
    })

    it('reads nothing but what is exactly of the form: a number elsewhere and a zone that is a path are no answers', () => {
      gatewaySays(`#!/bin/sh
printf '{\\n  "ready": true,\\n  "x": "\\"queued\\": 3,",\\n      "queued": 3,\\n  "queue": {\\n    "queued": 0\\n  },\\n  "timeZone": "../../../etc/hostname"\\n}\\n'
`)
      expect(update().code).toBe(0)
      expect(installed()).toBe('1.1.0')
    })

    it('restarts the count when the clock was far ahead at its first check', () => {
      const since = () => Number(readFileSync(at('state/waiting-since'), 'utf8'))
      waitingSince(-400 * 86_400)
      const farAhead = since()
      env['UPDATE_NIGHT'] = 'none'
      update()
      expect(farAhead - since()).toBeGreaterThan(399 * 86_400)
    })
  })
})
