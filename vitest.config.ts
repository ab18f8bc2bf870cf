// Test projects: unit beside the code, rooms (whole rooms over real sockets), programs (ours as child processes), conformance (one suite per engine), flows (a whole site).
import { defineConfig } from 'vitest/config'

/** Beside the code too, but they start whole programs, so they are not part of the quick check. */
const PROGRAMS = ['gateway/gateway.test.ts', 'cloud/main.test.ts', 'scripts/demo/child-program.test.ts']

/** Beside the code too: a whole room over real sockets. `npm run check` must end within half a minute, so it leaves these to `npm test`. */
const ROOMS = [
  'cloud/{admin,api,sandbox,webhooks}/**/*.test.ts',
  'cloud/catalog/channel-worker.test.ts',
  'cloud/orders/pos-worker.test.ts',
  'gateway/discovery/discovery.test.ts',
  'gateway/control/{box-files,control-server}.test.ts',
  'gateway/http/page-*.test.ts',
  'gateway/printers/{printer-failures,printer-misbehaviour,escpos-transport,identify-printer,ten-cases,discard,honest-proof,idle-printer,cut-off-picture,every-byte}.test.ts',
  'gateway/printers/{question-in-picture,star-transport,star-failures,star-profiles,usb-channel,usb-failures}.test.ts',
  'test/{contract,doubles}/**/*.test.ts',
]

/** Flows too, but each kills a program hundreds of times: `npm test` runs them beside the rest. */
const POWER_CUTS = ['test/flows/{,void-}power-cut.test.ts']

/** The package too, but it waits for watchdogs and restarts most of the time: CI runs it beside the others. */
const SYSTEMD = ['test/package/systemd.test.ts']

const WAITS = {
  testTimeout: 60_000,
  hookTimeout: 60_000,
  // A poll ends with the event; the default of one second is short for a busy machine.
  expect: { poll: { timeout: 20_000 } },
}

export default defineConfig({
  test: {
    // The tests wait more than they compute: on two cores, vitest's own choice of one worker takes twice as long.
    maxWorkers: 4,
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{shared,gateway,cloud,scripts}/**/*.test.ts', 'test/{house,harness,guard}/**/*.test.ts'],
          exclude: [...PROGRAMS, ...ROOMS],
          ...WAITS,
        },
      },
      {
        test: {
          name: 'rooms',
          include: ROOMS,
          ...WAITS,
        },
      },
      {
        test: {
          name: 'programs',
          include: PROGRAMS,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: 'conformance',
          include: ['test/conformance/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
      {
        test: {
          // The pages in Debian's chromium, against the executable (else gateway/main.ts).
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          ...WAITS,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // Half of it is waiting: for an undo that runs out, for a box that hangs.
          maxWorkers: 2,
        },
      },
      {
        test: {
          // What `npm run package` makes, as it is installed.
          name: 'package',
          include: ['test/package/**/*.test.ts'],
          exclude: SYSTEMD,
          testTimeout: 600_000,
          hookTimeout: 600_000,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: 'systemd',
          include: SYSTEMD,
          testTimeout: 600_000,
          hookTimeout: 600_000,
        },
      },
      {
        test: {
          name: 'flows',
          include: ['test/flows/**/*.test.ts'],
          exclude: POWER_CUTS,
          testTimeout: 1_800_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: 'power-cuts',
          include: POWER_CUTS,
          testTimeout: 1_800_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
    ],
  },
})
