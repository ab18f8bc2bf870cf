// The notices of others' work: of all that is inside, with each licence's text, the same bytes each time; and what stops a package that must not be shipped.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundleGateway } from './executable.ts'
import {
  debianCopyright,
  foldersOf,
  fontPackages,
  inputsOf,
  type ShippedPart,
  shippedParts,
  thirdPartyNotices,
} from './notices.ts'

const ROOT = new URL('../../', import.meta.url).pathname

describe('the notices of the gateway', () => {
  let dir: string
  let notices: string
  let copyright: string
  let folders: readonly string[]
  let parts: readonly ShippedPart[]
  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), 'notices-'))
    folders = foldersOf(inputsOf(bundleGateway(ROOT, dir)))
    parts = shippedParts(ROOT, [...folders, ...fontPackages()])
    notices = thirdPartyNotices(parts, 'the Ticketrail gateway', 'FONT NOTICES')
    copyright = debianCopyright(parts, '2026 The Ticketrail authors')
  })
  afterAll(() => rmSync(dir, { recursive: true, force: true }))

  it('name each package of the bundle, and what is inside beside it', () => {
    expect(folders.length).toBeGreaterThan(50)
    for (const folder of folders) {
      const { name, version } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'))
      expect(notices).toContain(`${name} ${version}\n`)
    }
    for (const name of ['Node.js', 'SQLite', 'better-sqlite3', '@resvg/resvg-wasm', '@fontsource/noto-sans-kr'])
      expect(notices).toMatch(new RegExp(`^${name} \\d`, 'm'))
  })

  it('have the text of each licence, and where the source of what must be offered is', () => {
    for (const words of ['OpenSSL', 'Mozilla Public License Version 2.0', 'FONT NOTICES', 'public domain'])
      expect(notices).toContain(words)
    expect(notices).toContain('Copyright (c) 2008-2013 Matsuza')
    expect(notices).toMatch(/@resvg\/resvg-wasm \S+\n.*\nSource: https:\/\/github\.com\//)
    for (const { text } of parts) expect(text.length).toBeGreaterThan(100)
  })

  it('do not name what is only used to build and test, nor the relay’s own', () => {
    for (const name of ['esbuild', 'vitest', 'playwright-core', 'aedes', 'kysely'])
      expect(notices).not.toMatch(new RegExp(`^${name} \\d`, 'm'))
  })

  it('make a copyright file with a paragraph for every licence', () => {
    expect(copyright).toMatch(/^Format: https:\/\/www\.debian\.org\/doc\/packaging-manuals\/copyright-format\/1\.0\/\n/)
    const paragraphs = copyright.split('\n\n')
    const used = paragraphs
      .filter((text) => text.startsWith('Files: '))
      .flatMap((text) => (/^License: (.*)$/m.exec(text)?.[1] ?? '').split(' and '))
    const explained = paragraphs
      .filter((text) => text.startsWith('License: '))
      .map((text) => /^License: (.*)$/m.exec(text)?.[1] ?? '')
    expect([...new Set(used)].sort()).toEqual([...explained].sort())
    for (const licence of [
      'Apache-2.0',
      'Expat',
      'ISC',
      'BSD-3-Clause',
      'MPL-2.0',
      'OFL-1.1',
      'Node.js',
      'public-domain',
    ])
      expect(explained).toContain(licence)
    expect(copyright).toContain('Matsuza')
    for (const line of copyright.split('\n')) expect(line).not.toMatch(/^ ?$(?!\n*$)|^[^ A-Z]/)
  })

  it('are the same each time', () => {
    const again = shippedParts(ROOT, [...fontPackages(), ...folders].reverse())
    expect(thirdPartyNotices(again, 'the Ticketrail gateway', 'FONT NOTICES')).toBe(notices)
    expect(debianCopyright(again, '2026 The Ticketrail authors')).toBe(copyright)
  })

  describe('of a package', () => {
    const packageOf = (licence: unknown, files: Record<string, string> = {}): string => {
      const folder = join(dir, 'node_modules/strange')
      rmSync(folder, { recursive: true, force: true })
      mkdirSync(folder, { recursive: true })
      writeFileSync(
        join(folder, 'package.json'),
        JSON.stringify({ name: 'strange', version: '1.0.0', license: licence }),
      )
      for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
      return 'node_modules/strange'
    }
    const partsOf = (folder: string) => () => shippedParts(dir, [folder], [])

    it('without the text of its licence stop the build', () => {
      expect(partsOf(packageOf('MIT'))).toThrow('strange 1.0.0 has no text of its licence')
      expect(partsOf(packageOf('MIT', { LICENSE: '\n' }))).toThrow('strange 1.0.0 has no text of its licence')
    })

    it('with a licence that was not reviewed, or none, stop the build', () => {
      const text = { LICENSE: 'GNU AFFERO GENERAL PUBLIC LICENSE' }
      expect(partsOf(packageOf('AGPL-3.0', text))).toThrow('strange 1.0.0 has the licence AGPL-3.0')
      expect(partsOf(packageOf(undefined, text))).toThrow('strange 1.0.0 has the licence none')
    })
  })
})
