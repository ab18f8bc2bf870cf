// The list of rooms (scripts/house.ts): what is made of it is current, it has every room in order, and allows nothing that nobody needs.
import { describe, expect, it } from 'vitest'
import { houseFiles } from '#scripts/house/house-files.ts'
import { HOUSE } from '#scripts/house.ts'
import { projectFiles, read } from './source-files.ts'

interface Override {
  includes: string[]
  linter: { rules: { style: { noRestrictedImports: 'off' | { options: { patterns: { group: string[] }[] } } } } }
}

const OVERRIDES = (JSON.parse(read('biome.layers.json')) as { overrides: Override[] }).overrides
const PRODUCT = projectFiles('.ts', '.tsx', '.mjs').filter(
  (path) => /^(shared|gateway|cloud)\//.test(path) && !path.endsWith('.test.ts'),
)

/** Each room with what it may import; the two programs' own files have a list of what they may not. */
const ROOMS = OVERRIDES.flatMap(({ includes: [room = ''], linter }) => {
  const rule = linter.rules.style.noRestrictedImports
  const group = rule === 'off' ? [] : (rule.options.patterns[0]?.group ?? [])
  if (group[0] !== '**') return []
  return [
    {
      room,
      allowed: group
        .filter((it) => it.startsWith('!') && it !== '!./**' && it !== `!#${room}`)
        .map((it) => it.slice(1)),
    },
  ]
})

/** `cloud/webhooks/secret-box.ts` -> `cloud/webhooks`; a room stays. */
function roomOf(imported: string): string {
  return HOUSE.some(({ room }) => room === imported) ? imported : imported.split('/').slice(0, 2).join('/')
}

function matches(pattern: string, path: string): boolean {
  const source = pattern.replaceAll('.', '\\.').replaceAll('*', '[^/]*').replaceAll('[^/]*[^/]*', '.*')
  return new RegExp(`^${source}$`).test(path)
}

describe('allowed imports', () => {
  it.each(houseFiles(HOUSE))('$path is what npm run house makes', ({ path, text }) => {
    expect(read(path)).toBe(text)
  })

  it('is listed from the ground up, so that no two rooms import each other', () => {
    const upside = HOUSE.flatMap(({ room, imports }, index) => {
      const below = new Set(HOUSE.slice(0, index).map((it) => it.room))
      const wanted = imports.split(' ').filter((it) => it !== '' && it !== 'shared')
      return wanted
        .map(roomOf)
        .filter((it) => !below.has(it))
        .map((it) => `${room} imports ${it}`)
    })
    expect(upside).toEqual([])
  })

  it('are declared for every room', () => {
    const free = PRODUCT.filter((path) => !ROOMS.some(({ room }) => matches(room, path)))
    expect(free.filter((path) => !/^(gateway|cloud)\/[^/]+$/.test(path))).toEqual([])
  })

  it('allow nothing that is unused', () => {
    const unused = ROOMS.flatMap(({ room, allowed }) => {
      const files = PRODUCT.filter((path) => matches(room, path))
      const imports = files.flatMap((path) => [...read(path).matchAll(/\b(?:from|import)\s*\(?\s*'([^']+)'/g)])
      const wanted = new Set(imports.map(([, name = '']) => name))
      return allowed.filter((it) => ![...wanted].some((name) => matches(it, name))).map((it) => `${room}: ${it}`)
    })
    expect(unused).toEqual([])
  })
})
