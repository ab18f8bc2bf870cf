// Which files of docs/ are for client developers, in which order they are listed, and their texts as a reader of the relay gets them.
import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { posix } from 'node:path'
import { VERSION } from '#shared/version.ts'

const ROOT = new URL('../../../', import.meta.url).pathname

/** An operator's pages are in the repository: they are not listed here, and not served. */
const GROUPS: readonly { title: string; pages: readonly string[] }[] = [
  { title: 'Start', pages: ['guides/quick-start', 'guides/testing-with-the-sandbox', 'guides/going-live'] },
  {
    title: 'Orders',
    pages: [
      ...['api', 'guides/totals', 'guides/idempotency-and-retries', 'guides/printer-offline', 'guides/fire-at'],
      ...['tickets', 'print-jobs', 'pos'],
    ],
  },
  { title: 'Webhooks', pages: ['webhooks', 'guides/verify-webhooks'] },
  { title: 'Menu', pages: ['guides/menus', 'channels'] },
  {
    title: 'Tools',
    pages: ['guides/sdk', 'guides/command-line', 'guides/other-languages', 'guides/voice-agents'],
  },
  { title: 'Telephone', pages: ['receptionist'] },
  { title: 'Account', pages: ['keys-and-limits', 'sandbox', 'dashboard'] },
  { title: 'More', pages: ['glossary', 'changelog'] },
]
const UNLISTED = 'More guides'

/** A file that is served. */
export interface DocFile {
  /** `api`, or `guides/` and a name: the path behind `/docs/`. */
  id: string
  /** From the root of the project: `docs/api.md`. */
  file: string
  group: string
}

export interface DocPage extends DocFile {
  url: string
  title: string
  /** The first sentence, as plain text. */
  summary: string
  /** As `.md` serves it. */
  markdown: string
}

export interface DocFiles {
  /** Every listed file that is there, and every guide, listed or not. A relay without the folder has none. */
  pages: DocFile[]
  /** Files of docs/snippets, to be copied as they are. */
  snippets: { url: string; read: () => Promise<string> }[]
}

export function docFiles(root = ROOT): DocFiles {
  const listed = GROUPS.flatMap(({ title, pages }) => pages.map((id) => ({ id, file: fileOf(id), group: title })))
  const namesIn = (folder: string) => (existsSync(root + folder) ? readdirSync(root + folder).sort() : [])
  const guides = namesIn('docs/guides').filter((name) => name.endsWith('.md'))
  const others = guides
    .map((name) => `guides/${name.slice(0, -3)}`)
    .filter((id) => !listed.some((one) => one.id === id))
  const snippet = (name: string) => {
    const file = `docs/snippets/${name}`
    return { url: `/${file}`, read: () => readFile(root + file, 'utf8') }
  }
  return {
    pages: [
      ...listed.filter(({ file }) => existsSync(root + file)),
      ...others.map((id) => ({ id, file: fileOf(id), group: UNLISTED })),
    ],
    snippets: namesIn('docs/snippets').map(snippet),
  }
}

const fileOf = (id: string) => (id === 'changelog' ? 'CHANGELOG.md' : `docs/${id}.md`)

/** @param address the relay's own, inserted into the samples. @throws when a file cannot be read */
export async function readPages(files: readonly DocFile[], address: string, root = ROOT): Promise<DocPage[]> {
  return Promise.all(
    files.map(async (file) => {
      const text = await readFile(root + file.file, 'utf8')
      const markdown = linksForReaders(forReaders(text), file, files).replaceAll(SAMPLE_ADDRESS, address)
      return {
        ...{ ...file, url: `/docs/${file.id}`, markdown },
        title: /^# (.+)$/m.exec(markdown)?.[1] ?? file.id,
        summary: summaryOf(markdown),
      }
    }),
  )
}

/** In the files; replaced by the relay's address, so that a reader can paste a sample unchanged. */
const SAMPLE_ADDRESS = 'https://relay.example'

function summaryOf(markdown: string): string {
  const [, paragraph = ''] = /^# .+\n+((?!```|[#|])[^\n]+)/m.exec(markdown) ?? []
  const text = plainText(paragraph)
  return /^.*?\.(?=\s|$)/.exec(text)?.[0] ?? text
}

/** What is for those who change or run the project: a reader of the relay has neither its files nor its commands. */
const REPOSITORY =
  /^<!-- repository -->\n[\s\S]*?^<!-- \/repository -->\n+|<!-- repository -->[\s\S]*?<!-- \/repository -->/gm
/** Of the changelog: what is not released yet is in the relay that serves it. */
const UNRELEASED = /^## \[Unreleased\]$/m

/** The text of a file without what is for the repository alone. */
export function forReaders(markdown: string): string {
  return markdown.replaceAll(REPOSITORY, '').replace(UNRELEASED, `## This relay (${VERSION})`)
}

/** A link; in its text there may be code. */
const LINK = /\[([^\][]+)\]\(([^)\s]+)\)/g
/** A decision beside another text in brackets. */
const DECISION = /[,;] \[(?:decision )?\d{4}\]\([^)\s]*decisions\/[^)\s]+\)/g
/** Brackets that hold one link and nothing more. */
const LINK_ALONE = / ?\(\[[^\][]+\]\(([^)\s]+)\)\)/g

/**
 * Links to pages that the relay serves lead to these, as `.md`; of any other file of the repository the words stay and the link goes. Where
 * such a link stands alone in brackets, the brackets go too.
 */
export function linksForReaders(markdown: string, from: DocFile, files: readonly DocFile[]): string {
  const served = new Set(files.map(({ file }) => file))
  const folder = posix.dirname(`/docs/${from.id}`)
  /** Null: nobody serves it. */
  const targetOf = (target: string): string | null => {
    if (/^(https?:|mailto:|#|\/)/.test(target)) return target
    const [path = '', anchor] = target.split('#')
    const file = posix.join(posix.dirname(from.file), path)
    const at = served.has(file) ? `/docs/${idOf(file)}.md` : file.startsWith('docs/snippets/') ? `/${file}` : null
    return at === null ? null : posix.relative(folder, at) + (anchor === undefined ? '' : `#${anchor}`)
  }
  return outsideOfCode(markdown, (prose) =>
    prose
      .replaceAll(DECISION, '')
      .replaceAll(LINK_ALONE, (whole, target: string) => (targetOf(target) === null ? '' : whole))
      .replaceAll(LINK, (whole, text: string, target: string) => {
        const at = targetOf(target)
        if (at === null) return text
        return at === target ? whole : `[${text}](${at})`
      }),
  )
}

const idOf = (file: string) => (file === 'CHANGELOG.md' ? 'changelog' : file.replace(/^docs\/|\.md$/g, ''))

function outsideOfCode(markdown: string, change: (prose: string) => string): string {
  return markdown
    .split(/(^```[\s\S]*?^```$)/m)
    .map((part) => (part.startsWith('```') ? part : change(part)))
    .join('')
}

/** Prose without its markup. */
export function plainText(markdown: string): string {
  return markdown
    .replaceAll(LINK, '$1')
    .replaceAll(/^```.*$|^\|[-| ]+\|$|[`*]|^#+ |^[-|>] ?/gm, '')
    .trim()
}
