// What `npm test` and `npm run drills` consist of, in their order.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './bootstrap.mjs'

/** What `scripts/package/this-machine.ts` makes: the browser tests run it in the place of gateway/main.ts. */
const EXECUTABLE = join(ROOT, 'dist/test/ticketrail-gateway')

/** Full counts and whole days, where `npm test` plays the same in short: test/harness/drill.ts. */
const IN_FULL = () => ({ DRILL: '1' })

const PACKAGES = { file: join(ROOT, 'dist/release'), how: 'npm run package' }

/** @type {(project: string, ...files: string[]) => {tool: string, args: string[], vitest: boolean}} */
const vitest = (project, ...files) => ({ tool: 'vitest', args: ['run', '--project', project, ...files], vitest: true })

/** One thread: several each check again what they share, for twice the CPU. And what the types were the last time: most of them are so again. */
const types = (project) => [
  ...['--noEmit', '--project', project, '--singleThreaded', '--incremental'],
  ...['--tsBuildInfoFile', `node_modules/.cache/${project}.tsbuildinfo`],
]

/**
 * Room for short-lived objects: collecting them in small pieces takes a tenth of the time of the unit tests. Compiled code is kept for the
 * threads that do backups: compiling it anew for each of them takes a quarter of that time.
 */
const QUICK = () => ({
  NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --max-semi-space-size=128`.trim(),
  NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/ticketrail-tests/unit'),
})

const UNIT = { name: 'unit tests', ...vitest('unit'), env: QUICK }

/** @type {import('./run-stages.mjs').Stage[]} */
const TOOLS = [
  { name: 'format and lint', tool: 'biome', args: ['ci', '--error-on-warnings'] },
  { name: 'types', tool: 'tsc', args: types('tsconfig.json') },
  { name: 'types of the web pages', tool: 'tsc', args: types('tsconfig.web.json') },
  { name: 'dead code', tool: 'knip', args: ['--no-progress'] },
]

/**
 * The tools beside the unit tests.
 * @type {import('./run-stages.mjs').Stage[]}
 */
export const CHECKS = [...TOOLS.map((tool) => ({ ...tool, beside: 'tools' })), UNIT]

/** @type {import('./run-stages.mjs').Stage[]} */
export const TESTS = [
  ...TOOLS,
  UNIT,
  // Three minutes of waiting for little work, and starts of programs: neither holds up the rooms and the flows. They open no page and start no
  // executable, which may be built meanwhile.
  { name: 'conformance tests', ...vitest('conformance'), beside: 'link' },
  { name: 'program tests', ...vitest('programs'), beside: 'link' },
  { name: 'room tests', ...vitest('rooms') },
  { name: 'flow tests', ...vitest('flows') },
  { name: 'web pages', tool: 'vite', args: ['build', '--logLevel', 'error'] },
  { name: 'executable', tool: 'node', args: ['scripts/package/this-machine.ts'] },
  {
    name: 'browser tests',
    ...vitest('browser'),
    env: () => (existsSync(EXECUTABLE) ? { TEST_GATEWAY_EXECUTABLE: EXECUTABLE } : {}),
    needs: { file: '/usr/bin/chromium', how: 'apt-get install chromium' },
  },
]

/** Unit tests that play more in a drill: their properties are tried with every case. */
function filesWithDrills() {
  const folders = ['shared', 'gateway', 'cloud', 'scripts', 'test']
  const files = folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true }).map((path) => join(folder, path)),
  )
  const isUnit = (path) =>
    /(?<!\.(room|program))\.test\.ts$/.test(path) && !/^test\/(flows|browser|package)\//.test(path)
  const tests = files.filter(isUnit)
  return tests.filter((path) => /test\/harness\/(property|drill)\.ts'/.test(readFileSync(join(ROOT, path), 'utf8')))
}

/** @type {import('./run-stages.mjs').Stage[]} */
export const DRILLS = [
  // The first four beside each other from the beginning: they wait most of the time, for a watchdog, for the end of a killed program, for two
  // pages to say the same.
  { name: 'package under systemd', ...vitest('systemd'), needs: PACKAGES, beside: 'machine' },
  // Hundreds of starts and kills, one after the other: five minutes of one core.
  { name: 'power cuts', ...vitest('flows', 'power-cut'), env: IN_FULL, beside: 'kills' },
  // Three thousand rounds: a quarter of an hour.
  {
    name: 'two pages of one board',
    ...vitest('browser', 'two-pages'),
    env: IN_FULL,
    needs: { file: '/usr/bin/chromium', how: 'apt-get install chromium' },
    beside: 'pages',
  },
  { name: 'restore of a copy', tool: 'node', args: ['scripts/restore-drill.ts'], beside: 'link' },
  { name: 'package', ...vitest('package'), needs: PACKAGES },
  { name: 'chaos on the link', ...vitest('conformance'), env: IN_FULL, beside: 'link' },
  // Three side by side, as in `npm test`. They wait most of the time: for relays that are away, and for moments to come.
  {
    name: 'faults in full',
    ...vitest(
      'flows',
      ...['old-image', 'cloned-box', 'wrong-clock', 'link-faults', 'flipped-bits', 'broken-links', 'ill-disk'],
      ...['forged-discovery', 'outage', 'full-relay', 'followed-events'],
    ),
    env: IN_FULL,
  },
  { name: 'every case of the properties', ...vitest('unit'), files: filesWithDrills, env: IN_FULL },
]
