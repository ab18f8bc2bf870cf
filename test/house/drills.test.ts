// What is played in short by `npm test` is played in full by `npm run drills`: no file that knows both lengths is left out.
import { expect, it } from 'vitest'
import { projectFiles, ROOT, read } from './source-files.ts'

interface Stage {
  args: string[]
  env?: () => Record<string, string>
}
const { DRILLS }: { DRILLS: Stage[] } = await import(`${ROOT}/scripts/stages.mjs`)

/** Of each drill in full its project and each part of a file's name that it asks for; an empty one: all of the project. */
const IN_FULL = DRILLS.filter(({ env }) => env?.()['DRILL'] === '1').flatMap(({ args: [, , project = '', ...parts] }) =>
  (parts.length > 0 ? parts : ['']).map((part) => ({ project, part })),
)

it('is so for every file', () => {
  const files = projectFiles('.ts').filter((path) => /from '[^']*\/drill\.ts'/.test(read(path)))
  expect(files.length).toBeGreaterThan(5)
  const forgotten = files
    // Unit tests beside what they test are of that drill too.
    .filter((path) => path.startsWith('test/') || !/(?<!\.room|\.program)\.test\.ts$/.test(path))
    // Every property goes through it, and all unit tests are a drill.
    .filter((path) => path !== 'test/harness/property.ts')
    .filter((path) => !IN_FULL.some(({ project, part }) => path.startsWith(`test/${project}/`) && path.includes(part)))
  expect(forgotten).toEqual([])
  expect(IN_FULL).toContainEqual({ project: 'unit', part: '' })
})
