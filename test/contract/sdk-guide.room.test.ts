// docs/guides/sdk.md: every program of the page is compiled with the types of the package, and run against the whole relay.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { stop } from 'esbuild'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildNpmPackage } from '#scripts/package/npm-package.ts'
import { samplesOf } from '#test/harness/guide-samples.ts'
import { hangUpInBody, statusOfBody } from '#test/harness/rude-requests.ts'
import { WholeRelay } from './whole-relay.ts'

/** What each program prints. */
const PRINTED: Readonly<Record<string, string>> = {
  'first-order.ts': 'accepted\n',
  'errors.ts': 'The items sum up to 12.5.\n',
  'lists.ts': 'Smash Burger\n5\n5\n',
  'receiver.ts': '',
  'follow.ts': 'order.accepted\n',
  'receiver-test.ts': 'UMS-BURGER-01\n204\n',
}

const programs = samplesOf('docs/guides/sdk.md').filter(({ marks }) => marks['test'] === 'run')
let folder: string
let relay: WholeRelay
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ticketrail-sdk-guide-'))
  mkdirSync(join(folder, 'node_modules/@types'), { recursive: true })
  await buildNpmPackage(join(folder, 'node_modules/ticketrail'))
  await stop()
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  for (const { code, marks } of programs) writeFileSync(join(folder, marks['file'] ?? ''), code)
  relay = await WholeRelay.start()
})
afterAll(async () => {
  await relay.stop()
  rmSync(folder, { recursive: true, force: true })
})

it('compiles, with the strictest options', async () => {
  const compilerOptions = {
    ...{ module: 'nodenext', target: 'es2022', lib: ['es2022'], strict: true, noEmit: true, skipLibCheck: false },
    ...{ exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, allowImportingTsExtensions: true },
    ...{ types: ['node'], typeRoots: [resolve('node_modules/@types')] },
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
  const tsc = resolve('node_modules/typescript/bin/tsc')
  const faults = await promisify(execFile)(process.execPath, [tsc, '-p', folder]).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  )
  expect(faults).toBe('')
})

it('has a program for each of its chapters', () => {
  expect(programs.map(({ marks }) => marks['file'])).toEqual(Object.keys(PRINTED))
})

it.each(Object.entries(PRINTED))('%s prints what it should', async (file, printed) => {
  const env = {
    ...{ PATH: process.env['PATH'], TICKETRAIL_URL: relay.url, TICKETRAIL_API_KEY: relay.account.apiKey },
    TICKETRAIL_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
  }
  const { stdout } = await promisify(execFile)(process.execPath, [join(folder, file)], { env })
  expect(stdout.startsWith(printed)).toBe(true)
})

it('its receiver outlives a sender that hangs up in its body, and refuses a body of 2 MB', async () => {
  const serve = `import { receiver } from './receiver.ts'
receiver.listen(0, '127.0.0.1', () => console.log(receiver.address().port))`
  const env = {
    PATH: process.env['PATH'],
    TICKETRAIL_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
  }
  const args = ['--input-type=module', '-e', serve]
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'ignore'] })
  try {
    const [port] = (await once(child.stdout, 'data')) as [Buffer]
    const url = `http://127.0.0.1:${Number(port)}/webhooks`
    await hangUpInBody(url)
    expect(await statusOfBody(url, 2_000_000)).toBe(413)
    expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401)
  } finally {
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
})
