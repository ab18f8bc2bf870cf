// What other people's tools make of the OpenAPI document: linters, generated clients that compile and call a running relay, types of other languages.
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasProgram, installTools, type Ran, run } from './outside/tools.ts'
import { WholeRelay } from './whole-relay.ts'

const OWN = new URL('outside/', import.meta.url).pathname
const { folder, missing } = await installTools()
if (missing !== null) console.warn(`The outside tools are not tried: ${missing}`)

let relay: WholeRelay
let work: string
const DOCUMENT = 'openapi.json'
beforeAll(async () => {
  relay = await WholeRelay.start()
  work = mkdtempSync(join(tmpdir(), 'ticketrail-outside-'))
  if (folder !== null) symlinkSync(join(folder, 'node_modules'), join(work, 'node_modules'))
  writeFileSync(join(work, 'package.json'), '{"type":"module"}')
  writeFileSync(join(work, DOCUMENT), JSON.stringify(relay.document))
})
afterAll(async () => {
  await relay.stop()
  rmSync(work, { recursive: true, force: true })
})

const tool = (name: string, ...args: string[]): Promise<Ran> => run(join(work, 'node_modules/.bin', name), args, work)
const succeeds = async (ran: Promise<Ran>): Promise<string> => {
  const { code, text } = await ran
  expect(code, text).toBe(0)
  return text
}

describe.skipIf(missing !== null)('the linters', () => {
  test('Spectral finds nothing, not even a hint', async () => {
    const text = await succeeds(
      tool('spectral', 'lint', DOCUMENT, '--ruleset', join(OWN, 'spectral.yaml'), '--fail-severity', 'hint'),
    )
    expect(text).toContain('No results')
  })

  test('Redocly finds nothing, not even a warning', async () => {
    const text = await succeeds(tool('redocly', 'lint', DOCUMENT, '--config', join(OWN, 'redocly.yaml')))
    expect(text).not.toMatch(/You have \d+ warning/)
  })

  test('both see a fault that is planted', async () => {
    const { document } = relay
    const faulty = structuredClone(document)
    const inject = faulty.paths['/v1/order/inject']?.['post']
    if (inject) inject.operationId = 'getOrder'
    writeFileSync(join(work, 'faulty.json'), JSON.stringify(faulty))
    const spectral = await tool('spectral', 'lint', 'faulty.json', '--ruleset', join(OWN, 'spectral.yaml'))
    const redocly = await tool('redocly', 'lint', 'faulty.json', '--config', join(OWN, 'redocly.yaml'))
    expect([spectral.code === 0, redocly.code === 0]).toEqual([false, false])
  })
})

/** What each of the two programs prints. */
const CALLED = (name: string) => ({
  injected: 'accepted',
  replayed: 'true',
  same: true,
  mismatch: [12.5, 1],
  read: `${name}-1`,
  listed: [`${name}-1`],
  hook: [201, 'whsec_'],
  offline: [503, 'printer.offline'],
  events: expect.any(Number),
  unused: ['x', false],
})

describe.skipIf(missing !== null).each([
  ['openapi-fetch', () => tool('openapi-typescript', DOCUMENT, '--output', 'schema.d.ts')],
  ['hey-api', () => tool('openapi-ts', '--input', DOCUMENT, '--output', 'hey', '--no-log-file')],
])('the client of %s', (name, generate) => {
  const program = `${name}-client.ts`

  test('is generated, and a program with it compiles as strictly as TypeScript can', async () => {
    await succeeds(generate())
    copyFileSync(join(OWN, `${program}.txt`), join(work, program))
    const strict = ['--strict', '--noEmit']
    const target = ['--target', 'es2022', '--module', 'esnext', '--moduleResolution', 'bundler']
    await succeeds(tool('tsc', ...strict, ...target, '--lib', 'es2023,dom,dom.iterable', program))
  })

  test('calls a running relay: injects, repeats, reads, lists, registers an endpoint, and distinguishes refusals', async () => {
    const outfile = join(work, `${name}.mjs`)
    await build({
      entryPoints: [join(work, program)],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      logLevel: 'error',
    })
    const env = { RELAY: relay.url, KEY: relay.account.apiKey }
    expect(JSON.parse(await succeeds(run(process.execPath, [outfile], work, env)))).toEqual(CALLED(name))
  })
})

/** By language: the file that quicktype writes, the program that checks it, and its arguments. */
const LANGUAGES = [
  ['python', 'ticketrail.py', 'python3', ['-m', 'py_compile', 'ticketrail.py']],
  ['php', 'ticketrail.php', 'php', ['-l', 'ticketrail.php']],
  ['go', 'ticketrail.go', 'gofmt', ['-l', '-e', 'ticketrail.go']],
  ['java', 'Ticketrail.java', 'javac', ['-d', 'classes']],
] as const

describe.skipIf(missing !== null).each(LANGUAGES)('the types of %s', (language, file, program, args) => {
  test(`are written by quicktype, and ${program} takes them where it is installed`, async (context) => {
    const into = join(work, language)
    mkdirSync(into)
    const from = `${join(work, DOCUMENT)}#/components/schemas/`
    const just = language === 'java' ? ['--just-types'] : []
    const quicktype = join(work, 'node_modules/.bin/quicktype')
    await succeeds(run(quicktype, ['-s', 'schema', from, '--lang', language, ...just, '-o', file], into))
    if (!(await hasProgram(program))) context.skip(`${program} is not on this machine`)
    const sources = language === 'java' ? readdirSync(into).filter((name) => name.endsWith('.java')) : []
    await succeeds(run(program, [...args, ...sources], into))
  })
})
