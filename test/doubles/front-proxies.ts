// Debian's Caddy and nginx in front of a relay, each its own process without rights, by the recipes in deploy/ and with an openssl-made certificate.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '#shared/clock.ts'
import type { Issued } from '#test/harness/openssl-authority.ts'
import { ownPort } from './own-port.ts'

const ROOT = new URL('../../', import.meta.url).pathname
const NOBODY = 65_534
const STREAM_MODULE = '/usr/lib/nginx/modules/ngx_stream_module.so'

/** Ports of the relay on loopback. */
export interface Upstream {
  api: number
  mqtt: number
}

interface ProxyPlace {
  /** Its own folder, which the user it runs as may write. */
  dir: string
  /** Where it finds `fullchain.pem` and `privkey.pem`. */
  certificates: string
  ports: { http: number; https: number; mqtts: number; admin: number }
  upstream: Upstream
}

/** How one of them is run by its recipe. */
interface Recipe {
  program: string
  /** Writes what it needs. @returns its command line */
  prepare(place: ProxyPlace): { args: string[]; env?: Record<string, string> }
  /** The administrator's command after a renewal. */
  reload(child: ChildProcess, place: ProxyPlace): void
}

const caddyEnv = ({ dir, certificates, ports, upstream }: ProxyPlace): Record<string, string> => ({
  HOME: dir,
  RELAY_NAME: 'localhost',
  RELAY_TLS: `${certificates}/fullchain.pem ${certificates}/privkey.pem`,
  RELAY_UPSTREAM: `127.0.0.1:${upstream.api}`,
  RELAY_HTTP_PORT: String(ports.http),
  RELAY_HTTPS_PORT: String(ports.https),
  RELAY_CADDY_ADMIN: `localhost:${ports.admin}`,
})

const CADDY: Recipe = {
  program: '/usr/bin/caddy',
  prepare(place) {
    const config = join(place.dir, 'Caddyfile')
    copyFileSync(join(ROOT, 'deploy/Caddyfile'), config)
    return { args: ['run', '--config', config, '--adapter', 'caddyfile'], env: caddyEnv(place) }
  },
  reload(_child, place) {
    const args = ['reload', '--force', '--config', join(place.dir, 'Caddyfile'), '--adapter', 'caddyfile']
    execFileSync(this.program, args, { env: caddyEnv(place), stdio: 'pipe' })
  },
}

/** Where certbot puts the files that prove the name. */
const webrootOf = (dir: string): string => join(dir, 'webroot')

const NGINX: Recipe = {
  program: '/usr/sbin/nginx',
  prepare(place) {
    const { dir, ports, upstream, certificates } = place
    writeFileSync(
      join(dir, 'relay.conf'),
      recipe('deploy/nginx.conf', [
        ['/etc/letsencrypt/live/relay.example', certificates],
        ['127.0.0.1:8080', `127.0.0.1:${upstream.api}`],
        ['root /var/www/html;', `root ${webrootOf(dir)};`],
        ['https://relay.example$request_uri', `https://localhost:${ports.https}$request_uri`],
        ['https://relay.example/docs', `https://localhost:${ports.https}/docs`],
        ['server_name relay.example', 'server_name localhost'],
        ['listen 80;', `listen 127.0.0.1:${ports.http};`],
        ['listen [::]:80;', `listen [::1]:${ports.http};`],
        ['listen 443 ', `listen 127.0.0.1:${ports.https} `],
        ['listen [::]:443 ', `listen [::1]:${ports.https} `],
      ]),
    )
    const stream = join(dir, 'stream.conf')
    writeFileSync(
      stream,
      recipe('deploy/nginx-stream.conf', [
        ['/etc/letsencrypt/live/relay.example', certificates],
        ['127.0.0.1:1883', `127.0.0.1:${upstream.mqtt}`],
        ['listen 8883 ', `listen 127.0.0.1:${ports.mqtts} `],
        ['listen [::]:8883 ', `listen [::1]:${ports.mqtts} `],
      ]),
    )
    const hasStream = existsSync(STREAM_MODULE)
    // What Debian's nginx.conf has around them.
    const around = [
      ...(hasStream ? [`load_module ${STREAM_MODULE};`] : []),
      'daemon off;',
      `pid ${dir}/nginx.pid;`,
      'error_log stderr warn;',
      'events { worker_connections 768; }',
      `http { access_log off; ${temporaryFolders(dir)} include ${dir}/relay.conf; }`,
      ...(hasStream ? [`include ${stream};`] : []),
    ]
    writeFileSync(join(dir, 'main.conf'), around.join('\n'))
    return { args: ['-p', dir, '-c', join(dir, 'main.conf')] }
  },
  reload(child) {
    child.kill('SIGHUP')
  },
}

const RECIPES = { caddy: CADDY, nginx: NGINX }
export type ProxyName = keyof typeof RECIPES

/** Why nginx cannot pass on MQTT here; null: it can. */
export function whyNoStream(): string | null {
  return whyNoProxy('nginx') ?? (existsSync(STREAM_MODULE) ? null : 'apt-get install libnginx-mod-stream')
}

/** Why it cannot be run here; null: it can. */
export function whyNoProxy(name: ProxyName): string | null {
  return existsSync(RECIPES[name].program) ? null : `${name} is not installed: apt-get install ${name}`
}

export class FrontProxy {
  readonly #recipe: Recipe
  readonly #place: ProxyPlace
  #child: ChildProcess | null = null
  #said = ''

  private constructor(name: ProxyName, place: ProxyPlace) {
    this.#recipe = RECIPES[name]
    this.#place = place
  }

  /** With ports of its own, which it keeps. */
  static async make(name: ProxyName, issued: Issued): Promise<FrontProxy> {
    const dir = mkdtempSync(join(tmpdir(), `${name}-`))
    const taken: number[] = []
    for (let i = 0; i < 4; i++) taken.push(await ownPort(taken))
    const [http = 0, https = 0, mqtts = 0, admin = 0] = taken
    const certificates = join(dir, 'certificates')
    mkdirSync(certificates)
    const proxy = new FrontProxy(name, {
      dir,
      certificates,
      ports: { http, https, mqtts, admin },
      upstream: { api: 0, mqtt: 0 },
    })
    proxy.#put(issued)
    return proxy
  }

  get httpPort(): number {
    return this.#place.ports.http
  }

  /** Puts a file where certbot's `--webroot` does. @returns its path at plain http */
  putChallenge(token: string, text: string): string {
    const folder = join(webrootOf(this.#place.dir), '.well-known/acme-challenge')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, token), text)
    this.#own()
    return `/.well-known/acme-challenge/${token}`
  }

  /** Of nginx with its stream module. */
  get mqttsPort(): number {
    return this.#place.ports.mqtts
  }

  get httpsPort(): number {
    return this.#place.ports.https
  }

  /** Resolves when it answers. @param upstream the same as before if absent */
  async start(upstream?: Upstream): Promise<void> {
    if (upstream) this.#place.upstream = upstream
    const { args, env } = this.#recipe.prepare(this.#place)
    this.#own()
    const identity = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
    const child = spawn(this.#recipe.program, args, {
      env,
      cwd: this.#place.dir,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...identity,
    })
    this.#child = child
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        this.#said = `${this.#said}${chunk}`.slice(-4_000)
      })
    while (!(await answers(this.httpsPort))) {
      if (child.exitCode !== null)
        throw new Error(`${this.#recipe.program} ended with ${child.exitCode}: ${this.#said}`)
      await systemClock.sleep(20)
    }
  }

  /** A renewed certificate is put in the place of the old one, and the program is told. */
  renew(issued: Issued): void {
    this.#put(issued)
    this.#own()
    if (this.#child) this.#recipe.reload(this.#child, this.#place)
  }

  async stop(): Promise<void> {
    const child = this.#child
    this.#child = null
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGTERM')
    await gone
  }

  /** Ends it and removes its folder. */
  async remove(): Promise<void> {
    await this.stop()
    rmSync(this.#place.dir, { recursive: true, force: true })
  }

  #put({ certificateFile, keyFile }: Issued): void {
    copyFileSync(certificateFile, join(this.#place.certificates, 'fullchain.pem'))
    copyFileSync(keyFile, join(this.#place.certificates, 'privkey.pem'))
  }

  /** Its files are its own: only root could read them otherwise. */
  #own(): void {
    if (process.getuid?.() === 0) execFileSync('chown', ['-R', `${NOBODY}:${NOBODY}`, this.#place.dir])
  }
}

/** A file of deploy/ with the replacements that its head names. @throws when one of them is not there any more */
function recipe(path: string, replacements: readonly (readonly [string, string])[]): string {
  const whole = readFileSync(join(ROOT, path), 'utf8').replace(/^#.*\n/gm, '')
  return replacements.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`${path} has no ${from}`)
    return text.replaceAll(from, to)
  }, whole)
}

const temporaryFolders = (dir: string): string =>
  ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${dir}/${name};`).join(' ')

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
