// TLS in front of a plain port, as a load balancer has it, with a certificate of an authority that only this test knows.
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer, type Server } from 'node:tls'

export class TlsFront {
  /** PEM of the authority, which is the certificate itself, and its file. */
  readonly ca: string
  readonly caFile: string
  readonly #key: string
  readonly #dir = mkdtempSync(join(tmpdir(), 'tls-front-'))
  readonly #sockets = new Set<Socket>()
  #server: Server | null = null

  /** @param name host name in the certificate, beside no other; localhost and 127.0.0.1 if absent */
  constructor(name?: string) {
    this.caFile = join(this.#dir, 'ca.pem')
    const key = join(this.#dir, 'key.pem')
    const subject = [
      '-subj',
      '/CN=localhost',
      '-addext',
      `subjectAltName=${name === undefined ? 'DNS:localhost,IP:127.0.0.1' : `DNS:${name}`}`,
    ]
    const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
    execFileSync('openssl', ['req', '-x509', ...kind, '-keyout', key, '-out', this.caFile, ...subject], {
      stdio: 'ignore',
    })
    this.ca = readFileSync(this.caFile, 'utf8')
    this.#key = readFileSync(key, 'utf8')
  }

  /** @param target port on loopback that gets the plain bytes */
  async start(target: () => number): Promise<number> {
    const server = createServer({ key: this.#key, cert: this.ca }, (socket) => {
      const plain = connect(target(), '127.0.0.1')
      for (const end of [socket, plain]) {
        this.#sockets.add(end)
        end.on('close', () => this.#sockets.delete(end))
      }
      socket.on('error', () => plain.destroy())
      plain.on('error', () => socket.destroy())
      socket.pipe(plain).pipe(socket)
    })
    // A client that does not trust the certificate breaks off.
    server.on('tlsClientError', () => undefined)
    this.#server = server
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    const server = this.#server
    if (server) await new Promise<void>((resolve) => server.close(() => resolve()))
    rmSync(this.#dir, { recursive: true, force: true })
  }
}
