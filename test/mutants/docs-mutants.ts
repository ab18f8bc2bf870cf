// Planted faults of the pages for developers.
import { type Mutant, unit } from './mutant.ts'

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
]
