// The executable is the same, bit for bit, whoever builds it wherever: two copies of the sources in folders of different depth, at two moments.
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commonAssets } from '#scripts/package/assets.ts'
import { buildExecutable, bundleGateway } from '#scripts/package/executable.ts'
import { type Arch, ROOT } from './release.ts'

describe('the executable', () => {
  let dir: string
  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), 'same-bytes-'))
  })
  afterAll(() => rmSync(dir, { recursive: true, force: true }))

  /** As `npm run package` makes it, out of the Node that runs this, packed less tightly: the same steps in a minute less. */
  async function build(root: string): Promise<string> {
    for (const name of ['gateway', 'shared', 'package.json', 'package-lock.json', 'dist/web'])
      cpSync(join(ROOT, name), join(root, name), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'))
    const work = join(root, 'dist/work')
    mkdirSync(work)
    const output = join(work, 'executable')
    const options = { root, work, arch: process.arch as Arch, output, node: process.execPath }
    await buildExecutable(options, bundleGateway(root, work), await commonAssets(root, work, 'quick'))
    return createHash('sha256').update(readFileSync(output)).digest('hex')
  }

  it('contains neither the folder that it was built in nor the time', async () => {
    const first = await build(join(dir, 'one'))
    expect(await build(join(dir, 'somewhere/else/two'))).toBe(first)
  })
})
