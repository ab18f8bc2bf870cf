// What is wrong, what it costs and what mends it, in every language: no sentence is left with a hole, and plurals fit.
import { describe, expect, it } from 'vitest'
import { LOADERS } from '#gateway/web/admin/i18n.tsx'
import { en } from '#gateway/web/admin/messages/en.ts'
import { es } from '#gateway/web/admin/messages/es.ts'
import { HEALTH_WORDS } from '#shared/health-words.ts'
import { LANGUAGE_IDS } from '#shared/languages.ts'
import { formatsFor } from '#shared/ui/languages.ts'
import { actWords, costWords, findingWords, type Words } from './finding-words.ts'

const LANGUAGES: readonly Words[] = await Promise.all(
  LANGUAGE_IDS.map(async (language) => ({ t: await LOADERS[language](), formats: formatsFor(language), language })),
)
const spanish: Words = { t: es, formats: formatsFor('es'), language: 'es' }

const holes = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).sort()

describe('the words of a finding', () => {
  it('name the same values in every language', () => {
    for (const { t } of LANGUAGES) {
      for (const key of Object.keys(HEALTH_WORDS.sentences) as (keyof typeof HEALTH_WORDS.sentences)[]) {
        const known = new Set([...holes(en.health.sentences[key].title), ...holes(en.health.sentences[key].text)])
        const { title, text } = t.health.sentences[key]
        expect([...new Set([...holes(title), ...holes(text)])].sort(), key).toEqual([...known].sort())
      }
      for (const key of Object.keys(HEALTH_WORDS.acts) as (keyof typeof HEALTH_WORDS.acts)[])
        expect(holes(t.health.acts[key]), key).toEqual(holes(en.health.acts[key]))
    }
  })

  it('state that the tickets of a dead printer wait, unless another one prints them', () => {
    const down = { key: 'printer-down', title: '', text: '' }
    const values = { printer: 'Grill', reason: 'timed-out' }
    for (const words of LANGUAGES) {
      const alone = findingWords({ ...down, values }, words).text
      const backed = findingWords({ ...down, values: { ...values, backup: 'Fry $&' } }, words).text
      expect(alone).toContain(words.t.printer.ticketsWait)
      expect(backed).not.toContain(words.t.printer.ticketsWait)
      expect(backed).toContain('Fry $&')
    }
  })

  it('count what it costs by the rule of the language', () => {
    const cost = (count: number) => ({ cost: { key: 'orders-unseen', count, values: {}, text: '' } })
    const said = LANGUAGES.map((words) => [words.language, costWords(cost(1), words), costWords(cost(12), words)])
    const expected = [
      ['en', '1 order is on no screen.', '12 orders are on no screen.'],
      ['es', '1 pedido no está en ninguna pantalla.', '12 pedidos no están en ninguna pantalla.'],
      ['de', '1 Bestellung ist auf keinem Monitor.', '12 Bestellungen sind auf keinem Monitor.'],
      ['fr', '1 commande n’est sur aucun écran.', '12 commandes ne sont sur aucun écran.'],
      ['ar', 'طلب واحد ليس على أي شاشة.', '12 طلبًا ليست على أي شاشة.'],
      ['zh-Hans', '有 1 个订单不在任何显示屏上。', '有 12 个订单不在任何显示屏上。'],
    ]
    expect(said).toEqual(expect.arrayContaining(expected))
  })

  it('are those of the box where the page has none, as with a newer box', () => {
    const own = { key: 'toString', values: {}, title: 'On fire', text: 'Run.' }
    expect(findingWords(own, spanish)).toEqual({ title: 'On fire', text: 'Run.' })
    const cost = { key: 'constructor', count: 2, values: {}, text: '2 fires.' }
    expect(costWords({ cost }, spanish)).toBe('2 fires.')
    const act = { kind: 'open' as const, key: 'valueOf', values: {}, to: '/', label: 'Out', role: 'manager' as const }
    expect(actWords(act, spanish)).toBe('Out')
  })
})
