// The order of the test files: the longest first, so that none of them runs on alone when all others have ended.
import type { TestSpecification } from 'vitest/node'
import { BaseSequencer } from 'vitest/node'

/** Half a minute and more each. By itself vitest begins with the files of most bytes where it has run nothing yet: these are short, and would come late. */
export const LONGEST: readonly string[] = [
  'test/browser/dashboard-frame.test.ts',
  'test/browser/admin-pages.test.ts',
  'test/browser/dashboard-account.test.ts',
  'test/browser/dashboard-door.test.ts',
  'test/browser/dashboard-orders.test.ts',
  'test/browser/admin.test.ts',
  'test/browser/dashboard-webhooks.test.ts',
  'test/browser/five-minutes.test.ts',
  'test/browser/https.test.ts',
  'test/browser/kitchen-faces.test.ts',
  'test/browser/kitchen.test.ts',
  'test/browser/kitchen-kinds.test.ts',
  'test/browser/admin-box.test.ts',
  'test/browser/kitchen-grid.test.ts',
  'test/browser/dashboard-build.test.ts',
  'test/browser/admin-orders.test.ts',
  'test/browser/dashboard-settings.test.ts',
  'test/browser/dashboard-operator.test.ts',
  'test/browser/admin-access.test.ts',
  'test/browser/dashboard-kitchens.test.ts',
  'test/browser/admin-health.test.ts',
  'test/browser/two-pages.test.ts',
  'test/flows/pairing.test.ts',
  'test/flows/behind-a-proxy.test.ts',
  'test/flows/forged-discovery.test.ts',
  'test/flows/restored-relay.test.ts',
  'test/flows/full-relay.test.ts',
  'test/flows/drained-relay.test.ts',
  'test/flows/moved-relay.test.ts',
  'test/flows/old-image.test.ts',
  'test/flows/technician-commands.test.ts',
  'test/flows/command-line.test.ts',
  'test/flows/copied-card.test.ts',
  'test/flows/kitchen.test.ts',
  'test/flows/rolled-back-relay.test.ts',
  'test/flows/disk-in-doubt.test.ts',
  'test/flows/pairing-tls.test.ts',
  'test/flows/ill-disk.test.ts',
  'test/flows/power-cut.test.ts',
  'test/flows/void-power-cut.test.ts',
  'cloud/postgres.program.test.ts',
  'cloud/admin-main.program.test.ts',
  'cloud/survival.program.test.ts',
  'cloud/admin/backups-at-once.program.test.ts',
  'scripts/restore-drill/nothing-leaves.program.test.ts',
  'cloud/main.program.test.ts',
  'cloud/retention/pulled-plug.program.test.ts',
  'cloud/tls.program.test.ts',
  'cloud/image.program.test.ts',
  'gateway/printer-addresses.program.test.ts',
  'gateway/gateway.program.test.ts',
  'gateway/http/page-hostile.room.test.ts',
  'gateway/control/backup.room.test.ts',
  'cloud/notices/mail-worker.room.test.ts',
  'cloud/transfer/move-database.room.test.ts',
  'gateway/printers/identity.room.test.ts',
  'gateway/printers/ten-cases.room.test.ts',
  'cloud/live-feeds.room.test.ts',
  'gateway/control/backup-busy.room.test.ts',
  'cloud/relay/reconnect-storm.room.test.ts',
  'cloud/catalog/channel-worker.room.test.ts',
  'cloud/storage/postgres/plans.room.test.ts',
  'cloud/clock-ahead.room.test.ts',
  'gateway/printers/usb-failures.room.test.ts',
  'gateway/printers/every-byte.room.test.ts',
  'gateway/printers/star-failures.room.test.ts',
  'gateway/printers/unasked-answers.room.test.ts',
  'gateway/discovery/discovery.room.test.ts',
]

/** Of a file's path, whatever folder the project lies in: 0 comes first. */
export function rankOf(path: string): number {
  const index = LONGEST.findIndex((name) => path.endsWith(`/${name}`))
  return index === -1 ? LONGEST.length : index
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => rankOf(a.moduleId) - rankOf(b.moduleId))
  }
}
