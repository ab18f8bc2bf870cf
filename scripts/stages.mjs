// What `npm test` and `npm run drills` consist of, in their order.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './bootstrap.mjs'

/** What `scripts/package/this-machine.ts` makes: the browser tests run it in the place of gateway/main.ts. */
const EXECUTABLE = join(ROOT, 'dist/test/ticketrail-gateway')

/** Higher counts and whole days, where `npm test` plays the same in short; `DRILL=night` plays all in full: test/harness/drill.ts. */
const AT_LENGTH = () => ({ DRILL: process.env.DRILL ?? '1' })

const POSTGRES = { file: '/usr/lib/postgresql', how: 'apt-get install postgresql' }
const BROWSER = { file: '/usr/bin/chromium', how: 'apt-get install chromium' }
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
  // Apart: each page tells the router's types its own addresses.
  { name: 'types of the dashboard and the browser tests', tool: 'tsc', args: types('tsconfig.web.json') },
  { name: "types of the box's pages", tool: 'tsc', args: types('tsconfig.box-web.json') },
  { name: 'dead code', tool: 'knip', args: ['--no-progress'] },
]

/**
 * The tools beside the unit tests: each of them computes on one core, and so does a worker of these tests most of the time.
 * @type {import('./run-stages.mjs').Stage[]}
 */
export const CHECKS = [...TOOLS.map((tool) => ({ ...tool, beside: 'tools' })), UNIT]

/**
 * Behind the check, two heavy stages at a time: the flows and then the browser tests, and beside them the lane `link`.
 * @type {import('./run-stages.mjs').Stage[]}
 */
export const TESTS = [
  ...CHECKS,
  // Three minutes of waiting for little work, and starts of programs: neither holds up the rooms and the flows. They open no page and start no
  // executable, which may be built meanwhile.
  { name: 'conformance tests', ...vitest('conformance'), alone: true, beside: 'waits' },
  { name: 'program tests', ...vitest('programs'), beside: 'link' },
  // On a server of their own: orders and stores here, the other units and the rooms of the relay in the drills.
  { name: 'unit tests on PostgreSQL', ...vitest('pg-unit'), needs: POSTGRES, beside: 'link' },
  { name: 'room tests', ...vitest('rooms'), beside: 'link' },
  // In short, and on PostgreSQL only in the drills (100 rounds): by itself, and in a night, each race is played 200 times.
  { name: 'races of two relays', ...vitest('races'), beside: 'link', env: () => ({ RACE_ROUNDS: '10' }) },
  { name: 'flow tests', ...vitest('flows') },
  { name: 'web pages of the box', tool: 'vite', args: ['build', '--logLevel', 'error'] },
  {
    name: 'web pages of the cloud',
    tool: 'vite',
    args: ['build', '--config', 'vite.cloud.config.ts', '--logLevel', 'error'],
  },
  { name: 'executable', tool: 'node', args: ['scripts/package/this-machine.ts'] },
  {
    name: 'browser tests',
    ...vitest('browser'),
    env: () => (existsSync(EXECUTABLE) ? { TEST_GATEWAY_EXECUTABLE: EXECUTABLE } : {}),
    needs: BROWSER,
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

/**
 * First what `npm test` has nothing of, then what it has in short: CI may have time for the first part only.
 * @type {import('./run-stages.mjs').Stage[]}
 */
export const DRILLS = [
  // They wait most of the time, for a watchdog and for installations, in a Debian of their own.
  { name: 'package under systemd', ...vitest('systemd'), needs: PACKAGES, beside: 'machine' },
  { name: 'restore of a copy', tool: 'node', args: ['scripts/restore-drill.ts'], beside: 'link' },
  // Half a minute: a primary that is killed, and a base backup with its archive.
  {
    name: 'loss of a database server',
    tool: 'node',
    args: ['scripts/standby-drill.ts'],
    needs: POSTGRES,
    beside: 'link',
  },
  { name: 'room tests on PostgreSQL', ...vitest('pg-rooms'), needs: POSTGRES, beside: 'link' },
  {
    name: 'every unit on PostgreSQL, on the schema of the next release',
    ...vitest('pg-newer'),
    needs: POSTGRES,
    beside: 'kills',
  },
  { name: 'every unit twice', ...vitest('twice'), beside: 'kills' },
  {
    name: "the telephone company's own package",
    ...vitest('unit', 'vendor-package'),
    env: () => ({ VENDOR_PACKAGE: 'install' }),
    beside: 'kills',
  },
  {
    name: "the Model Context Protocol's own client",
    ...vitest('rooms', 'mcp-client'),
    env: () => ({ VENDOR_PACKAGE: 'install' }),
    beside: 'kills',
  },
  { name: 'package', ...vitest('package'), needs: PACKAGES },
  // From here on at length. Some hundred rounds; beside them, the languages that `npm test` leaves out.
  {
    name: 'two pages of one board, every page in every language',
    ...vitest('browser', 'two-pages', 'admin-pages', 'dashboard-frame'),
    env: AT_LENGTH,
    needs: BROWSER,
  },
  // Dozens of starts and kills, one after the other.
  {
    name: 'power cuts, and kills of a program that listens',
    ...vitest('flows', 'power-cut', 'killed-listen'),
    env: AT_LENGTH,
    beside: 'kills',
  },
  { name: 'chaos on the link', ...vitest('conformance'), env: AT_LENGTH, beside: 'link' },
  {
    name: 'races of two relays on PostgreSQL',
    ...vitest('pg-races'),
    needs: POSTGRES,
    beside: 'link',
    env: () => (process.env.DRILL === 'night' ? {} : { RACE_ROUNDS: '100' }),
  },
  // Three side by side, as in `npm test`. They wait most of the time: for relays that are away, and for moments to come.
  {
    name: 'faults at length',
    ...vitest(
      'flows',
      ...['old-image', 'cloned-box', 'wrong-clock', 'link-faults', 'flipped-bits', 'broken-links', 'ill-disk'],
      ...['forged-discovery', 'outage', 'full-relay', 'followed-events'],
    ),
    env: AT_LENGTH,
  },
  { name: 'every case of the properties', ...vitest('unit'), files: filesWithDrills, env: AT_LENGTH },
  // Alone: what it holds are limits in seconds. Bounded: a whole night is FIRE_ROUNDS=1000 FIRE_MINUTES=60 npx vitest run --project fire.
  {
    name: 'relays under fire',
    ...vitest('fire'),
    alone: true,
    env: () => ({
      ...AT_LENGTH(),
      FIRE_ROUNDS: process.env.FIRE_ROUNDS ?? '100',
      FIRE_MINUTES: process.env.FIRE_MINUTES ?? '5',
    }),
    needs: POSTGRES,
  },
]
