// A certificate authority made by openssl, which only this test knows, with an intermediate one as public authorities have it.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Issued {
  /** PEM file: the certificate, then the intermediate one. */
  certificateFile: string
  keyFile: string
}

export interface Wanted {
  /** `DNS:localhost`, `IP:127.0.0.1`; those two if absent. */
  names?: readonly string[]
  /** Days from now on which it begins and ends. */
  fromDays?: number
  untilDays?: number
}

const EC = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
const DAY_MS = 86_400_000

export class OpensslAuthority {
  readonly dir = mkdtempSync(join(tmpdir(), 'authority-'))
  /** PEM file of the root. */
  readonly caFile = join(this.dir, 'root.pem')
  readonly ca: string
  #issued = 0

  constructor() {
    const root = ['-subj', '/CN=Test Root', '-addext', 'basicConstraints=critical,CA:TRUE']
    this.#openssl('req', '-x509', ...EC, '-days', '400', '-keyout', 'root.key', '-out', 'root.pem', ...root)
    writeFileSync(join(this.dir, 'ca.cnf'), CA_CONFIG)
    writeFileSync(join(this.dir, 'index.txt'), '')
    this.#openssl('req', '-new', ...EC, '-keyout', 'middle.key', '-out', 'middle.csr', '-subj', '/CN=Test Intermediate')
    this.#sign('middle', { issuer: 'root', extensions: 'middle', fromDays: -1, untilDays: 400 })
    this.ca = readFileSync(this.caFile, 'utf8')
  }

  /** A new key and its certificate, in files of their own. */
  issue({ names = ['DNS:localhost', 'IP:127.0.0.1'], fromDays = -1, untilDays = 90 }: Wanted = {}): Issued {
    const name = `leaf-${++this.#issued}`
    const subject = ['-subj', '/CN=relay', '-addext', `subjectAltName=${names.join(',')}`]
    this.#openssl('req', '-new', ...EC, '-keyout', `${name}.key`, '-out', `${name}.csr`, ...subject)
    this.#sign(name, { issuer: 'middle', extensions: 'leaf', fromDays, untilDays })
    const certificateFile = join(this.dir, `${name}-chain.pem`)
    const chain = [`${name}.pem`, 'middle.pem'].map((file) => readFileSync(join(this.dir, file), 'utf8'))
    writeFileSync(certificateFile, chain.join(''))
    return { certificateFile, keyFile: join(this.dir, `${name}.key`) }
  }

  remove(): void {
    rmSync(this.dir, { recursive: true, force: true })
  }

  #sign(name: string, of: { issuer: string; extensions: string; fromDays: number; untilDays: number }): void {
    const dates = ['-startdate', instant(of.fromDays), '-enddate', instant(of.untilDays)]
    const issuer = ['-cert', `${of.issuer}.pem`, '-keyfile', `${of.issuer}.key`, '-extensions', of.extensions]
    const files = ['-in', `${name}.csr`, '-out', `${name}.pem`]
    this.#openssl('ca', '-config', 'ca.cnf', '-batch', '-notext', ...issuer, ...dates, ...files)
  }

  #openssl(...args: string[]): void {
    execFileSync('openssl', args, { cwd: this.dir, stdio: ['ignore', 'ignore', 'pipe'] })
  }
}

/** `20261125181500Z`, so many days from now. */
function instant(days: number): string {
  return `${new Date(Date.now() + days * DAY_MS).toISOString().replace(/[-:T]|\.\d+/g, '')}`
}

const CA_CONFIG = `
[ca]
default_ca = test
[test]
database = index.txt
new_certs_dir = .
rand_serial = yes
default_md = sha256
policy = any
copy_extensions = copy
unique_subject = no
[any]
commonName = supplied
[middle]
basicConstraints = critical,CA:TRUE
[leaf]
basicConstraints = critical,CA:FALSE
extendedKeyUsage = serverAuth
`
