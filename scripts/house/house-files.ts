// The files that are made from the list of rooms: the linter's layers, the table in docs/architecture.md, and the drawing beside it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Room } from '#scripts/house.ts'
import { houseDrawing } from './house-drawing.ts'

const ROOT = join(import.meta.dirname, '../..')
const TABLE = /(<!-- house:start -->\n)[\s\S]*?(<!-- house:end -->)/

/** @returns each file with its whole text. @throws when docs/architecture.md has no place for the table */
export function houseFiles(rooms: readonly Room[]): { path: string; text: string }[] {
  const architecture = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8')
  if (!TABLE.test(architecture))
    throw new Error('docs/architecture.md has no <!-- house:start --> ... <!-- house:end -->')
  return [
    { path: 'biome.layers.json', text: `${JSON.stringify(layers(rooms), null, 2)}\n` },
    {
      path: 'docs/architecture.md',
      text: architecture.replace(TABLE, (_, start, end) => `${start}${table(rooms)}\n${end}`),
    },
    { path: 'docs/house.svg', text: houseDrawing(rooms.map((it) => ({ ...it, imports: words(it.imports) }))) },
  ]
}

function words(text: string): string[] {
  return text === '' ? [] : text.split(' ')
}

/** `gateway/queue` -> `#gateway/queue/**`; files and `shared/*.ts` stay as they are. */
function importPattern(room: string): string {
  return room.endsWith('.ts') ? `#${room}` : `#${room}/**`
}

function layers(rooms: readonly Room[]) {
  return {
    $schema: './node_modules/@biomejs/biome/configuration_schema.json',
    overrides: [
      ...rooms.map(({ room, imports, packages, note }) => {
        const allowed = [...words(imports).map(importPattern), ...words(packages)]
        const may = ['its own room', ...words(imports), ...words(packages)].join(', ')
        const but = note === undefined ? '' : ` (${note.replaceAll('`', '')})`
        // Folders in a folder reach their room's other files by its name.
        const own = room.endsWith('.ts') ? [] : [`!#${room}/**`]
        return restricted(room.endsWith('.ts') ? room : `${room}/**`, {
          group: ['**', '!./**', ...own, ...allowed.map((it) => `!${it}`)],
          message: `${room} may import only: ${may}${but}. The list is scripts/house.ts`,
        })
      }),
      restricted('gateway/*.ts', {
        group: ['#cloud/**', '#test/**', '#scripts/**', '**/../**'],
        message: 'the gateway never imports the cloud, tests or scripts',
      }),
      restricted('cloud/*.ts', {
        group: ['#gateway/**', '#test/**', '#scripts/**', '**/../**'],
        message: 'the cloud never imports the gateway, tests or scripts',
      }),
      {
        includes: ['**/*.test.ts', 'test/**', 'scripts/**'],
        linter: { rules: { style: { noRestrictedImports: 'off' } } },
      },
    ],
  }
}

function restricted(includes: string, pattern: { group: string[]; message: string }) {
  const rule = { level: 'error', options: { patterns: [pattern] } }
  return { includes: [includes], linter: { rules: { style: { noRestrictedImports: rule } } } }
}

function table(rooms: readonly Room[]): string {
  const rows = rooms.map(({ room, does, imports, packages, note }) => [
    `\`${room}\``,
    does,
    [
      words(imports)
        .map((it) => shortName(it, room))
        .join(', '),
      note,
    ]
      .filter(Boolean)
      .join('; '),
    words(packages).join(', ').replaceAll('*', '\\*'),
  ])
  return [['room', 'does', 'may import besides itself', 'packages'], ['---', '---', '---', '---'], ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}

/** Without the program's name inside the program. */
function shortName(imported: string, room: string): string {
  const program = room.slice(0, room.indexOf('/') + 1)
  const short = imported.startsWith(program) && program !== 'shared/' ? imported.slice(program.length) : imported
  return short.replaceAll('*', '\\*')
}
