// What the pages for developers make of words that a search found.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { assertProperty } from '#test/harness/property.ts'
import { docFiles, readPages } from './doc-pages.ts'
import { marked } from './site.ts'

const textOf = (html: string) =>
  html
    .replaceAll(/<\/?mark>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

test('every word of every page is highlighted where it is found', async () => {
  const pages = await readPages(docFiles().pages, 'https://relay.example')
  // As the index parts them, and as they stand there.
  const words = new Set(pages.flatMap(({ markdown }) => markdown.toLowerCase().match(/[\p{L}\p{N}]+|\S+/gu) ?? []))
  expect(words.size).toBeGreaterThan(1_000)
  const unmarked = [...words].filter((word) => !/^\n<mark>[^<]+<\/mark>\n$/.test(marked(`\n${word}\n`, [word])))
  expect(unmarked).toEqual([])
})

test('whatever the words are, the text stays the same and is escaped', () => {
  const anything = fc.string({ unit: 'binary' })
  assertProperty(
    fc.property(anything, fc.array(anything), (text, words) => {
      const html = marked(text, words)
      expect(textOf(html)).toBe(text)
      expect(html.replaceAll(/<\/?mark>/g, '')).not.toMatch(/[<>]/)
      return true
    }),
  )
})

test('the longest of two words is highlighted, in any letter case; a word without a character is none', () => {
  expect(marked('Print jobs & prints', ['print', 'prints', ''])).toBe(
    '<mark>Print</mark> jobs &amp; <mark>prints</mark>',
  )
})
