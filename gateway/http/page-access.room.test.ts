// Access to every route, for every kind of user.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OPERATIONS } from '#gateway/control/operations.ts'
import { BoxServer, PASSWORD, type PageBrowser } from '#test/doubles/box-server.ts'
import type { Access } from './request-guard.ts'

const HOUR_MS = 3_600_000
const box = new BoxServer()
let browsers: Record<'nobody' | 'manager' | 'technician' | 'display', PageBrowser>

beforeAll(async () => {
  await box.start()
  browsers = {
    nobody: box.browser(),
    manager: await box.signedIn('manager'),
    technician: await box.signedIn('technician'),
    display: box.display(),
  }
})
afterAll(() => box.stop())

type Asker = keyof typeof browsers
/** The answer of the guard, whatever the route answers then. */
const EXPECTED: Readonly<Record<Access, Readonly<Record<Asker, 'in' | 401 | 403>>>> = {
  anyone: { nobody: 'in', manager: 'in', technician: 'in', display: 'in' },
  'sign-in': { nobody: 'in', manager: 'in', technician: 'in', display: 'in' },
  'first-user': { nobody: 'in', manager: 'in', technician: 'in', display: 'in' },
  manager: { nobody: 401, manager: 'in', technician: 'in', display: 403 },
  technician: { nobody: 401, manager: 403, technician: 'in', display: 403 },
  display: { nobody: 401, manager: 401, technician: 401, display: 'in' },
}
const GUARD_CODES = ['signed-out', 'setup', 'forbidden']

async function ask(asker: Asker, method: string, url: string): Promise<number | 'in'> {
  // A body that no operation takes: what gets in is refused there, and changes nothing.
  const body = method === 'GET' || method === 'HEAD' ? undefined : { noSuchField: true }
  const incoming = await browsers[asker].open(method, url.replace('*', 'x'), body, {})
  const status = incoming.statusCode ?? 0
  if (String(incoming.headers['content-type']).startsWith('text/event-stream')) {
    incoming.destroy()
    return 'in'
  }
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString()
  const isGuard = (status === 401 || status === 403) && GUARD_CODES.some((code) => text.includes(`"code":"${code}"`))
  return isGuard ? status : 'in'
}

describe('every route', () => {
  it('is open to the roles that it names, and to no others', async () => {
    const wrong: string[] = []
    const routes = box.http.routes.filter(
      // Both end the session of the caller; they have their own tests.
      ({ method, url }) => method !== 'HEAD' && !(url === '/api/v1/session' && method === 'DELETE'),
    )
    expect(routes.length).toBeGreaterThan(50)
    for (const { method, url, access } of routes)
      for (const asker of ['nobody', 'manager', 'technician', 'display'] as const) {
        const answer = await ask(asker, method, url)
        if (answer !== EXPECTED[access][asker]) wrong.push(`${method} ${url} for ${asker}: ${answer}`)
      }
    expect(wrong).toEqual([])
  })

  it('of an operation requires the role in the list, and console operations have none', () => {
    const listed = Object.entries(OPERATIONS).filter(([, { role }]) => role !== 'console')
    for (const [name, { role }] of listed)
      expect(box.http.routes, name).toContainEqual({ method: 'POST', url: `/api/v1/${name}`, access: role })
    for (const name of ['admin.setup-code', 'admin.reset'])
      expect(box.http.routes.filter(({ url }) => url.endsWith(name))).toEqual([])
  })

  it('that is open to everyone is one of these: a further one is a decision', () => {
    const open = box.http.routes.filter(
      ({ access, method }) => (access === 'anyone' || access === 'sign-in') && method !== 'HEAD',
    )
    expect(new Set(open.map(({ method, url }) => `${method} ${url}`))).toEqual(
      new Set([
        ...['GET /', 'GET /status', 'GET /healthz', 'GET /readyz', 'GET /api/status', 'GET /app.js', 'GET /app.css'],
        ...['GET /api/v1/session', 'POST /api/v1/session', 'DELETE /api/v1/session', 'POST /kitchen/api/sign-in'],
      ]),
    )
  })

  it('that changes something only for technicians is not open to a manager in any other way', async () => {
    const { manager } = browsers
    for (const name of ['users.list', 'backup.make', 'logs.list', 'pairing.show', 'settings.put', 'routing.put'])
      expect((await manager.perform(name)).body, name).toMatchObject({ code: 'forbidden' })
    expect((await manager.perform('printers.list')).status).toBe(200)
  })
})

describe('what gives others a way in', () => {
  const person = { name: 'Eve', role: 'technician', password: 'a door of my own' }
  const asks = (): [string, object][] => {
    const [{ userId } = { userId: '' }] = box.access.users.all().filter(({ name }) => name === 'Max')
    return [
      ['users.add', person],
      ['users.update', { userId, role: 'technician' }],
      ['users.update', { userId, password: 'a door of my own' }],
      ['users.remove', { userId }],
      ['backup.make', { passphrase: 'nobody else knows this' }],
      ['backup.restore', { base64: 'AAAA', passphrase: 'nobody else knows this', people: ['Eve'] }],
    ]
  }

  it('requires the signed-in user’s password again: an open page, or a stolen cookie, is not enough', async () => {
    const before = box.access.users.all()
    for (const [name, body] of asks()) {
      const without = await browsers.technician.perform(name, body)
      expect([name, without.status, without.body.errors?.[0]?.field]).toEqual([name, 422, 'ownPassword'])
      const wrong = await browsers.technician.perform(name, { ...body, ownPassword: 'a guess' })
      expect([name, wrong.status, wrong.body.code]).toEqual([name, 403, 'wrong-password'])
      expect(wrong.body.said).toEqual({ key: 'password.not-yours' })
      await box.core.clock.advance(10 * 60_000)
    }
    expect(box.access.users.all()).toEqual(before)
    const added = await browsers.technician.perform('users.add', { ...person, ownPassword: PASSWORD })
    expect(added.body.result).toMatchObject({ name: 'Eve' })
    const { userId } = added.body.result
    expect((await browsers.technician.perform('users.remove', { userId, ownPassword: PASSWORD })).status).toBe(200)
  })

  it('slows down guesses of that password, for this session alone', async () => {
    await box.core.clock.advance(HOUR_MS)
    for (let n = 0; n < 5; n++) await browsers.technician.perform('users.add', { ...person, ownPassword: `guess ${n}` })
    const sixth = await browsers.technician.perform('users.add', { ...person, ownPassword: PASSWORD })
    expect([sixth.status, sixth.body.code]).toEqual([429, 'throttled'])
    const elsewhere = await box.browser().post('/api/v1/session', { name: 'Tea', password: PASSWORD })
    expect(elsewhere.status).toBe(200)
    await box.core.clock.advance(HOUR_MS)
  })

  it('requires no password at the control socket: access to it means owning the machine', async () => {
    const added = (await box.control.perform('users.add', person, { asker: 'test' })) as { userId: string }
    await box.control.perform('users.remove', { userId: added.userId }, { asker: 'test' })
  })

  it('leaves no password in the log', async () => {
    await browsers.technician.perform('users.add', { ...person, name: 'Ann', ownPassword: PASSWORD })
    const lines = JSON.stringify(box.logs.lines({ leastLevel: 0, text: '', limit: 500 }))
    expect(lines).toContain('users.add')
    for (const secret of [PASSWORD, person.password, 'a guess', 'nobody else knows'])
      expect(lines).not.toContain(secret)
  })
})

describe('a write', () => {
  const write = (headers: Record<string, string>, body: unknown = { name: 'Owned' }) =>
    browsers.technician.post('/api/v1/settings.put', body, headers)

  it('must come from a page of this box', async () => {
    for (const origin of ['http://evil.example', 'null', 'http://127.0.0.1', `${box.origin}.evil.example`, ''])
      expect((await write({ origin })).body, origin).toMatchObject({ code: 'origin' })
    expect((await write({ 'sec-fetch-site': 'cross-site' })).body).toMatchObject({ code: 'origin' })
    expect((await write({ 'sec-fetch-site': 'same-site' })).body).toMatchObject({ code: 'origin' })
    expect(box.access.box.settings().name).toBe('')
    expect((await write({ 'sec-fetch-site': 'same-origin' })).status).toBe(200)
    expect((await write({ origin: box.origin.replace('http', 'https') })).status).toBe(200)
    box.access.box.change({ name: '' })
  })

  it('must be JSON: what a form can send is refused', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])
      expect((await write({ 'content-type': type }, '{"name":"Owned"}')).status, type).toBe(415)
    expect((await write({}, '{')).status).toBe(400)
    expect((await write({}, '{"__proto__":{"role":"technician"}}')).status).toBe(400)
    expect((await write({}, '"Owned"')).status).toBe(422)
    expect((await write({}, { name: 'x'.repeat(1_100_000) })).status).toBe(413)
    expect(box.access.box.settings().name).toBe('')
  })

  it('gets no leave for other origins', async () => {
    const preflight = await browsers.nobody.send('OPTIONS', '/api/v1/settings.put', undefined, {
      origin: 'http://evil.example',
      'access-control-request-method': 'POST',
    })
    const names = Object.keys({ ...preflight.headers, ...(await write({}, {})).headers })
    expect(names.filter((name) => name.startsWith('access-control'))).toEqual([])
  })
})

describe('a request under another name', () => {
  it('is refused for every path, also with a session', async () => {
    for (const [method, path] of [
      ['GET', '/'],
      ['GET', '/api/v1/session'],
      ['GET', '/api/v1/live'],
      ['POST', '/api/v1/status'],
      ['POST', '/kitchen/api/acts'],
      ['GET', '/nothing'],
    ] as const) {
      const headers = { host: 'rebound.example', origin: 'http://rebound.example' }
      const answer = await browsers.technician.send(method, path, method === 'GET' ? undefined : {}, headers)
      expect([answer.status, answer.body.code], path).toEqual([421, 'host'])
    }
  })
})
