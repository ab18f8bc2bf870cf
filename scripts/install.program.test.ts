// The installer's decisions, up to the point of installation: which sources it takes, what it refuses, and that nothing is left behind. Real signatures and a real web server; apt and dpkg only write down what they are told.
import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { createServer as createHttpServer, type Server as HttpServer, type RequestListener } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { SELF_SIGNED } from '#test/fixtures/self-signed.ts'
import { aptReads, hasApt } from '#test/harness/real-apt.ts'
import { makeSigningKey } from '#test/package/signed-repository.ts'

const ROOT = new URL('../', import.meta.url).pathname
const DAY_MS = 86_400_000
const NEEDED = ['gpg', 'gpgv', 'curl', 'sha256sum']
const missing = NEEDED.filter((tool) => spawnSync('sh', ['-c', `command -v ${tool}`]).status !== 0)
const LOADERS = existsSync('/usr/bin/wget') ? ['curl', 'wget'] : ['curl']
if (missing.length > 0)
  process.stderr.write(`scripts/install.program.test.ts is skipped: ${missing.join(', ')} missing\n`)

interface Outcome {
  code: number
  said: string
}

describe.skipIf(missing.length > 0)('the installer', () => {
  let dir: string
  let source: string
  let root: string
  let server: Server
  let url: string
  const at = (...parts: string[]): string => join(dir, ...parts)
  const sha256 = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex')

  /** Where the mirror sends everybody; empty: nowhere. */
  let elsewhere: string
  let hangs: boolean // The mirror takes connections, and answers nothing.
  /** Of what the mirror sends, that which was not taken to its end. */
  let cutOff: string[]
  const serveSource: RequestListener = ({ url: path = '' }, response) => {
    const file = join(source, path)
    if (hangs) return
    if (elsewhere !== '' && !path.startsWith('/there/'))
      response.writeHead(302, { location: `${elsewhere}/there${path}` }).end()
    // Without a length: nobody is told beforehand how much comes.
    else if (existsSync(file)) {
      response.on('close', () => response.writableFinished || cutOff.push(path))
      response.writeHead(200, { 'transfer-encoding': 'chunked' }).end(readFileSync(file))
    } else response.writeHead(404).end()
  }

  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'install-'))
    source = at('source')
    root = at('root')
    for (const name of ['releases', 'stranger']) makeSigningKey(dir, name)
    mkdirSync(at('bin'))
    writeFileSync(at('localhost.pem'), SELF_SIGNED.cert)
    writeFileSync(at('wgetrc'), `ca_certificate = ${at('localhost.pem')}\n`)
    const told = `echo "$(basename "$0") $*" >>${at('told')}`
    const programs = {
      id: 'echo 0',
      dpkg: 'case $1 in --print-architecture) echo amd64 ;; *) exec /usr/bin/dpkg "$@" ;; esac',
      'dpkg-query': `case $* in *libc6*) echo 2.36-9 ;; *) cat ${at('installed')} 2>/dev/null || exit 1 ;; esac`,
      'dpkg-deb': 'basename "$2" | cut -d_ -f2',
      'apt-get': `${told}; [ ! -e ${at('apt-fails')} ] || exit 100`,
      systemctl: told,
    }
    for (const [name, line] of Object.entries(programs))
      writeFileSync(at('bin', name), `#!/bin/sh\n${line}\n`, { mode: 0o755 })
    server = createServer(SELF_SIGNED, serveSource)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(async () => {
    await new Promise((resolve) => server.close(resolve))
    rmSync(dir, { recursive: true, force: true })
  })

  let keySha256: string
  /** Folders of programs, in the order in which the installer looks. */
  let programFolders: string
  beforeEach(() => {
    elsewhere = ''
    cutOff = []
    hangs = false
    programFolders = `${at('bin')}:${process.env['PATH']}`
    mkdirSync(join(source, 'pool'), { recursive: true })
    mkdirSync(join(root, 'etc/default'), { recursive: true })
    mkdirSync(at('tmp'))
    writeFileSync(join(root, 'etc/default/ticketrail-gateway'), '')
    keySha256 = publish('1.1.0')
  })
  afterEach(() => {
    for (const name of ['source', 'root', 'told', 'installed', 'apt-fails', 'tmp'])
      rmSync(at(name), { recursive: true, force: true })
  })

  /** A release as scripts/package/repository.sh lays it out. @returns the hash of its key */
  function publish(version: string, by = 'releases', signedAt = new Date()): string {
    rmSync(join(source, 'pool'), { recursive: true, force: true })
    mkdirSync(join(source, 'pool'))
    writeFileSync(join(source, `pool/ticketrail-gateway_${version}_amd64.deb`), `package ${version}`)
    gpg(by, '--yes', '--output', join(source, 'ticketrail-archive.gpg'), '--export')
    sum()
    sign(by, signedAt)
    return sha256(join(source, 'ticketrail-archive.gpg'))
  }
  function sum(): void {
    const files = [...readdirSync(join(source, 'pool')).map((name) => `pool/${name}`), 'ticketrail-archive.gpg']
    const lines = files.map((name) => `${sha256(join(source, name))}  ${name}\n`)
    writeFileSync(join(source, 'SHA256SUMS'), lines.join(''))
  }
  function sign(by: string, signedAt = new Date()): void {
    const time = Math.max(Math.floor(signedAt.getTime() / 1_000), 1_000_000_000)
    const sums = join(source, 'SHA256SUMS')
    const when = ['--faked-system-time', `${time}`, '--ignore-time-conflict']
    gpg(by, '--yes', ...when, '--output', `${sums}.gpg`, '--detach-sign', sums)
  }
  function gpg(name: string, ...args: string[]): void {
    execFileSync('gpg', ['--homedir', at(`gnupg-${name}`), '--batch', '--quiet', ...args], { stdio: 'pipe' })
  }
  function install(...args: string[]): Promise<Outcome> {
    const env = {
      PATH: programFolders,
      INSTALL_MOST_FILE_S: hangs ? '1' : '1800',
      INSTALL_ROOT: root,
      TMPDIR: at('tmp'),
      CURL_CA_BUNDLE: at('localhost.pem'),
      WGETRC: at('wgetrc'),
      LC_ALL: 'C',
    }
    return new Promise((resolve) => {
      execFile('sh', [join(ROOT, 'scripts/install.sh'), ...args], { env }, (error, out, err) =>
        resolve({ code: Number(error?.code ?? 0), said: out + err }),
      )
    })
  }
  /** A folder of all programs of this machine but curl, and those named. */
  function withoutCurl(...others: string[]): string {
    const folder = at(['without-curl', ...others].join('-'))
    if (existsSync(folder)) return folder
    mkdirSync(folder)
    for (const from of ['/usr/bin', '/bin', '/usr/sbin', '/sbin'])
      for (const name of readdirSync(from))
        if (!['curl', ...others].includes(name) && !existsSync(join(folder, name)))
          symlinkSync(join(from, name), join(folder, name))
    return folder
  }
  const told = (): string => (existsSync(at('told')) ? readFileSync(at('told'), 'utf8') : '')
  const filesOf = (folder: string): string[] =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
      .sort()
  async function refused(word: string | RegExp, ...args: string[]): Promise<void> {
    const { code, said } = await install(...args)
    expect({ code, said }).toEqual({ code: 1, said: expect.stringMatching(word) })
    expect(told()).toBe('')
    expect(filesOf(root)).toEqual(['etc/default/ticketrail-gateway'])
    expect(readdirSync(at('tmp'))).toEqual([])
  }

  it('installs from a signed mirror whose key was named, and sets up the repository for updates', async () => {
    expect(await install('--from', url, '--key-sha256', keySha256)).toMatchObject({ code: 0 })
    expect(told()).toMatch(/^apt-get install .*ticketrail-gateway_1\.1\.0_amd64\.deb$/m)
    expect(filesOf(root)).toEqual([
      'etc/default/ticketrail-gateway',
      'etc/ticketrail-gateway/apt/ticketrail-archive.gpg',
      'etc/ticketrail-gateway/apt/ticketrail.sources',
      'var/lib/ticketrail-gateway-update/keep/ticketrail-gateway_1.1.0.deb',
      'var/lib/ticketrail-gateway-update/list-signed',
    ])
    const sources = readFileSync(join(root, 'etc/ticketrail-gateway/apt/ticketrail.sources'), 'utf8')
    expect(sources).toContain(`URIs: ${url}\n`)
  })

  it('installs from a signed folder, such as a stick, whose key was named; capitals in the hash are the same', async () => {
    expect(await install('--from', source, '--key-sha256', keySha256.toUpperCase())).toMatchObject({ code: 0 })
    expect(told()).toContain('apt-get install')
  })

  it('refuses every source without the hash of its key, and names where to find the hash', async () => {
    await refused(/--key-sha256 .*is missing/, '--from', url)
    await refused(/--key-sha256 .*is missing/, '--from', source)
  })

  it('refuses plain http even with a key, in any spelling, and every other scheme', async () => {
    for (const from of ['http://127.0.0.1:9', 'HTTP://127.0.0.1:9', 'ftp://127.0.0.1', 'file:///srv'])
      await refused('https://', '--from', from, '--key-sha256', keySha256)
  })

  it('refuses a mirror that has stripped the signature and the key from the list', async () => {
    writeFileSync(
      join(source, 'SHA256SUMS'),
      readFileSync(join(source, 'SHA256SUMS'), 'utf8').replace(/.*archive.*\n/, ''),
    )
    for (const name of ['SHA256SUMS.gpg', 'ticketrail-archive.gpg']) rmSync(join(source, name))
    await refused('is not signed', '--from', url, '--key-sha256', keySha256)
    await refused('is not signed', '--from', source, '--key-sha256', keySha256)
  })

  it('refuses a mirror that gives the right key but no signature, or an empty one', async () => {
    rmSync(join(source, 'SHA256SUMS.gpg'))
    await refused('is not signed', '--from', url, '--key-sha256', keySha256)
    writeFileSync(join(source, 'SHA256SUMS.gpg'), '')
    await refused('not signed by the key', '--from', url, '--key-sha256', keySha256)
  })

  it('refuses a key that was swapped, and a list that another key has signed', async () => {
    publish('1.1.0', 'stranger')
    await refused('not the one that you named', '--from', url, '--key-sha256', keySha256)
    publish('1.1.0')
    sign('stranger')
    await refused('not signed by the key', '--from', url, '--key-sha256', keySha256)
  })

  it('refuses a list or a package that was changed', async () => {
    appendFileSync(join(source, 'pool/ticketrail-gateway_1.1.0_amd64.deb'), 'x')
    await refused('was changed', '--from', url, '--key-sha256', keySha256)
    sum()
    await refused('not signed by the key', '--from', url, '--key-sha256', keySha256)
  })

  it('refuses a list signed longer ago than the repository allows, unless its date is named', async () => {
    const signed = new Date(Date.now() - 20 * DAY_MS)
    publish('1.1.0', 'releases', signed)
    const date = signed.toISOString().slice(0, 10)
    await refused(`signed on ${date}`, '--from', url, '--key-sha256', keySha256)
    await refused(`signed on ${date}`, '--from', url, '--key-sha256', keySha256, '--signed-on', '2026-01-01')
    expect(await install('--from', url, '--key-sha256', keySha256, '--signed-on', date)).toMatchObject({ code: 0 })
  })

  it('refuses a list older than the one that this box was installed from', async () => {
    const args = ['--from', url, '--key-sha256', keySha256]
    expect(await install(...args)).toMatchObject({ code: 0 })
    rmSync(at('told'))
    publish('1.1.0', 'releases', new Date(Date.now() - DAY_MS))
    expect(await install(...args)).toEqual({ code: 1, said: expect.stringContaining('older than the list') })
    expect(told()).toBe('')
  })

  it('refuses an older version than the installed one', async () => {
    writeFileSync(at('installed'), '1.2.0')
    await refused('1.2.0 is installed, which is newer', '--from', url, '--key-sha256', keySha256)
  })

  it('refuses a list from the future, because then the clock of this machine is behind', async () => {
    publish('1.1.0', 'releases', new Date(Date.now() + 30 * DAY_MS))
    await refused('clock', '--from', url, '--key-sha256', keySha256)
  })

  it('refuses what is no hash, and an address that could write into a settings file', async () => {
    await refused('64', '--from', url, '--key-sha256', 'abc')
    await refused('address', '--from', `${url}/a b`, '--key-sha256', keySha256)
    await refused('address', '--from', 'https://name:word@mirror.example', '--key-sha256', keySha256)
  })

  describe.each(LOADERS)('with %s', (loader) => {
    let plain: HttpServer
    let asked: number
    beforeEach(async () => {
      if (loader === 'wget') programFolders = `${at('bin')}:${withoutCurl()}`
      asked = 0
      plain = createHttpServer((request, response) => {
        asked++
        serveSource(request, response)
      })
      await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve))
      // What a mirror sends elsewhere lies there as it does here.
      symlinkSync('.', join(source, 'there'))
    })
    afterEach(async () => {
      plain.closeAllConnections()
      await new Promise((resolve) => plain.close(resolve))
    })

    it('installs from a signed mirror', async () => {
      expect(await install('--from', url, '--key-sha256', keySha256)).toMatchObject({ code: 0 })
    })

    it('never follows a redirect from an https mirror to plain http', async () => {
      elsewhere = `http://127.0.0.1:${(plain.address() as AddressInfo).port}`
      await refused('could not be fetched', '--from', url, '--key-sha256', keySha256)
      expect(asked).toBe(0)
    })

    it('gives up on a mirror that hangs', async () => {
      hangs = true
      await refused('could not be fetched', '--from', url, '--key-sha256', keySha256)
    })

    it('refuses a list, a signature or a key that is larger than any can be, and does not take it to its end', async () => {
      for (const name of ['SHA256SUMS', 'SHA256SUMS.gpg', 'ticketrail-archive.gpg']) {
        // More than lies between two ends of a connection.
        writeFileSync(join(source, name), Buffer.alloc(64_000_000, 'x'))
        await refused(`${name} is larger than 1 MB`, '--from', url, '--key-sha256', keySha256)
        await expect.poll(() => cutOff.pop()).toBe(`/${name}`)
        publish('1.1.0')
      }
    })
  })

  it('follows a mirror’s redirect to https, and reports that only curl does so', async () => {
    symlinkSync('.', join(source, 'there'))
    elsewhere = url
    if (LOADERS.includes('wget')) {
      programFolders = `${at('bin')}:${withoutCurl()}`
      await refused('apt-get install curl', '--from', url, '--key-sha256', keySha256)
      programFolders = `${at('bin')}:${process.env['PATH']}`
    }
    expect(await install('--from', url, '--key-sha256', keySha256)).toMatchObject({ code: 0 })
  })

  it('refuses a package that is larger than any of ours, from a mirror and from a folder', async () => {
    truncateSync(join(source, 'pool/ticketrail-gateway_1.1.0_amd64.deb'), 151 * 1_048_576)
    await refused('amd64.deb is larger than 150 MB', '--from', source, '--key-sha256', keySha256)
    await refused('amd64.deb is larger than 150 MB', '--from', url, '--key-sha256', keySha256)
  })

  it('reports what is missing where neither curl nor wget is installed, and takes a folder all the same', async () => {
    programFolders = `${at('bin')}:${withoutCurl('wget')}`
    await refused('apt-get install curl', '--from', url, '--key-sha256', keySha256)
    expect(await install('--from', source, '--key-sha256', keySha256)).toMatchObject({ code: 0 })
  })

  it.skipIf(!hasApt)('sets up a folder with spaces in its path so that apt finds it', async () => {
    const stick = at('tmp/my stick 100%41 [x]')
    symlinkSync(source, stick)
    expect(await install('--from', stick, '--key-sha256', keySha256)).toMatchObject({ code: 0 })
    const written = readFileSync(join(root, 'etc/ticketrail-gateway/apt/ticketrail.sources'), 'utf8')
    expect(written).toContain('my%20stick%20100%2541')
    expect(aptReads(written, { repository: source, dir: at('tmp/apt') })).toEqual({ status: 0, packages: ['tried'] })
  })

  it('refuses a folder whose path could write lines of its own into a file of apt', async () => {
    const stick = at('tmp/x\nTrusted: yes')
    symlinkSync(source, stick)
    const { code, said } = await install('--from', stick, '--key-sha256', keySha256)
    expect([code, said]).toEqual([1, expect.stringContaining('line break')])
    expect(filesOf(root)).toEqual(['etc/default/ticketrail-gateway'])
  })

  it('does nothing when it was cut off on its way', async () => {
    const whole = readFileSync(join(ROOT, 'scripts/install.sh'), 'utf8')
    const cut = at('tmp/cut.sh')
    writeFileSync(cut, whole.slice(0, whole.lastIndexOf('\nmain ')))
    const { stdout, stderr } = spawnSync('sh', [cut, '--from', source], { encoding: 'utf8' })
    expect(stdout + stderr).toBe('')
  })

  it('leaves no repository and no package behind when apt could not install', async () => {
    writeFileSync(at('apt-fails'), '')
    const { code, said } = await install('--from', url, '--key-sha256', keySha256)
    expect([code, said]).toEqual([1, expect.stringContaining('apt-get could not install')])
    expect(filesOf(root)).toEqual(['etc/default/ticketrail-gateway'])
  })

  describe('with --insecure', () => {
    it('takes an unsigned folder, sets up no updates, and explains what that means', async () => {
      for (const name of ['SHA256SUMS.gpg', 'ticketrail-archive.gpg']) rmSync(join(source, name))
      const { code, said } = await install('--from', source, '--insecure')
      expect([code, said]).toEqual([0, expect.stringContaining('nobody has checked who made this package')])
      expect(said).toContain('will not update itself')
      expect(existsSync(join(root, 'etc/ticketrail-gateway'))).toBe(false)
    })

    it('takes a signed source without a named key, and shows the key that is trusted from now on', async () => {
      const { code, said } = await install('--from', source, '--insecure')
      expect([code, said]).toEqual([0, expect.stringContaining(keySha256)])
      expect(existsSync(join(root, 'etc/ticketrail-gateway/apt/ticketrail.sources'))).toBe(true)
    })

    it('takes plain http, and still no package that differs from a named key', async () => {
      const plain = createHttpServer(serveSource)
      await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve))
      const from = `http://127.0.0.1:${(plain.address() as AddressInfo).port}`
      await refused('not the one that you named', '--from', from, '--insecure', '--key-sha256', 'a'.repeat(64))
      rmSync(join(source, 'SHA256SUMS.gpg'))
      await refused('is not signed', '--from', from, '--insecure', '--key-sha256', keySha256)
      publish('1.1.0')
      expect(await install('--from', from, '--insecure', '--key-sha256', keySha256)).toMatchObject({ code: 0 })
      plain.closeAllConnections()
      await new Promise((resolve) => plain.close(resolve))
    })
  })
})
