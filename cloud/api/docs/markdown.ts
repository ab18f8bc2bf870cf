// Markdown of docs/ as HTML: raw HTML is shown as text, headings have anchors, code is coloured here and not in the browser.
import { Marked, type Tokens } from 'marked'
import { escapeHtml } from '#cloud/api/openapi/html.ts'
import { colouredCode } from './colour-code.ts'

export interface Heading {
  level: number
  /** Plain text. */
  text: string
  anchor: string
}

export interface Drawn {
  html: string
  /** Without the page's own title. */
  headings: Heading[]
}

/**
 * || @param urlOf the URL for a link that the text writes as a path to an `.md`
 * @param isPlain leaves code uncoloured
 */
export function drawMarkdown(markdown: string, urlOf: (target: string) => string, isPlain = false): Drawn {
  const headings: Heading[] = []
  const anchors = new Map<string, number>()
  let tables = 0
  const marked = new Marked({
    gfm: true,
    renderer: {
      html: ({ text }: Tokens.HTML | Tokens.Tag) => escapeHtml(text),
      heading({ tokens, depth }) {
        const text = this.parser.parseInline(tokens, this.parser.textRenderer)
        const anchor = newAnchor(anchors, text)
        if (depth === 1) return `<h1>${this.parser.parseInline(tokens)}</h1>\n`
        headings.push({ level: depth, text: unescaped(text), anchor })
        return `<h${depth} id="${anchor}"><a class="anchor" href="#${anchor}">${this.parser.parseInline(tokens)}</a></h${depth}>\n`
      },
      code: ({ text, lang = '' }) => codeBlock(text, isPlain ? '' : lang),
      link({ href, tokens }) {
        const words = this.parser.parseInline(tokens)
        // A script is no place to go to.
        if (/^[a-z][a-z0-9+.-]*:/i.test(href) && !/^(https?|mailto):/i.test(href)) return words
        return `<a href="${escapeHtml(urlOf(href))}">${words}</a>`
      },
      // The policy of the pages allows pictures of the relay alone, and there are none.
      image: ({ text }) => escapeHtml(text),
      table(token) {
        const cells = (row: Tokens.TableCell[], tag: string) =>
          row.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')
        const rows = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('\n')
        tables += 1
        const columns = token.header.map(({ tokens }) => this.parser.parseInline(tokens, this.parser.textRenderer))
        // Wider than a telephone: it is scrolled by keys, too.
        return `<div class="table" tabindex="0" role="region" aria-label="Table ${tables}: ${columns.join(', ')}"><table>
<thead><tr>${cells(token.header, 'th scope="col"').replaceAll('</th scope="col">', '</th>')}</tr></thead>
<tbody>${rows}</tbody></table></div>\n`
      },
    },
  })
  return { html: marked.parse(markdown, { async: false }), headings }
}

/** As GitHub makes them, so that the links in the files hold in both places. */
function newAnchor(taken: Map<string, number>, text: string): string {
  const anchor = unescaped(text)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-')
  const times = taken.get(anchor) ?? 0
  taken.set(anchor, times + 1)
  return times === 0 ? anchor : `${anchor}-${times}`
}

const unescaped = (html: string) =>
  html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

/** @param info the text behind the fence: a language, then `name=value` pairs of which `file` is shown */
function codeBlock(text: string, info: string): string {
  const [language = ''] = info.split(/\s/, 1)
  const file = /\bfile=(\S+)/.exec(info)?.[1]
  const caption = file === undefined ? '' : `<p class="file">${escapeHtml(file)}</p>`
  // What no language is named for is shown and not run: it needs no button to copy it.
  return `<div class="code${language === '' ? ' plain' : ''}">${caption}<pre tabindex="0"><code>${colouredCode(text, language)}</code></pre></div>\n`
}
