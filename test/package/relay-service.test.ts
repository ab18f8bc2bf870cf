// The relay as a service of a real systemd, installed from a clone by deploy/install-relay.sh: shut in, with certificates of certbot's kind, started again or not.
import { execFileSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Issued, OpensslAuthority } from '#test/harness/openssl-authority.ts'
import { servedCertificate } from '#test/harness/served-certificate.ts'
import { BoxContainer, whyNoBox } from './box-container.ts'
import { ROOT } from './release.ts'

const UNIT = 'ticketrail-relay'
const STATE = `/var/lib/${UNIT}`
const TIMERS = [`${UNIT}-backup.timer`, `${UNIT}-restore-drill.timer`]
const LINEAGE = '/etc/letsencrypt/live/relay.example'
const HOOK = `/etc/letsencrypt/renewal-hooks/deploy/${UNIT}`
const RUN_BY_A_SHELL = '/run/run-by-a-shell'
/** A shell or systemd would read each in another way than Node. */
const ODD_SETTINGS = [
  '; a comment',
  'CLOUD_TRUSTED_PROXIES=127.0.0.1, ::1',
  'CLOUD_PUBLIC_URL = https://relay.example',
  `A_PASSWORD=pa$sword&touch ${RUN_BY_A_SHELL}`,
]
/** What the relay runs from, beside the packages. */
const TREE = ['cloud', 'shared', 'deploy', 'systemd', 'docs', 'scripts', 'test', 'package.json']
const soon: typeof expect.poll = (ask, options) => expect.poll(ask, { timeout: 240_000, interval: 250, ...options })

const reason = await whyNoBox()
if (reason !== null) process.stderr.write(`test/package/relay-service.test.ts is skipped: ${reason}\n`)

// One machine, one life: each step goes on from the one before.
describe.skipIf(reason !== null)('a relay under systemd', () => {
  let machine: BoxContainer
  let authority: OpensslAuthority
  beforeAll(async () => {
    authority = new OpensslAuthority()
    machine = new BoxContainer()
    const home = machine.path('/opt/ticketrail')
    mkdirSync(home, { recursive: true })
    for (const name of TREE) execFileSync('cp', ['-a', join(ROOT, name), home])
    packages(home)
    mkdirSync(machine.path(LINEAGE), { recursive: true })
    await machine.start()
  })
  afterAll(async () => {
    await machine.destroy()
    authority.remove()
  })

  const install = () => machine.succeed('sh', '/opt/ticketrail/deploy/install-relay.sh')
  const pid = () => machine.property(UNIT, 'MainPID')
  const isReady = async (): Promise<boolean> =>
    (await machine.run('curl', '-fsS', 'http://127.0.0.1:8080/readyz')).code === 0
  const settings = (...lines: string[]): void =>
    writeFileSync(machine.path(`/etc/${UNIT}/relay.env`), `${lines.join('\n')}\n`)
  const modeOf = async (path: string) => (await machine.succeed('stat', '-c', '%a %U', path)).trim()
  const serialAt = async (port: number) => (await servedCertificate(machine.address, port)).serialNumber
  const serialOf = (issued: Issued) => new X509Certificate(readFileSync(issued.certificateFile)).serialNumber

  /** What certbot does with a new certificate. */
  async function renewed(): Promise<Issued> {
    const issued = authority.issue({ names: ['DNS:relay.example', `IP:${machine.address}`] })
    copyFileSync(issued.certificateFile, machine.path(`${LINEAGE}/fullchain.pem`))
    copyFileSync(issued.keyFile, machine.path(`${LINEAGE}/privkey.pem`))
    await machine.succeed('env', `RENEWED_LINEAGE=${LINEAGE}`, HOOK)
    return issued
  }

  it('is installed from a clone, starts, and answers; once more changes nothing', async () => {
    expect(await install()).toContain('A master key was made')
    const key = readFileSync(machine.path(`/etc/${UNIT}/master-key`), 'utf8')
    await machine.succeed('systemctl', 'start', UNIT)
    await soon(isReady).toBe(true)
    settings(...ODD_SETTINGS)
    await machine.succeed('rm', '/opt/ticketrail/node_modules/.bin/node')
    expect(await install()).not.toContain('A master key was made')
    expect(readFileSync(machine.path(`/etc/${UNIT}/master-key`), 'utf8')).toBe(key)
    expect(readFileSync(machine.path(`/etc/${UNIT}/relay.env`), 'utf8')).toBe(`${ODD_SETTINGS.join('\n')}\n`)
    await machine.succeed('systemctl', 'restart', UNIT)
    await soon(isReady).toBe(true)
    expect(await machine.succeed('systemctl', 'is-enabled', UNIT)).toContain('enabled')
  })

  it('is shut in as the box is, keeps its files and its key for itself', async () => {
    for (const unit of [`${UNIT}.service`, ...TIMERS, ...TIMERS.map((timer) => timer.replace('.timer', '.service'))])
      expect((await machine.succeed('systemd-analyze', 'verify', '--man=no', unit)).trim()).toBe('')
    const exposureOf = (unit: string): number => {
      const offline = ['security', '--offline=true', join(ROOT, 'systemd', `${unit}.service`)]
      const said = execFileSync('systemd-analyze', offline, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
      return Number(/Overall exposure level for .*: ([0-9.]+)/.exec(said)?.[1])
    }
    expect(exposureOf(UNIT)).toBeLessThanOrEqual(exposureOf('ticketrail-gateway'))

    const status = await machine.succeed('cat', `/proc/${await pid()}/status`)
    expect(status).toMatch(/^NoNewPrivs:\s1$/m)
    expect(status).toMatch(/^Seccomp:\s2$/m)
    expect(status).toMatch(/^CapEff:\s0000000000000000$/m)
    expect(status).toMatch(/^CapBnd:\s0000000000000000$/m)
    // What is in force may be less: no container has more than the machine that it runs on.
    expect(await machine.property(UNIT, 'LimitNOFILE')).toBe('65536')
    const mounts = (await machine.succeed('cat', `/proc/${await pid()}/mountinfo`))
      .split('\n')
      .map((line) => line.split(' '))
    const optionsOf = (path: string) => mounts.findLast(([, , , , point]) => point === path)?.[5] ?? ''
    expect(optionsOf('/')).toMatch(/^ro,.*noexec/)
    for (const path of [STATE, '/tmp', '/var/tmp', '/dev/shm']) expect(optionsOf(path)).toMatch(/^rw,.*noexec/)

    expect(await modeOf(STATE)).toBe(`700 ${UNIT}`)
    expect(await modeOf(`${STATE}/relay.db`)).toBe(`600 ${UNIT}`)
    expect(await modeOf(`/etc/${UNIT}/master-key`)).toBe('600 root')
    const environment = await machine.succeed('cat', `/proc/${await pid()}/environ`)
    expect(environment).toContain('CLOUD_MASTER_KEY_FILE=/run/credentials/')
    expect(environment).not.toContain(readFileSync(machine.path(`/etc/${UNIT}/master-key`), 'utf8').trim())
  })

  it('has a command line that works as its own user, and reads the settings as the relay does', async () => {
    expect(await machine.succeed(`/usr/local/sbin/${UNIT}`, 'accounts', 'create', '--name', 'Kiosk Company')).toContain(
      'acc_',
    )
    expect((await machine.run('ls', RUN_BY_A_SHELL)).code).not.toBe(0)
    expect(await modeOf(`${STATE}/relay.db`)).toBe(`600 ${UNIT}`)
    const folder = `/var/backups/${UNIT}`
    await machine.succeed(`/usr/local/sbin/${UNIT}`, 'backup', '--into', folder)
    expect(await machine.succeed('sh', '-c', `stat -c '%a %U' ${folder}/relay-*.db`)).toBe(`600 ${UNIT}\n`)
    expect(await isReady()).toBe(true)
  })

  it('is copied and its copy is proved by two timers, of which the drill reads the master key that only root can read', async () => {
    await machine.succeed('systemctl', 'enable', '--now', ...TIMERS)
    const listed = await machine.succeed('systemctl', 'list-timers', '--no-pager')
    for (const timer of TIMERS) expect(listed).toContain(timer)
    const copies = async () => (await machine.succeed('ls', `/var/backups/${UNIT}`)).trim().split('\n')
    const before = await copies()
    await machine.succeed('systemctl', 'start', `${UNIT}-backup.service`)
    const [copy = ''] = (await copies()).filter((name) => !before.includes(name))
    expect(copy).toMatch(/^relay-.*Z\.db$/)
    expect(await modeOf(`/var/backups/${UNIT}/${copy}`)).toBe(`600 ${UNIT}`)

    // Its relay has production data and the key: it has no network of anybody else.
    expect(await machine.property(`${UNIT}-restore-drill.service`, 'PrivateNetwork')).toBe('yes')
    expect(await machine.property(`${UNIT}-restore-drill.service`, 'IPAddressDeny')).toContain('0.0.0.0/0')
    await machine.succeed('systemctl', 'start', `${UNIT}-restore-drill.service`)
    const said = await machine.succeed('journalctl', '--no-pager', '-o', 'cat', '-u', `${UNIT}-restore-drill`)
    expect(said).toContain(`copy /var/backups/${UNIT}/${copy}`)
    expect(said).toMatch(/^RPO [0-9.]+ s/m)
    expect(said).toMatch(/^RTO [0-9.]+ s/m)
    expect(await isReady()).toBe(true)
  })

  it('is back after its death', async () => {
    const before = await pid()
    await machine.succeed('kill', '-KILL', before)
    await soon(isReady).toBe(true)
    expect(await pid()).not.toBe(before)
  })

  it('serves certbot’s certificate on ports 443 and 8883, and a renewed one without a restart', async () => {
    await install()
    const dropIn = `/etc/systemd/system/${UNIT}.service.d/ports-below-1024.conf`
    await machine.succeed('install', '-D', '-m', '0644', '/opt/ticketrail/deploy/ports-below-1024.conf', dropIn)
    await machine.succeed('systemctl', 'daemon-reload')
    const first = await renewed()
    settings(
      ...['CLOUD_HTTP_HOST=0.0.0.0', 'CLOUD_HTTP_PORT=443', 'CLOUD_MQTT_HOST=0.0.0.0', 'CLOUD_MQTT_PORT=8883'],
      `CLOUD_TLS_CERT_FILE=/etc/${UNIT}/tls/fullchain.pem`,
      `CLOUD_TLS_KEY_FILE=/etc/${UNIT}/tls/privkey.pem`,
    )
    await machine.succeed('systemctl', 'restart', UNIT)
    await soon(async () => [await serialAt(443), await serialAt(8883)]).toEqual([serialOf(first), serialOf(first)])
    expect(await machine.succeed('cat', `/proc/${await pid()}/status`)).toMatch(/^CapEff:\s0000000000000400$/m)

    const before = await pid()
    const second = await renewed()
    await soon(async () => [await serialAt(443), await serialAt(8883)]).toEqual([serialOf(second), serialOf(second)])
    expect(await pid()).toBe(before)
  })

  it('that cannot use its settings ends with 78, gives the reason in one line, and is not restarted', async () => {
    settings('CLOUD_HTTP_HOST=0.0.0.0')
    await machine.run('systemctl', 'restart', UNIT)
    await soon(() => machine.property(UNIT, 'ActiveState')).toBe('failed')
    expect([await machine.property(UNIT, 'ExecMainStatus'), await machine.property(UNIT, 'NRestarts')]).toEqual([
      '78',
      '0',
    ])
    expect(await machine.succeed('journalctl', '--no-pager', '-u', UNIT, '-n', '5')).toContain(
      'CLOUD_HTTP_HOST 0.0.0.0 is open to a network and has no TLS',
    )
  })
})

/** What `npm ci --omit=dev --ignore-scripts` of Debian 12 leaves: the packages, and of the Node among them no link. */
function packages(home: string): void {
  const lock = JSON.parse(readFileSync(join(ROOT, 'node_modules/.package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; devOptional?: boolean }>
  }
  const names = Object.entries(lock.packages).flatMap(([path, { dev, devOptional }]) =>
    dev === true || devOptional === true || path.slice('node_modules/'.length).includes('/node_modules/') ? [] : [path],
  )
  for (const name of names) {
    mkdirSync(join(home, name, '..'), { recursive: true })
    execFileSync('cp', ['-a', join(ROOT, name), join(home, name)])
  }
}
