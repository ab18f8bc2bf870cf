// Backups: their contents, who can read or change one, and that a restore adds only the named people, and is all or nothing.
import { gunzipSync, gzipSync } from 'node:zlib'
import { PNG } from 'pngjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Passwords } from '#shared/pages/passwords.ts'
import { BoxServer, PASSWORD, type PageBrowser } from '#test/doubles/box-server.ts'
import { FRY, GRILL } from '#test/doubles/gateway-core.ts'
import { openBackup, packBackup } from './backup-file.ts'

const PASSPHRASE = 'seven onions under the stairs'
const rule = { name: 'Drinks', when: { category: 'Drinks' }, print: { printerIds: ['fry'] } }
const LATE = { delivery: { soonMin: 20, lateMin: 30 } }
const SETTINGS = { name: 'Bistro kitchen', timeZone: 'Europe/Madrid', language: 'es', thresholds: LATE }
const passwords = new Passwords() // The costs of the file's own key are the real ones.

let box: BoxServer
let page: PageBrowser
let other: BoxServer
let there: PageBrowser
beforeEach(async () => {
  box = new BoxServer({ printers: [GRILL, FRY] })
  await box.start()
  page = await box.signedIn('technician')
  const printers = [
    { ...GRILL, name: 'Bar', stations: ['bar'] },
    { ...FRY, host: '10.9.9.9' },
  ]
  other = new BoxServer({ printers })
  await other.start()
  there = await other.signedIn('technician', 'Tom')
})
afterEach(async () => {
  await box.stop()
  await other.stop()
})

async function result(name: string, body: object = {}, from = page) {
  const answer = await from.perform(name, body)
  expect([answer.status, answer.text.slice(0, 300)]).toEqual([200, expect.any(String)])
  return answer.body.result
}

const make = async (): Promise<string> =>
  (await result('backup.make', { passphrase: PASSPHRASE, ownPassword: PASSWORD })).base64
const restoring = (file: object) => there.perform('backup.restore', { ownPassword: PASSWORD, ...file })

/** Everything that a restore may change. */
function stateOf({ core, access }: BoxServer) {
  return {
    printers: core.printers.all(),
    rules: core.routing.rules(),
    settings: access.box.settings(),
    people: access.users.withPasswords(),
    logo: core.logo.read(),
    lines: core.queue.printers().map(({ printerId, host }) => `${printerId} ${host}`),
  }
}

/** What the box itself would put into a file. */
function contentOf({ core, access }: BoxServer) {
  return {
    ...{ madeAt: '2026-11-21T11:00:00.000Z', app: 'test', box: access.box.settings(), logo: null },
    printers: core.printers.all().map(({ capability: _, device: __, ...printer }) => ({
      ...printer,
      stations: [...printer.stations],
    })),
    rules: [...core.routing.rules()],
    users: access.users.withPasswords(),
  }
}

const pictureOf = (size: number): string =>
  PNG.sync.write(new PNG({ width: size, height: size, fill: true })).toString('base64')

const plainFile = (content: object): string =>
  gzipSync(JSON.stringify({ format: 'ticketrail-backup', version: 1, ...content })).toString('base64')

describe('a backup', () => {
  it('brings printers, rules and settings to another box, which keeps its own identity, its people and its tickets', async () => {
    await result('printers.update', { printer: 'Grill', settings: { backupPrinterId: 'Fry', copies: 2 } })
    await result('routing.put', { rules: [rule] })
    await result('settings.put', SETTINGS)
    box.core.accept('pj_1')
    const file = { base64: await make(), passphrase: PASSPHRASE }
    const stream = other.core.identity.stream()
    const restored = (await restoring(file)).body.result
    expect(restored).toMatchObject({ printersAdded: 1, printersChanged: 1, rules: 1, users: 0 })
    expect(other.core.identity.stream()).toBe(stream)
    expect(stream).not.toBe(box.core.identity.stream())
    expect(other.core.history.recent(10)).toEqual([])
    const printers = new Map(other.core.printers.all().map((printer) => [printer.name, printer]))
    expect([...printers.keys()].sort()).toEqual(['Bar', 'Fry', 'Grill'])
    expect(printers.get('Grill')).toMatchObject({ isDefault: true, settings: { copies: 2 } })
    expect(printers.get('Grill')?.settings.backupPrinterId).toBe(printers.get('Fry')?.printerId)
    expect(other.core.routing.rules()).toMatchObject([{ print: { printerIds: [printers.get('Fry')?.printerId] } }])
    expect(other.access.box.settings()).toEqual(SETTINGS)
    expect((await restoring(file)).body.result, 'once more').toMatchObject({ printersAdded: 0, users: 0 })
  })

  it('of a box without a name and a time zone leaves those of the other box, and reports it', async () => {
    await result('settings.put', { name: 'Bistro', timeZone: 'Europe/Madrid', language: 'en' }, there)
    const file = { base64: await make(), passphrase: PASSPHRASE }
    const { settings, settingsNow } = await result('backup.preview', file, there)
    expect([settings, (await restoring(file)).status]).toEqual([settingsNow, 200])
    expect(other.access.box.settings()).toEqual(settingsNow)
  })

  it('of a box whose printer is on loopback works too, and its printers print at once at the new addresses', async () => {
    await restoring({ base64: await make(), passphrase: PASSPHRASE })
    await expect
      .poll(() => other.core.queue.printers().map(({ name, host }) => [name, host]))
      .toEqual(expect.arrayContaining([...['Grill', 'Fry'].map((name) => [name, '127.0.0.1'])]))
    const { ticketId } = await result('printers.test', { printer: 'Grill' }, there)
    await expect.poll(async () => (await result('jobs.show', { ticketId }, there)).state).toBe('printed')
  })

  it('reveals nothing of its contents to anyone who has only the file', async () => {
    await result('users.add', { name: 'Max', role: 'manager', password: 'managers-own', ownPassword: PASSWORD })
    box.core.accept('pj_1')
    const bytes = Buffer.from(await make(), 'base64')
    const secrets = [
      ...['Grill', 'Fry', '127.0.0.1', 'Max', 'Tea', 'scrypt$'],
      ...[PASSWORD, PASSPHRASE, box.core.identity.stream()],
    ]
    for (const secret of secrets) expect(bytes.includes(secret), secret).toBe(false)
    expect(bytes.includes(gzipSync('').subarray(0, 3))).toBe(false)
  })

  it('contains no order, no plain-text password, and no credential of the box', async () => {
    box.core.accept('pj_1')
    const { holds } = await result('backup.make', { passphrase: PASSPHRASE, ownPassword: PASSWORD })
    expect(holds).toEqual({ printers: 2, people: 1, rules: 0, hasLogo: false })
    const bytes = JSON.stringify(contentOf(box))
    for (const secret of ['Canary', '555-0101', 'pj_1', PASSWORD, box.core.identity.stream(), 'token'])
      expect(bytes, secret).not.toContain(secret)
  })

  it('requires a passphrase that cannot be guessed from the file', async () => {
    for (const passphrase of ['short', 'password1234', 'kitchen-2026', 'bistro bistro bistro', undefined]) {
      const answer = await page.perform('backup.make', { passphrase, ownPassword: PASSWORD })
      expect([passphrase, answer.status, answer.body.errors?.[0]?.field]).toEqual([passphrase, 422, 'passphrase'])
    }
  })
})

describe('a backup that was tampered with', () => {
  it('is refused whatever byte it was, and so is another passphrase; nothing of it is taken over', async () => {
    const before = stateOf(other)
    const bytes = Buffer.from(await make(), 'base64')
    const lineEnd = bytes.indexOf('\n')
    const places = [bytes.indexOf('"salt":"') + 8, lineEnd - 4, lineEnd + 1, bytes.length - 17, bytes.length - 1]
    for (const place of places) {
      const flipped = Buffer.from(bytes)
      flipped[place] = (flipped[place] ?? 0) ^ 1
      const answer = await restoring({ base64: flipped.toString('base64'), passphrase: PASSPHRASE })
      expect([place, answer.status, answer.body.said?.key]).toEqual([place, 422, expect.stringMatching(/^backup\./)])
    }
    for (const base64 of [bytes.subarray(0, -1), bytes.subarray(0, lineEnd + 5), Buffer.concat([bytes, bytes])])
      expect((await restoring({ base64: base64.toString('base64'), passphrase: PASSPHRASE })).status).toBe(422)
    const file = { base64: bytes.toString('base64') }
    const wrong = await restoring({ ...file, passphrase: `${PASSPHRASE}!` })
    expect([wrong.status, wrong.body.said.key]).toEqual([422, 'backup.wrong-passphrase'])
    expect((await restoring(file)).body.said.key).toBe('backup.needs-passphrase')
    expect((await restoring({ ...file, plain: true })).body.said.key).toBe('backup.needs-passphrase')
    expect(stateOf(other)).toEqual(before)
  })

  it('cannot make the box use more memory or work than it can bear', async () => {
    const bytes = Buffer.from(await make(), 'base64')
    const lineEnd = bytes.indexOf('\n')
    const line = JSON.parse(bytes.subarray(0, lineEnd).toString())
    for (const costs of [
      { N: 2 ** 20 },
      { N: 33_000 },
      { N: 1 },
      { N: 0 },
      { p: 0 },
      { p: 4_096 },
      { r: 0 },
      { r: 1_024 },
      { N: 65_536, r: 1, p: 1 },
      { N: 2, r: 1, p: 2_097_152 },
    ]) {
      const changed = `${JSON.stringify({ ...line, kdf: { ...line.kdf, ...costs } })}\n`
      const base64 = Buffer.concat([Buffer.from(changed), bytes.subarray(lineEnd + 1)]).toString('base64')
      const answer = await restoring({ base64, passphrase: PASSPHRASE })
      expect([costs, answer.status, answer.body.errors?.[0]?.field]).toEqual([costs, 422, 'kdf'])
    }
  })

  it('whose key cannot be derived is refused, for any reason', async () => {
    const bytes = Buffer.from(await make(), 'base64')
    const key = () => Promise.reject(new Error('memory limit exceeded'))
    await expect(openBackup(bytes, { passphrase: PASSPHRASE }, { key })).rejects.toMatchObject({
      ...{ name: 'ControlRefusal', said: { key: 'backup.unusable' } },
    })
  })

  it('by somebody with the passphrase still adds no user without consent, and a hash with impossible costs is named', async () => {
    const hash = await passwords.hash('a door of my own')
    const content = contentOf(box)
    const users = [{ name: 'Eve', role: 'technician' as const, password: hash }]
    const packed = async (changed: object): Promise<string> =>
      (await packBackup({ ...content, users, ...changed }, PASSPHRASE, passwords)).toString('base64')
    const file = { base64: await packed({}), passphrase: PASSPHRASE }
    expect((await restoring(file)).body.result).toMatchObject({ users: 0 })
    expect(other.access.users.all().map(({ name }) => name)).toEqual(['Tom'])
    const [, , ...rest] = hash.split('$')
    for (const costs of ['33000', '1', '0']) {
      const base64 = await packed({ users: [{ ...users[0], password: ['scrypt', costs, ...rest].join('$') }] })
      const answer = await restoring({ base64, passphrase: PASSPHRASE, people: ['Eve'] })
      expect([costs, answer.status, answer.body.errors?.[0]?.field]).toEqual([costs, 422, 'users.0.password'])
    }
  })

  it('that is missing, damaged, foreign or too large is refused with a reason, and changes nothing', async () => {
    const before = stateOf(other)
    const good = contentOf(box)
    const bad: [string, object][] = [
      ['damaged', { base64: Buffer.from('not packed').toString('base64') }],
      ['damaged', { base64: Buffer.from('{"format":"ticketrail-backup"').toString('base64') }],
      ['damaged', { base64: plainFile(good).slice(0, 40), plain: true }],
      ['damaged', { base64: gzipSync('x'.repeat(8_000_000)).toString('base64'), plain: true }],
      [
        'version',
        { base64: Buffer.from('{"format":"ticketrail-backup","version":9}\nxxxxxxxxxxxxxxxxx').toString('base64') },
      ],
      ['format', { base64: plainFile({ ...good, format: 'something' }), plain: true }],
      [
        'printers.0.host',
        { base64: plainFile({ ...good, printers: [{ ...good.printers[0], host: '/etc/passwd' }] }), plain: true },
      ],
      ['extra', { base64: plainFile({ ...good, extra: 1 }), plain: true }],
      ['png', { base64: plainFile({ ...good, logo: Buffer.from('no picture').toString('base64') }), plain: true }],
    ]
    for (const [word, file] of bad)
      for (const operation of ['backup.preview', 'backup.restore']) {
        const body = operation === 'backup.preview' ? file : { ...file, ownPassword: PASSWORD }
        const answer = await there.perform(operation, body)
        expect([answer.status, answer.text], word).toEqual([422, expect.stringContaining(word)])
      }
    expect(stateOf(other)).toEqual(before)
  })
})

describe('people of a backup', () => {
  beforeEach(async () => {
    for (const [name, role] of [
      ['Max', 'manager'],
      ['Eve', 'technician'],
    ])
      await result('users.add', { name, role, password: 'a door of my own', ownPassword: PASSWORD })
  })

  it('are shown with role and standing before anything is taken over, which changes nothing', async () => {
    await result('routing.put', { rules: [rule] })
    const before = stateOf(other)
    const file = { base64: await make(), passphrase: PASSPHRASE }
    other.access.users.add({ name: 'max', role: 'manager', password: 'x' }, 0)
    const preview = await result('backup.preview', file, there)
    expect(preview).toMatchObject({
      isProtected: true,
      people: [
        { name: 'Eve', role: 'technician', standing: 'new' },
        { name: 'Max', role: 'manager', standing: 'here' },
        { name: 'Tea', role: 'technician', standing: 'new' },
      ],
      printers: [
        { name: 'Grill', host: '127.0.0.1', standing: 'new' },
        { name: 'Fry', host: '127.0.0.1', standing: 'changed' },
      ],
      rules: ['Drinks'],
    })
    expect((await result('backup.preview', file)).printers).toMatchObject([{ standing: 'same' }, { standing: 'same' }])
    expect({ ...stateOf(other), people: [] }).toEqual({ ...before, people: [] })
  })

  it('are imported when they are named, and no others; existing users keep password and role', async () => {
    const password = await other.access.passwords.hash('the other one')
    other.access.users.add({ name: 'Eve', role: 'manager', password }, 0)
    const file = { base64: await make(), passphrase: PASSPHRASE }
    const restored = (await restoring({ ...file, people: ['max', 'Eve'] })).body.result
    expect(restored).toMatchObject({
      users: 1,
      notes: [expect.stringContaining('1 users were here already'), expect.any(String)],
    })
    expect(other.access.users.all().map(({ name, role }) => `${name} ${role}`)).toEqual([
      ...['Eve manager', 'Max manager', 'Tom technician'],
    ])
    const signIn = (name: string, typed: string) => other.browser().post('/api/v1/session', { name, password: typed })
    expect((await signIn('Max', 'a door of my own')).status).toBe(200)
    expect((await signIn('Eve', 'a door of my own')).status).toBe(403)
  })

  it('who are not in the file are refused by name, and nothing is imported', async () => {
    const before = stateOf(other)
    const answer = await restoring({ base64: await make(), passphrase: PASSPHRASE, people: ['Max', 'Zoe'] })
    expect([answer.status, answer.text]).toEqual([422, expect.stringContaining('Zoe')])
    expect(stateOf(other)).toEqual(before)
  })

  it('are never imported from a file without a passphrase, which is read only with an explicit confirmation', async () => {
    const base64 = plainFile(contentOf(box))
    const before = stateOf(other)
    expect((await restoring({ base64 })).body.said.key).toBe('backup.not-protected')
    expect((await restoring({ base64, passphrase: PASSPHRASE })).body.said.key).toBe('backup.not-protected')
    const asked = await restoring({ base64, plain: true, people: ['Eve'] })
    expect([asked.status, asked.body.said.key]).toEqual([422, 'backup.plain-people'])
    expect(stateOf(other)).toEqual(before)
    expect(await result('backup.preview', { base64, plain: true }, there)).toMatchObject({ isProtected: false })
    expect((await restoring({ base64, plain: true })).body.result).toMatchObject({ printersAdded: 1, users: 0 })
    expect(other.access.users.all().map(({ name }) => name)).toEqual(['Tom'])
  })

  it('follow the same rule at the control socket, which requires no password', async () => {
    const file = { base64: await make(), passphrase: PASSPHRASE }
    expect(await other.control.perform('backup.restore', file, { asker: 'control socket' })).toMatchObject({ users: 0 })
    const named = { ...file, people: ['Max'] }
    expect(await other.control.perform('backup.restore', named, { asker: 'test' })).toMatchObject({ users: 1 })
  })
})

describe('a restore', () => {
  it('is one commit: a power cut leaves the old state or the new one', async () => {
    await result('users.add', { name: 'Max', role: 'manager', password: 'a door of my own', ownPassword: PASSWORD })
    await result('routing.put', { rules: [rule] })
    const file = { base64: await make(), passphrase: PASSPHRASE, people: ['Max'] }
    const before = other.core.db.commits
    await other.control.perform('backup.restore', file, { asker: 'test' })
    expect(other.core.db.commits).toBe(before + 1)
    expect(other.access.users.count()).toBe(2)
  })

  it('that fails at any of its steps leaves everything as it was, on disk, in memory and at the printers', async () => {
    await result('users.add', { name: 'Max', role: 'manager', password: 'a door of my own', ownPassword: PASSWORD })
    await result('routing.put', { rules: [rule] })
    await result('settings.put', { name: 'Elsewhere' })
    const picture = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    await result('logo.put', { png: picture })
    const file = { base64: await make(), passphrase: PASSPHRASE, people: ['Max'] }
    const before = stateOf(other)
    const { sqlite } = other.core.db
    for (const [step, on] of [
      ['a printer', 'insert on printers'],
      ['the default printer', 'update of is_default on printers'],
      ['rules or settings', 'update on meta'],
      ['a person', 'insert on users'],
    ]) {
      sqlite.exec(`create temp trigger stop before ${on} begin select raise(abort, 'stopped here'); end`)
      const asked = other.control.perform('backup.restore', file, { asker: 'test' })
      await expect(asked, step).rejects.toThrow('stopped here')
      sqlite.exec('drop trigger stop')
      expect(stateOf(other), step).toEqual(before)
    }
    await other.control.perform('backup.restore', file, { asker: 'test' })
    expect(stateOf(other).settings.name).toBe('Elsewhere')
    expect(other.core.logo.read()).not.toBeNull()
  })

  it.each([
    ['the picture that was here', pictureOf(24)],
    ['that there was none', null],
  ])('that fails after its picture was stored puts back %s', async (_words, before) => {
    await result('logo.put', { png: pictureOf(8) })
    const file = { base64: await make(), passphrase: PASSPHRASE }
    if (before !== null) await result('logo.put', { png: before }, there)
    const stored = stateOf(other)
    const { db, logo } = other.core
    let atTheEnd: Uint8Array | null = null
    // Runs last in the transaction, right before the commit.
    db.rideAlong(() => {
      if (atTheEnd !== null) return
      atTheEnd = logo.read()
      throw new Error('stopped here')
    })
    await expect(other.control.perform('backup.restore', file, { asker: 'test' })).rejects.toThrow('stopped here')
    expect(atTheEnd).toEqual(Buffer.from(pictureOf(8), 'base64'))
    expect(stateOf(other)).toEqual(stored)
  })

  it('is refused whole when there is no room for its people', async () => {
    await result('users.add', { name: 'Max', role: 'manager', password: 'a door of my own', ownPassword: PASSWORD })
    for (let n = 0; n < 49; n++) other.access.users.add({ name: `P${n}`, role: 'manager', password: 'x' }, 0)
    const before = stateOf(other)
    const answer = await restoring({ base64: await make(), passphrase: PASSPHRASE, people: ['Max'] })
    expect([answer.status, answer.body.said.key]).toEqual([409, 'user.too-many'])
    expect(stateOf(other)).toEqual(before)
  })
})

describe('a backup file', () => {
  it('is another one each time, though nothing has changed', async () => {
    const [one, two] = [Buffer.from(await make(), 'base64'), Buffer.from(await make(), 'base64')]
    const headers = [one, two].map((bytes) => JSON.parse(bytes.subarray(0, bytes.indexOf('\n')).toString()))
    expect(headers[0]).toMatchObject({ format: 'ticketrail-backup', version: 2, kdf: { N: 32_768, r: 8, p: 4 } })
    expect(headers[0].kdf.salt).not.toBe(headers[1].kdf.salt)
    expect(headers[0].cipher.nonce).not.toBe(headers[1].cipher.nonce)
    expect(() => gunzipSync(one)).toThrow()
  })
})
