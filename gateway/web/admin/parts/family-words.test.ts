// The words for each family of printers, in every language.
import { describe, expect, it } from 'vitest'
import type { ProfileAnswer } from '#gateway/control/answers.ts'
import { LOADERS } from '#gateway/web/admin/i18n.tsx'
import { en } from '#gateway/web/admin/messages/en.ts'
import { LANGUAGE_IDS } from '#shared/languages.ts'
import { BoxServer } from '#test/doubles/box-server.ts'
import { familyFacts, familyLabel } from './family-words.ts'

const box = new BoxServer({ printers: [] })
const FAMILIES = (await box.control.perform('profiles', {}, { asker: 'test' })) as ProfileAnswer[]
await box.core.stop()

describe.each(await Promise.all(LANGUAGE_IDS.map(async (id) => [id, await LOADERS[id]()] as const)))(
  'in %s',
  (_, t) => {
    it('the choice names every model', () => {
      expect(FAMILIES.length).toBeGreaterThan(20)
      for (const family of FAMILIES) for (const model of family.models) expect(familyLabel(family, t)).toContain(model)
    })

    it('a family without models is distinguished from the others of its maker by its traits', () => {
      const bare = FAMILIES.filter(({ models }) => models.length === 0)
      expect(bare.map(({ id }) => id)).toContain('generic-80-chinese')
      const facts = FAMILIES.map((family) => familyFacts(family, t))
      for (const family of bare) {
        expect(facts.filter((each) => each === familyFacts(family, t))).toHaveLength(1)
        expect(familyLabel(family, t)).toContain(familyFacts(family, t))
      }
    })
  },
)

it('describes the purpose of generic-80-chinese', () => {
  const family = FAMILIES.find(({ id }) => id === 'generic-80-chinese')
  expect(family && familyLabel(family, en)).toBe(
    'generic-80-chinese: Generic, 48 characters in a line, Simplified Chinese in characters of its own',
  )
})
