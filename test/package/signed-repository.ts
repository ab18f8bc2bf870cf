// A signed repository as a publisher makes it: a key, releases of any version, a folder, and a static web server for it.
import { execFileSync } from 'node:child_process'
import { cpSync, createReadStream, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, normalize } from 'node:path'
import { ROOT } from './release.ts'

/** A secret key without passphrase. @returns its file */
export function makeSigningKey(dir: string, name: string): string {
  const home = join(dir, `gnupg-${name}`)
  mkdirSync(home, { mode: 0o700 })
  const quiet = ['--batch', '--quiet', '--pinentry-mode', 'loopback', '--passphrase', '']
  const gpg = (...args: string[]): Buffer =>
    execFileSync('gpg', ['--homedir', home, ...quiet, ...args], { stdio: 'pipe' })
  gpg('--quick-generate-key', `${name} <${name}@test.example>`, 'ed25519', 'sign', 'never')
  const file = join(dir, `${name}.key`)
  writeFileSync(file, gpg('--export-secret-keys'))
  execFileSync('gpgconf', ['--homedir', home, '--kill', 'all'])
  return file
}

/** Puts one package into the repository, signed; those before it stay. @returns the hash of the public key */
export function publish(key: string, deb: string, repository: string): string {
  const release = `${repository}.release`
  rmSync(release, { recursive: true, force: true })
  mkdirSync(release, { recursive: true })
  cpSync(deb, join(release, deb.split('/').at(-1) ?? ''))
  const said = execFileSync(join(ROOT, 'scripts/package/repository.sh'), [key, release, repository], {
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
  })
  return said.trim().split(' ').at(-1) ?? ''
}

/** Serves files of a folder and nothing else. */
export class StaticServer {
  url = ''
  readonly #folder: string
  #server: Server | null = null

  constructor(folder: string) {
    this.#folder = folder
  }

  async start(host: string): Promise<void> {
    const server = createServer(({ url = '' }, response) => {
      const file = join(this.#folder, normalize(decodeURIComponent(new URL(url, 'http://x').pathname)))
      if (!existsSync(file) || !statSync(file).isFile()) {
        response.writeHead(404).end()
        return
      }
      response.writeHead(200, { 'content-length': statSync(file).size })
      createReadStream(file).pipe(response)
    })
    this.#server = server
    await new Promise<void>((resolve) => server.listen(0, host, resolve))
    this.url = `http://${host}:${(server.address() as AddressInfo).port}`
  }

  async stop(): Promise<void> {
    const server = this.#server
    this.#server = null
    server?.closeAllConnections()
    if (server) await new Promise<void>((resolve) => server.close(() => resolve()))
  }
}
