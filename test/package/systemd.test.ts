// The Debian package under a real systemd, from the installer to purge: shut in, watched, updated, undone, without power.
import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { VERSION } from '#shared/version.ts'
import { VirtualPrinter } from '#test/doubles/virtual-printer.ts'
import { PairSite } from '#test/harness/pair-site.ts'
import { servedCertificate } from '#test/harness/served-certificate.ts'
import { BoxContainer, whyNoBox } from './box-container.ts'
import { debOf } from './release.ts'
import { makeSigningKey, publish, StaticServer } from './signed-repository.ts'

const UNIT = 'ticketrail-gateway'
const STATE = '/var/lib/ticketrail-gateway'
const ARCH = process.arch === 'arm64' ? 'arm64' : 'amd64'
const soon: typeof expect.poll = (ask, options) => expect.poll(ask, { timeout: 240_000, interval: 250, ...options })

const reason = await whyNoBox()
if (reason !== null) process.stderr.write(`test/package/systemd.test.ts is skipped: ${reason}\n`)

// One box, one life: each step goes on from the one before.
describe.skipIf(reason !== null)('a box with systemd', () => {
  let dir: string
  let box: BoxContainer
  let printer: VirtualPrinter
  let site: PairSite
  let key: string
  let repository: StaticServer
  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'systemd-test-'))
    key = makeSigningKey(dir, 'releases')
    box = new BoxContainer()
    await box.start()
    printer = new VirtualPrinter()
    await printer.start(0, box.hostAddress)
    site = new PairSite({
      cloudEnv: { CLOUD_HTTP_HOST: '127.0.0.1', CLOUD_MQTT_HOST: box.hostAddress, CLOUD_ALLOW_PLAIN: 'mqtt' },
    })
    await site.startRelay()
    repository = new StaticServer(join(dir, 'repository'))
    await repository.start(box.hostAddress)
  })
  afterAll(async () => {
    await repository.stop()
    await site.stop()
    await printer.stop()
    await box.destroy()
    rmSync(dir, { recursive: true, force: true })
  })

  const gateway = (...args: string[]) => box.succeed('ticketrail-gateway', ...args)
  const mainPid = () => box.property(UNIT, 'MainPID')
  const isActive = () => box.property(UNIT, 'ActiveState')
  const installed = async (): Promise<string> =>
    (await box.run('dpkg-query', '-W', UNIT)).said.trim().split('\t')[1] ?? ''
  /** Of its files. */
  const left = (): string[] =>
    [STATE, `${STATE}-update`, `/etc/default/${UNIT}`, `/etc/${UNIT}`, `/usr/lib/${UNIT}`].filter((path) =>
      existsSync(box.path(path)),
    )
  /** Nobody prints: what comes now waits. */
  async function orderThatWaits(orderId: string): Promise<void> {
    await printer.refuse()
    await soon(async () => (await site.order(orderId)).status).toBe(200)
    expect(copiesOf(orderId)).toBe(0)
  }
  const copiesOf = (orderId: string): number =>
    printer.tickets.filter((ticket) => ticket.text().includes(orderId)).length
  async function printedOnce(orderId: string): Promise<void> {
    await printer.listenAgain()
    await soon(() => copiesOf(orderId)).toBe(1)
  }
  /** The same program under a higher version; `program` takes its place. @returns the package's file */
  function nextVersion(version: string, program?: string): string {
    const tree = join(dir, `tree-${version}`)
    execFileSync('dpkg-deb', ['--raw-extract', debOf(ARCH), tree])
    const control = join(tree, 'DEBIAN/control')
    writeFileSync(control, readFileSync(control, 'utf8').replace(/^Version: .*$/m, `Version: ${version}`))
    if (program !== undefined) writeFileSync(join(tree, 'usr/lib', UNIT, UNIT), program, { mode: 0o755 })
    const deb = join(dir, `${UNIT}_${version}_${ARCH}.deb`)
    execFileSync('dpkg-deb', ['-Znone', '--root-owner-group', '--build', tree, deb], { stdio: 'pipe' })
    rmSync(tree, { recursive: true })
    return deb
  }

  /** Of the updater, whose two minutes for a new version are one here. */
  async function nightIs(hours: string): Promise<void> {
    const folder = `/etc/systemd/system/${UNIT}-update.service.d`
    await box.succeed('mkdir', '-p', folder)
    const settings = `[Service]\nEnvironment=UPDATE_READY_WITHIN_S=60 "UPDATE_NIGHT=${hours}"\n`
    writeFileSync(box.path(`${folder}/night.conf`), settings)
    await box.succeed('systemctl', 'daemon-reload')
  }

  it('is installed by apt: address and QR code on the screen, the code of the first user in no log; and purged without a trace', async () => {
    cpSync(debOf(ARCH), box.path('/root/gateway.deb'))
    const said = await box.succeed('apt-get', 'install', '-y', '/root/gateway.deb')
    expect(said).toContain(`https://${box.address}/`)
    expect(said).toContain((await servedCertificate(box.address, 443)).fingerprint256)
    expect(said).toMatch(/[▀▄█]{20}/)
    expect(said).toContain('sudo ticketrail-gateway welcome')
    expect(await isActive()).toBe('active')
    const [, code = ''] = /Set-up code of the first user: (\S+)/.exec(await gateway('welcome')) ?? []
    expect(code).not.toBe('')
    for (const log of ['/var/log/apt/term.log', '/var/log/dpkg.log'].filter((it) => existsSync(box.path(it))))
      expect(readFileSync(box.path(log), 'utf8')).not.toContain(code)
    expect((await fetch(`http://${box.address}/healthz`)).status).toBe(200)

    await box.succeed('apt-get', 'purge', '-y', UNIT)
    expect(left()).toEqual([])
    expect(await box.property(UNIT, 'LoadState')).toBe('not-found')
  })

  it('is installed by the installer from a signed repository on a web server, and by none whose signature or key is wrong', async () => {
    const hash = publish(key, debOf(ARCH), join(dir, 'repository'))
    await box.succeed('curl', '-fsS', '-o', '/root/install.sh', `${repository.url}/install.sh`)
    // The web server of this test has no certificate.
    const install = (...args: string[]) =>
      box.run('sh', '/root/install.sh', '--from', repository.url, '--insecure', ...args)
    const sums = join(dir, 'repository/SHA256SUMS')
    const good = readFileSync(sums)
    appendFileSync(sums, `${'0'.repeat(64)}  pool/${UNIT}_9.9.9_${ARCH}.deb\n`)
    expect(await install('--key-sha256', hash)).toMatchObject({
      code: 1,
      said: expect.stringContaining('not signed by the key'),
    })
    writeFileSync(sums, good)
    expect(await install('--key-sha256', 'a'.repeat(64))).toMatchObject({
      code: 1,
      said: expect.stringContaining('not the one that you named'),
    })
    expect(existsSync(box.path(`/usr/lib/${UNIT}`))).toBe(false)

    const { code, said } = await install('--key-sha256', hash, '--relay', 'https://relay.test.example')
    expect([code, said]).toEqual([0, expect.stringContaining('Set-up code of the first user: ')])
    expect(said).toContain(`https://${box.address}/`)
    expect(await isActive()).toBe('active')
    expect(await box.succeed('cat', `/proc/${await mainPid()}/environ`)).toContain(
      'GATEWAY_RELAY_URL=https://relay.test.example',
    )
  })

  it('runs as a user of its own, has notified systemd itself that it is ready, and can reach and run only what it needs', async () => {
    expect(await box.property(UNIT, 'Type')).toBe('notify')
    expect(await box.property(UNIT, 'WatchdogUSec')).toBe('30s')
    const state = statSync(box.path(STATE))
    expect((state.mode & 0o777).toString(8)).toBe('750')
    const pid = await mainPid()
    const status = await box.succeed('cat', `/proc/${pid}/status`)
    expect(status).toMatch(new RegExp(`^Uid:\\s${state.uid}\\s`, 'm'))
    expect(state.uid).not.toBe(0)
    expect(status).toMatch(/^NoNewPrivs:\s1$/m)
    expect(status).toMatch(/^Seccomp:\s2$/m)
    // cap_net_bind_service, for ports 80 and 443.
    expect(status).toMatch(/^CapEff:\s0000000000000400$/m)
    // In its file system nothing that takes a byte runs, and nothing of Debian's.
    const mounts = (await box.succeed('cat', `/proc/${pid}/mountinfo`)).split('\n').map((line) => line.split(' '))
    const optionsOf = (path: string) => mounts.findLast(([, , , , point]) => point === path)?.[5] ?? ''
    expect(optionsOf('/')).toMatch(/^ro,.*noexec/)
    for (const path of [STATE, '/tmp', '/var/tmp', '/dev/shm', '/run']) expect(optionsOf(path)).toMatch(/^rw,.*noexec/)
    expect(optionsOf(`/usr/lib/${UNIT}`)).toMatch(/^rw,(?!.*noexec)/)
    const [, exposure] =
      /Overall exposure level for .*: ([0-9.]+)/.exec(
        await box.succeed('systemd-analyze', 'security', '--no-pager', UNIT),
      ) ?? []
    expect(Number(exposure)).toBeLessThanOrEqual(2)
  })

  it('sees receipt printers on USB, as a member of their group', async () => {
    const [, , gid] = (await box.succeed('getent', 'group', 'lp')).split(':')
    const pid = await mainPid()
    expect(await box.succeed('cat', `/proc/${pid}/status`)).toMatch(new RegExp(`^Groups:.*\\b${gid}\\b`, 'm'))
    // No container gets a real one: a name in its place.
    await box.succeed('mkdir', '-p', '/dev/usb')
    await box.succeed('mkfifo', '/dev/usb/lp0')
    expect((await box.run('stat', `/proc/${pid}/root/dev/usb/lp0`)).code).toBe(0)
    expect(await box.property(UNIT, 'DeviceAllow')).toContain('char-usb rw')
  })

  it('prints an order from the cloud, shut in like this', async () => {
    const { host, port } = printer.address
    await gateway('printers', 'add', 'Grill', `${host}:${port}`)
    const added = await site.admin(
      'gateways',
      'add',
      '--location',
      site.locationId,
      '--name',
      'Box',
      '--broker-url',
      `mqtt://127.0.0.1:${site.mqttPort}`,
    )
    // The relay gives a password to plain lines of its own machine only; this cable is as short.
    const brokerUrl = `mqtt://${box.hostAddress}:${site.mqttPort}`
    const file = box.path(`${STATE}/pairing.json`)
    const { uid, gid } = statSync(box.path(STATE))
    writeFileSync(`${file}.new`, JSON.stringify({ ...added.pairing, brokerUrl }), { mode: 0o600 })
    chownSync(`${file}.new`, uid, gid)
    await box.succeed('mv', `${STATE}/pairing.json.new`, `${STATE}/pairing.json`)
    await soon(async () => (await site.order('SHUT-IN')).status).toBe(200)
    await printedOnce('SHUT-IN')
    expect((await box.run('ticketrail-gateway', 'doctor')).code).toBe(0)
  })

  it('is started again by the watchdog when it hangs, and by systemd when it is killed; the open order prints once each time', async () => {
    await orderThatWaits('HUNG')
    const hung = await mainPid()
    await box.succeed('kill', '-STOP', hung)
    await soon(mainPid).not.toBe(hung)
    await printedOnce('HUNG')
    expect(await box.succeed('journalctl', '-u', UNIT, '--no-pager')).toContain("Failed with result 'watchdog'")

    await orderThatWaits('KILLED')
    const killed = await mainPid()
    await box.succeed('kill', '-KILL', killed)
    await soon(async () => [await isActive(), (await mainPid()) !== killed]).toEqual(['active', true])
    await printedOnce('KILLED')
    expect(Number(await box.property(UNIT, 'NRestarts'))).toBe(2)
  })

  it('prints the open order after a power cut, when the machine restarts by itself', async () => {
    await orderThatWaits('IN-THE-DARK')
    await box.cutPower()
    await box.start()
    expect(await isActive()).toBe('active')
    await printedOnce('IN-THE-DARK')
  })

  it('is updated on request, with its queue', async () => {
    const next = nextVersion(`${VERSION}.1`)
    publish(key, next, join(dir, 'repository'))
    await orderThatWaits('ACROSS')
    await gateway('update', 'now')
    await soon(installed).toBe(`${VERSION}.1`)
    await soon(() => box.property(`${UNIT}-update-wanted`, 'ActiveState')).toBe('inactive')
    await printedOnce('ACROSS')
    expect(await gateway('update')).toContain(`${VERSION}.1 runs`)

    const [, timer] = (await box.succeed('systemctl', 'list-timers', '--no-pager', `${UNIT}-update.timer`)).split('\n')
    expect(timer).toContain(`${UNIT}-update.service`)
  })

  it('only checks by day and reports a new version; at night it installs it, and reverts by itself when that does not become ready', async () => {
    const broken = `${VERSION}.2`
    publish(key, nextVersion(broken, '#!/bin/sh\nexit 1\n'), join(dir, 'repository'))
    await nightIs('none')
    await box.succeed('systemctl', 'start', `${UNIT}-update.service`)
    expect((await box.run('ticketrail-gateway', 'doctor')).said).toContain(`Version ${broken} is available`)
    expect(await installed()).toBe(`${VERSION}.1`)

    await nightIs(Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0')).join(' '))
    // It tells the timer that it failed: exit code 2.
    expect((await box.run('systemctl', 'start', `${UNIT}-update.service`)).code).not.toBe(0)
    expect(await installed()).toBe(`${VERSION}.1`)
    expect(await gateway('update')).toContain(`${VERSION}.1 runs again; ${broken} is not tried a second time`)
    const { said } = await box.run('ticketrail-gateway', 'doctor')
    expect(said).toContain(`The update to ${broken} was undone`)
    expect(said).not.toContain('is available')
    await soon(async () => (await site.order('BACK')).status).toBe(200)
    await printedOnce('BACK')
  })

  it('keeps its orders when it is removed, has them when it is installed again, and leaves nothing when it is purged', async () => {
    await box.succeed('apt-get', 'remove', '-y', UNIT)
    expect(existsSync(box.path(`/usr/lib/${UNIT}`))).toBe(false)
    expect(existsSync(box.path(`${STATE}/gateway.db`))).toBe(true)
    cpSync(debOf(ARCH), box.path('/root/gateway.deb'))
    await box.succeed('apt-get', 'install', '-y', '/root/gateway.deb')
    expect(await isActive()).toBe('active')
    expect(await gateway('jobs', 'list')).toContain('BACK')
    await box.succeed('apt-get', 'purge', '-y', UNIT)
    expect(left()).toEqual([])
  })
})
