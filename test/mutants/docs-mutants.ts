// Planted faults of the pages for developers.
import { type Mutant, rooms, unit } from './mutant.ts'

export const DOCS_MUTANTS: readonly Mutant[] = [
  {
    name: 'docs-html-as-it-is',
    file: 'cloud/api/docs/markdown.ts',
    original: 'html: ({ text }: Tokens.HTML | Tokens.Tag) => escapeHtml(text),',
    replacement: 'html: ({ text }: Tokens.HTML | Tokens.Tag) => text,',
    harm: 'HTML in a page is HTML of the relay.',
    tests: unit('cloud/api/docs/markdown.test.ts'),
  },
  {
    name: 'docs-links-to-the-repository',
    file: 'cloud/api/docs/doc-pages.ts',
    original: 'if (at === null) return text',
    replacement: 'if (at === null) return whole',
    harm: 'A reader of the relay follows links to files that they do not have.',
    tests: unit('cloud/api/docs/markdown.test.ts'),
  },
  {
    name: 'docs-codes-of-errors-first',
    file: 'cloud/api/docs/search-index.ts',
    original: 'event: 0.8, error: 0.5 }',
    replacement: 'event: 0.8, error: 50 }',
    harm: 'Who searches for a word reads codes of errors before the page about it.',
    tests: rooms('test/contract/docs-search.room.test.ts'),
  },
  {
    name: 'docs-insides-served',
    file: 'cloud/api/docs/doc-pages.ts',
    original: "return markdown.replaceAll(REPOSITORY, '')",
    replacement: 'return markdown',
    harm: 'A reader of the relay is told to run commands of a repository that they do not have.',
    tests: unit('cloud/api/docs-routes.test.ts'),
  },
  {
    name: 'docs-package-never-again',
    file: 'cloud/api/kept-document.ts',
    original: 'made = null\n      throw error',
    replacement: 'throw error',
    harm: 'A relay that was asked for the npm package before it was made answers 404 until it is started again.',
    tests: unit('cloud/api/docs-routes.test.ts'),
  },
]
