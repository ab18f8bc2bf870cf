// What a technician sees of the commands that look after a box: words for people, JSON for scripts, exit codes, and which stream says what.
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ownPort } from '#test/doubles/own-port.ts'
import { VirtualPrinter } from '#test/doubles/virtual-printer.ts'
import { type LineResult, runLineOf } from '#test/harness/command-line.ts'
import { gatewayProgram } from '#test/harness/gateway-program.ts'
import { Program } from '#test/harness/program.ts'

const dir = mkdtempSync(join(tmpdir(), 'technician-'))
const printer = new VirtualPrinter()
const env: Record<string, string> = {
  GATEWAY_DATABASE: join(dir, 'box/gateway.db'),
  GATEWAY_PAIRING_FILE: join(dir, 'box/pairing.json'),
}
const gateway = new Program('run', env, true, [], gatewayProgram())
const run = (args: readonly string[], input = '', more: Record<string, string> = {}): Promise<LineResult> =>
  runLineOf({ ...env, ...more }, args, input, gatewayProgram())

/** Runs a line with --json that must succeed, and say nothing beside it. */
async function json(...args: string[]): Promise<LineResult['json']> {
  const { code, err, json: answer } = await run([...args, '--json'])
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return answer
}

const partsOf = (doctor: LineResult): Map<string, string> =>
  new Map(doctor.json.map(({ name, result }: { name: string; result: string }) => [name, result]))

beforeAll(async () => {
  const { host, port } = await printer.start()
  env['GATEWAY_PRINTERS'] = `Grill=${host}:${port}`
  env['GATEWAY_HTTP_PORT'] = String(await ownPort())
})
afterAll(async () => {
  await gateway.kill('SIGKILL')
  await printer.stop()
  rmSync(dir, { recursive: true, force: true })
})

describe('a line that is not understood', () => {
  it('is on standard error with exit code 2 when the line was not understood', async () => {
    const wrong = await run(['docter'])
    expect(wrong).toMatchObject({ code: 2, out: '', err: expect.stringContaining('Did you mean: doctor') })
    const option = await run(['backup', '--fast'])
    expect(option).toMatchObject({ code: 2, out: '', err: expect.stringContaining("Unknown option '--fast'") })
    const missing = await run(['restore', '--json'])
    expect(JSON.parse(missing.err).error).toContain('<file> is missing')
  })
})

describe('a box whose gateway does not run', () => {
  it('has a version', async () => {
    expect(await run(['--version'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^ticketrail-gateway \d+\.\d+/),
    })
  })

  it.each(['status', 'discover', 'printers list', 'jobs list', 'pair 00000-00000', 'displays list', 'logs', 'backup'])(
    'says so for %s, with exit code 3 and nothing on standard output',
    async (line) => {
      const args = line.split(' ')
      const result = await run(args)
      expect(result).toMatchObject({ code: 3, out: '', err: expect.stringContaining('The gateway is not running') })
      expect(JSON.parse((await run([...args, '--json'])).err).error).toContain('not running')
    },
  )

  it('is examined by doctor all the same, which finds the process that has its port', async () => {
    const other = createServer()
    const port = Number(env['GATEWAY_HTTP_PORT'])
    await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve))
    const taken = await run(['doctor'])
    await new Promise((resolve) => other.close(resolve))
    expect(taken).toMatchObject({ code: 3, err: '' })
    expect(taken.out).toMatch(/^FAIL +gateway +not running\. Start it: systemctl start/m)
    expect(taken.out).toMatch(new RegExp(`^FAIL +page port +another program has port ${port}`, 'm'))
    const free = await run(['doctor', '--json'])
    expect(partsOf(free).get('page port')).toBe('pass')
    expect(free.code).toBe(3)
  })
})

describe('a box that runs', () => {
  beforeAll(async () => {
    await gateway.start()
  })

  it('is well by doctor, except for what a fresh box still lacks', async () => {
    await run(['printers', 'set', 'Grill', '--default'])
    const { code, out, err } = await run(['doctor'])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(/^RESULT +PART +FOUND$/m)
    expect(out).toMatch(/^PASS +gateway +ticketrail-gateway\S* is ready/m)
    expect(out).toMatch(/^WARN +pairing +Not paired\./m)
    expect(out).toMatch(/^WARN +people +Nobody can sign in yet/m)
    const parts = partsOf(await run(['doctor', '--json']))
    for (const part of ['page', 'disk', 'memory', 'clock', 'database', 'update', 'default printer', 'queue'])
      expect(parts.has(part), part).toBe(true)
    expect([...parts.keys()].some((part) => part === 'printer Grill')).toBe(true)
  })

  it('shows where its page is, and the code of the first user where a log does not see it', async () => {
    const status = await json('status')
    expect(status.pageUrls[0]).toBe(`http://127.0.0.1:${env['GATEWAY_HTTP_PORT']}/`)
    expect((await run(['status'])).out).toContain(status.pageUrls[0])
    const told = await run(['welcome'])
    expect(told.out).toContain(status.pageUrls[0])
    expect(told.out).toMatch(/[█▀▄]{10}/)
    expect(told.out).toMatch(/Set-up code of the first user: \S{4,}/)
    expect(told.out).toMatch(/^(?:1 printer is|(?!1 )\d+ printers are) set up\.$/m)
    expect((await run(['welcome', '--without-code'])).out).toContain(
      'set-up code of the first user: npm run -s gateway -- welcome',
    )
  })

  it('gives a screen a code, once, and takes the screen away', async () => {
    const added = await json('displays', 'add', 'Pass', '--backup-printer', 'Grill')
    expect(added).toMatchObject({ code: expect.any(String), path: expect.stringContaining('/') })
    const [screen] = await json('displays', 'list')
    expect(screen).toMatchObject({ name: 'Pass', stations: [], signedInAt: null })
    const again = await run(['displays', 'code', 'pass'])
    expect(again.out).toContain(`http://127.0.0.1:${env['GATEWAY_HTTP_PORT']}/`)
    expect(again.out).not.toContain(added.code)
    const listed = await run(['displays', 'list'])
    expect(listed.out).toMatch(/Pass +expo +not signed in/)
    expect((await run(['doctor'])).out).toMatch(/^WARN +display Pass +No screen has signed in/m)
    expect(await run(['displays', 'code', 'Bar'])).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('There is no display Bar. There are: Pass.'),
    })
    expect((await run(['displays', 'remove', screen.displayId])).out).toBe('Removed.\n')
    expect(await json('displays', 'list')).toEqual([])
  })

  it('asks for the claim code, so that it is in no list of processes, and reports with code 5 that no relay answers', async () => {
    const relay = `http://127.0.0.1:${await ownPort()}`
    const asked = await run(['pair', '--relay', relay], '00000-00000\n')
    expect(asked).toMatchObject({ code: 5, out: '' })
    expect(asked.err).toMatch(/Claim code, such as 7K2M9-XQ4TB:\nNobody answers at 127\.0\.0\.1/)
    expect(await run(['pair', '--relay', relay])).toMatchObject({
      code: 2,
      err: expect.stringContaining('nothing was typed'),
    })
    expect(await run(['pair', 'ABC', '--relay', relay])).toMatchObject({ code: 2 })
    expect((await run(['pairing'])).out).toMatch(/state +unpaired/)
    expect(await run(['unpair'])).toMatchObject({ code: 1, err: expect.stringContaining('not paired') })
  })

  it('is backed up into a locked file of its owner, never over another one, shown, and restored from it', async () => {
    const file = join(dir, 'friday.trbackup')
    const words = 'seven onions under the stairs\n'
    expect(await run(['backup', file], 'kitchen-2026\n')).toMatchObject({
      code: 2,
      err: expect.stringContaining('too easy to guess'),
    })
    const saved = await run(['backup', file], words)
    expect(saved.out).toMatch(/Saved as .*friday\.trbackup\. It holds 1 printer, no people, no rules, no picture\./)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readFileSync(file).includes('Grill')).toBe(false)
    expect(await run(['backup', file], words)).toMatchObject({
      code: 1,
      err: expect.stringContaining('is there already'),
    })
    await json('printers', 'set', 'Grill', '--beeps', '3')
    const shown = await run(['restore', file], words)
    expect(shown).toMatchObject({ code: 0, out: expect.stringMatching(/Grill .*changed[\s\S]*Nothing was changed/) })
    expect((await json('printers', 'show', 'Grill')).settings.beeps).toBe(3)
    const restored = await run(['restore', file, '--yes'], words)
    expect(restored).toMatchObject({ code: 0, out: expect.stringContaining('1 changed') })
    expect((await json('printers', 'show', 'Grill')).settings.beeps).toBe(0)
    const secret = join(dir, 'passphrase')
    writeFileSync(secret, words)
    const unknown = await run(['restore', file, '--yes', '--people', 'Eve', '--passphrase-file', secret])
    expect(unknown).toMatchObject({ code: 2, err: expect.stringContaining('no person called Eve') })
    writeFileSync(secret, 'something else\n')
    const wrong = await run(['restore', file, '--yes', '--passphrase-file', secret])
    expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining('passphrase is wrong') })
    writeFileSync(file, 'no backup')
    expect((await run(['restore', file], words)).code).toBe(2)
    expect(await run(['restore', join(dir, 'nothing')])).toMatchObject({
      code: 1,
      err: expect.stringContaining('ENOENT'),
    })
  })

  it('packs what support needs, lists it, and leaves no secret in it', async () => {
    const { setupCode } = await json('welcome')
    const file = join(dir, 'support.tar.gz')
    const saved = await run(['export-diagnostics', file])
    for (const part of ['README.txt', 'status.json', 'health.json', 'log.json']) expect(saved.out).toContain(part)
    const content = gunzipSync(readFileSync(file)).toString()
    expect(content).toContain('Grill')
    expect(content).not.toContain(setupCode)
  })

  it('shows the newest lines of its log, the newest last, and as many as requested', async () => {
    const { out } = await run(['logs', '--limit', '500'])
    const times = out.split('\n').flatMap((line) => /^\d{4}-\S+Z/.exec(line)?.[0] ?? [])
    expect(times.length).toBeGreaterThan(3)
    expect(times).toEqual(times.toSorted())
    const found = await json('logs', '--text', 'printers.update')
    expect(found.lines.length).toBeGreaterThan(0)
    for (const line of found.lines) expect(JSON.stringify(line)).toContain('printers.update')
    expect(await run(['logs', '--level', 'loud'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('debug, info'),
    })
    expect((await run(['logs', '--text', 'no such line'])).out).toBe('Nothing was logged that fits.\n')
  })

  it('is not updated when no package has installed it, and reports that', async () => {
    const words = expect.stringContaining('was not installed as a package')
    expect(await run(['update'])).toMatchObject({ code: 1, out: '', err: words })
    expect(await run(['update', 'now'])).toMatchObject({ code: 1, out: '', err: words })
    expect((await run(['update', 'tomorrow'])).code).toBe(2)
    expect(existsSync(join(dir, 'box/update-wanted'))).toBe(false)
  })

  it('signs everyone out after a reset, which must be confirmed', async () => {
    expect(await run(['admin', 'reset'])).toMatchObject({ code: 2, out: '', err: expect.stringContaining('say --yes') })
    const { code, users } = await json('admin', 'reset', '--yes')
    expect(code).toMatch(/\S{4,}/)
    expect(users).toBe(0)
    expect((await run(['admin', 'setup-code'])).out).toMatch(/^Type this code into the page: \S+\n$/)
    expect(JSON.stringify(gateway.log)).not.toContain(code)
  })

  it('is a printer’s fault for doctor when the printer is off', async () => {
    await printer.refuse()
    const sheet = await run(['printers', 'sheet', 'Grill'])
    expect(sheet.code).toBe(4)
    const { code, out } = await run(['doctor'])
    expect(out).toMatch(/^FAIL +printer Grill +Grill does not print\./m)
    expect(code).toBe(4)
    await printer.listenAgain()
  })

  it('cannot reach its relay: doctor has code 5, and names the failing step', async () => {
    await gateway.kill('SIGTERM')
    const nobody = await ownPort()
    const paired = {
      gatewayId: 'gw_1',
      token: 'a-password-of-the-box-that-nobody-sees',
      brokerUrl: `mqtt://127.0.0.1:${nobody}`,
      topics: { up: 'g/gw_1/up', down: 'g/gw_1/down', all: 'g/all' },
      merchantName: 'Bistro',
    }
    writeFileSync(env['GATEWAY_PAIRING_FILE'] ?? '', JSON.stringify(paired), { mode: 0o600 })
    await gateway.start()
    await json('printers', 'test', 'Grill')
    const { code, out } = await run(['doctor'])
    expect(out).toMatch(/^PASS +pairing +Bistro, gw_1$/m)
    expect(out).toMatch(/^WARN +relay +connecting since/m)
    expect(out).toMatch(/^PASS +relay name +127\.0\.0\.1 is/m)
    expect(out).toMatch(new RegExp(`^FAIL +relay port +127\\.0\\.0\\.1:${nobody} cannot be reached`, 'm'))
    expect(code).toBe(5)
    const untried = await run(['doctor', '--offline'])
    expect(untried.out).not.toContain('relay port')
    expect(untried.code).toBe(0)
    expect(out).not.toContain(paired.token)
  })

  it('never colours its output, whatever the environment asks for', async () => {
    for (const more of [{ NO_COLOR: '1' }, { FORCE_COLOR: '3' }, { TERM: 'xterm-256color' }])
      expect((await run(['status'], '', more)).out).not.toContain('\u001b')
  })
})
