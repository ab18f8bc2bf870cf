// npm run package [-- x64 arm64]: the gateway as one executable and as a Debian package, with its bill of materials and checksums; the same bytes each time.
import { execFile, execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { completion } from '#gateway/cli/all-commands.ts'
import { completionScript } from '#shared/cli/completion.ts'
import { fontLicence } from '#shared/raster/raster-files.ts'
import { VERSION } from '#shared/version.ts'
import { brotliOf, commonAssets, WORKER_FILE } from './assets.ts'
import { buildExecutable, bundleGateway, sqliteAddonOf } from './executable.ts'
import { type Arch, lockedNode } from './node-binary.ts'
import {
  debianCopyright,
  foldersOf,
  fontPackages,
  inputsOf,
  shippedParts,
  thirdPartyNotices,
  webInputs,
} from './notices.ts'
import { billOfMaterials } from './sbom.ts'

const ROOT = new URL('../../', import.meta.url).pathname
const OUT = join(ROOT, 'dist/release')
const DEBIAN_NAME: Readonly<Record<Arch, string>> = { x64: 'amd64', arm64: 'arm64' }
const WORK = join(ROOT, 'dist/work')
const run = promisify(execFile)

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
  const assets = await commonAssets(ROOT, WORK)
  const script = join(WORK, 'completion.bash')
  writeFileSync(script, completionScript('bash', completion()))
  const licence = join(WORK, 'fonts-licence.txt')
  const fonts = await fontLicence()
  writeFileSync(licence, fonts)
  const files = [...inputsOf(bundle), ...inputsOf(join(WORK, WORKER_FILE)), ...webInputs(ROOT)]
  const parts = shippedParts(ROOT, [...foldersOf(files), ...fontPackages()])
  const notices = join(OUT, `ticketrail-gateway_${VERSION}_THIRD-PARTY-NOTICES`)
  writeFileSync(notices, thirdPartyNotices(parts, 'the Ticketrail gateway', fonts))
  const copyright = join(WORK, 'copyright')
  writeFileSync(copyright, debianCopyright(parts, '2026 The Ticketrail authors'))
  const builtAtS = sourceDate()
  const billOf = (some: readonly Arch[]): string => {
    const shipped = new Set([
      ...parts.filter(({ isNpm }) => isNpm).map(({ name, version }) => `${name}@${version}`),
      ...some.map((arch) => `node-linux-${arch}@${version}`),
    ])
    return billOfMaterials(ROOT, { builtAtS, shipped })
  }
  const packages: Promise<unknown>[] = []
  for (const arch of arches) {
    const output = join(OUT, `ticketrail-gateway-linux-${arch}`)
    const addon = sqliteAddonOf(ROOT, WORK, arch)
    await buildExecutable({ root: ROOT, work: WORK, arch, output }, bundle, {
      ...assets,
      'better_sqlite3.node.br': brotliOf(addon, WORK),
    })
    const sbom = join(WORK, `${arch}.cdx.json`)
    writeFileSync(sbom, billOf([arch]))
    const texts = { COMPLETION: script, FONTS_LICENCE: licence, COPYRIGHT: copyright, NOTICES: notices, SBOM: sbom }
    const env = { ...process.env, SOURCE_DATE_EPOCH: String(builtAtS), ...texts }
    // Packing takes longer than everything else: one processor each.
    packages.push(
      run(join(ROOT, 'scripts/package/build-deb.sh'), [VERSION, DEBIAN_NAME[arch], output, addon, OUT], { env }),
    )
  }
  await Promise.all(packages)
  writeFileSync(join(OUT, `ticketrail-gateway_${VERSION}.cdx.json`), billOf(arches))
  copyFileSync(join(ROOT, 'scripts/install.sh'), join(OUT, 'install.sh'))
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

/** Time of the packed commit in seconds: the only time in the packages. */
function sourceDate(): number {
  const given = process.env['SOURCE_DATE_EPOCH']
  return Number(given ?? execFileSync('git', ['-C', ROOT, 'log', '-1', '--format=%ct'], { encoding: 'utf8' }).trim())
}

function archOf(text: string): Arch {
  if (text === 'x64' || text === 'arm64') return text
  throw new Error(`there is no architecture "${text}": x64 or arm64`)
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
})
