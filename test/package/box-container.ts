// A box of its own: a small Debian whose process 1 is systemd, in a container on this machine, at the other end of a cable that leads nowhere else.
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '#shared/clock.ts'
import { ROOT } from './release.ts'

const NEEDED = ['debootstrap', 'systemd-nspawn', 'nsenter', 'ip']
/** What a small Debian of a box has; `gpgv` for the installer's signature. */
const PACKAGES = 'systemd,systemd-sysv,dbus,init-system-helpers,libstdc++6,procps,iproute2,curl,gpgv,ca-certificates'
const BASE = join(ROOT, `dist/cache/debian-bookworm-${process.arch}`)
const BOOT_WITHIN_MS = 60_000
/** A network of two for each test process. */
const NETWORK = `10.213.${(process.pid >> 6) & 255}.${(process.pid & 63) * 4}`
const NAME = `tt${process.pid}`

export interface Outcome {
  code: number
  /** Both streams, as they came. */
  said: string
}

/** Why no such container can be run here; null when it can. The small Debian is made once and kept. */
export async function whyNoBox(): Promise<string | null> {
  if (process.getuid?.() !== 0) return 'only root may start a container'
  const missing = NEEDED.filter((program) => !isThere(program))
  if (missing.length > 0) return `${missing.join(', ')} missing: apt-get install debootstrap systemd-container iproute2`
  try {
    makeBase()
  } catch (error) {
    return `debootstrap could not make a Debian: ${String(error).slice(0, 300)}`
  }
  const box = new BoxContainer()
  try {
    await box.start()
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    await box.destroy()
  }
}

export class BoxContainer {
  /** Its address, and this machine's at the other end of the cable. */
  readonly address = nextTo(NETWORK, 2)
  readonly hostAddress = nextTo(NETWORK, 1)
  /** Its file system, as this machine sees it. */
  readonly root = mkdtempSync(join(tmpdir(), 'box-'))
  #nspawn: ChildProcess | null = null
  #init = 0
  #said = ''

  constructor() {
    execFileSync('cp', ['-a', `${BASE}/.`, this.root])
  }

  /** Power on: resolves when systemd has started everything. @throws when it cannot */
  async start(): Promise<void> {
    const args = ['--quiet', '--boot', '--register=no', '--keep-unit', '--network-veth', '--console=pipe']
    const nspawn = spawn('systemd-nspawn', [...args, '--machine', NAME, '--directory', this.root], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#nspawn = nspawn
    for (const stream of [nspawn.stdout, nspawn.stderr])
      stream.on('data', (chunk) => {
        this.#said = `${this.#said}${chunk}`.slice(-2_000)
      })
    const until = performance.now() + BOOT_WITHIN_MS
    while (!(await this.#isUp())) {
      if (nspawn.exitCode !== null || performance.now() > until)
        throw new Error(`systemd does not boot in a container here: ${this.#said.trim()}`)
      await systemClock.sleep(100)
    }
    execFileSync('ip', ['address', 'add', `${this.hostAddress}/30`, 'dev', `ve-${NAME}`])
    execFileSync('ip', ['link', 'set', `ve-${NAME}`, 'up'])
    await this.succeed('ip', 'address', 'add', `${this.address}/30`, 'dev', 'host0')
    await this.succeed('ip', 'link', 'set', 'host0', 'up')
  }

  async #isUp(): Promise<boolean> {
    const pid = this.#nspawn?.pid
    const children = pid === undefined ? '' : textOf(`/proc/${pid}/task/${pid}/children`)
    const [init] = children.trim().split(' ')
    if (!init) return false
    this.#init = Number(init)
    const { said } = await this.run('systemctl', 'is-system-running')
    return /^(running|degraded)$/m.test(said)
  }

  /** A command of root on the box, to its end. */
  run(file: string, ...args: string[]): Promise<Outcome> {
    const env = {
      PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
      HOME: '/root',
      LC_ALL: 'C.UTF-8',
      DEBIAN_FRONTEND: 'noninteractive',
    }
    return new Promise((resolve) => {
      const options = { env, maxBuffer: 64 * 1024 * 1024 }
      execFile('nsenter', ['-t', String(this.#init), '-a', file, ...args], options, (error, out, err) => {
        resolve({ code: error ? Number(error.code ?? -1) : 0, said: out + err })
      })
    })
  }

  /** @returns what it said @throws when it fails */
  async succeed(file: string, ...args: string[]): Promise<string> {
    const { code, said } = await this.run(file, ...args)
    if (code !== 0) throw new Error(`${file} ${args.join(' ')} ended with ${code}: ${said}`)
    return said
  }

  /** A property of a unit, as systemd knows it. */
  async property(unit: string, name: string): Promise<string> {
    return (await this.succeed('systemctl', 'show', '--value', '-p', name, unit)).trim()
  }

  /** A path on the box, as this machine reaches it. */
  path(path: string): string {
    return join(this.root, path)
  }

  /** The power goes: every process at once, nothing is finished. */
  async cutPower(): Promise<void> {
    const nspawn = this.#nspawn
    this.#nspawn = null
    if (!nspawn || nspawn.exitCode !== null || nspawn.signalCode !== null) return
    const gone = once(nspawn, 'exit')
    if (this.#init > 0) process.kill(this.#init, 'SIGKILL')
    else nspawn.kill('SIGKILL')
    await gone
  }

  async destroy(): Promise<void> {
    await this.cutPower()
    rmSync(this.root, { recursive: true, force: true })
  }
}

function makeBase(): void {
  if (existsSync(BASE)) return
  const fresh = `${BASE}.new`
  rmSync(fresh, { recursive: true, force: true })
  const mirror = process.env['DEBIAN_MIRROR']
  const args = ['--variant=minbase', `--include=${PACKAGES}`, 'bookworm', fresh, ...(mirror ? [mirror] : [])]
  execFileSync('debootstrap', args, { stdio: ['ignore', 'ignore', 'pipe'] })
  execFileSync('chroot', [fresh, 'apt-get', 'clean'])
  renameSync(fresh, BASE)
}

function nextTo(network: string, host: number): string {
  const parts = network.split('.').map(Number)
  return [...parts.slice(0, 3), (parts[3] ?? 0) + host].join('.')
}

const isThere = (program: string): boolean =>
  ['/usr/sbin', '/usr/bin', '/sbin', '/bin'].some((folder) => existsSync(join(folder, program)))

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
