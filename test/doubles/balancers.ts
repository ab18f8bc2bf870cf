// Debian's Caddy and HAProxy in front of several relays, each its own process, by the very files of deploy/ and with an openssl-made certificate.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '#shared/clock.ts'
import type { Issued } from '#test/harness/openssl-authority.ts'
import { ownPort } from './own-port.ts'

const DEPLOY = new URL('../../deploy/', import.meta.url).pathname

interface Place {
  dir: string
  http: number
  https: number
  admin: number
  /** Ports of the relays' APIs. */
  upstreams: readonly number[]
  issued: Issued
}

const PROGRAMS = { caddy: '/usr/bin/caddy', haproxy: '/usr/sbin/haproxy' }
export type BalancerName = keyof typeof PROGRAMS

/** Why it cannot be run here; null: it can. */
export function whyNoBalancer(name: BalancerName): string | null {
  return existsSync(PROGRAMS[name]) ? null : `${name} is not installed: apt-get install ${name}`
}

const STARTS: Record<BalancerName, (place: Place) => { args: string[]; env: Record<string, string> }> = {
  caddy: ({ dir, http, https, admin, upstreams, issued }) => ({
    args: ['run', '--config', join(DEPLOY, 'Caddyfile.replicas'), '--adapter', 'caddyfile'],
    env: {
      ...{ HOME: dir, RELAY_NAME: 'localhost', RELAY_TLS: `${issued.certificateFile} ${issued.keyFile}` },
      ...{ RELAY_HTTP_PORT: String(http), RELAY_HTTPS_PORT: String(https), RELAY_CADDY_ADMIN: `localhost:${admin}` },
      RELAY_UPSTREAMS: upstreams.map((port) => `127.0.0.1:${port}`).join(' '),
    },
  }),
  haproxy: ({ dir, http, https, upstreams, issued }) => {
    const pair = join(dir, 'relay.pem')
    writeFileSync(pair, readFileSync(issued.certificateFile, 'utf8') + readFileSync(issued.keyFile, 'utf8'))
    const [first = 0, second = 0] = upstreams
    return {
      args: ['-db', '-f', join(DEPLOY, 'haproxy.cfg')],
      env: {
        ...{ RELAY_CERT: pair, RELAY_HTTP: `127.0.0.1:${http}`, RELAY_HTTPS: `127.0.0.1:${https}` },
        ...{ RELAY_1: `127.0.0.1:${first}`, RELAY_2: `127.0.0.1:${second}` },
      },
    }
  },
}

export class Balancer {
  readonly #name: BalancerName
  readonly #place: Place
  #child: ChildProcess | null = null
  #said = ''

  private constructor(name: BalancerName, place: Place) {
    this.#name = name
    this.#place = place
  }

  /** @param upstreams ports of the relays' APIs */
  static async make(name: BalancerName, upstreams: readonly number[], issued: Issued): Promise<Balancer> {
    const taken = [...upstreams]
    for (let i = 0; i < 3; i++) taken.push(await ownPort(taken))
    const [http = 0, https = 0, admin = 0] = taken.slice(upstreams.length)
    const dir = mkdtempSync(join(tmpdir(), `${name}-`))
    return new Balancer(name, { dir, http, https, admin, upstreams, issued })
  }

  /** https */
  get port(): number {
    return this.#place.https
  }

  /** Resolves when it listens. @param extra of its environment */
  async start(extra: Readonly<Record<string, string>> = {}): Promise<void> {
    const { args, env } = STARTS[this.#name](this.#place)
    const child = spawn(PROGRAMS[this.#name], args, { env: { ...env, ...extra }, stdio: ['ignore', 'pipe', 'pipe'] })
    this.#child = child
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        this.#said = `${this.#said}${chunk}`.slice(-4_000)
      })
    while (!(await listens(this.port))) {
      if (child.exitCode !== null) throw new Error(`${this.#name} ended with ${child.exitCode}: ${this.#said}`)
      await systemClock.sleep(20)
    }
  }

  async stop(): Promise<void> {
    const child = this.#child
    this.#child = null
    if (child && child.exitCode === null && child.signalCode === null) {
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      await gone
    }
    rmSync(this.#place.dir, { recursive: true, force: true })
  }
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
