// What becomes of certificate files that openssl made: served, refused in words, exchanged while the relay runs, watched until they end.
import { execFileSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { checkPair } from '#shared/certificate/certificate-files.ts'
import { createLogger } from '#shared/log.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { type Issued, OpensslAuthority, type Wanted } from '#test/harness/openssl-authority.ts'
import { ServedCertificate } from './served-certificate.ts'

const DAY = 86_400_000
const LOOK = 5_000
const SETTINGS = { certificate: 'CLOUD_TLS_CERT_FILE', key: 'CLOUD_TLS_KEY_FILE' }

const authority = new OpensslAuthority()
afterAll(() => authority.remove())

let clock: ManualClock
let lines: { level: number; msg: string; [key: string]: unknown }[]
let served: ServedCertificate | null
/** Where the relay looks. */
let place: Issued
let folders = 0

beforeEach(() => {
  clock = new ManualClock(Date.now())
  lines = []
  served = null
  const dir = join(authority.dir, `place-${++folders}`)
  mkdirSync(dir)
  place = { certificateFile: join(dir, 'fullchain.pem'), keyFile: join(dir, 'privkey.pem') }
})
afterEach(() => served?.stop())

function put(issued: Issued): Issued {
  copyFileSync(issued.certificateFile, place.certificateFile)
  copyFileSync(issued.keyFile, place.keyFile)
  return issued
}

async function serve(wanted: Wanted = {}): Promise<ServedCertificate> {
  put(authority.issue(wanted))
  return start()
}

async function start(): Promise<ServedCertificate> {
  const write = (line: string) => void lines.push(JSON.parse(line))
  served = new ServedCertificate({
    settings: SETTINGS,
    files: place,
    clock,
    log: createLogger('cloud', 'info', { destination: { write } }),
  })
  await served.start()
  return served
}

const serialOf = (file: string): string => new X509Certificate(readFileSync(file)).serialNumber
const serialServed = (of: ServedCertificate): string => new X509Certificate(String(of.options.cert)).serialNumber
const said = (): [number, string][] => lines.map(({ level, msg }) => [level, msg])

const READ_AGAIN: [number, string] = [30, 'certificate read again: new connections get it']
const OLD_STAYS: [number, string] = [50, 'the new certificate cannot be used: the one before it stays']
const ENDS_SOON: [number, string] = [40, 'the certificate ends soon: renew it, the relay reads the new one by itself']
const HAS_ENDED: [number, string] = [
  50,
  'the certificate has ended, clients and gateways refuse it: renew it, the relay reads the new one by itself',
]

describe('at the start', () => {
  it('a valid one is served, with TLS 1.2 at least, and nothing is logged', async () => {
    const certificate = await serve()
    expect(serialServed(certificate)).toBe(serialOf(place.certificateFile))
    expect(certificate.options.minVersion).toBe('TLSv1.2')
    expect(said()).toEqual([])
  })

  const other = () => authority.issue().keyFile
  it.each<[string, () => unknown, string]>([
    [
      'no certificate file',
      () => rmSync(place.certificateFile),
      'fullchain.pem cannot be read (ENOENT): there is no such file',
    ],
    ['no key file', () => rmSync(place.keyFile), 'privkey.pem cannot be read (ENOENT)'],
    ['a folder for a key', () => [rmSync(place.keyFile), mkdirSync(place.keyFile)], 'privkey.pem is no regular file'],
    ['no certificate in it', () => writeFileSync(place.certificateFile, 'hello'), 'fullchain.pem holds no certificate'],
    ['no key in it', () => copyFileSync(place.certificateFile, place.keyFile), 'privkey.pem cannot be used'],
    [
      'the key of another',
      () => copyFileSync(other(), place.keyFile),
      'privkey.pem does not belong to the certificate',
    ],
    ['one that has ended', () => put(authority.issue({ fromDays: -9, untilDays: -2 })), 'fullchain.pem ended at 20'],
  ])('%s: one line names setting, file and what to do', async (_, damage, words) => {
    put(authority.issue())
    damage()
    const fault = await start().then(
      () => null,
      (error: Error) => error,
    )
    expect(fault?.name).toBe('ConfigError')
    expect(fault?.message).toMatch(
      /^CLOUD_TLS_CERT_FILE and CLOUD_TLS_KEY_FILE cannot be used: [^\n?!]+[^\n.?!]\. Put a valid certificate and its key at /,
    )
    expect(fault?.message).toContain(words)
  })

  it('one that is not valid yet is refused until the second from which it is, which is named', async () => {
    const { certificateFile } = put(authority.issue({ fromDays: 1 }))
    const from = new X509Certificate(readFileSync(certificateFile)).validFromDate
    for (const early of [DAY, 3_600_000, 1]) {
      clock = new ManualClock(from.getTime() - early)
      const words = `is valid from ${from.toISOString()} on, and the clock of this machine says 20`
      await expect(start()).rejects.toThrow(words)
    }
    clock = new ManualClock(from.getTime())
    expect(serialServed(await start())).toBe(serialOf(certificateFile))
  })

  it('a key with a passphrase is refused with the reason', async () => {
    put(authority.issue())
    const inPlace = ['-in', place.keyFile, '-out', `${place.keyFile}.locked`]
    execFileSync('openssl', ['pkey', '-aes256', '-passout', 'pass:secret', ...inPlace])
    renameSync(`${place.keyFile}.locked`, place.keyFile)
    await expect(start()).rejects.toThrow('its key has a passphrase: store it without')
  })

  it('a key that every user of the machine can read is used, with a warning; one of a group without', async () => {
    put(authority.issue())
    chmodSync(place.keyFile, 0o640)
    await (await start()).stop()
    expect(said()).toEqual([])
    chmodSync(place.keyFile, 0o644)
    await start()
    expect(lines).toMatchObject([{ level: 40, setting: 'CLOUD_TLS_KEY_FILE', file: place.keyFile }])
    expect(said()[0]?.[1]).toContain('chmod 640')
  })
})

/** A certificate whose end is no date. */
function withoutEnd(): Issued {
  const issued = authority.issue()
  const der = Buffer.from(new X509Certificate(readFileSync(issued.certificateFile)).raw)
  const end = [...der.toString('latin1').matchAll(/\d{12}Z/g)][1]
  der.write('999999999999Z', end?.index ?? 0, 'latin1')
  const pem = ['-----BEGIN CERTIFICATE-----', der.toString('base64'), '-----END CERTIFICATE-----', '']
  writeFileSync(issued.certificateFile, pem.join('\n'))
  return issued
}

// At about one look in twenty Node's `validToDate` is a date, made from memory that nobody wrote.
it('one whose end is no date is refused each time', () => {
  const files = withoutEnd()
  const pair = { certificate: readFileSync(files.certificateFile, 'utf8'), key: readFileSync(files.keyFile, 'utf8') }
  const good = new X509Certificate(readFileSync(authority.issue().certificateFile))
  for (let n = 0; n < 2_000; n++) {
    // Leaves dates behind in that memory.
    expect(good.validToDate.getTime()).toBeGreaterThan(0)
    expect(() => checkPair(pair, files)).toThrow('does not say in dates')
  }
})

describe('a renewed one that cannot be served leaves the old one in its place', () => {
  it('because its end is no date', async () => {
    const relay = await serve()
    const serial = serialServed(relay)
    const renewed = withoutEnd()
    put(renewed)
    await clock.advance(3 * LOOK)
    expect(JSON.stringify(lines)).toContain('does not say in dates')
    expect(serialServed(relay)).toBe(serial)
  })

  it('because it is larger than any, so it is not read', async () => {
    await serve()
    put(authority.issue())
    truncateSync(place.certificateFile, 3 * 2 ** 30)
    await clock.advance(3 * LOOK)
    expect(JSON.stringify(lines)).toContain('has 3221225472 bytes')
  })
})

describe('while the relay runs', () => {
  it('files that are replaced are served at the next check', async () => {
    const certificate = await serve()
    let changes = 0
    certificate.changed.subscribe(() => changes++)
    const before = certificate.context
    const next = put(authority.issue())
    await clock.advance(LOOK)
    expect(serialServed(certificate)).toBe(serialOf(next.certificateFile))
    expect(certificate.context).not.toBe(before)
    expect([changes, said()]).toEqual([1, [READ_AGAIN]])
    await clock.advance(10 * LOOK)
    expect([changes, said()]).toEqual([1, [READ_AGAIN]])
  })

  it('links are followed, as certbot and Kubernetes swap them', async () => {
    const [first, second] = [authority.issue(), authority.issue()]
    symlinkSync(first.certificateFile, place.certificateFile)
    symlinkSync(first.keyFile, place.keyFile)
    const certificate = await start()
    for (const [of, link] of [
      [second.certificateFile, place.certificateFile],
      [second.keyFile, place.keyFile],
    ] as const) {
      symlinkSync(of, `${link}.new`)
      renameSync(`${link}.new`, link)
    }
    await clock.advance(LOOK)
    expect(serialServed(certificate)).toBe(serialOf(second.certificateFile))
  })

  it('a check between the two files of a renewal logs nothing, and the next one serves the pair', async () => {
    const certificate = await serve()
    const next = authority.issue()
    copyFileSync(next.certificateFile, place.certificateFile)
    await clock.advance(LOOK)
    expect([serialServed(certificate) === serialOf(next.certificateFile), said()]).toEqual([false, []])
    copyFileSync(next.keyFile, place.keyFile)
    await clock.advance(LOOK)
    expect([serialServed(certificate) === serialOf(next.certificateFile), said()]).toEqual([true, [READ_AGAIN]])
  })

  it.each<[string, (next: Issued) => void, string]>([
    [
      'half a file',
      (next) => writeFileSync(place.certificateFile, readFileSync(next.certificateFile).subarray(0, 300)),
      'no certificate',
    ],
    [
      'a certificate without its key',
      (next) => copyFileSync(next.certificateFile, place.certificateFile),
      'does not belong',
    ],
    ['no file any more', () => rmSync(place.certificateFile), 'ENOENT'],
    ['one that has ended', () => put(authority.issue({ fromDays: -9, untilDays: -2 })), 'ended at'],
  ])('%s: the old one stays, with one line, until there is a good pair', async (_, damage, reason) => {
    const certificate = await serve()
    const old = serialServed(certificate)
    const next = authority.issue()
    damage(next)
    await clock.advance(20 * LOOK)
    expect([serialServed(certificate), said()]).toEqual([old, [OLD_STAYS]])
    expect(lines[0]).toMatchObject({ setting: 'CLOUD_TLS_CERT_FILE', reason: expect.stringContaining(reason) })
    put(next)
    await clock.advance(LOOK)
    expect([serialServed(certificate), said()]).toEqual([serialOf(next.certificateFile), [OLD_STAYS, READ_AGAIN]])
  })

  it('one that is not valid yet leaves the old one in place, and is served automatically from its start on', async () => {
    const certificate = await serve()
    const old = serialServed(certificate)
    const next = put(authority.issue({ fromDays: 1 }))
    await clock.advance(2 * LOOK)
    expect([serialServed(certificate), said()]).toEqual([old, [OLD_STAYS]])
    expect(lines[0]).toMatchObject({ reason: expect.stringMatching(/ is valid from 20\S+Z on, /) })
    clock.jump(DAY)
    await clock.advance(LOOK)
    expect([serialServed(certificate), said()]).toEqual([serialOf(next.certificateFile), [OLD_STAYS, READ_AGAIN]])
  })

  it('the folder of the files may disappear and return', async () => {
    const certificate = await serve()
    const folder = join(place.certificateFile, '..')
    renameSync(folder, `${folder}.away`)
    writeFileSync(folder, 'a file where a folder was')
    await clock.advance(3 * LOOK)
    expect(said()).toEqual([OLD_STAYS])
    rmSync(folder)
    renameSync(`${folder}.away`, folder)
    await clock.advance(LOOK)
    expect([serialServed(certificate), said()]).toEqual([serialOf(place.certificateFile), [OLD_STAYS, READ_AGAIN]])
  })

  it('a caller is answered at once, whether the pair is good or not', async () => {
    const certificate = await serve()
    certificate.reload()
    expect(said()).toEqual([READ_AGAIN])
    writeFileSync(place.keyFile, 'half')
    certificate.reload()
    expect(said()).toEqual([READ_AGAIN, OLD_STAYS])
    await clock.advance(5 * LOOK)
    expect(said()).toEqual([READ_AGAIN, OLD_STAYS])
  })

  it('its end is announced three weeks, one week and one day before, and after it each day', async () => {
    const certificate = await serve({ untilDays: 30 })
    for (const [days, expected] of [
      [8, []],
      [1.01, [ENDS_SOON]],
      [10, [ENDS_SOON]],
      [4, [ENDS_SOON, ENDS_SOON]],
      [6, [ENDS_SOON, ENDS_SOON, ENDS_SOON]],
      [0.5, [ENDS_SOON, ENDS_SOON, ENDS_SOON]],
      [0.6, [ENDS_SOON, ENDS_SOON, ENDS_SOON, HAS_ENDED]],
      [1, [ENDS_SOON, ENDS_SOON, ENDS_SOON, HAS_ENDED, HAS_ENDED]],
    ] as const) {
      clock.jump(days * DAY)
      await clock.advance(LOOK)
      expect(said()).toEqual(expected)
    }
    expect(lines[1]).toMatchObject({ setting: 'CLOUD_TLS_CERT_FILE', file: place.certificateFile, daysLeft: 6 })
    lines.splice(0)
    put(authority.issue({ untilDays: 400 }))
    await clock.advance(2 * LOOK)
    expect(said()).toEqual([READ_AGAIN])
    expect(certificate.nameFor('127.0.0.1')).toBe('127.0.0.1')
  })
})

describe('the name by which clients reach the relay', () => {
  it('is the one that is listened on if the certificate has it, otherwise the first of the certificate', async () => {
    const certificate = await serve({ names: ['DNS:*.relay.example', 'DNS:relay.example', 'IP:192.0.2.7'] })
    const names = ['192.0.2.7', '127.0.0.1', 'eu.relay.example'].map((host) => certificate.nameFor(host))
    expect(names).toEqual(['192.0.2.7', 'relay.example', 'eu.relay.example'])
  })
})
