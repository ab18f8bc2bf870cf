// Attacks on the page from the restaurant's network, byte by byte: names, paths, bodies that never end, bodies that grow, guesses that lock the owner out.
import { connect, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SignInThrottle } from '#shared/pages/sign-in-throttle.ts'
import { BoxServer, PASSWORD, type PageBrowser } from '#test/doubles/box-server.ts'
import { CONNECTION_LIMITS } from './connection-limits.ts'

let box: BoxServer
let sockets: Socket[]
beforeEach(async () => {
  sockets = []
  box = new BoxServer({ limits: { ...CONNECTION_LIMITS, mostPerAddress: 8, headersMs: 1_500, requestMs: 2_000 } })
  await box.start()
})
afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  await box.stop()
})

/** A connection of another device; loopback's other addresses represent the network. */
function from(localAddress: string): Socket {
  const socket = connect({ port: box.http.port, host: '127.0.0.1', localAddress })
  socket.on('error', () => undefined)
  sockets.push(socket)
  return socket
}

/** What comes back until the box closes the connection. */
function answerTo(text: string, localAddress = '127.0.0.1'): Promise<string> {
  const socket = from(localAddress)
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk
  })
  socket.write(text)
  return new Promise((resolve) => socket.on('close', () => resolve(answer)))
}

const statusOf = async (text: string): Promise<string> => (await answerTo(text)).split('\r\n')[0] ?? ''
const get = (path: string, host = '127.0.0.1'): Promise<string> =>
  answerTo(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)

describe('a name that was rebound to the address of the box', () => {
  it('is refused in every way to write a Host', async () => {
    const { port } = box.http
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      '127.0.0.1.evil.example',
      'evil.example.',
      'localhost.evil.example',
      '127.0.0.1@evil.example',
      'evil.example#127.0.0.1',
      '127.0.0.1, evil.example',
      '[::ffff:7f00:1]',
      '0.0.0.0',
      '2130706433',
      '127.1',
      '',
    ])
      expect(await get('/healthz', host), host).toMatch(/^HTTP\/1\.1 4(21|00)/)
    for (const host of ['localhost', 'LOCALHOST.', '127.0.0.1:1', `127.0.0.1:${port}`])
      expect(await get('/healthz', host), host).toMatch(/^HTTP\/1\.1 200/)
  })

  it('gets no further by other headers, another target or an older protocol', async () => {
    const evil = 'Host: evil.example\r\nX-Forwarded-Host: 127.0.0.1\r\nForwarded: host=127.0.0.1\r\n'
    expect(await statusOf(`GET /healthz HTTP/1.1\r\n${evil}Connection: close\r\n\r\n`)).toContain('421')
    expect(
      await statusOf('GET http://127.0.0.1/healthz HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n'),
    ).toContain('421')
    expect(await statusOf('GET /healthz HTTP/1.0\r\n\r\n')).toContain('421')
  })
})

describe('a path that leaves the folder of the pages', () => {
  it('reads nothing, however it is written', async () => {
    for (const path of [
      '/assets/../../../../etc/passwd',
      '/assets/..%2f..%2f..%2fetc%2fpasswd',
      '/assets/%2e%2e/%2e%2e/gateway.db',
      '/assets/..%5c..%5cgateway.db',
      '/assets//etc/passwd',
      '/assets/%00',
      '/assets/x%00.js',
      '/assets/....//....//gateway.db',
      '//etc/passwd',
      '/../gateway.db',
      '/pairing.json',
      '/gateway.db',
    ]) {
      const answer = await get(path)
      expect(answer, path).toMatch(/^HTTP\/1\.1 40[04] /)
      expect(answer, path).not.toMatch(/root:|SQLite/)
    }
  })
})

describe('requests that do not end', () => {
  it('are ended by the box: no headers, half a header, half a body', async () => {
    const head = `POST /api/v1/session HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: ${box.origin}\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n`
    const answers = await Promise.all([answerTo('GET /healthz HTTP/1.1\r\nHo'), answerTo(`${head}{"name":"`)])
    for (const answer of answers) expect(answer).toMatch(/^$|^HTTP\/1\.1 4/)
  })

  it('that have begun are 408, so that a browser sends them again', async () => {
    for (const text of ['GET /healthz HTTP/1.1\r\nHo', 'GET /healthz HTTP/1.1\r\nHost: a\r\nX: '])
      expect(await statusOf(text)).toBe('HTTP/1.1 408 Request Timeout')
    expect(await statusOf('no HTTP at all\r\n\r\n')).toBe('HTTP/1.1 400 Bad Request')
  })

  it('that have not begun get no response, which would pass for the answer to the next request', async () => {
    expect(await answerTo('')).toBe('')
  })

  it('of one device take nothing from the others', async () => {
    const held = Array.from({ length: 30 }, () => from('127.0.0.2'))
    const closings = held.map((socket) => new Promise((resolve) => socket.resume().on('close', resolve)))
    for (const socket of held) socket.write('GET /healthz HTTP/1.1\r\n')
    const isOpen = (): number => held.filter(({ closed }) => !closed).length
    await expect.poll(isOpen).toBe(8)
    const other = 'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n'
    expect(await answerTo(other, '127.0.0.3')).toMatch(/^HTTP\/1\.1 200/)
    expect(isOpen()).toBe(8)
    await Promise.all(closings)
    // The box detects a closed connection a moment after the other end.
    await expect.poll(() => answerTo(other, '127.0.0.2')).toMatch(/^HTTP\/1\.1 200/)
  })
})

describe('a body that grows', () => {
  let technician: PageBrowser
  beforeEach(async () => {
    technician = await box.signedIn('technician')
  })

  it('when it is unpacked is refused: a backup, a compressed request', async () => {
    const bomb = gzipSync(Buffer.alloc(200_000_000)).toString('base64')
    const file = { base64: bomb.slice(0, 900_000), plain: true, ownPassword: PASSWORD }
    const restored = await technician.perform('backup.restore', file)
    expect(restored.status).toBe(422)
    const packed = await technician.post('/api/v1/settings.put', gzipSync('{"name":"Owned"}').toString('latin1'), {
      'content-encoding': 'gzip',
    })
    expect(packed.status).toBeGreaterThanOrEqual(400)
    expect(box.access.box.settings().name).toBe('')
  })

  it('with deep nesting is refused or taken as data, and the box keeps working', async () => {
    for (const order of [
      `${'['.repeat(200_000)}${']'.repeat(200_000)}`,
      `${'{"a":'.repeat(90_000)}1${'}'.repeat(90_000)}`,
    ]) {
      const { status } = await technician.post('/api/v1/routing.what-if', `{"order":${order}}`)
      expect(status).toBeGreaterThanOrEqual(400)
      expect(status).toBeLessThan(500)
    }
    expect((await technician.perform('status')).status).toBe(200)
  })

  it('beyond its size is cut off before it is read: sign-in 4 kB, display 64 kB', async () => {
    const nobody = box.browser()
    expect((await nobody.post('/api/v1/session', { name: 'x', password: 'y'.repeat(5_000) })).status).toBe(413)
    expect((await nobody.post('/kitchen/api/sign-in', { code: 'y'.repeat(70_000) })).status).toBe(413)
  })
})

describe('an attacker who guesses passwords', () => {
  const signIn = (browser: PageBrowser, name: string, password: string) =>
    browser.post('/api/v1/session', { name, password })

  /** Guesses at the owner's password until they are refused unread. */
  const guessFrom = async (localAddress: string): Promise<string[]> => {
    const { port } = box.http
    const body = JSON.stringify({ name: 'Tea', password: 'guess' })
    const head = `POST /api/v1/session HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nOrigin: http://127.0.0.1:${port}\r\nContent-Type: application/json\r\nConnection: close\r\n`
    const answers: string[] = []
    for (let n = 0; n < 12; n++)
      answers.push((await answerTo(`${head}Content-Length: ${body.length}\r\n\r\n${body}`, localAddress)).slice(9, 12))
    return answers
  }

  it('a user name does not lock out its owner, who has signed in here before', async () => {
    await box.signedIn('technician')
    // The owner came in from 127.0.0.1; the guesses come from another device.
    expect(new Set(await guessFrom('127.0.0.9'))).toEqual(new Set(['403', '429']))
    expect((await signIn(box.browser(), 'Tea', PASSWORD)).status).toBe(200)
    // Nor does the owner's own try open the name for the other.
    expect((await guessFrom('127.0.0.9'))[0]).toBe('429')
  })

  it('from the owner’s own address, after a restart of the box, locks out no browser of the owner', async () => {
    const owner = await box.signedIn('technician')
    await owner.send('DELETE', '/api/v1/session', undefined, {})
    const device = owner.cookies.get('ticketrail_device') ?? ''
    await box.http.stop()
    await box.http.start()
    expect((await guessFrom('127.0.0.1')).at(-1)).toBe('429')
    // With something made up a browser waits as everybody does.
    for (const made of ['A'.repeat(43), [...device].reverse().join('')]) {
      const other = box.browser()
      other.cookies.set('ticketrail_device', made)
      expect((await signIn(other, 'Tea', PASSWORD)).status, made).toBe(429)
    }
    const again = box.browser()
    again.cookies.set('ticketrail_device', device)
    expect((await signIn(again, 'Tea', PASSWORD)).status).toBe(200)
    const thief = box.browser()
    thief.cookies.set('ticketrail_device', device)
    const tries: number[] = []
    for (let n = 0; n < 7; n++) tries.push((await signIn(thief, 'Tea', `guess${n}`)).status)
    expect(tries).toEqual([403, 403, 403, 403, 403, 429, 429])
  })

  it('made-up names does not get the guessed name forgotten, also while it need not wait', async () => {
    const throttle = new SignInThrottle(box.core.clock)
    const made = (n: number) => ({ address: `10.1.${n >> 8}.${n & 255}`, name: `name ${n}`, device: null })
    const tea = { address: '10.0.0.2', name: 'tea', device: null }
    for (let n = 0; n < 8; n++) throttle.begun({ ...tea, address: '10.0.0.1' })
    for (let n = 0; n < 3_000; n++) throttle.begun(made(n))
    expect(throttle.waitMs(tea)).toBeGreaterThan(0)
    await box.core.clock.advance(60_000)
    expect(throttle.waitMs(tea)).toBe(0)
    for (let n = 3_000; n < 6_000; n++) throttle.begun(made(n))
    throttle.begun(tea)
    expect(throttle.waitMs(tea)).toBeGreaterThan(20_000)
  })

  it('the code of a display gets twenty tries a minute, and keeps no other device out', async () => {
    const { http, core, kitchen } = box
    const tryFrom = async (localAddress: string, code: string): Promise<string> => {
      const body = JSON.stringify({ code })
      const head = `POST /kitchen/api/sign-in HTTP/1.1\r\nHost: 127.0.0.1:${http.port}\r\nOrigin: ${box.origin}\r\nContent-Type: application/json\r\nConnection: close\r\n`
      return (await answerTo(`${head}Content-Length: ${body.length}\r\n\r\n${body}`, localAddress)).slice(9, 12)
    }
    const answers: string[] = []
    for (let n = 0; n < 24; n++) answers.push(await tryFrom('127.0.0.9', `AAAA-${1000 + n}`))
    expect(answers).toEqual([...Array(20).fill('401'), ...Array(4).fill('429')])
    box.display('Pass')
    const [display] = kitchen.displays.all()
    const { code } = kitchen.displays.newCode(display?.displayId ?? '', core.clock.now()) ?? {}
    expect(await tryFrom('127.0.0.9', code ?? '')).toBe('429')
    expect(await tryFrom('127.0.0.10', code ?? '')).toBe('200')
  })
})

describe('a display', () => {
  it('reaches no operation by a role, header or path of its own making', async () => {
    const display = box.display()
    for (const path of [
      '/api/v1/settings.put',
      '/api/v1//settings.put',
      '/api/v1/settings%2eput',
      '/API/V1/settings.put',
    ]) {
      const answer = await display.post(path, { name: 'Owned', role: 'technician' }, { 'x-role': 'technician' })
      expect(answer.status, path).toBeGreaterThanOrEqual(400)
    }
    const live = await display.get('/api/v1/live')
    expect([live.status, live.body.code]).toEqual([403, 'forbidden'])
    // Its token is no session, and a session's token no display's.
    const swapped = box.browser()
    swapped.cookies.set('ticketrail_session', display.cookies.get('ticketrail_display') ?? '')
    expect((await swapped.perform('status')).status).toBe(401)
    expect(box.access.box.settings().name).toBe('')
  })
})
