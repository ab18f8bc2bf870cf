// docs/health.md names every finding of the box, and none that there is not.
import { expect, it } from 'vitest'
import { HEALTH_WORDS } from '#shared/health-words.ts'
import { read } from './source-files.ts'

it('every finding is in docs/health.md', () => {
  const text = read('docs/health.md')
  const keys = Object.keys(HEALTH_WORDS.sentences).filter((key) => !key.endsWith('-settled'))
  expect(keys.filter((key) => !text.includes(`\`${key}\``))).toEqual([])
  const rows = text.split('\n').flatMap((line) => /^\| (`[^|]*`[^|]*) \|/.exec(line)?.[1] ?? [])
  const named = rows.flatMap((cell) => [...cell.matchAll(/`([a-z]+(?:-[a-z]+)+)`/g)].map(([, key = '']) => key))
  expect(named.filter((key) => !Object.hasOwn(HEALTH_WORDS.sentences, key) && key !== '-settled')).toEqual([])
})
