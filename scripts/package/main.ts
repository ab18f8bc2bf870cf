// npm run package [-- x64 arm64]: the gateway as one executable and as a Debian package, the same bytes each time.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { VERSION } from '#shared/version.ts'
import { buildExecutable, bundleGateway, sqliteAddonOf } from './executable.ts'
import { type Arch, lockedNode } from './node-binary.ts'

const ROOT = new URL('../../', import.meta.url).pathname
const OUT = join(ROOT, 'dist/release')
const DEBIAN_NAME: Readonly<Record<Arch, string>> = { x64: 'amd64', arm64: 'arm64' }
const WORK = join(ROOT, 'dist/work')

async function main(args: readonly string[]): Promise<void> {
  const arches = args.length === 0 ? (['x64', 'arm64'] as const) : args.map(archOf)
  const { version } = lockedNode(ROOT, 'x64')
  if (process.versions.node !== version)
    throw new Error(
      `run it with Node ${version} (npm run package does): the executable's format changes between versions`,
    )
  for (const folder of [OUT, WORK]) {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
  }
  const bundle = bundleGateway(ROOT, WORK)
  for (const arch of arches) {
    const output = join(OUT, `ticketrail-gateway-linux-${arch}`)
    const addon = sqliteAddonOf(ROOT, WORK, arch)
    await buildExecutable({ root: ROOT, work: WORK, arch, output }, bundle, { 'better_sqlite3.node': addon })
    execFileSync(join(ROOT, 'scripts/package/build-deb.sh'), [VERSION, DEBIAN_NAME[arch], output, addon, OUT])
  }
  const sums = readdirSync(OUT)
    .sort()
    .map(
      (file) =>
        `${createHash('sha256')
          .update(readFileSync(join(OUT, file)))
          .digest('hex')}  ${file}`,
    )
  writeFileSync(join(OUT, 'SHA256SUMS'), `${sums.join('\n')}\n`)
  process.stdout.write(`${sums.join('\n')}\n`)
}

function archOf(text: string): Arch {
  if (text === 'x64' || text === 'arm64') return text
  throw new Error(`there is no architecture "${text}": x64 or arm64`)
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
})
