// `admin` as a program beside the relay as a program: which of them does the work, and that neither waits for the other's lock.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { compiledCode, fromBundle } from '#test/harness/compiled-code.ts'
import { Program } from '#test/harness/program.ts'

let dir: string
let env: Record<string, string>
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'ticketrail-admin-'))
  env = {
    CLOUD_DATABASE: join(dir, 'relay.db'),
    CLOUD_MASTER_KEY: randomBytes(32).toString('base64'),
    CLOUD_HTTP_PORT: '0',
    CLOUD_MQTT_PORT: '0',
  }
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

interface Ran {
  code: number
  out: string
  err: string
}

async function admin(...args: string[]): Promise<Ran> {
  return ended(line({ CLOUD_MASTER_KEY: '' }, ...args))
}

function line(extra: Record<string, string>, ...args: string[]): ChildProcess {
  const [file = '', ...words] = fromBundle([process.execPath, 'cloud/main.ts'])
  return spawn(file, [...words, ...(args.length > 0 ? ['admin', ...args] : [])], {
    env: { PATH: process.env['PATH'], ...compiledCode(process.execPath, 'lines'), ...env, ...extra },
  })
}

async function ended(child: ChildProcess): Promise<Ran> {
  const ran: Ran = { code: -1, out: '', err: '' }
  child.stdout?.on('data', (chunk) => {
    ran.out += chunk
  })
  child.stderr?.on('data', (chunk) => {
    ran.err += chunk
  })
  const [code] = await once(child, 'close')
  return { ...ran, code }
}

test('a running relay does the work: what needs its master key works without one at the command line', async () => {
  const relay = new Program('cloud/main.ts', env, false)
  await relay.start()
  try {
    const made = await admin('accounts', 'create', '--name', 'Bistro Ltd', '--json')
    expect([made.code, made.err]).toEqual([0, ''])
    const { accountId } = JSON.parse(made.out)
    await admin('accounts', 'approve', '--account', accountId, '--plan', 'starter')
    const zone = ['--time-zone', 'Europe/Paris', '--json']
    const merchant = await admin('merchants', 'create', '--account', accountId, '--name', 'Bistro', ...zone)
    const { merchantId } = JSON.parse(merchant.out)
    const url = ['--url', 'https://pos.example/hook']
    expect(await admin('pos', 'connect', '--merchant', merchantId, '--account', accountId, ...url)).toMatchObject({
      code: 0,
    })
  } finally {
    await relay.kill('SIGTERM')
  }
})

test('a relay that was killed leaves no hold and no socket in the way: alone and with the next relay the command works', async () => {
  const relay = new Program('cloud/main.ts', env, false)
  await relay.start()
  await relay.kill('SIGKILL')
  expect(await admin('accounts', 'create', '--name', 'One')).toMatchObject({ code: 0, err: '' })
  await relay.start()
  expect(await admin('accounts', 'create', '--name', 'Two')).toMatchObject({ code: 0, err: '' })
  await relay.kill('SIGTERM')
  expect(readdirSync(dir)).not.toContain('relay.db.sock')
})

test('the command does not wait for a suspended relay: one line and 75, and nothing is done when the relay resumes', async () => {
  const relay = new Program('cloud/main.ts', env, false)
  await relay.start()
  relay.signal('SIGSTOP')
  const { code, err } = await admin('accounts', 'create', '--name', 'One')
  relay.signal('SIGCONT')
  expect([code, err.trim().split('\n').length]).toEqual([75, 1])
  expect(err).toContain('does not answer')
  expect(JSON.parse((await admin('accounts', 'list', '--json')).out)).toEqual([])
  await relay.kill('SIGTERM')
})

test('twelve commands and a relay that starts among them all get through', async () => {
  await admin('accounts', 'create', '--name', 'First')
  const relay = new Program('cloud/main.ts', env, false)
  const commands = Array.from({ length: 12 }, (_, i) => admin('accounts', 'create', '--name', `Account ${i}`))
  const [, ...ran] = await Promise.all([relay.start(), ...commands])
  await relay.kill('SIGTERM')
  expect(ran.map(({ code }) => code)).toEqual(commands.map(() => 0))
  // A program that waited for another has said so, once.
  for (const { err } of ran) expect(err).toMatch(/^(The database \S+ is in use, .+ waiting up to 15 s .+\n)?$/)
  expect(JSON.parse((await admin('accounts', 'list', '--json')).out)).toHaveLength(13)
})

test('with another socket than the relay’s, a command reports at once what it waits for', async () => {
  const relay = new Program('cloud/main.ts', env, false)
  await relay.start()
  const socket = join(dir, 'other.sock')
  const waiting = line({ CLOUD_ADMIN_SOCKET: socket }, 'accounts', 'list')
  try {
    const [said] = await once(waiting.stderr ?? waiting, 'data')
    expect(`${said}`).toBe(
      `The database ${env['CLOUD_DATABASE']} is in use, and no relay answers at ${socket} yet: waiting up to 15 s for it, or for the other command to end.\n`,
    )
    expect(waiting.exitCode).toBe(null)
  } finally {
    waiting.kill('SIGKILL')
    await once(waiting, 'close')
    await relay.kill('SIGTERM')
  }
})

test('a second relay on the database ends with 75 and one line that names the setting; the first continues', async () => {
  const relay = new Program('cloud/main.ts', env, false)
  const { httpUrl } = await relay.start()
  const second = await ended(line({}))
  expect([second.code, second.out.trim().split('\n').length]).toEqual([75, 1])
  expect(second.out).toMatch(/in use by another program: .*CLOUD_DATABASE/)
  expect((await fetch(`${httpUrl}/readyz`)).status).toBe(200)
  await relay.kill('SIGTERM')
})
