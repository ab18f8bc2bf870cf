// The order of the test files: the longest first, so that none of them runs on alone when all others have ended.
import type { TestSpecification } from 'vitest/node'
import { BaseSequencer } from 'vitest/node'

/** Half a minute and more each. By itself vitest begins with the files of most bytes where it has run nothing yet: these are short, and would come late. */
export const LONGEST: readonly string[] = [
  'test/browser/admin-pages.test.ts',
  'test/browser/kitchen-faces.test.ts',
  'test/browser/admin-health.test.ts',
  'test/flows/pairing.test.ts',
  'test/flows/forged-discovery.test.ts',
  'test/flows/copied-card.test.ts',
  'test/flows/command-line.test.ts',
  'test/flows/technician-commands.test.ts',
  'test/flows/old-image.test.ts',
  'test/flows/pairing-tls.test.ts',
  'test/flows/behind-a-proxy.test.ts',
  'test/flows/ill-disk.test.ts',
  'test/flows/full-relay.test.ts',
  'test/flows/restored-relay.test.ts',
  'test/flows/moved-relay.test.ts',
  'test/flows/disk-in-doubt.test.ts',
  'test/flows/power-cut.test.ts',
  'test/flows/void-power-cut.test.ts',
  'cloud/main.program.test.ts',
  'cloud/survival.program.test.ts',
  'gateway/gateway.program.test.ts',
  'gateway/printers/identity.room.test.ts',
  'gateway/printers/ten-cases.room.test.ts',
  'gateway/printers/every-byte.room.test.ts',
  'gateway/printers/star-failures.room.test.ts',
  'gateway/printers/unasked-answers.room.test.ts',
  'gateway/discovery/discovery.room.test.ts',
  'gateway/control/backup-busy.room.test.ts',
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
