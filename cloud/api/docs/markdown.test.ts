// Markdown as HTML: nothing in it is executed, anchors are those of GitHub, code keeps its text, links lead to what is served.
import { describe, expect, test } from 'vitest'
import { docFiles, linksForReaders, readPages } from './doc-pages.ts'
import { drawMarkdown } from './markdown.ts'

const htmlOf = (markdown: string) => drawMarkdown(markdown, String).html
const textOf = (html: string) =>
  html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')

test.each([
  ['a tag in a line', 'a <b onclick="x()">word</b>'],
  ['a block of HTML', '<script>alert(1)</script>'],
  ['a comment', '<!-- bench:start -->'],
  ['a tag in a heading', '## <img src=x onerror=y>'],
  ['a tag in a table', '| a |\n| --- |\n| <iframe src="x"> |'],
  ['a tag in code', '`<b>`\n\n```html\n<b>bold</b>\n```'],
  ['a tag in the words of a picture', '![<svg onload=x>](https://example.com/x.png)'],
])('%s is shown as text', (_what, markdown) => {
  expect(htmlOf(markdown)).not.toMatch(/<(b|script|!--|img|iframe|svg)\b/)
  expect(htmlOf(markdown)).toContain('&lt;')
})

test.each(['javascript:alert(1)', 'JavaScript:alert(1)', 'data:text/html,x', 'vbscript:x'])(
  'a link to %s keeps its words and leads nowhere',
  (target) => {
    expect(htmlOf(`[words](${target})`)).toBe('<p>words</p>\n')
  },
)

test('anchors are those that GitHub makes, and the second of a name gets a number', () => {
  const { headings } = drawMarkdown("# T\n\n## What `it` does: a & b\n\n### That's all\n\n## That's all\n", String)
  expect(headings).toEqual([
    { level: 2, text: 'What it does: a & b', anchor: 'what-it-does-a--b' },
    { level: 3, text: "That's all", anchor: 'thats-all' },
    { level: 2, text: "That's all", anchor: 'thats-all-1' },
  ])
})

describe('code', () => {
  test('keeps its text, letter for letter, on every page', async () => {
    for (const { file, markdown } of await readPages(docFiles().pages, 'https://relay.example')) {
      const blocks = [...markdown.matchAll(/^```[^\n]*\n([\s\S]*?)\n?^```$/gm)].map(([, code]) => code)
      const { html } = drawMarkdown(markdown, String)
      const drawn = [...html.matchAll(/<pre tabindex="0"><code>([\s\S]*?)<\/code><\/pre>/g)].map(([, code = '']) =>
        textOf(code),
      )
      expect(drawn, file).toEqual(blocks)
    }
  })

  test('has colours by its language, and the name of its file above it', () => {
    const html = htmlOf('```js file=a.mjs test=run\nconst a = "x" // 1\n```')
    expect(html).toContain('<p class="file">a.mjs</p>')
    for (const [kind, word] of [
      ['keyword', 'const'],
      ['string', '&quot;x&quot;'],
      ['comment', '// 1'],
    ])
      expect(html).toContain(`<span class="c-${kind}">${word}</span>`)
    expect(htmlOf('```\nconst a = 1\n```')).not.toContain('<span')
  })
})

describe('links of a page for readers of the relay', () => {
  const files = [
    { id: 'webhooks', file: 'docs/webhooks.md', group: '' },
    { id: 'guides/totals', file: 'docs/guides/totals.md', group: '' },
  ]
  const [webhooks, totals] = files
  const from = (page: (typeof files)[number] | undefined, markdown: string) =>
    linksForReaders(markdown, page ?? { id: '', file: '', group: '' }, files)

  test('lead to pages that are served, from each folder', () => {
    expect(from(webhooks, '[a](guides/totals.md#x) [b](#y)')).toBe('[a](guides/totals.md#x) [b](#y)')
    expect(from(totals, '[a](../webhooks.md) [c](../snippets/verify.ts)')).toBe(
      '[a](../webhooks.md) [c](../snippets/verify.ts)',
    )
  })

  test('keep their words alone where the target is not served', () => {
    expect(from(webhooks, 'see [the runbook](runbook.md#x), [code](../cloud/main.ts).')).toBe('see the runbook, code.')
  })

  test('to decisions go with their brackets', () => {
    const text =
      'so ([0094](decisions/0094-grants-have-scopes.md)), and so ([a](webhooks.md), [0097](../docs/decisions/0097-alerts-by-webhook.md)).'
    expect(from(webhooks, text)).toBe('so, and so ([a](webhooks.md)).')
  })

  test('in code stay as they are', () => {
    expect(from(webhooks, '```\n[a](runbook.md)\n```')).toBe('```\n[a](runbook.md)\n```')
  })
})
