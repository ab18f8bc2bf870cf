// Test projects, told apart by the file's name and by what it does: unit, rooms (over real sockets), programs (ours as child processes), conformance, flows (a whole site), browser, package.
import { existsSync } from 'node:fs'
import { configDefaults, defineConfig } from 'vitest/config'
import { LongestFirst } from './test/harness/longest-first.ts'

const BESIDE_THE_CODE = '{shared,gateway,cloud,scripts}'

/** The package too, but it waits for watchdogs and restarts most of the time: the drills run it beside the others. */
const SYSTEMD = ['test/package/systemd.test.ts', 'test/package/relay-service.test.ts']

/** Waits end with the event. These are give-ups, far beyond what a busy machine needs. */
const WAITS = {
  testTimeout: 180_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 100_000 } },
}

/** Databases of unit tests need no disk. */
const IN_MEMORY = existsSync('/dev/shm') ? { TMPDIR: '/dev/shm' } : {}

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
          exclude: [...configDefaults.exclude, '**/*.{room,program}.test.ts'],
          setupFiles: ['test/harness/unit.setup.ts'],
          env: IN_MEMORY,
          // They share what they import, which is half of their time; they wait for nothing. No threads: V8 ends the whole run now and then
          // when the threads of these start threads of their own (a backup, a drawing).
          pool: 'forks',
          isolate: false,
          maxWorkers: 2,
          ...WAITS,
        },
      },
      {
        test: {
          name: 'rooms',
          include: [`${BESIDE_THE_CODE}/**/*.room.test.ts`, 'test/{doubles,contract}/**/*.room.test.ts'],
          setupFiles: ['test/harness/room.setup.ts'],
          ...WAITS,
        },
      },
      {
        test: {
          name: 'programs',
          include: [`${BESIDE_THE_CODE}/**/*.program.test.ts`],
          ...WAITS,
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: 'conformance',
          include: ['test/conformance/**/*.test.ts'],
          ...WAITS,
        },
      },
      {
        test: {
          // The pages in Debian's chromium, against the executable (else gateway/main.ts).
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
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
          name: 'flows',
          include: ['test/flows/**/*.test.ts'],
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
