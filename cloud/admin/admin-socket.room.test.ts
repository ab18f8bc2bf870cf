// The admin socket: a command of the operator runs in the relay, and its words, files and exit code cross a real socket.
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { SecretBox } from '#cloud/webhooks/secret-box.ts'
import { TargetGuard } from '#cloud/webhooks/target-guard.ts'
import { LineError } from '#shared/cli/command.ts'
import { type Clock, systemClock } from '#shared/clock.ts'
import { newId } from '#shared/ids.ts'
import { LocalSocketInUse } from '#shared/local/local-socket.ts'
import { createLogger } from '#shared/log.ts'
import { VERSION } from '#shared/version.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { RelayApi } from '#test/doubles/relay-api.ts'
import { MENU } from '#test/fixtures/admin-desk.ts'
import { AdminSocket } from './admin-socket.ts'
import { type AskedDatabase, askRelay, SilentRelay } from './ask-relay.ts'
import { lineMessage, listenTo, relayMessage, say } from './line-channel.ts'

let dir: string
let path: string
let api: RelayApi
let socket: AdminSocket
let logged: string
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'ticketrail-admin-'))
  path = join(dir, 'relay.db.sock')
  api = await RelayApi.open()
  logged = ''
  socket = makeSocket()
  await socket.start()
})
afterEach(async () => {
  await socket.stop()
  await api.close()
  rmSync(dir, { recursive: true, force: true })
})

function makeSocket(): AdminSocket {
  const { db, clock } = api
  const secretBox = new SecretBox(Buffer.alloc(32, 3))
  const output = {
    write: (text: string) => {
      logged += text
    },
  }
  return new AdminSocket({
    path,
    database: MARK,
    deps: { db, clock, secretBox, guard: new TargetGuard({ allowCidrs: ['127.0.0.0/8'] }) },
    log: createLogger('cloud', 'info', { destination: output as never }),
  })
}

const MARK = 'a1b2c3'
const run = (...args: string[]) => runBefore(systemClock, args)

async function runBefore(
  waits: Pick<Clock, 'after'>,
  args: string[],
  asked: Partial<AskedDatabase> = {},
): Promise<{ code: number | null; out: string; err: string }> {
  const ran = { out: '', err: '' }
  const code = await askRelay({
    args,
    socketPath: path,
    database: { mark: MARK, words: 'the file relay.db', isServer: false, ...asked },
    caller: { callerUid: process.getuid?.() ?? 0, database: join(dir, 'relay.db') },
    clock: waits,
    write: (text) => {
      ran.out += text
    },
    writeError: (text) => {
      ran.err += text
    },
    readFile: async (name) => {
      try {
        return readFileSync(join(dir, name), 'utf8')
      } catch {
        throw new LineError(`${name} cannot be read`)
      }
    },
  })
  return { code, ...ran }
}

const importMenu = () =>
  run('items', 'import', '--merchant', 'M-TEST-001', '--account', api.account.accountId, '--file', 'menu.csv', '--json')

test('a command answers as it does without a relay: its words, and 0, 1 or 64', async () => {
  const made = await run('accounts', 'create', '--name', 'Bistro Ltd', '--json')
  expect([made.code, made.err]).toEqual([0, ''])
  expect(JSON.parse(made.out)).toMatchObject({ accountId: expect.stringMatching(/^acc_/) })
  expect(await run('accounts', 'approve', '--account', newId('acc', 0), '--plan', 'starter')).toMatchObject({
    code: 1,
    out: '',
  })
  expect(await run('accounts', 'creat')).toMatchObject({ code: 2, err: expect.stringContaining('accounts create') })
})

test.each<[string, Partial<AskedDatabase>]>([
  ['another file', { mark: 'd4e5f6' }],
  ['one on PostgreSQL', { mark: 'd4e5f6', words: 'the database "x" at db:5432', isServer: true }],
])('a relay of another database than that of the command, %s, is asked nothing', async (_, asked) => {
  const made = runBefore(systemClock, ['accounts', 'create', '--name', 'Wrong place'], asked)
  await expect(made).rejects.toThrow(/works on another database than the .*Nothing was done/)
  const accounts = await run('accounts', 'list', '--json')
  expect(accounts.out).not.toContain('Wrong place')
})

test('a file of the operator is read by the command line, not by the relay', async () => {
  expect(await importMenu()).toMatchObject({ code: 1, err: expect.stringContaining('menu.csv cannot be read') })
  writeFileSync(join(dir, 'menu.csv'), MENU, { mode: 0o600 })
  const { code, out } = await importMenu()
  expect([code, JSON.parse(out)]).toMatchObject([0, { items: 2 }])
})

test('only the own user may open the socket', () => {
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

describe('a program that has put itself in the place of the relay', () => {
  let asked: string[]
  let handed: string[]
  let impostor: Server
  /** Greets with this version, and answers the command with these messages, one after each of the other side's. */
  async function impostorSays(...messages: object[]): Promise<void> {
    const { version } = messages[0] as { version?: string }
    if (version !== undefined) messages.shift()
    await socket.stop()
    asked = []
    handed = []
    impostor = createServer((line) => {
      line.on('error', () => {})
      say(line, { t: 'version', version: version ?? VERSION })
      listenTo(line, lineMessage, (message) => {
        if (message.t === 'run') asked.push(message.args.join(' '))
        else handed.push(message.t === 'file' ? message.text : message.why)
        for (;;) {
          const next = messages.shift()
          if (!next) return void line.end()
          line.write(`${JSON.stringify(next)}\n`)
          if ('t' in next && next.t === 'read') return
        }
      })
    }).listen({ path })
    await once(impostor, 'listening')
  }
  afterEach(() => impostor.close())
  const MENU_LINE = ['items', 'import', '--merchant', 'M-1', '--file']
  const read = (name: string) => ({ t: 'read', path: name })
  const end = { t: 'end', code: 0 }

  test.each([
    ['of a command that names none', ['accounts', 'list'], 'secret'],
    ['that stands in no option that names a file', ['accounts', 'create', '--name', 'secret'], 'secret'],
    ['that is another one than is named', [...MENU_LINE, 'menu.csv'], './menu.csv'],
    ['of a line that it can not understand', [...MENU_LINE, 'secret', '--what'], 'secret'],
  ])('is handed no file %s', async (_, args, name) => {
    for (const file of ['secret', 'menu.csv']) writeFileSync(join(dir, file), 'hidden')
    await impostorSays(read(name), end)
    await expect(run(...args)).rejects.toThrow(/asked for a file that the command does not name: /)
    expect([asked.length, handed]).toEqual([1, []])
  })

  test.each([[[...MENU_LINE, 'menu.csv']], [[...MENU_LINE.slice(0, -1), '--file=menu.csv', '--json']]])(
    'gets the one that %j names',
    async (args) => {
      writeFileSync(join(dir, 'menu.csv'), 'menu')
      await impostorSays(read('menu.csv'), end)
      expect(await run(...args)).toMatchObject({ code: 0 })
      expect(handed).toEqual(['menu'])
    },
  )

  test('writes nothing to the terminal that a terminal obeys', async () => {
    const hostile = 'ok\u001b]0;pwn\u0007\u202e'
    const said = [{ t: 'version', version: hostile }, { t: 'out', text: hostile }, { t: 'error', text: hostile }, end]
    await impostorSays(...said)
    const { out, err } = await run('accounts', 'list')
    expect(out).toBe('ok?]0;pwn??')
    expect(err.match(/ok\?\]0;pwn\?\?/g)).toHaveLength(2)
    await impostorAgain(...said)
    expect((await run('accounts', 'list', '--json')).out).toBe('ok\\u001b]0;pwn\\u0007\\u202e')
  })

  test('gets no request where any user could have created it', async () => {
    await impostorSays(end)
    chmodSync(dir, 0o777)
    await expect(run('accounts', 'list')).rejects.toThrow(/Nothing was asked at the socket .*every user can write/)
    expect(asked).toEqual([])
  })

  async function impostorAgain(...messages: object[]): Promise<void> {
    impostor.close()
    await impostorSays(...messages)
  }
})

test('a command line that goes away in the middle ends its command', async () => {
  const line = connect({ path })
  const asked = new Promise<void>((resolve) => {
    listenTo(line, relayMessage, (message) => message.t === 'read' && resolve())
  })
  const args = ['items', 'import', '--merchant', 'M-TEST-001', '--account', api.account.accountId, '--file', 'menu.csv']
  say(line, { t: 'run', version: 'x', args })
  await asked
  line.destroy()
  // It waits for every command that runs.
  await socket.stop()
})

test.each([
  ['no JSON', 'run\n'],
  ['an unknown message', '{"t":"shell","args":["rm"]}\n'],
  ['a field too many', '{"t":"run","version":"1","args":[],"as":"root"}\n'],
])('%s ends the connection, and the next command runs', async (_, text) => {
  const line = connect({ path })
  line.on('error', () => {}).resume()
  line.write(text)
  await once(line, 'close')
  expect(await run('accounts', 'list')).toMatchObject({ code: 0 })
})

test('distinguishes a missing relay from one without permission', async () => {
  await socket.stop()
  expect(await run('accounts', 'list')).toEqual({ code: null, out: '', err: '' })
})

test('does not wait for a relay that does not answer, and sends it nothing that it would do when it resumes', async () => {
  await socket.stop()
  let asked = ''
  const silent = createServer((line) => line.on('data', (chunk) => (asked += String(chunk))))
  silent.listen({ path })
  await once(silent, 'listening')
  const armed = Promise.withResolvers<() => void>()
  const after: Clock['after'] = (_, fn) => {
    armed.resolve(fn)
    return () => {}
  }
  const connected = once(silent, 'connection')
  const ran = runBefore({ after }, ['accounts', 'list'])
  const [line] = await connected
  const closed = once(line, 'close')
  const refusal = expect(ran).rejects.toThrow(SilentRelay)
  const patienceEnds = await armed.promise
  patienceEnds()
  await refusal
  await closed
  expect(asked).toBe('')
  silent.close()
})

test('a command that was held up itself reads the relay’s answer before it gives up', async () => {
  await socket.stop()
  const relay = createServer((other) => {
    listenTo(other, lineMessage, () => {
      say(other, { t: 'end', code: 3 })
      other.end()
    })
  })
  relay.listen({ path })
  await once(relay, 'listening')
  const armed = Promise.withResolvers<() => void>()
  const after: Clock['after'] = (_, fn) => {
    armed.resolve(fn)
    return () => {}
  }
  const connected = once(relay, 'connection')
  const ran = runBefore({ after }, ['accounts', 'list'])
  const [other] = await connected
  const patienceEnds = await armed.promise
  // As after a pause: the message is in the socket when the timers run.
  setTimeout(() => {
    say(other, { t: 'version', version: 'x' })
    patienceEnds()
  })
  expect(await ran).toMatchObject({ code: 3 })
  relay.close()
})

test('a command that has begun may take as long as it takes', async () => {
  const waits = new ManualClock()
  const line = createServer((other) => {
    say(other, { t: 'version', version: 'x' })
    listenTo(
      other,
      lineMessage,
      () =>
        void waits
          .advance(3_600_000)
          .then(() => say(other, { t: 'end', code: 3 }))
          .then(() => other.end()),
    )
  })
  await socket.stop()
  line.listen({ path })
  await once(line, 'listening')
  expect(await runBefore(waits, ['accounts', 'list'])).toMatchObject({ code: 3 })
  line.close()
})

test('a second relay at the same socket is refused, and the first continues', async () => {
  await expect(makeSocket().start()).rejects.toThrow(LocalSocketInUse)
  expect(await run('accounts', 'list')).toMatchObject({ code: 0 })
})

test('a path that no socket can have is logged, and the relay continues without', async () => {
  await socket.stop()
  path = join(dir, 'x'.repeat(120))
  socket = makeSocket()
  await socket.start()
  expect(logged).toContain('CLOUD_ADMIN_SOCKET')
})
