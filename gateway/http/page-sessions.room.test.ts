// The way in: the first user by a code, sign-in by a password, how long it lasts, how often it may be guessed.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SessionStore } from '#gateway/storage/session-store.ts'
import { BoxServer, PASSWORD, type PageAnswer, type PageBrowser } from '#test/doubles/box-server.ts'
import { Sessions } from './sessions.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

let box: BoxServer
beforeEach(async () => {
  box = new BoxServer()
  await box.start()
})
afterEach(() => box.stop())

const signIn = (browser: PageBrowser, name: string, password: string): Promise<PageAnswer> =>
  browser.post('/api/v1/session', { name, password })
const stateOf = async (browser: PageBrowser): Promise<string> =>
  (await browser.get('/api/v1/session')).body.result.state
const token = (browser: PageBrowser): string | undefined => browser.cookies.get('ticketrail_session')
const codeOf = async (): Promise<string> =>
  ((await box.control.perform('admin.setup-code', {}, { asker: 'test' })) as { code: string }).code

describe('the first user', () => {
  it('enters with a one-time code, becomes a technician, and is signed in by it', async () => {
    const browser = box.browser()
    expect(await stateOf(browser)).toBe('setup')
    expect((await browser.perform('status')).body.code).toBe('setup')
    expect((await signIn(browser, 'Tea', PASSWORD)).body.code).toBe('setup')
    const code = await codeOf()
    expect(code).toMatch(/^[B-Z]{4}-[B-Z]{4}$/)
    const made = await browser.post('/api/v1/setup', {
      code: ` ${code.toLowerCase()} `,
      name: 'Tea',
      password: PASSWORD,
    })
    expect(made.body.result).toMatchObject({ state: 'signed-in', user: { name: 'Tea', role: 'technician' } })
    expect((await browser.perform('users.list')).body.result).toHaveLength(1)
    const again = await box.browser().post('/api/v1/setup', { code, name: 'Eve', password: PASSWORD })
    expect([again.status, again.body.code]).toEqual([409, 'refused'])
    await expect(codeOf()).rejects.toThrow('has its first user')
  })

  it('has no default password, and none that is short', async () => {
    const browser = box.browser()
    const code = await codeOf()
    for (const [name, password] of [
      ['admin', 'admin'],
      ['Tea', ''],
      ['Tea', '1234567'],
    ]) {
      const answer = await browser.post('/api/v1/setup', { code, name, password })
      expect([answer.status, answer.body.errors?.[0]?.field]).toEqual([422, 'password'])
    }
    expect(box.access.users.count()).toBe(0)
  })

  it('refuses a common password, and one made of names and codes that others know', async () => {
    const code = await codeOf()
    await box.control.perform('settings.put', { name: 'Casa Nina' }, { asker: 'test' })
    for (const [password, rule] of [
      ['12345678', 'password-common'],
      ['Password1', 'password-common'],
      ['tea-2026-tea', 'password-own-words'],
      ['casanina2026', 'password-own-words'],
      ['bistro2026', 'password-own-words'],
      [code, 'password-own-words'],
    ]) {
      const answer = await box.browser().post('/api/v1/setup', { code, name: 'Tea', password })
      const { field, rule: broken } = answer.body.errors?.[0] ?? {}
      expect([answer.status, field, broken?.key]).toEqual([422, 'password', rule])
    }
    expect(box.access.users.count()).toBe(0)
    expect((await box.browser().post('/api/v1/setup', { code, name: 'Tea', password: PASSWORD })).status).toBe(200)
  })

  it('is only one, when two send the code at once', async () => {
    const code = await codeOf()
    const both = ['Tea', 'Eve'].map((name) => box.browser().post('/api/v1/setup', { code, name, password: PASSWORD }))
    expect((await Promise.all(both)).map(({ status }) => status).sort()).toEqual([200, 409])
    expect(box.access.users.count()).toBe(1)
  })

  it('finds no code on the paper of a printer in the network, where any device may answer: the terminal shows it', async () => {
    const answer = await box.control.perform('admin.setup-ticket', { printer: 'Grill' }, { asker: 'test' })
    await expect.poll(() => box.core.transport('grill').sent.length).toBe(1)
    const paper = box.core.transport('grill').sent[0]?.text ?? ''
    expect(paper).toContain('http://192.168.1.7/')
    expect(paper).not.toMatch(/[A-Z]{4}-[A-Z]{4}/)
    const { code } = answer as { code: string }
    expect(JSON.stringify(box.logs.lines({ leastLevel: 0, text: '', limit: 100 }))).not.toContain(code)
    expect((await box.browser().post('/api/v1/setup', { code, name: 'Tea', password: PASSWORD })).status).toBe(200)
  })

  it('finds the code on paper as well at a cabled printer, and in no log', async () => {
    box.core.queue.updatePrinter('grill', { host: '/dev/usb/lp0', port: 0 })
    await expect.poll(() => box.core.printers.find('grill')?.host).toBe('/dev/usb/lp0')
    const answer = await box.control.perform('admin.setup-ticket', { printer: 'Grill' }, { asker: 'test' })
    expect(answer).toMatchObject({ code: null })
    await expect.poll(() => box.core.transport('grill').sent.length).toBe(1)
    const paper = box.core.transport('grill').sent[0]?.text ?? ''
    expect(paper).toContain('http://192.168.1.7/')
    const code = /Set-up code: ([A-Z]{4}-[A-Z]{4})/.exec(paper)?.[1] ?? ''
    expect(JSON.stringify(box.logs.lines({ leastLevel: 0, text: '', limit: 100 }))).not.toContain(code)
    const made = await box.browser().post('/api/v1/setup', { code, name: 'Tea', password: PASSWORD })
    expect(made.status).toBe(200)
    await expect(box.control.perform('admin.setup-ticket', { printer: 'Grill' }, { asker: 'test' })).rejects.toThrow(
      'first user',
    )
    // Where the page is may be printed at any time; a code is only for the first user.
    await box.control.perform('printers.setup-ticket', { printer: 'Grill' }, { asker: 'test' })
    await expect.poll(() => box.core.transport('grill').sent.length).toBe(2)
    expect(box.core.transport('grill').sent[1]?.text).toMatch(/^(?![\s\S]*code:)[\s\S]*http:\/\/192\.168\.1\.7\//)
  })

  it('cannot be guessed: ten wrong codes void it, also the right one then', async () => {
    const code = await codeOf()
    const answers: PageAnswer[] = []
    for (let n = 0; n < 10; n++) {
      answers.push(await box.browser().post('/api/v1/setup', { code: 'BBBB-BBBB', name: 'Eve', password: PASSWORD }))
      await box.core.clock.advance(10 * 60_000)
    }
    expect(new Set(answers.map(({ body }) => body.code))).toEqual(new Set(['wrong-code']))
    await box.core.clock.advance(HOUR_MS)
    const right = await box.browser().post('/api/v1/setup', { code, name: 'Tea', password: PASSWORD })
    expect(right.body).toMatchObject({ code: 'wrong-code', message: expect.stringContaining('setup-code') })
    expect(box.access.users.count()).toBe(0)
  })

  it('is set up again after a reset, which signs everyone out', async () => {
    const browser = await box.signedIn('technician')
    const { code, users } = (await box.control.perform('admin.reset', {}, { asker: 'test' })) as {
      code: string
      users: number
    }
    expect(users).toBe(1)
    expect(await stateOf(browser)).toBe('setup')
    expect((await browser.post('/api/v1/setup', { code, name: 'New', password: PASSWORD })).status).toBe(200)
  })
})

describe('a session', () => {
  it('is a cookie that is hidden from scripts and other sites; only its hash is stored', async () => {
    await box.signedIn('technician')
    const browser = box.browser()
    const answer = await signIn(browser, 'tea', PASSWORD)
    expect(answer.headers['set-cookie']?.[0]).toMatch(
      /^ticketrail_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=2592000$/,
    )
    const rows = JSON.stringify(box.core.db.sqlite.prepare('select * from sessions').all())
    expect(rows).not.toContain(token(browser))
    expect(JSON.stringify(box.core.db.sqlite.prepare('select * from users').all())).not.toContain(PASSWORD)
  })

  it('is always new: a token planted by an attacker is worthless', async () => {
    await box.signedIn('technician')
    const browser = box.browser()
    const planted = 'A'.repeat(43)
    browser.cookies.set('ticketrail_session', planted)
    await signIn(browser, 'Tea', PASSWORD)
    const first = token(browser)
    expect(first).not.toBe(planted)
    await signIn(browser, 'Tea', PASSWORD)
    const thief = box.browser()
    for (const old of [planted, first ?? '']) {
      thief.cookies.set('ticketrail_session', old)
      expect(await stateOf(thief)).toBe('signed-out')
    }
    expect(await stateOf(browser)).toBe('signed-in')
  })

  it('does not start with a stored hash with impossible costs: wrong name or password, and a log line without a name', async () => {
    await box.signedIn('technician')
    await box.signedIn('manager')
    const salt = Buffer.alloc(16, 7).toString('base64url')
    const damaged = box.core.db.sqlite.prepare("update users set password = ? where name = 'Max'")
    for (const costs of ['33000$8$1', '1$8$1', '32768$8$0', '32768$0$1']) {
      damaged.run(`scrypt$${costs}$${salt}$${Buffer.alloc(32, 7).toString('base64url')}`)
      const answer = await signIn(box.browser(), 'Max', PASSWORD)
      expect([costs, answer.status, answer.body.code]).toEqual([costs, 403, 'wrong-password'])
      await box.core.clock.advance(10 * 60_000)
    }
    const { lines } = (await box.control.perform('logs.list', { level: 'warn' }, { asker: 'test' })) as {
      lines: object[]
    }
    expect(lines).toContainEqual(expect.objectContaining({ message: expect.stringContaining('cannot be checked') }))
    expect(JSON.stringify(lines)).not.toMatch(/Max|scrypt|BwcHBw/)
  })

  it('ends by sign-out, for good', async () => {
    const browser = await box.signedIn('technician')
    const old = token(browser) ?? ''
    expect((await browser.send('DELETE', '/api/v1/session', undefined, {})).body.result.state).toBe('signed-out')
    expect(token(browser)).toBeUndefined()
    browser.cookies.set('ticketrail_session', old)
    expect((await browser.perform('status')).status).toBe(401)
  })

  it('ends after twelve hours without use, and after thirty days of use', async () => {
    await box.signedIn('technician')
    const [user] = box.access.users.all()
    let now = box.core.clock.now()
    const sessions = new Sessions(new SessionStore(box.core.db), { now: () => now })
    const use = (token: string): boolean => {
      const session = sessions.find(token)
      if (session) sessions.used(session)
      // Its last use is written with whatever is written next.
      box.core.db.flush()
      return session !== null
    }
    const idle = sessions.begin(user?.userId ?? '').token
    now += 11 * HOUR_MS
    expect(use(idle)).toBe(true)
    now += 11 * HOUR_MS
    expect(use(idle)).toBe(true)
    now += 13 * HOUR_MS
    expect(use(idle)).toBe(false)
    const busy = sessions.begin(user?.userId ?? '').token
    for (let used = 0; used < 65; used++) {
      expect(use(busy)).toBe(true)
      now += 11 * HOUR_MS
    }
    now += DAY_MS
    expect(use(busy)).toBe(false)
    // A clock that was wrong and is put right opens nothing for longer.
    const ahead = sessions.begin(user?.userId ?? '').token
    now -= 40 * DAY_MS
    expect(use(ahead)).toBe(false)
  })

  it('costs the SD card no write for a request that only reads', async () => {
    const browser = await box.signedIn('technician')
    const before = box.core.db.commits
    for (let n = 0; n < 5; n++) {
      await browser.perform('status')
      await box.core.clock.advance(10 * 60_000)
    }
    expect(box.core.db.commits).toBe(before)
  })

  it('follows the user: a new role applies at once, a new password or a removal ends it', async () => {
    const technician = await box.signedIn('technician')
    const manager = await box.signedIn('manager')
    const [{ userId }] = (await technician.perform('users.list')).body.result.filter(
      ({ name }: { name: string }) => name === 'Max',
    )
    const change = (body: object) => technician.perform('users.update', { userId, ownPassword: PASSWORD, ...body })
    await change({ name: 'Maxine' })
    expect((await manager.get('/api/v1/session')).body.result.user.name).toBe('Maxine')
    expect((await change({ password: 'maxine-2026' })).body.errors).toMatchObject([{ field: 'password' }])
    await change({ password: 'another-one' })
    expect(await stateOf(manager)).toBe('signed-out')
    expect((await signIn(manager, 'Maxine', 'another-one')).status).toBe(200)
    await technician.perform('users.remove', { userId, ownPassword: PASSWORD })
    expect(await stateOf(manager)).toBe('signed-out')
    expect((await technician.perform('users.list')).body.result).toHaveLength(1)
  })
})

describe('another password', () => {
  it('needs the present one, signs every other browser out, and keeps this one in', async () => {
    const here = await box.signedIn('technician')
    const there = box.browser()
    await signIn(there, 'Tea', PASSWORD)
    const before = token(here)
    const change = (current: string, password: string) => here.post('/api/v1/session/password', { current, password })
    expect((await change('wrong', 'brand-new-one')).body.code).toBe('wrong-password')
    for (const weak of ['short', '12345678', 'tea-12345', 'bistro2026'])
      expect([weak, (await change(PASSWORD, weak)).status]).toEqual([weak, 422])
    expect((await change(PASSWORD, 'brand-new-one')).body.result.state).toBe('signed-in')
    expect(token(here)).not.toBe(before)
    expect([await stateOf(here), await stateOf(there)]).toEqual(['signed-in', 'signed-out'])
    expect((await signIn(there, 'Tea', PASSWORD)).status).toBe(403)
    expect((await signIn(there, 'Tea', 'brand-new-one')).status).toBe(200)
  })

  it('cannot be changed by someone who finds an open page and guesses', async () => {
    const browser = await box.signedIn('technician')
    for (let n = 0; n < 5; n++)
      await browser.post('/api/v1/session/password', { current: `guess${n}`, password: 'mine-now' })
    const sixth = await browser.post('/api/v1/session/password', { current: PASSWORD, password: 'mine-now' })
    expect(sixth.status).toBe(429)
  })
})

describe('guessing a password', () => {
  it('is slowed down for the name, longer each time, and forgotten by the right one', async () => {
    await box.signedIn('technician')
    const browser = box.browser()
    for (let n = 0; n < 5; n++) expect((await signIn(browser, 'Tea', `guess${n}`)).status).toBe(403)
    const refused = await signIn(browser, ' TEA ', PASSWORD)
    expect([refused.status, refused.body.code, refused.headers['retry-after']]).toEqual([429, 'throttled', '2'])
    await box.core.clock.advance(2_000)
    expect((await signIn(browser, 'Tea', 'guess6')).status).toBe(403)
    expect((await signIn(browser, 'Tea', PASSWORD)).body.retryAfterSeconds).toBe(4)
    await box.core.clock.advance(4_000)
    expect((await signIn(browser, 'Tea', PASSWORD)).status).toBe(200)
    expect((await signIn(browser, 'Tea', 'typo')).status).toBe(403)
    expect((await signIn(browser, 'Tea', PASSWORD)).status).toBe(200)
  })

  it('is slowed down for the address, whatever names it tries', async () => {
    await box.signedIn('technician')
    const browser = box.browser()
    for (let n = 0; n < 10; n++) expect((await signIn(browser, `name${n}`, 'guess')).status).toBe(403)
    expect((await signIn(browser, 'name10', 'guess')).status).toBe(429)
  })

  it('is counted before it is checked: a burst gets no more tries than one after another', async () => {
    await box.signedIn('technician')
    const burst = Array.from({ length: 30 }, (_, n) => signIn(box.browser(), 'Tea', `guess${n}`))
    const answers = (await Promise.all(burst)).map(({ status }) => status)
    expect(answers.filter((status) => status === 403).length).toBeLessThanOrEqual(5)
  })

  it('does not reveal which names exist, and logs neither name nor password', async () => {
    await box.signedIn('technician')
    const browser = box.browser()
    const known = await signIn(browser, 'Tea', 'GUESS-CANARY')
    const unknown = await signIn(browser, 'NAME-CANARY', 'GUESS-CANARY')
    expect(known.text).toBe(unknown.text)
    const log = JSON.stringify(box.logs.lines({ leastLevel: 0, text: '', limit: 500 }))
    expect(log).toContain('a sign-in was refused')
    expect(log).not.toContain('CANARY')
  })
})
