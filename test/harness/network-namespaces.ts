// A local network of its own: hosts are network namespaces with an Ethernet interface each, joined by a bridge. Nothing of it reaches the machine's own networks.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createInterface, type Interface } from 'node:readline'
import { Signal } from '#shared/signal.ts'

const ROOT = new URL('../../', import.meta.url).pathname

/** @returns why no namespace can be made here; null: one can */
export function whyNoNamespaces(): string | null {
  const name = `tr${process.pid}-try`
  try {
    ip('netns', 'add', name)
    ip('-n', name, 'link', 'add', 'br0', 'type', 'bridge')
    return null
  } catch (error) {
    return `no network namespaces with a bridge (they need root and iproute2): ${error instanceof Error ? error.message.split('\n')[0] : error}`
  } finally {
    quietly(() => ip('netns', 'del', name))
  }
}

export class Lan {
  readonly #prefix = `tr${process.pid}`
  readonly #names: string[] = []
  readonly #programs: HostProgram[] = []

  constructor() {
    this.#add('sw')
    ip('-n', this.#of('sw'), 'link', 'add', 'br0', 'type', 'bridge')
    ip('-n', this.#of('sw'), 'link', 'set', 'br0', 'up')
  }

  /** A host with this name (at most 8 letters), which is switched on. */
  host(name: string, { address, mac }: { address: string; mac: string }): void {
    this.#add(name)
    const [host, bridge] = [this.#of(name), this.#of('sw')]
    ip('-n', bridge, 'link', 'add', name, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', host)
    ip('-n', bridge, 'link', 'set', name, 'master', 'br0', 'up')
    ip('-n', host, 'link', 'set', 'lo', 'up')
    this.mac(name, mac)
    this.address(name, address)
  }

  /** From now on it has this IPv4 address, in a /24. */
  address(name: string, address: string): void {
    const host = this.#of(name)
    ip('-n', host, 'addr', 'flush', 'dev', 'eth0')
    ip('-n', host, 'addr', 'add', `${address}/24`, 'broadcast', '+', 'dev', 'eth0')
    ip('-n', host, 'link', 'set', 'eth0', 'up')
    // mDNS is sent to a group.
    quietly(() => ip('-n', host, 'route', 'add', '224.0.0.0/4', 'dev', 'eth0'))
  }

  mac(name: string, mac: string): void {
    ip('-n', this.#of(name), 'link', 'set', 'eth0', 'address', mac)
  }

  /** What a name leads to on this host, from now on; set for the first time before a program starts there. */
  hostsFile(name: string, names: Readonly<Record<string, string>>): void {
    const folder = hostsFolder(this.#of(name))
    mkdirSync(folder, { recursive: true })
    const lines = Object.entries({ localhost: '127.0.0.1', ...names }).map(
      ([known, address]) => `${address} ${known}\n`,
    )
    // Over the old one: programs that run see this very file.
    writeFileSync(`${folder}/hosts`, lines.join(''))
  }

  /** Its cable is pulled, or put in again. */
  cable(name: string, isIn: boolean): void {
    ip('-n', this.#of('sw'), 'link', 'set', name, isIn ? 'up' : 'down')
  }

  /** Starts a program of ours on a host. */
  run(name: string, entry: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): HostProgram {
    const program = new HostProgram(this.#of(name), entry, args, env)
    this.#programs.push(program)
    return program
  }

  async stop(): Promise<void> {
    for (const program of this.#programs) await program.stop()
    for (const name of this.#names) {
      quietly(() => ip('netns', 'del', this.#of(name)))
      rmSync(hostsFolder(this.#of(name)), { recursive: true, force: true })
    }
  }

  #add(name: string): void {
    ip('netns', 'add', this.#of(name))
    this.#names.push(name)
  }

  #of(name: string): string {
    return `${this.#prefix}-${name}`
  }
}

/** Writes one JSON document a line. */
export class HostProgram {
  readonly lines: Record<string, unknown>[] = []
  readonly #said = new Signal()
  readonly #child
  readonly #output: Interface
  #errors = ''

  constructor(namespace: string, entry: string, args: readonly string[], env: Readonly<Record<string, string>>) {
    const command = ['netns', 'exec', namespace, process.execPath, entry, ...args]
    this.#child = spawn('ip', command, {
      cwd: ROOT,
      env: { PATH: process.env['PATH'] ?? '', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#child.stderr.on('data', (chunk) => {
      this.#errors = (this.#errors + chunk).slice(-4_000)
    })
    this.#output = createInterface({ input: this.#child.stdout })
    this.#output.on('line', (text) => {
      this.lines.push(JSON.parse(text))
      this.#said.notify()
    })
    this.#child.on('close', () => this.#said.notify())
  }

  /** The first line that fits, of those said already or still to come. @throws when it ends before */
  async line(fits: (line: Record<string, unknown>) => boolean): Promise<Record<string, unknown>> {
    for (;;) {
      const found = this.lines.find(fits)
      if (found) return found
      if (this.#child.exitCode !== null) throw new Error(`the program has ended: ${this.#errors}`)
      await this.#said.next()
    }
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const closed = once(this.#child, 'close')
    this.#child.kill('SIGKILL')
    await closed
  }
}

/** `ip netns exec` lays its files over those of /etc. */
function hostsFolder(namespace: string): string {
  return `/etc/netns/${namespace}`
}

function ip(...args: string[]): void {
  execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] })
}

function quietly(act: () => void): void {
  try {
    act()
  } catch {
    // It was not there.
  }
}
