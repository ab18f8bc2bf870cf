// Test projects, told apart by the file's name and by what it does: unit, rooms (over real sockets), programs (ours as child processes), conformance, flows (a whole site), fire (several relays), browser, package.
import { existsSync, statfsSync } from 'node:fs'
import { configDefaults, defineConfig } from 'vitest/config'
import { LongestFirst } from './test/harness/longest-first.ts'

const BESIDE_THE_CODE = '{shared,gateway,cloud,scripts}'

/** Whatever keeps something in the relay's database. */
const ROOMS_OF_THE_DATABASE =
  'cloud/{admin,api,auth,backup,billing,catalog,control,metrics,notices,orders,people,pairing,receptionist,relay,retention,sandbox,storage,telephony,texts,transfer,webhooks}'

/** Its files: how it is opened, copied, restored and migrated from older releases. */
const COPIES_OF_SQLITE = [
  'cloud/backup/{file-tasks,restore-file}.test.ts',
  'cloud/admin/{backup*,own-files,foreign-copies,note-restore}.test.ts',
  'cloud/admin/backups-at-once.*.ts',
]
const OF_SQLITE = ['cloud/storage/{sqlite,migrations}/**', ...COPIES_OF_SQLITE]

/** What a connection may do, whatever keeps the orders. */
const OF_CONNECTIONS = [
  'cloud/relay/{gateway-flood,reconnect-storm,flooded-log,sealed-talk,slow-reader,restless-status}.room.test.ts',
  'cloud/relay/{mosquitto-access,broker-doors,broker,web-socket-limits,nginx-stream}.room.test.ts',
]

/** Of several relays on one database, which is PostgreSQL. */
const OF_SEVERAL_RELAYS = ['cloud/storage/shared-outbox.test.ts']

/** Its server is started by the `pg-` projects alone. */
const OF_POSTGRES = [
  'cloud/storage/postgres/**',
  'cloud/transfer/**/*.room.test.ts',
  'cloud/admin/server-commands.*.ts',
  'cloud/orders/first-try-elsewhere.room.test.ts',
]

/** The package too, but it waits for watchdogs and restarts most of the time: the drills run it beside the others. */
const SYSTEMD = ['test/package/systemd.test.ts', 'test/package/relay-service.test.ts']

/** Waits end with the event. These are give-ups, far beyond what a busy machine needs. */
const WAITS = {
  testTimeout: 180_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 100_000 } },
}

/** The files that a worker runs share what they import: to import it anew for each took two fifths of the processor time of the rooms. */
const SHARING = { isolate: false } as const

/**
 * They share what they import, which is half of their time; they wait for nothing. No threads: V8 ends the whole run now and then when the
 * threads of these start threads of their own (a backup, a drawing).
 */
const UNITS = { pool: 'forks', ...SHARING, maxWorkers: 2, ...WAITS } as const

/**
 * Node imports what these test as it does when it runs it, with the compiled code of the run before: vite, which transforms each module and
 * has each file compile it anew, took a fifth of the processor time of the rooms.
 */
const BY_NODE = { ...SHARING, experimental: { viteModuleRunner: false } } as const
process.env['NODE_COMPILE_CACHE'] ??= new URL('node_modules/.cache/ticketrail-tests/vitest', import.meta.url).pathname

const MEMORY = '/dev/shm'
/** A container's may be 64 MB. */
const ROOMY_BYTES = 2 * 1024 ** 3

/** Databases of unit tests need no disk. */
const IN_MEMORY = existsSync(MEMORY) ? { TMPDIR: MEMORY } : {}

/**
 * Nor do those of whole sites: a program that is killed loses nothing that it has written, and each commit of theirs waits for a disk
 * otherwise. Not all of TMPDIR: no program may be run from what a container mounts there.
 */
const SITES_IN_MEMORY = existsSync(MEMORY) && isRoomy(MEMORY) ? { TEST_SITES: MEMORY } : {}

function isRoomy(path: string): boolean {
  const { bavail, bsize } = statfsSync(path)
  return bavail * bsize >= ROOMY_BYTES
}

/** They start our programs, from bundles. */
const OF_PROGRAMS = { ...BY_NODE, globalSetup: ['test/harness/built-programs.ts'], env: SITES_IN_MEMORY }

export default defineConfig({
  test: {
    // The tests wait more than they compute: on two cores, vitest's own choice of one worker takes twice as long.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            `${BESIDE_THE_CODE}/**/*.test.ts`,
            'test/{house,harness,doubles,contract,guard,mutants}/**/*.test.ts',
          ],
          exclude: [...configDefaults.exclude, '**/*.{room,program}.test.ts', ...OF_SEVERAL_RELAYS],
          setupFiles: ['test/harness/unit.setup.ts'],
          env: IN_MEMORY,
          ...UNITS,
        },
      },
      {
        test: {
          name: 'rooms',
          include: [`${BESIDE_THE_CODE}/**/*.room.test.ts`, 'test/{doubles,contract}/**/*.room.test.ts'],
          exclude: [...configDefaults.exclude, ...OF_POSTGRES],
          setupFiles: ['test/harness/room.setup.ts'],
          ...BY_NODE,
          ...WAITS,
        },
      },
      {
        test: {
          // Orders and stores once more, on a real PostgreSQL server that the setup starts. The other suites of the relay: `pg-newer`.
          name: 'pg-unit',
          include: ['cloud/{control,orders,people,storage}/**/*.test.ts', 'cloud/webhooks/listener-desk.test.ts'],
          exclude: [...configDefaults.exclude, '**/*.{room,program}.test.ts', ...OF_SQLITE],
          globalSetup: ['test/harness/postgres.setup.ts'],
          env: { ...IN_MEMORY, TEST_ENGINE: 'postgres' },
          ...UNITS,
        },
      },
      {
        test: {
          name: 'pg-rooms',
          include: [`${ROOMS_OF_THE_DATABASE}/**/*.room.test.ts`],
          exclude: [...configDefaults.exclude, ...OF_SQLITE, ...OF_CONNECTIONS],
          setupFiles: ['test/harness/room.setup.ts'],
          globalSetup: ['test/harness/postgres.setup.ts'],
          env: { TEST_ENGINE: 'postgres' },
          ...BY_NODE,
          ...WAITS,
        },
      },
      {
        test: {
          // All suites of the relay on PostgreSQL, on databases that the next release has added to.
          name: 'pg-newer',
          include: [`${ROOMS_OF_THE_DATABASE}/**/*.test.ts`],
          exclude: [...configDefaults.exclude, '**/*.{room,program}.test.ts', ...OF_SQLITE],
          globalSetup: ['test/harness/newer-schema.setup.ts'],
          env: { ...IN_MEMORY, TEST_ENGINE: 'postgres' },
          ...UNITS,
        },
      },
      {
        test: {
          // Each unit of the relay's suites is run and rolled back, and then run in earnest: test/harness/units-twice.ts.
          name: 'twice',
          include: [`${ROOMS_OF_THE_DATABASE}/**/*.test.ts`],
          exclude: [
            ...configDefaults.exclude,
            '**/*.{room,program}.test.ts',
            ...COPIES_OF_SQLITE,
            ...OF_SEVERAL_RELAYS,
          ],
          env: { ...IN_MEMORY, TEST_UNITS: 'twice' },
          ...UNITS,
        },
      },
      {
        test: {
          // Two relays on one database do the same at once, many times over. RACE_ROUNDS says how often.
          name: 'races',
          include: ['test/races/**/*.test.ts'],
          env: IN_MEMORY,
          maxWorkers: 2,
          ...BY_NODE,
          ...WAITS,
        },
      },
      {
        test: {
          name: 'pg-races',
          include: ['test/races/**/*.test.ts'],
          globalSetup: ['test/harness/postgres.setup.ts'],
          env: { ...IN_MEMORY, TEST_ENGINE: 'postgres' },
          maxWorkers: 2,
          ...SHARING,
          ...WAITS,
        },
      },
      {
        test: {
          name: 'programs',
          include: [`${BESIDE_THE_CODE}/**/*.program.test.ts`],
          ...OF_PROGRAMS,
          ...WAITS,
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: 'conformance',
          include: ['test/conformance/**/*.test.ts'],
          ...OF_PROGRAMS,
          ...WAITS,
        },
      },
      {
        test: {
          // The pages in Debian's chromium, against the executable (else gateway/main.ts).
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          ...SHARING,
          ...WAITS,
          // Looking at every page in every size is processor time: three minutes of a slow machine.
          testTimeout: 900_000,
          // Half of it is waiting: for an undo that runs out, for a box that hangs.
          maxWorkers: 3,
        },
      },
      {
        test: {
          // What `npm run package` makes, as it is installed.
          name: 'package',
          include: ['test/package/**/*.test.ts'],
          exclude: SYSTEMD,
          ...WAITS,
          testTimeout: 600_000,
          hookTimeout: 600_000,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: 'systemd',
          include: SYSTEMD,
          // Each makes a Debian of its own, and two at once disturb each other.
          fileParallelism: false,
          ...WAITS,
          testTimeout: 600_000,
          hookTimeout: 600_000,
        },
      },
      {
        test: {
          // Several relays as processes on a PostgreSQL server of their own, killed and cut off all the time. 60 rounds take two minutes.
          name: 'fire',
          include: ['test/fire/**/*.test.ts'],
          ...WAITS,
          testTimeout: process.env['DRILL'] === '1' ? 3_600_000 : 900_000,
        },
      },
      {
        test: {
          name: 'flows',
          include: ['test/flows/**/*.test.ts'],
          ...OF_PROGRAMS,
          ...WAITS,
          // In `npm test` the longest takes three minutes: what hangs must not use up the gate's time. In the drills it has all the time.
          testTimeout: process.env['DRILL'] === '1' ? 3_600_000 : 900_000,
          // Each file has a site of its own, which waits more than it works.
          maxWorkers: 3,
        },
      },
    ],
  },
})
