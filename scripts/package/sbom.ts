// The bill of materials (CycloneDX 1.5) of what the lock file names: made by npm, and the same text for the same commit.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'

interface Bill {
  serialNumber: string
  metadata: { timestamp: string; component: { name: string; [key: string]: unknown }; [key: string]: unknown }
  components: { 'bom-ref': string }[]
  [key: string]: unknown
}

/** @param builtAtS seconds since 1970 of the commit, in the place of npm's own time */
export function billOfMaterials(root: string, builtAtS: number): string {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', '--sbom-type', 'application']
  const bill = JSON.parse(
    execFileSync('npm', args, {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  ) as Bill
  bill.components.sort((a, b) => (a['bom-ref'] < b['bom-ref'] ? -1 : 1))
  // npm takes the folder's name.
  bill.metadata.component.name = 'ticketrail'
  bill.metadata.timestamp = new Date(builtAtS * 1_000).toISOString()
  const hash = createHash('sha256').update(JSON.stringify(bill.components)).digest('hex')
  // A UUID of the contents (RFC 9562, version 8) instead of a random one.
  const uuid = [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `8${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ]
  bill.serialNumber = `urn:uuid:${uuid.join('-')}`
  return `${JSON.stringify(bill, null, 2)}\n`
}
