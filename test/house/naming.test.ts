// Rules of the house that the linter cannot hold: names of files, first lines, imports, and no reference to what is not here.
import { describe, expect, it } from 'vitest'
import { firstLine, projectFiles, read } from './source-files.ts'

const SOURCES = projectFiles('.ts', '.mjs')
const EMPTY_NAMES = /(^|\/|-)(utils?|helpers?|common|types|managers?|misc)(-[^/]*)?\.(test\.)?(ts|mjs)$/

describe('every source file', () => {
  it('is found', () => {
    expect(SOURCES.length).toBeGreaterThan(50)
  })

  it('has a meaningful name', () => {
    expect(SOURCES.filter((path) => EMPTY_NAMES.test(path))).toEqual([])
  })

  it('states its purpose in its first line', () => {
    const silent = SOURCES.filter((path) => !/^\/\/ \S.{15,}/.test(firstLine(path)))
    expect(silent).toEqual([])
  })

  it('imports across folders by #room, never by ../', () => {
    const climbing = SOURCES.filter((path) => /\b(?:from|import)\s*\(?\s*['"]\.\.\//.test(read(path)))
    expect(climbing).toEqual([])
  })

  it('refers only to documents that exist in this project', () => {
    const documents = new Set(projectFiles('.md').map((path) => path.split('/').at(-1)))
    const strangers = SOURCES.flatMap((path) =>
      [...read(path).matchAll(/[\w-]+\.md\b/g)]
        .filter(([name]) => !documents.has(name))
        .map(([name]) => `${path}: ${name}`),
    )
    expect(strangers).toEqual([])
  })
})
