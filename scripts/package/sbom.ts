// The bill of materials (CycloneDX 1.5) of what is shipped: made by npm from the lock file, and the same text for the same commit.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'

interface Bill {
  serialNumber: string
  metadata: { timestamp: string; component: { name: string; [key: string]: unknown }; [key: string]: unknown }
  components: { 'bom-ref': string; purl: string }[]
  dependencies: { ref: string; dependsOn?: string[] }[]
  [key: string]: unknown
}

export interface BillOptions {
  /** Seconds since 1970 of the commit, in the place of npm's own time. */
  builtAtS: number
  /** Names and versions of the npm packages that are in it, such as `pino@10.1.0`. */
  shipped: ReadonlySet<string>
}

/** @throws when the lock file does not name one of them */
export function billOfMaterials(root: string, { builtAtS, shipped }: BillOptions): string {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', '--sbom-type', 'application']
  const bill = JSON.parse(
    execFileSync('npm', args, {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  ) as Bill
  bill.components = bill.components.filter(({ purl }) =>
    shipped.has(decodeURIComponent(purl).replace(/^pkg:npm\//, '')),
  )
  if (bill.components.length !== shipped.size)
    throw new Error(`the lock file names ${bill.components.length} of ${shipped.size} packages that are shipped`)
  const refs = new Set(bill.components.map((component) => component['bom-ref']))
  bill.dependencies = bill.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) }))
    .sort((a, b) => (a.ref < b.ref ? -1 : 1))
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
