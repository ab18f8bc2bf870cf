// One word a thing over the box's page, the kitchen displays and Health: what hangs on the wall, and where cooks work.
import { expect, it } from 'vitest'
import { de as deKitchen } from '#gateway/web/kitchen/messages/de.ts'
import { en as enKitchen } from '#gateway/web/kitchen/messages/en.ts'
import { es as esKitchen } from '#gateway/web/kitchen/messages/es.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'

/** Every text with its path; of a sentence with values the texts of its code. */
function textsOf(words: unknown, path: string): [path: string, text: string][] {
  if (typeof words === 'string') return [[path, words]]
  if (typeof words === 'function')
    return [...String(words).matchAll(/'([^'\n]*)'|`([^`]*)`/g)].map(([, plain, filled = '']) => [
      path,
      (plain ?? filled).replace(/\$?\{[^}]*\}/g, ''),
    ])
  if (typeof words !== 'object' || words === null) return []
  return Object.entries(words).flatMap(([key, inner]) => textsOf(inner, `${path}.${key}`))
}

it.each([
  // A printer may have a display of its own.
  ['English says screen', { en, enKitchen }, /\bdisplays?\b(?! or lamps)/i],
  ['German says Monitor and Posten', { de, deKitchen }, /Bildschirm|Display\b|\bStation(?:en)?\b/],
  // The caja is where guests pay.
  [
    'Spanish says pantalla, estación and equipo',
    { es, esKitchen },
    /\bpartidas?\b|\bmonitor(?:es)?\b|\bcajas?\b(?! registradora)/i,
  ],
] as const)('%s, and no other word for it', (_, messages, other) => {
  const texts = textsOf(messages, '').map(([path, text]) => [path, text.replace(/\{\w+\}/g, '')] as const)
  expect(texts.length).toBeGreaterThan(800)
  expect(texts.filter(([, text]) => other.test(text))).toEqual([])
})
