// The guides for client developers: their own commands and programs, taken from the pages, run against a relay that has just been set up.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stop } from 'esbuild'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createSandboxAccount } from '#cloud/sandbox/fixtures.ts'
import { provisionDemo } from '#cloud/sandbox/provision-demo.ts'
import { SqliteDatabase } from '#cloud/storage/sqlite/sqlite-database.ts'
import { buildNpmPackage, packNpmPackage } from '#scripts/package/npm-package.ts'
import { type Clock, systemClock } from '#shared/clock.ts'
import { ownPort } from '#test/doubles/own-port.ts'
import { type Sample, samplesOf } from '#test/harness/guide-samples.ts'
import { Program } from '#test/harness/program.ts'
import { hangUpInBody, statusOfBody } from '#test/harness/rude-requests.ts'

/** Each with what its programs print at their end. */
const GUIDES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  totals: { 'total.mjs': '34.95\n' },
  'idempotency-and-retries': { 'retry.mjs': '20 orders\n' },
  'printer-offline': { 'taken.mjs': 'true\ntrue\nfalse\n' },
  'fire-at': {},
  menus: {},
  'testing-with-the-sandbox': {},
  'voice-agents': {
    'place-order.mjs': `That is 2 Smash Burger. 25.00 dollars. Is that right?
Thank you, Ana. It is ready in about 12 minutes.
Thank you, Ana. It is ready in about 12 minutes.
`,
  },
}

let dir: string
const relays: Program[] = []
/** Of the relay that the commands of a guide use: each gets its address and key so. */
let env: Record<string, string>
/** Where the commands of a guide are run. */
let folder: string
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'ticketrail-guides-'))
})
afterAll(async () => {
  for (const relay of relays) await relay.kill('SIGKILL')
  rmSync(dir, { recursive: true, force: true })
})
beforeEach(() => {
  folder = mkdtempSync(join(dir, 'guide-'))
})

type Provision = (db: SqliteDatabase, clock: Clock) => Promise<{ apiKey: string }>
const RELAYS: Readonly<Record<string, Provision>> = {
  'a relay elsewhere': (db, clock) => createSandboxAccount({ db, clock }, { name: 'Reader' }),
  // A gateway is paired with M-TEST-001, which therefore has no simulated kitchen.
  'the relay of npm start': (db, clock) => provisionDemo(db, clock),
}

/** @returns address and key of a relay of its own, as a reader sets them */
async function started(provision: Provision): Promise<Record<string, string>> {
  const file = join(mkdtempSync(join(dir, 'relay-')), 'relay.db')
  const db = await SqliteDatabase.open(file, (error) => {
    throw error
  })
  const { apiKey } = await provision(db, systemClock)
  await db.close()
  const settings = {
    CLOUD_DATABASE: file,
    CLOUD_MASTER_KEY: randomBytes(32).toString('base64'),
    ...{ CLOUD_HTTP_PORT: '0', CLOUD_MQTT_PORT: '0' },
    // As `npm start` sets it: receivers of the sandbox may stand on this machine.
    CLOUD_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
  }
  const relay = new Program('cloud/main.ts', settings, false)
  relays.push(relay)
  const { httpUrl } = await relay.start()
  return { TICKETRAIL_URL: httpUrl, TICKETRAIL_API_KEY: apiKey }
}

interface Ran {
  code: number | null
  stdout: string
  stderr: string
}

/** A command in the guide's folder, to its end. */
async function run(program: string, args: readonly string[]): Promise<Ran> {
  const child = spawn(program, args, { cwd: folder, env: { ...process.env, ...env } })
  const texts = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text) => {
      texts[name] += text
    })
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, ...texts }
}

/** Each curl says its status on the second stream; a command that fails ends the block. */
const SHELL = `set -euo pipefail
curl() { command curl -w '%{stderr}STATUS %{http_code}\\n' "$@"; }
`

/** @returns the statuses of the block's calls, in their order, and what it printed */
async function shell(code: string): Promise<{ statuses: string; stdout: string }> {
  const { code: ended, stdout, stderr } = await run('bash', ['-c', SHELL + code])
  if (ended !== 0) throw new Error(`ended with ${ended}: ${stdout}${stderr}`)
  return { statuses: [...stderr.matchAll(/^STATUS (\d+)$/gm)].map(([, status]) => status).join(','), stdout }
}

/** Why the package cannot be installed here; null: it can. */
function withoutNpm(): string | null {
  try {
    execFileSync('npm', ['--version'], { stdio: 'ignore' })
    return null
  } catch {
    return 'npm is not on this machine'
  }
}

/** The calls of a page, which are marked with the statuses of their answers. */
const commandsOf = (samples: readonly Sample[]) =>
  samples.filter(({ language, marks }) => language === 'sh' && /^\d/.test(marks['test'] ?? ''))

describe('at a relay elsewhere', () => {
  beforeAll(async () => {
    env = await started(RELAYS['a relay elsewhere'] as Provision)
  })

  test.each(Object.entries(GUIDES))(
    'every command of %s is answered as the page says, and every program prints what it says',
    async (name, printed) => {
      const samples = samplesOf(`docs/guides/${name}.md`)
      const programs = samples.filter(({ marks }) => marks['test'] === 'run')
      expect(programs.map(({ marks }) => marks['file'])).toEqual(Object.keys(printed))
      expect(commandsOf(samples).length + programs.length).toBeGreaterThan(0)
      for (const { code, marks } of commandsOf(samples)) {
        const { statuses } = await shell(code)
        expect(statuses, code).toBe(marks['test'])
      }
      for (const { code, marks } of programs) {
        const file = marks['file'] ?? ''
        writeFileSync(join(folder, file), code)
        expect(await run(process.execPath, [file])).toEqual({ code: 0, stdout: printed[file], stderr: '' })
      }
    },
  )

  test('no guide has a curl that is not tried, but for the last one of going live', () => {
    const untried = [...Object.keys(GUIDES), 'quick-start', 'going-live'].flatMap((name) =>
      samplesOf(`docs/guides/${name}.md`)
        .filter(({ code, marks }) => /^curl /m.test(code) && marks['test'] === undefined)
        .map(() => name),
    )
    expect(untried).toEqual(['going-live'])
  })

  describe('the voice agent', () => {
    /** Runs the sample against a relay that answers orders so, one after the other, and the last answer from then on. */
    async function placed(answers: readonly ((response: ServerResponse) => unknown)[]) {
      const bodies: string[] = []
      const stub = createServer(async (request: IncomingMessage, response) => {
        const burger = { umsId: 'UMS-BURGER-01', name: 'Smash Burger', price: 12.5 }
        if (request.method === 'GET') return response.end(JSON.stringify({ data: [burger] }))
        if (request.url === '/v1/order/check')
          return response.end(JSON.stringify({ total: 25, items: [{ ...burger, qty: 2, menuPrice: 12.5 }] }))
        bodies.push(Buffer.concat(await request.toArray()).toString())
        return (answers[bodies.length - 1] ?? answers.at(-1))?.(response)
      })
      await once(stub.listen(0, '127.0.0.1'), 'listening')
      const address = stub.address()
      const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
      const { code } = samplesOf('docs/guides/voice-agents.md').find(({ marks }) => marks['test'] === 'run') as Sample
      writeFileSync(join(folder, 'place-order.mjs'), code)
      const { stdout } = await run('env', [`TICKETRAIL_URL=${url}`, process.execPath, 'place-order.mjs'])
      stub.closeAllConnections()
      stub.close()
      return { said: stdout.split('\n').slice(1, -1), bodies }
    }

    const lost = (response: ServerResponse) => response.destroy()
    const status = (code: number, body: object) => (response: ServerResponse) =>
      response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    const unavailable = status(503, { code: 'service.unavailable' })
    const taken = status(200, { serviceOrderId: 'ord_1', estimatedReadyAt: new Date(0).toISOString() })

    test('sends the same order again after a lost connection, 500 and 503 before it reports anything', async () => {
      const { said, bodies } = await placed([lost, status(500, { code: 'internal.error' }), unavailable, taken])
      expect(said[0]).toMatch(/^Thank you, Ana\. It is ready/)
      expect([bodies.length, new Set(bodies).size]).toEqual([5, 1])
    })

    test('reports neither success nor failure when the outcome stays unknown', async () => {
      const { said, bodies } = await placed([lost])
      expect(said[0]).toMatch(/^One moment, I connect you with the restaurant/)
      expect([bodies.length, new Set(bodies).size]).toEqual([8, 1])
    })

    test('takes printer.offline as an order that is in, at the first answer', async () => {
      const { said, bodies } = await placed([
        status(503, { code: 'printer.offline', order: { serviceOrderId: 'ord_1' } }),
      ])
      expect(said[0]).toMatch(/Your order is in/)
      expect(bodies).toHaveLength(2)
    })
  })
})

describe.each(Object.entries(RELAYS))('the quick start at %s', (_name, provision) => {
  const children: ChildProcess[] = []
  beforeAll(async () => {
    if (withoutNpm() === null) {
      await buildNpmPackage()
      packNpmPackage()
      await stop()
    }
    env = await started(provision)
  })
  afterAll(async () => {
    for (const child of children) {
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
  })

  test('gives the SDK and the command line as one package, from the relay itself into an empty folder', async ({
    skip,
  }) => {
    const reason = withoutNpm()
    if (reason !== null) {
      process.stderr.write(`quick start: the package is not installed, because ${reason}\n`)
      skip(reason)
    }
    const samples = samplesOf('docs/guides/quick-start.md')
    // No cache, configuration or folder of the machine's own npm has a part in it.
    const global = join(folder, 'global')
    mkdirSync(global)
    const npm = { npm_config_cache: join(folder, 'cache'), npm_config_prefix: global, npm_config_audit: 'false' }
    const line = `export PATH="$PWD/global/bin:$PATH" npm_config_update_notifier=false\n`
    Object.assign(env, npm, { HOME: folder })
    for (const { code } of samples.filter(({ marks }) => marks['test'] === 'install')) await shell(line + code)

    const sample = samples.find(({ marks }) => marks['test'] === 'sdk')
    writeFileSync(join(folder, 'sdk.mjs'), sample?.code ?? '')
    expect(await run(process.execPath, ['sdk.mjs'])).toEqual({ code: 0, stdout: 'accepted\n', stderr: '' })
    const help = await shell(`${line}ticketrail --help`)
    expect(help.stdout).toContain('listen')
    const watch = samples.find(({ marks }) => marks['test'] === 'watch')
    expect((await shell(line + watch?.code)).stdout).toMatch(/Smash Burger/)
  })

  test('leads from a relay that has just started to a verified webhook, by its own commands', async () => {
    const startedAt = systemClock.monotonicMs()
    const samples = samplesOf('docs/guides/quick-start.md')
    const port = await ownPort()
    const ofThisRun = (code: string) => code.replaceAll(':3000', `:${port}`)
    env['PORT'] = String(port)
    for (const { code, marks } of samples.filter(({ marks: { file } }) => file !== undefined))
      writeFileSync(join(folder, marks['file'] ?? ''), code)
    const [first, paper, register, second] = commandsOf(samples)
    const typed = async (sample: Sample | undefined) => {
      const { statuses, stdout } = await shell(ofThisRun(sample?.code ?? ''))
      expect(statuses).toBe(sample?.marks['test'])
      return stdout
    }
    expect(JSON.parse(await typed(first))).toMatchObject({ status: 'accepted' })
    expect(await typed(paper)).toMatch(/Smash Burger[\s\S]*Pommes Frites/)

    // The second terminal.
    const receive = samples.find(({ marks }) => marks['terminal'] === '2')?.code ?? ''
    const receiver = spawn('bash', ['-c', `exec ${receive}`], { cwd: folder, env: { ...process.env, ...env } })
    children.push(receiver)
    let seen = ''
    receiver.stdout.setEncoding('utf8').on('data', (text) => {
      seen += text
    })
    await expect.poll(() => seen).toBe('listening\n')
    await typed(register)
    expect(JSON.parse(readFileSync(join(folder, 'endpoint.json'), 'utf8'))).toMatchObject({
      secret: expect.stringMatching(/^whsec_/),
    })
    await typed(second)
    const shown = /shows:\n\n```\n([\s\S]*?)```/.exec(readFileSync('docs/guides/quick-start.md', 'utf8'))?.[1]
    await expect.poll(() => seen).toBe(shown)
    const seconds = (systemClock.monotonicMs() - startedAt) / 1_000
    process.stderr.write(`quick start: ${seconds.toFixed(1)} s from the first command to a verified webhook\n`)

    // It outlives a sender that hangs up, keeps no body without end, and verifies nothing that is not signed.
    const url = `http://127.0.0.1:${port}/webhooks`
    await hangUpInBody(url)
    expect(await statusOfBody(url, 2_000_000)).toBe(413)
    const forged = await fetch(url, { method: 'POST', body: '{}' })
    expect(forged.status).toBe(401)
  })
})
