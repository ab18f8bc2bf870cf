// The relay as a process on a PostgreSQL server that goes away and comes back, is killed, takes no writes, or is none.
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '#shared/clock.ts'
import { runRelayToEnd } from '#test/harness/command-line.ts'
import { PostgresServer, postgresPrograms } from '#test/harness/postgres-server.ts'
import { Program } from '#test/harness/program.ts'
import { createSandboxAccount, type SandboxAccount } from './sandbox/fixtures.ts'
import { PostgresDatabase } from './storage/postgres/postgres-database.ts'

if (postgresPrograms() === null)
  process.stderr.write("cloud/postgres.program.test.ts is skipped: Debian's postgresql is not installed\n")

describe.runIf(postgresPrograms() !== null)('a relay on PostgreSQL', () => {
  let server: PostgresServer
  let dir: string
  let url: string
  let account: SandboxAccount
  let relay: Program
  let httpUrl: string

  beforeAll(async () => {
    server = await PostgresServer.start({ settings: { fsync: 'on', full_page_writes: 'on' } })
  })
  afterAll(() => server.remove())
  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), 'ticketrail-postgres-relay-'))
    url = await newDatabase()
  })
  afterEach(() => rmSync(dir, { recursive: true, force: true }))

  const MASTER_KEY = randomBytes(32).toString('base64')
  const envOf = (DATABASE_URL: string): Record<string, string> => ({
    DATABASE_URL,
    CLOUD_DATABASE: join(dir, 'not-used.db'),
    CLOUD_MASTER_KEY: MASTER_KEY,
    CLOUD_HTTP_PORT: '0',
    CLOUD_MQTT_PORT: '0',
    CLOUD_DRAIN_SECONDS: '0',
  })
  async function newDatabase(): Promise<string> {
    const name = `relay_${randomBytes(6).toString('hex')}`
    await onServer(`create database ${name} template template0`)
    return server.url(name)
  }
  async function onServer(statement: string): Promise<void> {
    const client = new Client({ connectionString: server.url() })
    await client.connect()
    await client.query(statement)
    await client.end()
  }
  const runToEnd = (over: Record<string, string>, ...args: string[]) => runRelayToEnd({ ...envOf(url), ...over }, args)

  describe('that runs', () => {
    beforeEach(async () => {
      const db = await PostgresDatabase.open({ url })
      account = await createSandboxAccount({ db, clock: systemClock }, { name: 'Test' })
      await db.close()
      relay = new Program('cloud/main.ts', envOf(url), true)
      httpUrl = (await relay.start()).httpUrl
    })
    afterEach(async () => {
      await relay.kill('SIGKILL')
    })
    const inject = (orderId: string) =>
      fetch(`${httpUrl}/v1/order/inject`, {
        method: 'POST',
        headers: { authorization: `Bearer ${account.apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          ...{ merchantId: 'M-TEST-001', orderId, source: 's', total: 1 },
          items: [{ umsId: 'UMS-FRIES-01', qty: 1, price: 1 }],
        }),
      })
    const statusOf = async (orderId: string) => (await inject(orderId)).status
    const readyz = async (): Promise<Record<string, unknown>> => {
      const answer = await fetch(`${httpUrl}/readyz`)
      const { checks } = (await answer.json()) as { checks: Record<string, boolean> }
      return { status: answer.status, ...checks }
    }
    const said = (words: RegExp) => relay.log.filter(({ msg }) => words.test(msg)).length

    test.each<['stop' | 'kill', string]>([
      ['stop', 'is stopped in order'],
      ['kill', 'loses its power'],
    ])(
      'whose server %s: orders are refused by name meanwhile, and taken again by itself, with all that was taken before',
      async (end) => {
        const first = (await (await inject('before')).json()) as { serviceOrderId: string }
        await server[end]()
        await expect.poll(() => statusOf('meanwhile')).toBe(503)
        const refused = await inject('meanwhile')
        expect(await refused.json()).toMatchObject({
          code: 'service.unavailable',
          message: 'The database of the relay cannot be reached. Nothing of this call was kept.',
        })
        expect(refused.headers.get('retry-after')).toBe('2')
        expect(await readyz()).toMatchObject({ status: 503, database: false })
        await server.run()
        await expect.poll(() => statusOf('meanwhile')).toBe(200)
        const again = (await (await inject('before')).json()) as { serviceOrderId: string }
        expect(again.serviceOrderId).toBe(first.serviceOrderId)
        expect(await readyz()).toMatchObject({ status: 200, database: true })
        expect([said(/cannot be reached/), said(/database is back/)]).toEqual([1, 1])
      },
    )

    test('that takes no writes any more refuses orders, and takes them when it does again', async () => {
      const name = new URL(url).pathname.slice(1)
      const readOnly = async (on: boolean) => {
        await onServer(`alter database ${name} set default_transaction_read_only = ${on}`)
        await onServer(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
      }
      await readOnly(true)
      await expect.poll(async () => (await readyz())['writable']).toBe(false)
      expect(await statusOf('meanwhile')).toBe(503)
      await readOnly(false)
      await expect.poll(() => statusOf('meanwhile')).toBe(200)
    })

    test('ends in order, and the next one continues', async () => {
      expect(await statusOf('a')).toBe(200)
      expect(await relay.kill('SIGTERM')).toBe(0)
      httpUrl = (await relay.start()).httpUrl
      expect(await statusOf('a')).toBe(200)
      expect(await statusOf('b')).toBe(200)
    })

    describe('and drains', () => {
      let client: Client
      beforeEach(async () => {
        await relay.kill('SIGTERM')
        httpUrl = (await relay.start({ CLOUD_DRAIN_SECONDS: '999' })).httpUrl
        client = new Client({ connectionString: url })
        await client.connect()
      })
      afterEach(() => client.end())

      test('holds no lease while it serves on', async () => {
        const held = async () => (await client.query(`select name from leases where holder <> ''`)).rowCount
        expect(await held()).toBeGreaterThan(0)
        relay.signal('SIGTERM')
        await expect.poll(held).toBe(0)
        expect(await statusOf('late')).toBe(200)
      })

      test('does not wait for a database that cannot take its leases back', async () => {
        await client.query('begin; select from leases for update')
        relay.signal('SIGTERM')
        await expect.poll(() => said(/^draining/)).toBe(1)
        expect(said(/leases were not given back/)).toBe(0)
        expect((await readyz())['running']).toBe(false)
        await client.query('rollback')
      })
    })

    test('works beside another one on its database: an order that one has taken is the same at the other', async () => {
      const second = new Program('cloud/main.ts', envOf(url), true)
      const urls = [httpUrl, (await second.start()).httpUrl]
      const answers: unknown[] = []
      for (const at of urls) {
        httpUrl = at
        const answer = await inject('same')
        answers.push([answer.status, await answer.text()])
      }
      expect(answers[1]).toEqual(answers[0])
      expect(await second.kill('SIGTERM')).toBe(0)
    })

    test('starts no second one with another master key, before there is any secret', async () => {
      const { code, lines } = await runToEnd({ CLOUD_MASTER_KEY: randomBytes(32).toString('base64') })
      expect([code, lines.length]).toEqual([78, 1])
      expect(lines[0]).toContain('CLOUD_MASTER_KEY is another one than that of this database')
    })

    test('has a command of the operator done by any relay of its database that runs, and by none of another one', async () => {
      const second = new Program('cloud/main.ts', envOf(url), true)
      await second.start()
      const other = new Program('cloud/main.ts', { ...envOf(url), DATABASE_URL: '' }, true)
      await other.start()
      await relay.kill('SIGKILL')
      // Only a relay can seal a secret: the command line has no key.
      const byRelay = async (...args: string[]) => {
        const { code, lines } = await runToEnd({ CLOUD_MASTER_KEY: '' }, 'admin', ...args, '--json')
        expect([lines, code]).toEqual([expect.anything(), 0])
        return JSON.parse(lines.join('')) as Record<string, string>
      }
      const { accountId = '' } = await byRelay('accounts', 'create', '--name', 'Right place')
      const of = ['--account', accountId]
      await byRelay('accounts', 'approve', ...of, '--plan', 'starter')
      const { merchantId = '' } = await byRelay(
        'merchants',
        'create',
        ...of,
        '--name',
        'B',
        '--time-zone',
        'Europe/Paris',
      )
      await byRelay('pos', 'connect', ...of, '--merchant', merchantId, '--url', 'https://pos.example/hook')
      const names = async (extra: Record<string, string>) =>
        (await runToEnd(extra, 'admin', 'accounts', 'list', '--json')).lines.join()
      expect(await names({})).toContain('Right place')
      expect(await names({ DATABASE_URL: '' })).not.toContain('Right place')
      // Even by a socket that is named.
      const socket = { CLOUD_ADMIN_SOCKET: `${envOf(url)['CLOUD_DATABASE']}.sock` }
      const wrong = await runToEnd(socket, 'admin', 'accounts', 'create', '--name', 'Wrong place')
      expect([wrong.code, wrong.lines.length]).toEqual([1, 1])
      expect(wrong.lines[0]).toMatch(/works on another database than the database "relay_.*Nothing was done/)
      expect(await names({ DATABASE_URL: '' })).not.toContain('Wrong place')
      expect([await second.kill('SIGTERM'), await other.kill('SIGTERM')]).toEqual([0, 0])
    })
  })

  test('a command without DATABASE_URL is refused beside a relay that has it, and creates no file', async () => {
    const env = envOf(url)
    const running = new Program('cloud/main.ts', env, false)
    onTestFinished(async () => void (await running.kill('SIGKILL')))
    await running.start()
    for (const words of [
      ['accounts', 'list'],
      ['accounts', 'create', '--name', 'Lost'],
    ])
      expect(await runToEnd({ DATABASE_URL: '' }, 'admin', ...words)).toEqual({
        code: 1,
        lines: [
          expect.stringMatching(/^A relay on PostgreSQL runs here \(.*\.sock\), .*DATABASE_URL.* Nothing was done\.$/),
        ],
      })
    expect(existsSync(env['CLOUD_DATABASE'] ?? '')).toBe(false)
    await running.kill('SIGKILL')
    // A socket that it left behind answers no command.
    expect(await runToEnd({ DATABASE_URL: '' }, 'admin', 'accounts', 'list')).toEqual({
      code: 1,
      lines: [expect.stringMatching(/^There is no database at .* CLOUD_DATABASE.* DATABASE_URL/)],
    })
  })

  test('a second relay with the same ports is refused, with the settings to change', async () => {
    const first = new Program('cloud/main.ts', envOf(url), false)
    onTestFinished(async () => void (await first.kill('SIGKILL')))
    const { httpUrl: taken } = await first.start()
    const { port } = new URL(taken)
    await first.kill('SIGTERM')
    await first.start({ CLOUD_HTTP_PORT: port })
    const { code, lines } = await runToEnd({ CLOUD_HTTP_PORT: port })
    await first.kill('SIGTERM')
    expect([code, lines.length]).toEqual([78, 1])
    expect(lines[0]).toMatch(/is in use by another relay: .*CLOUD_HTTP_PORT.*CLOUD_ADMIN_SOCKET/)
  })

  test.each<[string, (url: URL) => void, number, RegExp]>([
    ['no server there', (u) => (u.port = '1'), 75, /at 127\.0\.0\.1:1 cannot be reached \(ECONNREFUSED\)/],
    ['no such database', (u) => (u.pathname = '/none'), 78, /the database "none" .* does not exist/],
    ['no TLS at the server', (u) => (u.search = '?sslmode=verify-full'), 78, /speaks no TLS: .* DATABASE_URL/],
    ['no such file', (u) => (u.search = '?sslrootcert=/none'), 78, /DATABASE_URL names the file \/none, which cannot/],
    ['no such host', (u) => (u.hostname = 'db.invalid'), 75, /at db\.invalid:\d+ cannot be found: .* DATABASE_URL/],
    ['an escape that is none', (u) => (u.pathname = '/d%zz'), 78, /DATABASE_URL must be postgres:.* percent-encoded/],
    [
      'a password without escapes',
      (u) => (u.pathname = '/hunter2@h:5432/d'),
      78,
      /DATABASE_URL must be .* percent-encoded/,
    ],
    ['an unknown sslmode', (u) => (u.search = '?sslmode=maybe'), 78, /DATABASE_URL must have the sslmode disable, /],
    ['no such user', (u) => (u.username = 'nobody'), 78, /refuses DATABASE_URL's user or password/],
  ])(
    'with %s, it ends with one line that says so, without the password, and so does a command',
    async (_, change, code, words) => {
      const wrong = new URL(url)
      wrong.password = 'hunter2'
      change(wrong)
      const settings = { DATABASE_URL: wrong.href, CLOUD_METRICS_PORT: '0' }
      const ended = await runToEnd(settings)
      expect(ended.lines).toHaveLength(1)
      expect((JSON.parse(ended.lines[0] ?? '') as { msg: string }).msg).toMatch(words)
      expect(ended.lines[0]).not.toContain('hunter2')
      expect(ended.code).toBe(code)
      const asked = await runToEnd(
        { ...settings, CLOUD_DATABASE: join(dir, 'far', 'x.db') },
        ...['admin', 'accounts', 'list'],
      )
      expect([asked.code, asked.lines]).toEqual([code, [expect.stringMatching(words)]])
      expect(asked.lines[0]).not.toContain('hunter2')
    },
  )

  test('with a role that may have fewer connections than it needs, it names the limit to raise', async () => {
    await onServer(`create role few login superuser`)
    await onServer(`alter role few nosuperuser connection limit 1`)
    const mine = new URL(await newDatabase())
    await onServer(`alter database ${mine.pathname.slice(1)} owner to few`)
    mine.username = 'few'
    const { code, lines } = await runToEnd({ DATABASE_URL: mine.href })
    expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
      expect.stringMatching(/no connection free .*connection limit .*CLOUD_DB_SLOTS/),
    ])
    expect(code).toBe(75)
  })

  test('with an invalid DATABASE_URL, it describes the form, without the value', async () => {
    const { code, lines } = await runToEnd({ DATABASE_URL: 'mysql://root:hunter2@localhost/x' })
    expect([code, lines.length]).toEqual([78, 1])
    expect(lines[0]).toContain('DATABASE_URL must be postgres://USER:PASSWORD@HOST:PORT/DATABASE')
    expect(lines[0]).not.toContain('hunter2')
  })
})
