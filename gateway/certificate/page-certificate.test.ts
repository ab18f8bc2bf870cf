// The certificate of the page on a real disk: made once, kept through power cuts, renewed in time, and the owner's instead when there is one.
import { execFileSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSecureContext } from 'node:tls'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { PageCertificate } from './page-certificate.ts'
import { selfSigned } from './self-signed.ts'

const DAY_MS = 86_400_000
const LOOK_MS = 60_000

describe('the certificate of the page', () => {
  let dir: string
  let file: string
  let names: string[]
  let clock: ManualClock
  let lines: string[]
  let running: PageCertificate[]
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'page-certificate-'))
    file = join(dir, 'page-certificate.pem')
    names = ['kitchen', 'kitchen.local', '192.168.1.7']
    clock = new ManualClock()
    lines = []
    running = []
  })
  afterEach(async () => {
    await Promise.all(running.map((certificate) => certificate.stop()))
    rmSync(dir, { recursive: true, force: true })
  })

  const own = () => ({ certificateFile: join(dir, 'own.crt'), keyFile: join(dir, 'own.key') })
  async function started(isOwn = false): Promise<PageCertificate> {
    const certificate = new PageCertificate({
      ...{ file, provided: isOwn ? own() : null, names: () => names, clock, time: clock },
      log: pino({ level: 'info' }, { write: (line: string) => lines.push(line) }),
    })
    running.push(certificate)
    await certificate.start()
    return certificate
  }
  /** As after a restart. */
  const fingerprintAfterStart = async () => (await started()).served?.fingerprint
  async function putOwn(name = 'kitchen.example') {
    const pair = await selfSigned({ names: [name], fromMs: clock.now() - DAY_MS, untilMs: clock.now() + 90 * DAY_MS })
    writeFileSync(own().certificateFile, pair.certificate)
    writeFileSync(own().keyFile, pair.key)
    return new X509Certificate(pair.certificate).fingerprint256
  }
  /** A minute later, once another certificate is served. */
  async function nextCertificate(certificate: PageCertificate): Promise<void> {
    const changed = certificate.changed.next()
    await clock.advance(LOOK_MS)
    await changed
  }
  /** A minute later; the look at the owner's files is over when this returns. */
  async function look(certificate: PageCertificate): Promise<void> {
    await clock.advance(LOOK_MS)
    await certificate.stop()
  }

  it('is made at the first start and stays the same through restarts', async () => {
    const first = await started()
    expect(first.served).toMatchObject({ source: 'self-signed' })
    expect(await fingerprintAfterStart()).toBe(first.served?.fingerprint)
    expect(first.served?.fingerprint).toMatch(/^(?:[0-9A-F]{2}:){31}[0-9A-F]{2}$/)
  })

  it('lies in one file that only its owner may read, and its key is in no log', async () => {
    mkdirSync(dir, { recursive: true })
    // Of a run that was cut off, with the permissions of whoever made it.
    writeFileSync(`${file}.new`, 'x', { mode: 0o666 })
    const { served } = await started()
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readdirSync(dir)).toEqual(['page-certificate.pem'])
    expect(readFileSync(file, 'utf8')).toBe(`${served?.certificate}${served?.key}`)
    expect(lines.join('')).not.toContain('PRIVATE KEY')
  })

  it('is the old one or the new one after a power cut at any step', async () => {
    const old = await fingerprintAfterStart()
    const whole = readFileSync(file, 'utf8')
    for (const length of [0, 1, 40, Math.floor(whole.length / 2), whole.length - 1, whole.length]) {
      writeFileSync(`${file}.new`, whole.slice(0, length))
      expect(await fingerprintAfterStart(), `${length} bytes of the next one`).toBe(old)
    }
    // A card that lied about what it had written.
    for (const length of [0, 1, 40, Math.floor(whole.length / 2), whole.length - 30]) {
      writeFileSync(file, whole.slice(0, length))
      const fresh = await fingerprintAfterStart()
      expect(fresh, `${length} bytes left`).not.toBe(old)
      expect(await fingerprintAfterStart()).toBe(fresh)
    }
    expect(lines.join('')).toContain('cannot be read')
  })

  it('with the key of another one is not served', async () => {
    const { served } = await started()
    const other = await selfSigned({ names, fromMs: clock.now(), untilMs: clock.now() + DAY_MS })
    writeFileSync(file, `${served?.certificate}${other.key}`)
    expect(await fingerprintAfterStart()).not.toBe(served?.fingerprint)
  })

  it('whose key OpenSSL reads but cannot serve is replaced', async () => {
    const made = ['req', '-x509', '-newkey', 'rsa:1024', '-nodes', '-days', '500', '-subj', '/CN=kitchen']
    const [certificate, key] = [join(dir, 'short.crt'), join(dir, 'short.key')]
    execFileSync('openssl', [...made, '-keyout', key, '-out', certificate], { stdio: 'ignore' })
    const text = `${readFileSync(certificate, 'utf8')}${readFileSync(key, 'utf8')}`
    writeFileSync(file, text, { mode: 0o600 })
    const { served } = await started()
    expect(() => createSecureContext({ key: served?.key, cert: served?.certificate })).not.toThrow()
    expect(served?.fingerprint).not.toBe(new X509Certificate(text).fingerprint256)
    expect(lines.join('')).toContain('key too small')
  })

  it('that other users may read gets restricted permissions, and the box reports it', async () => {
    const { served } = await started()
    chmodSync(file, 0o644)
    expect(await fingerprintAfterStart()).toBe(served?.fingerprint)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(lines.join('')).toContain('others on this machine could read the key')
  })

  it('is renewed while the box runs when it gets another address, and keeps the old one in', async () => {
    const certificate = await started()
    const first = certificate.served
    names = ['kitchen', 'kitchen.local', '10.0.0.9']
    await nextCertificate(certificate)
    expect(certificate.served?.fingerprint).not.toBe(first?.fingerprint)
    expect(certificate.served?.x509.subjectAltName).toBe(
      'DNS:kitchen, DNS:kitchen.local, IP Address:10.0.0.9, IP Address:192.168.1.7',
    )
    const second = certificate.served?.fingerprint
    names = ['kitchen', 'kitchen.local', '192.168.1.7']
    await look(certificate)
    expect(certificate.served?.fingerprint).toBe(second)
    expect(await fingerprintAfterStart()).toBe(second)
  })

  it('stays while the box is in no network', async () => {
    const certificate = await started()
    const first = certificate.served?.fingerprint
    names = ['kitchen']
    await look(certificate)
    expect(certificate.served?.fingerprint).toBe(first)
  })

  it('is renewed sixty days before it ends, and holds no longer than Apple’s systems take', async () => {
    const { served } = await started()
    const [from, until] = [served?.fromMs ?? 0, served?.untilMs ?? 0]
    expect(until - from).toBeLessThanOrEqual(825 * DAY_MS)
    clock = new ManualClock(until - 61 * DAY_MS)
    expect(await fingerprintAfterStart()).toBe(served?.fingerprint)
    clock = new ManualClock(until - 59 * DAY_MS)
    expect(await fingerprintAfterStart()).not.toBe(served?.fingerprint)
  })

  it('made while the clock of the machine was not set holds when it is', async () => {
    clock = new ManualClock(0)
    const made = await fingerprintAfterStart()
    clock = new ManualClock()
    expect(await fingerprintAfterStart()).toBe(made)
  })

  it('that cannot be written is served all the same, and written when there is room', async () => {
    // A folder in its place: the file can be made, but not moved there.
    mkdirSync(join(file, 'in-the-way'), { recursive: true })
    const certificate = await started()
    const { served } = certificate
    expect(served?.source).toBe('self-signed')
    expect(lines.join('')).toContain('cannot be kept')
    rmSync(file, { recursive: true })
    await look(certificate)
    expect(await fingerprintAfterStart()).toBe(served?.fingerprint)
  })

  it('is the owner’s when there is one, and none is made then', async () => {
    const fingerprint = await putOwn()
    const certificate = await started(true)
    expect(certificate.served).toMatchObject({ source: 'provided', fingerprint })
    expect(certificate.providedFault).toBeNull()
    expect(existsSync(file)).toBe(false)
  })

  it('follows the owner’s files without a restart', async () => {
    await putOwn()
    const certificate = await started(true)
    const next = await putOwn('kitchen-2.example')
    await nextCertificate(certificate)
    expect(certificate.served?.fingerprint).toBe(next)
  })

  it.each([
    [
      'cut off',
      () => writeFileSync(own().certificateFile, '-----BEGIN CERTIFICATE-----\nMIIB'),
      'holds no certificate',
    ],
    [
      'a pipe, which is never read',
      () => {
        rmSync(own().keyFile)
        execFileSync('mkfifo', [own().keyFile])
      },
      'is no regular file',
    ],
    ['empty', () => writeFileSync(own().keyFile, ''), 'no private key'],
    ['gone', () => rmSync(own().keyFile), 'cannot be read (ENOENT)'],
    [
      'locked with a passphrase',
      () =>
        writeFileSync(
          own().keyFile,
          '-----BEGIN ENCRYPTED PRIVATE KEY-----\nMIIB\n-----END ENCRYPTED PRIVATE KEY-----\n',
        ),
      'store it without',
    ],
  ] as const)('stays when the owner’s next one is %s, which is said in words', async (_, spoil, words) => {
    const good = await putOwn()
    const certificate = await started(true)
    spoil()
    await look(certificate)
    expect(certificate.served?.fingerprint).toBe(good)
    expect(certificate.providedFault).toContain(words)
    expect(lines.join('')).toContain(words)
    // At a start there is no old one.
    const again = await started(true)
    expect(again.served?.source).toBe('self-signed')
    expect(again.providedFault).toContain(words)
  })

  it('stays while only one of the owner’s two files was replaced', async () => {
    const good = await putOwn()
    const certificate = await started(true)
    const half = await selfSigned({ names, fromMs: clock.now(), untilMs: clock.now() + DAY_MS })
    writeFileSync(own().certificateFile, half.certificate)
    await look(certificate)
    expect([certificate.served?.fingerprint, certificate.providedFault]).toEqual([
      good,
      `the key in ${own().keyFile} does not belong to the certificate in ${own().certificateFile}`,
    ])
    await certificate.start()
    writeFileSync(own().keyFile, half.key)
    await nextCertificate(certificate)
    expect(certificate.providedFault).toBeNull()
  })

  it('gives way to the owner’s when that is mended', async () => {
    writeFileSync(own().certificateFile, 'not yet')
    const certificate = await started(true)
    expect(certificate.served?.source).toBe('self-signed')
    const fingerprint = await putOwn()
    await nextCertificate(certificate)
    expect(certificate.served).toMatchObject({ source: 'provided', fingerprint })
  })
})
