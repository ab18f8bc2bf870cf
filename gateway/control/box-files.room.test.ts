// Diagnostics, logs, passwords: what is inside, and what never is.
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isPasswordHash, Passwords } from '#shared/pages/passwords.ts'
import { BoxServer, PASSWORD, type PageBrowser } from '#test/doubles/box-server.ts'
import { FRY, GRILL } from '#test/doubles/gateway-core.ts'
import { siteOf } from './box-access.ts'
import { redacted } from './diagnostics-operations.ts'
import { LogRing } from './log-ring.ts'

let box: BoxServer
let page: PageBrowser
beforeEach(async () => {
  box = new BoxServer({ printers: [GRILL, FRY] })
  await box.start()
  page = await box.signedIn('technician')
})
afterEach(() => box.stop())

async function result(name: string, body: unknown = {}, from = page) {
  const answer = await from.perform(name, body)
  expect([answer.status, answer.text.slice(0, 300)]).toEqual([200, expect.any(String)])
  return answer.body.result
}

describe('the diagnostics bundle', () => {
  it('lists what is inside, is an archive that tar reads, and holds no secret and no guest', async () => {
    box.core.accept('pj_1')
    const log = { level: 40, time: 1, msg: 'call ana@canary.example at +34 600 123 456', token: 'TOKEN-CANARY' }
    box.logs.write(JSON.stringify(log))
    const { base64, contents, fileName } = await result('diagnostics.export')
    expect(fileName).toMatch(/^ticketrail-diagnostics-\d{8}-\d{4}\.tar\.gz$/)
    const archive = gunzipSync(Buffer.from(base64, 'base64'))
    expect(archive.length % 512).toBe(0)
    const names = contents.map(({ name }: { name: string }) => name)
    expect(names).toEqual(
      expect.arrayContaining(['README.txt', 'status.json', 'health.json', 'tickets.json', 'log.json']),
    )
    let at = 0
    for (const { name, bytes } of contents) {
      expect(archive.toString('latin1', at, at + name.length)).toBe(name)
      expect(Number.parseInt(archive.toString('latin1', at + 124, at + 135), 8)).toBe(bytes)
      at += 512 + Math.ceil(bytes / 512) * 512
    }
    const text = archive.toString()
    expect(text).toContain('O-pj_1')
    for (const secret of ['Canary', 'canary.example', '600 123', 'CANARY', 'scrypt$', PASSWORD])
      expect(text, secret).not.toContain(secret)
  })

  it('removes what looks like a secret, and keeps what support needs', () => {
    expect(
      redacted({
        apiKey: 'x',
        Password: 'x',
        list: [{ note: 'key sk_live_abcdefgh1234 used' }],
        long: `t${'a1'.repeat(30)}`,
        at: '2026-11-21T11:00:00.000Z',
        host: '192.168.1.50',
        mac: '64:eb:8c:01:02:03',
        printJobId: 'pj_01jd3k5v6w7x8y9z0a1b2c3d4e',
      }),
    ).toEqual({
      apiKey: '[redacted]',
      Password: '[redacted]',
      list: [{ note: 'key [redacted] used' }],
      long: '[redacted]',
      at: '2026-11-21T11:00:00.000Z',
      host: '192.168.1.50',
      mac: '64:eb:8c:01:02:03',
      printJobId: 'pj_01jd3k5v6w7x8y9z0a1b2c3d4e',
    })
  })
})

describe('the log', () => {
  it('is shown newest first, by level and words, page by page', async () => {
    for (let n = 1; n <= 5; n++)
      box.logs.write(JSON.stringify({ level: n === 3 ? 50 : 30, time: n, msg: `line ${n}`, n }))
    const { lines, next } = await result('logs.list', { text: 'LINE', limit: 2 })
    expect(lines.map(({ message }: { message: string }) => message)).toEqual(['line 5', 'line 4'])
    const older = await result('logs.list', { text: 'line', limit: 10, before: next })
    expect(older.lines.map(({ message }: { message: string }) => message)).toEqual(['line 3', 'line 2', 'line 1'])
    expect(older.next).toBeNull()
    expect((await result('logs.list', { level: 'error' })).lines).toMatchObject([{ level: 'error', details: { n: 3 } }])
  })

  it('takes bounded memory, whatever is written', () => {
    const ring = new LogRing()
    for (let n = 0; n < 10_000; n++) ring.write(JSON.stringify({ level: 30, time: n, msg: 'x'.repeat(n % 3_000) }))
    ring.write('x'.repeat(10_000_000))
    const lines = ring.lines({ leastLevel: 0, text: '', limit: 10_000 })
    expect(lines.length).toBeLessThanOrEqual(2_000)
    expect(JSON.stringify(lines).length).toBeLessThan(1_000_000)
    expect(lines[0]?.position).toBe(10_001)
  })
})

describe('the restaurant', () => {
  it('are the local settings until the box is paired, then those of the pairing, except a time zone that a person set', async () => {
    const paired = { gatewayId: '', merchantName: '', timeZone: 'UTC' }
    const site = siteOf(paired, box.access.box)
    expect([site.merchantName, site.timeZone]).toEqual(['', 'UTC'])
    await result('settings.put', { name: 'Bistro', timeZone: 'Asia/Tokyo' })
    expect([site.merchantName, site.timeZone]).toEqual(['Bistro', 'Asia/Tokyo'])
    Object.assign(paired, { gatewayId: 'gw_1', merchantName: 'Bistro Ltd', timeZone: 'Europe/Madrid' })
    expect([site.merchantName, site.timeZone]).toEqual(['Bistro Ltd', 'Asia/Tokyo'])
    await result('settings.put', { timeZone: '' })
    expect([site.merchantName, site.timeZone]).toEqual(['Bistro Ltd', 'Europe/Madrid'])
  })

  it('lies in a time zone that there is', async () => {
    for (const timeZone of ['Mars/Olympus', '../etc/passwd', 'x'.repeat(60)])
      expect((await page.perform('settings.put', { timeZone })).body.errors).toMatchObject([{ field: 'timeZone' }])
  })
})

describe('passwords', () => {
  it('are hashed with a salt, at costs that a board can bear, and match only themselves', async () => {
    const passwords = new Passwords()
    const [one, two] = [await passwords.hash('kitchen-2026'), await passwords.hash('kitchen-2026')]
    expect(one).not.toBe(two)
    expect(one).toMatch(/^scrypt\$32768\$8\$1\$/)
    expect(isPasswordHash(one)).toBe(true)
    expect(await passwords.matches('kitchen-2026', one)).toBe(true)
    expect(await passwords.matches('kitchen-2027', one)).toBe(false)
    expect(await passwords.matches('kitchen-2026', null)).toBe(false)
    // The same letters, typed on two keyboards.
    expect(await passwords.matches('cafe\u0301-2026', await passwords.hash('caf\u00e9-2026'))).toBe(true)
  })

  it('are checked one at a time, and too many requests are asked to wait', async () => {
    const passwords = new Passwords({ N: 16, r: 1, p: 1 })
    const crowd = Array.from({ length: 8 }, () => passwords.hash('x'))
    expect(passwords.isBusy).toBe(true)
    await Promise.all(crowd)
    expect(passwords.isBusy).toBe(false)
  })
})
