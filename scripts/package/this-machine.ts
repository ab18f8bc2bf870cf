// The executable for this machine alone, in a few seconds, for the browser tests: packed less tightly, out of the Node that runs this; otherwise as it is shipped.
import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { brotliOf, commonAssets } from './assets.ts'
import { buildExecutable, bundleGateway, sqliteAddonOf } from './executable.ts'
import { type Arch, lockedNode, strip } from './node-binary.ts'

const ROOT = new URL('../../', import.meta.url).pathname
const FOLDER = join(ROOT, 'dist/test')
const WORK = join(FOLDER, 'work')

/** If it cannot be built, the tests run `gateway/main.ts`: that is logged, and is no failure. */
async function main(): Promise<string> {
  // What an earlier run made is another commit's.
  rmSync(FOLDER, { recursive: true, force: true })
  const arch = archOfThis()
  if (arch === null) return `no executable: there is none for ${process.platform} ${process.arch}`
  const { version } = lockedNode(ROOT, arch)
  if (process.versions.node !== version)
    return `no executable: this is Node ${process.versions.node}, and it is made of ${version}`
  mkdirSync(WORK, { recursive: true })
  const node = join(WORK, 'node')
  copyFileSync(process.execPath, node)
  const missing = strippingFault(node, arch)
  if (missing !== null) return `no executable: ${missing}`
  const addon = brotliOf(sqliteAddonOf(ROOT, WORK, arch), WORK, 'quick')
  const assets = { ...(await commonAssets(ROOT, WORK, 'quick')), 'better_sqlite3.node.br': addon }
  const output = join(FOLDER, 'ticketrail-gateway')
  await buildExecutable({ root: ROOT, work: WORK, arch, output, node }, bundleGateway(ROOT, WORK), assets)
  return output
}

function archOfThis(): Arch | null {
  if (process.platform !== 'linux') return null
  return process.arch === 'x64' || process.arch === 'arm64' ? process.arch : null
}

/** Null: stripped. Otherwise what is missing on this machine. */
function strippingFault(file: string, arch: Arch): string | null {
  try {
    strip(file, arch, [])
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

process.stdout.write(`${await main()}\n`)
