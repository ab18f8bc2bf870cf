// Sign-in as a browser does it: cookies, refusals, the whole way from a mail address to a key of the API.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import type { Answered } from '#test/doubles/relay-api.ts'
import { SoftwareAuthenticator } from '#test/doubles/software-authenticator.ts'
import { DashboardDesk, ORIGIN } from '#test/fixtures/dashboard-desk.ts'
import { PASSWORD } from '#test/fixtures/people-desk.ts'

let desk: DashboardDesk
let clock: ManualClock
beforeEach(async () => {
  clock = new ManualClock()
  desk = await DashboardDesk.open({ clock })
})
afterEach(() => desk.close())

/** A browser: keeps the cookies that it is given. */
class Browser {
  readonly cookies = new Map<string, string>()
  readonly #headers: Record<string, string>

  constructor(headers: Record<string, string> = {}) {
    this.#headers = { origin: ORIGIN, 'user-agent': 'Firefox on a tablet', host: 'relay.example', ...headers }
  }

  async send(method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<Answered> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { ...this.#headers, ...(cookie !== '' && { cookie }) }
    const answer = await desk.api.call(method, `/dashboard/api/${path}`, { key: null, headers, body })
    for (const line of [answer.headers['set-cookie'] ?? []].flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    return answer
  }

  post(path: string, body: unknown = {}): Promise<Answered> {
    return this.send('POST', path, body)
  }

  async state() {
    return (await this.send('GET', 'session')).body.result
  }
}

async function mailedCode(): Promise<string> {
  const rows = await desk.api.db.read.selectFrom('notices').select('text_enc').where('kind', '=', 'code').execute()
  const [code = ''] = /\b[0-9A-Z]{4}-[0-9A-Z]{4}\b/.exec(desk.parts.secretBox.open(rows.at(-1)?.text_enc ?? '')) ?? []
  return code
}

async function signUp(browser: Browser): Promise<Answered> {
  const asked = await browser.post('session/sign-up', { email: 'bo@kiosk.test', name: 'Bo', company: 'Kiosk Company' })
  expect(asked.body).toEqual({ result: { codeId: expect.stringMatching(/^cod_/), minutes: 15 } })
  const { codeId } = asked.body.result
  return browser.post('session/sign-up/finish', { codeId, code: await mailedCode(), password: PASSWORD })
}

describe('a new person', () => {
  test('gets from a mail address to an order in five calls', async () => {
    const browser = new Browser()
    expect(await browser.state()).toMatchObject({ state: 'signed-out', person: null, accounts: [] })
    const { status, body } = await signUp(browser)
    expect([status, body.result.state]).toEqual([200, 'signed-in'])
    const { made, person, accounts } = body.result
    expect(person).toMatchObject({ email: 'bo@kiosk.test', name: 'Bo', hasPassword: true, passkeys: 0, language: 'en' })
    expect(accounts).toEqual([
      { accountId: made.accountId, name: 'Kiosk Company', role: 'owner', plan: 'sandbox', isLive: false },
    ])
    const order = await desk.api.call('POST', '/v1/order/inject', { key: made.apiKey, body: desk.api.order() })
    expect(order.status).toBe(200)
  })

  test('has the language of the browser, where the page sends none', async () => {
    const browser = new Browser({ 'accept-language': 'es-MX,es;q=0.9,en;q=0.5' })
    expect((await signUp(browser)).body.result.person.language).toBe('es')
  })
})

describe('the cookie of a session', () => {
  test('by https has a name that browsers take by https alone, and no script reads it', async () => {
    const answer = await signUp(new Browser())
    const [session, device] = [answer.headers['set-cookie'] ?? []].flat()
    expect(session).toMatch(
      /^__Host-ticketrail=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=2592000; Secure$/,
    )
    expect(device).toMatch(
      /^__Host-ticketrail-device=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+; Secure$/,
    )
  })

  test('is another one after each sign-in, and a planted one is never taken', async () => {
    await signUp(new Browser())
    const browser = new Browser()
    browser.cookies.set('__Host-ticketrail', 'A'.repeat(43))
    const enter = () => browser.post('session', { email: 'bo@kiosk.test', password: PASSWORD })
    await enter()
    const first = browser.cookies.get('__Host-ticketrail') ?? ''
    expect(first).not.toBe('A'.repeat(43))
    await enter()
    expect(browser.cookies.get('__Host-ticketrail')).not.toBe(first)
    const old = new Browser()
    old.cookies.set('__Host-ticketrail', first)
    expect((await old.state()).state).toBe('signed-out')
  })

  test('ends at the sign-out, and a copy of it is worthless', async () => {
    const browser = new Browser()
    await signUp(browser)
    const thief = new Browser()
    for (const [name, value] of browser.cookies) thief.cookies.set(name, value)
    expect((await thief.state()).state).toBe('signed-in')
    const out = await browser.send('DELETE', 'session')
    expect([out.body.result.state, browser.cookies.has('__Host-ticketrail')]).toEqual(['signed-out', false])
    expect((await thief.state()).state).toBe('signed-out')
  })
})

describe('a sign-in', () => {
  test('is refused with the reason, the same for an address without an account', async () => {
    await signUp(new Browser())
    const told: unknown[] = []
    for (const email of ['bo@kiosk.test', 'nobody@kiosk.test']) {
      const { status, body } = await new Browser().post('session', { email, password: 'not this one' })
      told.push({ ...body, status, requestId: '' })
    }
    expect(told[0]).toMatchObject({ status: 403, code: 'wrong-password', said: { key: 'session.wrong-password' } })
    expect(told[1]).toEqual(told[0])
  })

  test('with signs that no address has is refused by its field', async () => {
    for (const email of ['bo\u0000@kiosk.test', 'bo\ud800@kiosk.test']) {
      const { status, body } = await new Browser().post('session', { email, password: 'not this one' })
      expect([status, body.field]).toEqual([422, 'email'])
    }
  })

  test('names the field that is wrong', async () => {
    const { status, body } = await new Browser().post('session/sign-up', {
      email: 'no address',
      name: '',
      company: 'x',
    })
    expect([status, body.code]).toEqual([422, 'invalid'])
    expect(body.errors.map(({ field }: { field: string }) => field)).toEqual(['email', 'name'])
    const extra = await new Browser().post('session', { email: 'a@b.test', password: 'x', isOperator: true })
    expect(extra.status).toBe(422)
  })

  test('of a weak password names the field and the reason', async () => {
    const browser = new Browser()
    const asked = await browser.post('session/sign-up', { email: 'bo@kiosk.test', name: 'Bo', company: 'Kiosk' })
    const { codeId } = asked.body.result
    const weak = await browser.post('session/sign-up/finish', {
      codeId,
      code: await mailedCode(),
      password: 'password1',
    })
    expect([weak.status, weak.body.field, weak.body.said]).toEqual([422, 'password', { key: 'password.common' }])
  })

  test('is slowed down, with the delay', async () => {
    const guess = () => new Browser().post('session', { email: 'bo@kiosk.test', password: 'not this one' })
    for (let n = 0; n < 5; n++) expect((await guess()).status).toBe(403)
    const { status, headers, body } = await guess()
    expect([status, headers['retry-after'], body.said]).toEqual([
      429,
      '2',
      { key: 'session.throttled', values: { seconds: 2 } },
    ])
  })

  test('of another site is refused before anything is read', async () => {
    const evil = new Browser({ origin: 'https://evil.example' })
    for (const path of ['session', 'session/code', 'session/sign-up', 'session/welcome']) {
      const { status, body } = await evil.post(path, { email: 'a@b.test', password: 'x' })
      expect([status, body.code]).toEqual([403, 'origin'])
    }
    expect((await evil.send('DELETE', 'session')).status).toBe(403)
  })
})

describe('http from another machine', () => {
  const plain = { 'x-forwarded-for': '203.0.113.9', host: 'other.example' }

  test('cannot be done by password, and the page is told so', async () => {
    const browser = new Browser(plain)
    expect((await browser.state()).door.refused).toBe('plain')
    const { status, body } = await browser.post('session', { email: 'a@b.test', password: 'x' })
    expect([status, body.code, body.said.key]).toEqual([403, 'https', 'session.plain'])
  })
})

describe('what the page may offer', () => {
  test('is passkeys at the address that they are bound to, and nowhere else', async () => {
    const { door } = await new Browser().state()
    expect(door).toEqual({ signUp: 'open', sendsMail: true, passkeys: true, refused: null })
    expect((await new Browser({ host: '127.0.0.1:8080' }).state()).door.passkeys).toBe(false)
  })
})

describe('a passkey over HTTP', () => {
  test('is added, signs in, and confirms the identity again', async () => {
    const browser = new Browser()
    const { accountId } = (await signUp(browser)).body.result.made
    const device = new SoftwareAuthenticator(ORIGIN)
    const begun = await browser.post('passkeys.add.begin')
    const { ticket, options } = begun.body.result
    const added = await browser.post('passkeys.add', { ticket, response: device.register(options), name: 'Tablet' })
    expect([added.status, added.body.result.name]).toEqual([200, 'Tablet'])

    const other = new Browser()
    const question = (await other.post('session/passkey/begin')).body.result
    const answer = { ticket: question.ticket, response: device.answer(question.options) }
    const entered = await other.post('session/passkey', answer)
    expect(entered.body.result).toMatchObject({
      state: 'signed-in',
      person: { passkeys: 1 },
      accounts: [{ accountId }],
    })

    clock.jump(11 * 60_000)
    const late = await other.post('passkeys.remove', { passkeyId: added.body.result.passkeyId })
    expect([late.status, late.body.code]).toEqual([403, 'elevate'])
    const again = (await other.post('session/elevate/passkey/begin')).body.result
    const shown = await other.post('session/elevate/passkey', {
      ticket: again.ticket,
      response: device.answer(again.options),
    })
    expect(shown.body.result.elevatedUntil).not.toBeNull()
    expect((await other.post('passkeys.remove', { passkeyId: added.body.result.passkeyId })).status).toBe(200)
    const mails = await desk.api.db.read.selectFrom('notices').select('text_enc').orderBy('id', 'desc').execute()
    expect(desk.parts.secretBox.open(mails[0]?.text_enc ?? '')).toContain('a passkey was removed')
    expect((await other.post('passkeys.list')).body.result).toEqual([])
  })

  test('that is no answer of a browser is refused by its field', async () => {
    const { status, body } = await new Browser().post('session/passkey', { ticket: 'x', response: { id: '!' } })
    expect([status, body.code]).toEqual([422, 'invalid'])
  })
})

describe('who has not signed in', () => {
  test.each(['session/elevate', 'session/elevate/passkey/begin', 'session/password'])(
    'is told so at %s',
    async (path) => {
      const { status, body } = await new Browser().post(path, { password: 'nine blue kettles sing' })
      expect([status, body.code]).toEqual([401, 'signed-out'])
    },
  )
})

test('a new password signs all other browsers out, and this one continues', async () => {
  const [here, there] = [new Browser(), new Browser()]
  await signUp(here)
  await there.post('session', { email: 'bo@kiosk.test', password: PASSWORD })
  const changed = await here.post('session/password', { password: 'nine blue kettles sing' })
  expect([changed.status, changed.body.result.state]).toEqual([200, 'signed-in'])
  expect([(await here.state()).state, (await there.state()).state]).toEqual(['signed-in', 'signed-out'])
})

test('an invitation names the account, then makes a member; the owner sees them', async () => {
  const owner = new Browser()
  const { accountId } = (await signUp(owner)).body.result.made
  const headers = { 'x-account': accountId }
  const asOwner = new Browser(headers)
  for (const [name, value] of owner.cookies) asOwner.cookies.set(name, value)
  const sent = await asOwner.post('people.invite', { email: 'cy@kiosk.test', role: 'staff' })
  expect([sent.status, sent.body.result.link]).toEqual([200, null])
  const rows = await desk.api.db.read
    .selectFrom('notices')
    .select('text_enc')
    .where('kind', '=', 'invitation')
    .execute()
  const [, code] = /invite#([\w.-]+)/.exec(desk.parts.secretBox.open(rows[0]?.text_enc ?? '')) ?? []
  const guest = new Browser()
  expect((await guest.post('session/invite', { code })).body.result).toEqual({
    ...{ kind: 'invite', email: 'cy@kiosk.test', accountName: 'Kiosk Company', role: 'staff', invitedBy: 'Bo' },
    ...{ isKnown: false, isOperator: false },
  })
  const accepted = await guest.post('session/invite/accept', { code, name: 'Cy' })
  expect(accepted.body.result).toMatchObject({ state: 'signed-in', accounts: [{ accountId, role: 'staff' }] })
  const { people, invitations } = (await asOwner.post('people.list')).body.result
  expect([people.map(({ name, role }: { name: string; role: string }) => `${name} ${role}`), invitations]).toEqual([
    ['Bo owner', 'Cy staff'],
    [],
  ])
})
