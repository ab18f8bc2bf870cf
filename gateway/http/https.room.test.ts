// The page by https over real sockets: the certificate that people compare, what plain http still takes, cookies that keep to their way, and the same guards on both.
import { mkdirSync, writeFileSync } from 'node:fs'
import { connect as connectPlain, createServer } from 'node:net'
import { join } from 'node:path'
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { selfSigned } from '#gateway/certificate/self-signed.ts'
import { BoxServer, type BoxServerOptions, PASSWORD, type PageBrowser } from '#test/doubles/box-server.ts'
import { GRILL } from '#test/doubles/gateway-core.ts'
import { servedCertificate } from '#test/harness/served-certificate.ts'
import { CONNECTION_LIMITS } from './connection-limits.ts'

const HTTPS = { isHttps: true } as const
const ANOTHER_MACHINE = { from: '127.0.0.2' } as const

let box: BoxServer
const sockets: TLSSocket[] = []
async function boxWith(options: BoxServerOptions = {}): Promise<BoxServer> {
  box = new BoxServer({ https: {}, ...options })
  await box.start()
  return box
}
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await box.stop()
})

function tlsTo(port: number, options: ConnectionOptions & { localAddress?: string } = {}): TLSSocket {
  const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false, ...options })
  socket.on('error', () => undefined)
  sockets.push(socket)
  return socket
}

const certificateAt = (port: number) => servedCertificate('127.0.0.1', port)

/** A screen's sign of life. */
const ALIVE = { rendered: [], onShift: false }
const signIn = { name: 'Tea', password: PASSWORD }

describe('the certificate', () => {
  beforeEach(() => boxWith({ printers: [GRILL] }))

  it('that is served has the fingerprint that is printed on the set-up ticket and shown in the status and on the page', async () => {
    const { fingerprint256: served, subjectAltName } = await certificateAt(box.http.https.port)
    expect(subjectAltName).toContain('127.0.0.1')
    const technician = await box.signedIn('technician', 'Tea', HTTPS)
    const { result: status } = (await technician.perform('status')).body
    expect(status.https).toMatchObject({ state: 'on', certificate: { source: 'self-signed', fingerprint: served } })
    expect((await box.browser(ANOTHER_MACHINE).get('/api/v1/session')).body.code).toBe('https')

    const paper = () => [...box.core.transports.values()].flatMap(({ sent }) => sent.map(({ text }) => text)).join('')
    const [{ printerId } = { printerId: '' }] = box.core.printers.all()
    expect((await technician.perform('printers.setup-ticket', { printer: printerId })).status).toBe(200)
    await expect.poll(paper).toContain('fingerprint')
    const shown = [...paper().matchAll(/\b(?:[0-9A-F]{4} ){3}[0-9A-F]{4}\b/g)].join('').replaceAll(' ', '')
    expect(shown).toHaveLength(32)
    expect(served.replaceAll(':', '').startsWith(shown)).toBe(true)
  })

  it('is shown by TLS 1.2 and 1.3, and by nothing older', async () => {
    const { port } = box.http.https
    const protocolOf = (version: 'TLSv1' | 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3') => {
      const ciphers = 'DEFAULT:@SECLEVEL=0'
      const socket = tlsTo(port, { minVersion: version, maxVersion: version, ciphers })
      return new Promise((resolve) => {
        socket.once('secureConnect', () => resolve(socket.getProtocol()))
        socket.once('error', (error: Error & { code?: string }) => resolve(error.code))
      })
    }
    expect(await protocolOf('TLSv1.3')).toBe('TLSv1.3')
    expect(await protocolOf('TLSv1.2')).toBe('TLSv1.2')
    expect(await protocolOf('TLSv1.1')).toBe('ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION')
    expect(await protocolOf('TLSv1')).toBe('ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION')
  })
})

describe('the owner’s certificate', () => {
  it('is loaded while the box runs; open connections continue', async () => {
    const dir = (await boxWith()).core.dir
    await box.http.stop()
    const own = { certificateFile: join(dir, 'own.crt'), keyFile: join(dir, 'own.key') }
    const put = async (name: string) => {
      const pair = await selfSigned({ names: [name], fromMs: 1_767_225_600_000, untilMs: 1_900_000_000_000 })
      writeFileSync(own.certificateFile, pair.certificate)
      writeFileSync(own.keyFile, pair.key)
    }
    await put('first.example')
    box = new BoxServer({ dir, https: { own } })
    await box.start()
    const { port } = box.http.https
    expect((await certificateAt(port)).subjectAltName).toBe('DNS:first.example')
    const technician = await box.signedIn('technician', 'Tea', HTTPS)
    const feed = await technician.open('GET', '/api/v1/live', undefined, {})
    const heard: string[] = []
    feed.on('data', (chunk) => heard.push(String(chunk)))
    await expect.poll(() => heard.join('')).toContain('event: hello')

    await put('second.example')
    await box.core.clock.advance(60_000)
    await expect.poll(async () => (await certificateAt(port)).subjectAltName).toBe('DNS:second.example')
    const before = heard.length
    await box.core.clock.advance(60_000)
    await expect.poll(() => heard.length).toBeGreaterThan(before)
    feed.destroy()
  })
})

describe('plain http from another machine', () => {
  let stranger: PageBrowser
  beforeEach(async () => {
    box = new BoxServer({ https: {} })
    mkdirSync(join(box.core.dir, 'web'))
    for (const name of ['admin.html', 'kitchen.html']) writeFileSync(join(box.core.dir, 'web', name), `built ${name}`)
    await box.start()
    stranger = box.browser(ANOTHER_MACHINE)
  })

  it('gets a page with the https address and the fingerprint of the box, in its language', async () => {
    const { port, certificate } = box.http.https
    for (const path of ['/admin', '/admin/printers/grill']) {
      const { status, text, headers } = await stranger.get(path, { 'accept-language': 'fr, es-MX;q=0.8, en;q=0.5' })
      expect([status, headers['content-type']]).toEqual([403, 'text/html; charset=utf-8'])
      expect(text).toContain(`href="https://127.0.0.1:${port}/"`)
      expect(text).toContain(certificate?.fingerprint)
      expect(text).toContain('<html lang="fr" dir="ltr">')
      expect(text).not.toContain('built')
    }
    expect((await box.browser().get('/admin')).text).toBe('built admin.html')
    expect((await box.browser({ ...HTTPS, ...ANOTHER_MACHINE }).get('/admin')).text).toBe('built admin.html')
  })

  it('gets no password, set-up code or session in', async () => {
    const code = box.access.setupCode.make()
    const setup = { code, ...signIn }
    expect((await stranger.post('/api/v1/setup', setup)).body.code).toBe('https')
    expect(box.access.users.count()).toBe(0)
    // As an attacker removes https for a browser that has a session already.
    const here = await box.signedIn('technician')
    for (const [name, value] of here.cookies) stranger.cookies.set(name, value)
    for (const [method, path] of [
      ['GET', '/api/v1/session'],
      ['POST', '/api/v1/session'],
      ['DELETE', '/api/v1/session'],
      ['POST', '/api/v1/session/password'],
      ['GET', '/api/v1/live'],
      ['POST', '/api/v1/status'],
      ['POST', '/api/v1/users.add'],
    ] as const) {
      const { status, body, headers } = await stranger.send(method, path, method === 'GET' ? undefined : signIn, {})
      expect([path, status, body.code]).toEqual([path, 403, 'https'])
      expect(headers['set-cookie']).toBeUndefined()
      expect(body.message).toContain(`https://127.0.0.1:${box.http.https.port}/`)
    }
    expect((await here.perform('status')).status).toBe(200)
  })

  it('still has status and kitchen displays, old ones too', async () => {
    for (const path of ['/status', '/healthz', '/api/status', '/app.css'])
      expect((await stranger.get(path)).status).toBe(200)
    expect((await stranger.get('/kitchen/')).text).toBe('built kitchen.html')
    const { displays } = box.kitchen
    const added = displays.add({ name: 'Pass', stations: [], language: 'en', backupPrinterId: null }, 0)
    const id = added.ok ? added.display.displayId : ''
    const made = displays.newCode(id, box.kitchen.nowMs())
    expect((await stranger.post('/kitchen/api/sign-in', { code: made?.code })).status).toBe(200)
    expect((await stranger.post('/kitchen/api/here', ALIVE)).status).toBe(200)
    // A screen opens nothing else.
    expect((await stranger.perform('status')).body.code).toBe('https')
  })

  it('is reported when https does not answer', async () => {
    await box.http.stop()
    const taken = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => taken.once('listening', resolve))
    const port = (taken.address() as { port: number }).port
    box = new BoxServer({ dir: box.core.dir, https: { port } })
    await box.start()
    expect(box.http.https).toMatchObject({
      state: 'failed',
      fault: expect.stringContaining(`port ${port} on 127.0.0.1`),
    })
    const { status, text } = await box.browser(ANOTHER_MACHINE).get('/admin')
    expect([status, text.includes('doctor'), text.includes('href="https')]).toEqual([403, true, false])
    await new Promise((resolve) => taken.close(resolve))
    await box.core.clock.advance(60_000)
    await expect.poll(() => box.http.https.state).toBe('on')
    expect((await certificateAt(port)).fingerprint256).toBe(box.http.https.certificate?.fingerprint)
  })
})

describe('plain http where it is enough', () => {
  it('takes passwords from another machine: by the setting, and where there is no https', async () => {
    await boxWith({ https: { allowsHttpSignIn: true } })
    expect((await (await box.signedIn('technician', 'Tea', ANOTHER_MACHINE)).perform('status')).status).toBe(200)
    await box.stop()
    box = new BoxServer()
    await box.start()
    expect((await (await box.signedIn('technician', 'Tea', ANOTHER_MACHINE)).perform('status')).status).toBe(200)
  })
})

describe('a cookie', () => {
  beforeEach(() => boxWith())

  it('that was made by https goes by https only, under a name that nothing else can set', async () => {
    await box.signedIn('technician')
    const { headers } = await box.browser(HTTPS).post('/api/v1/session', signIn)
    const cookies = headers['set-cookie'] ?? []
    expect(cookies.map((line) => line.split('=')[0])).toEqual(['__Host-ticketrail_session', '__Host-ticketrail_device'])
    for (const line of cookies) expect(line).toMatch(/; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+; Secure$/)
  })

  it('that was made by https opens nothing by http, under any name, and the other way round', async () => {
    const byHttps = await box.signedIn('technician', 'Tea', HTTPS)
    const byHttp = await box.signedIn('manager', 'Max')
    const tokenOf = ({ cookies }: PageBrowser) =>
      cookies.get('ticketrail_session') ?? cookies.get('__Host-ticketrail_session') ?? ''
    for (const [token, way] of [
      [tokenOf(byHttps), {}],
      [tokenOf(byHttp), HTTPS],
    ] as const)
      for (const name of ['ticketrail_session', '__Host-ticketrail_session']) {
        const browser = box.browser(way)
        browser.cookies.set(name, token)
        expect((await browser.perform('status')).body.code).toBe('signed-out')
      }
    expect((await byHttps.perform('status')).status).toBe(200)
    expect((await byHttp.perform('status')).status).toBe(200)
  })

  it('of a kitchen display is bound to its way too', async () => {
    const { displays } = box.kitchen
    const added = displays.add({ name: 'Pass', stations: [], language: 'en', backupPrinterId: null }, 0)
    const made = displays.newCode(added.ok ? added.display.displayId : '', box.kitchen.nowMs())
    const screen = box.browser({ ...HTTPS, ...ANOTHER_MACHINE })
    expect((await screen.post('/kitchen/api/sign-in', { code: made?.code })).status).toBe(200)
    expect((await screen.post('/kitchen/api/here', ALIVE)).status).toBe(200)
    const [[name, token] = ['', '']] = screen.cookies
    expect(name).toBe('__Host-ticketrail_display')
    const copied = box.browser()
    copied.cookies.set('ticketrail_display', token)
    expect((await copied.post('/kitchen/api/here', ALIVE)).body.code).toBe('signed-out')
  })

  it('is taken back by signing out', async () => {
    const browser = await box.signedIn('technician', 'Tea', HTTPS)
    await browser.send('DELETE', '/api/v1/session', undefined, {})
    expect([...browser.cookies.keys()]).toEqual(['__Host-ticketrail_device'])
  })
})

describe('what every request must pass', () => {
  beforeEach(() => boxWith({ limits: { ...CONNECTION_LIMITS, mostPerAddress: 4, headersMs: 1_000, requestMs: 2_000 } }))

  it('is the same by https: name, origin, sign-in', async () => {
    const technician = await box.signedIn('technician', 'Tea', HTTPS)
    const { port } = box.http.https
    expect((await technician.get('/api/v1/session', { host: 'rebound.example' })).status).toBe(421)
    const write = (origin: string) => technician.post('/api/v1/settings.put', { name: 'Owned' }, { origin })
    // A page that came by http may be anybody's, also under the name of the box.
    for (const origin of ['https://evil.example', `http://127.0.0.1:${port}`, 'https://127.0.0.1', box.origin])
      expect((await write(origin)).body.code, origin).toBe('origin')
    expect(box.access.box.settings().name).toBe('')
    expect((await write(technician.origin)).status).toBe(200)
    expect((await box.browser(HTTPS).perform('status')).body.code).toBe('signed-out')
    expect((await box.browser(HTTPS).post('/api/v1/nothing')).status).toBe(404)
  })

  it('carries the same headers, and none that would lock people out of a certificate of the box’s own making', async () => {
    for (const way of [{}, HTTPS]) {
      const { headers } = await box.browser(way).get('/status')
      expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' })
      expect(headers['content-security-policy']).not.toContain('upgrade-insecure-requests')
      expect(headers['strict-transport-security']).toBeUndefined()
      expect(headers['cross-origin-opener-policy']).toBe('isHttps' in way ? 'same-origin' : undefined)
    }
  })

  it('is counted over both ways together: for a request by http one of the machine’s idle connections by https goes', async () => {
    const held = Array.from({ length: 4 }, () => tlsTo(box.http.https.port, { localAddress: '127.0.0.2' }))
    await Promise.all(held.map((socket) => new Promise((resolve) => socket.once('secureConnect', resolve))))
    const gone = Promise.race(held.map((socket) => new Promise((resolve) => socket.once('close', resolve))))
    expect((await box.browser({ from: '127.0.0.3' }).get('/healthz')).status).toBe(200)
    expect(held.every((socket) => !socket.destroyed)).toBe(true)
    expect((await box.browser(ANOTHER_MACHINE).get('/healthz')).status).toBe(200)
    await gone
  })

  it('cannot be held open by a handshake, or a request, that never ends', async () => {
    const mute = connectPlain(box.http.https.port, '127.0.0.1')
    mute.on('error', () => undefined)
    await new Promise((resolve) => mute.once('close', resolve))
    const slow = tlsTo(box.http.https.port)
    slow.write('GET /healthz HTTP/1.1\r\n')
    let answer = ''
    slow.on('data', (chunk) => {
      answer += chunk
    })
    await new Promise((resolve) => slow.once('close', resolve))
    expect(answer).toMatch(/^HTTP\/1\.1 408 /)
  })
})

describe('a machine that opens one connection after the other', () => {
  beforeEach(() => boxWith())

  async function reached(localAddress: string): Promise<boolean> {
    const socket = tlsTo(box.http.https.port, { localAddress })
    const isThrough = await new Promise<boolean>((resolve) => {
      socket.once('secureConnect', () => resolve(true))
      socket.once('close', () => resolve(false))
    })
    socket.destroy()
    return isThrough
  }
  async function tries(localAddress: string, count: number): Promise<number> {
    const through: boolean[] = []
    for (let index = 0; index < count; index++) through.push(await reached(localAddress))
    return through.filter((isThrough) => isThrough).length
  }

  it('under twelve addresses does not shut out the browsers and screens that were here before', async () => {
    const technician = await box.signedIn('technician', 'Tea', { ...HTTPS, from: '127.0.0.40' })
    expect((await technician.perform('status')).status).toBe(200)
    const { displays } = box.kitchen
    const added = displays.add({ name: 'Pass', stations: [], language: 'en', backupPrinterId: null }, 0)
    const made = displays.newCode(added.ok ? added.display.displayId : '', box.kitchen.nowMs())
    const screen = box.browser({ from: '127.0.0.41' })
    await screen.post('/kitchen/api/sign-in', { code: made?.code })
    expect((await screen.post('/kitchen/api/here', ALIVE)).status).toBe(200)
    const reader = box.browser({ from: '127.0.0.42' })
    expect((await reader.get('/status')).status).toBe(200)

    await box.core.clock.advance(1_000)
    let through = 0
    for (let n = 0; n < 12; n++) through += await tries(`127.0.0.${50 + n}`, CONNECTION_LIMITS.handshakesASecond)
    expect(through).toBe(CONNECTION_LIMITS.handshakesOfStrangersASecond)
    const later = [await tries('127.0.0.40', 2), await tries('127.0.0.41', 2), await tries('127.0.0.42', 2)]
    expect(later).toEqual([2, 2, 0])
  })

  it('does not make the box compute more handshakes than a kitchen needs', async () => {
    expect(await tries('127.0.0.2', 30)).toBe(CONNECTION_LIMITS.handshakesASecond)
    expect(await tries('127.0.0.3', 2)).toBe(2)
    // Plain http of the same machine goes on: kitchen displays are there.
    expect((await box.browser(ANOTHER_MACHINE).get('/healthz')).status).toBe(200)
    await box.core.clock.advance(1_000)
    expect(await tries('127.0.0.2', 1)).toBe(1)
  })
})
