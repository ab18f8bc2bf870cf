// The receivers of docs/guides/verify-webhooks.md, each run with its framework: they accept what the relay sends and refuse everything else.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findFreePort } from '#scripts/demo/free-port.ts'
import { systemClock } from '#shared/clock.ts'
import { newId } from '#shared/ids.ts'
import { sampleFile, samplesOf } from '#test/harness/guide-samples.ts'
import { hangUpInBody, statusOfBody } from '#test/harness/rude-requests.ts'
import { newSigningSecret, signedHeaders } from './signature.ts'

const PAGE = 'docs/guides/verify-webhooks.md'
/** Packages that only these samples use, kept between runs. */
const PACKAGES = resolve('node_modules/.cache/ticketrail-guides')
const EXPRESS = 'express@5.3.0'
const ILLUMINATE = '/usr/share/php/Illuminate/Http/autoload.php'

type Command = [string, ...string[]]

interface Stack {
  /** Its file on the page. */
  file: string
  /** @returns why it cannot run here; null: it can */
  missing: () => string | null
  /** Path of the snippet in the receiver's folder. */
  verify: string
  /** Adds other required files to the folder. @returns the command that listens at PORT */
  command: (folder: string) => Command
}

const answers = (...command: Command) => spawnSync(command[0], command.slice(1)).status === 0
const unless = (isThere: boolean, what: string) => (isThere ? null : `${what} is not installed here`)

const STACKS: Record<string, Stack> = {
  'Node.js': {
    file: 'receiver.mts',
    missing: () => null,
    verify: 'verify.mts',
    command: () => [process.execPath, 'receiver.mts'],
  },
  Express: {
    file: 'express.mjs',
    missing: () => (installExpress() ? null : `${EXPRESS} could not be installed`),
    verify: 'verify.mts',
    command: (folder) => {
      symlinkSync(join(PACKAGES, 'node_modules'), join(folder, 'node_modules'))
      return [process.execPath, 'express.mjs']
    },
  },
  Fastify: {
    file: 'fastify.mjs',
    missing: () => null,
    verify: 'verify.mts',
    command: (folder) => {
      symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
      return [process.execPath, 'fastify.mjs']
    },
  },
  'Next.js (its route handler, with a Request)': {
    file: 'app/webhooks/route.ts',
    missing: () => null,
    verify: 'verify.ts',
    command: (folder) => {
      // Next finds the file without its extension; Node does not.
      const handler = sampleFile(PAGE, 'app/webhooks/route.ts').replace("'../../verify'", "'../../verify.ts'")
      writeFileSync(join(folder, 'app/webhooks/route.ts'), handler)
      writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
      writeFileSync(join(folder, 'serve.mjs'), NEXT_DRIVER)
      return [process.execPath, 'serve.mjs']
    },
  },
  Flask: {
    file: 'receiver.py',
    missing: () => unless(flaskPython() !== null, 'Flask'),
    verify: 'verify.py',
    command: () => [flaskPython() ?? 'python3', 'receiver.py'],
  },
  'Laravel (its Request)': {
    file: 'app/Http/Controllers/WebhookController.php',
    missing: () => unless(answers('php', '--version') && existsSync(ILLUMINATE), 'php-illuminate-http'),
    verify: 'app/Http/Controllers/verify.php',
    command: (folder) => {
      writeFileSync(join(folder, 'index.php'), LARAVEL_DRIVER)
      return ['php', '-S', '127.0.0.1:PORT', 'index.php']
    },
  },
  PHP: {
    file: 'webhooks.php',
    missing: () => unless(answers('php', '--version'), 'php'),
    verify: 'verify.php',
    command: () => ['php', '-S', '127.0.0.1:PORT', 'webhooks.php'],
  },
  Go: {
    file: 'main.go',
    missing: () => unless(answers('go', 'version'), 'go'),
    verify: 'ticketrail/verify.go',
    command: (folder) => {
      writeFileSync(join(folder, 'go.mod'), 'module example.com/receiver\n\ngo 1.19\n')
      // Go must not use the network.
      const env = { ...process.env, GOPROXY: 'off', GOTOOLCHAIN: 'local', GOFLAGS: '-mod=mod' }
      execFileSync('go', ['build', '-o', 'receiver', '.'], { cwd: folder, env })
      return [join(folder, 'receiver')]
    },
  },
}

/** As in Next: a Fetch API Request goes in, a Response comes out. */
const NEXT_DRIVER = `import { createServer } from 'node:http'
import { POST } from './app/webhooks/route.ts'
createServer(async (request, response) => {
  const init = { method: 'POST', headers: request.headers, body: request, duplex: 'half' }
  const answer = await POST(new Request('http://127.0.0.1/webhooks', init))
  response.writeHead(answer.status).end()
}).listen(process.env.PORT, '127.0.0.1')
`

const LARAVEL_DRIVER = `<?php
require '${ILLUMINATE}';
require __DIR__ . '/app/Http/Controllers/WebhookController.php';
$controller = new App\\Http\\Controllers\\WebhookController();
$controller(Illuminate\\Http\\Request::capture())->send();
`

/** Debian's Python has it, even if another Python is first in the path. */
function flaskPython(): string | null {
  return ['python3', '/usr/bin/python3'].find((python) => answers(python, '-c', 'import flask')) ?? null
}

function installExpress(): boolean {
  if (existsSync(join(PACKAGES, 'node_modules/express'))) return true
  mkdirSync(PACKAGES, { recursive: true })
  writeFileSync(join(PACKAGES, 'package.json'), '{"private":true}')
  return spawnSync('npm', ['install', '--no-audit', '--no-fund', EXPRESS], { cwd: PACKAGES }).status === 0
}

const secret = newSigningSecret()
const body = '{"id":"evt_1","type":"order.accepted","note":"crème brûlée 5 €",  "qty":2}'
const signed = (atMs: number) =>
  signedHeaders({
    ...{ body, secrets: { current: secret, previous: newSigningSecret() }, nowMs: atMs },
    ...{ eventId: newId('evt', 1), deliveryId: newId('dlv', 1), eventType: 'order.accepted', attempt: 1 },
  })

let folder: string
const children: ChildProcess[] = []
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'receivers-'))
})
afterAll(async () => {
  for (const child of children.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)) {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  rmSync(folder, { recursive: true, force: true })
})

/** @returns its address, once it answers */
async function started(name: string, { file, verify, command }: Stack): Promise<string> {
  const own = join(folder, name)
  for (const path of [file, verify]) mkdirSync(dirname(join(own, path)), { recursive: true })
  writeFileSync(join(own, file), sampleFile(PAGE, file))
  copyFileSync(resolve('docs/snippets', verify.split('/').at(-1)?.replace('.mts', '.ts') ?? ''), join(own, verify))
  // As `npm init -y` makes it.
  writeFileSync(join(own, 'package.json'), '{"type":"commonjs"}')
  const port = await findFreePort([])
  const [program, ...args] = command(own).map((part) => part.replace('PORT', String(port)))
  const env = { ...process.env, PORT: String(port), TICKETRAIL_WEBHOOK_SECRET: secret }
  const child = spawn(program ?? '', args, { cwd: own, env, stdio: 'ignore' })
  children.push(child)
  const url = `http://127.0.0.1:${port}/webhooks`
  await expect
    .poll(() =>
      fetch(url, { method: 'POST' }).then(
        () => true,
        () => child.exitCode ?? false,
      ),
    )
    .toBe(true)
  return url
}

describe(PAGE, () => {
  it('has a stack here for every receiver on the page', () => {
    const files = samplesOf(PAGE).flatMap(({ marks: { test, file = '' } }) => (test === 'webhook' ? [file] : []))
    expect(files).toEqual(Object.values(STACKS).map(({ file }) => file))
  })

  it.for(Object.entries(STACKS))(
    '%s takes what we send, and refuses what was altered, is old or has no signature',
    async ([name, stack], { skip }) => {
      const reason = stack.missing()
      if (reason !== null) {
        process.stderr.write(`${PAGE}, ${name}: not run, because ${reason}\n`)
        skip(reason)
      }
      const url = await started(name, stack)
      const send = async (headers: Record<string, string>, payload = body) =>
        (
          await fetch(url, {
            method: 'POST',
            headers: { 'content-type': 'application/json', ...headers },
            body: payload,
          })
        ).status
      const nowMs = systemClock.now()
      const statuses = [
        await send(signed(nowMs)),
        await send(signed(nowMs), JSON.stringify(JSON.parse(body))),
        await send(signed(nowMs), body.replace('2', '3')),
        await send(signed(nowMs - 600_000)),
        await send({}),
      ]
      expect(statuses).toEqual([204, 401, 401, 401, 401])
    },
  )

  it.for(['Node.js', 'Express', 'Fastify'])(
    '%s outlives a sender that hangs up in its body, and refuses a body of 2 MB',
    async (name, { skip }) => {
      const stack = STACKS[name] as Stack
      const reason = stack.missing()
      if (reason !== null) skip(reason)
      const url = await started(`rude ${name}`, stack)
      await hangUpInBody(url)
      expect(await statusOfBody(url, 2_000_000)).toBe(413)
      const headers = { 'content-type': 'application/json', ...signed(systemClock.now()) }
      expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(204)
    },
  )
})
