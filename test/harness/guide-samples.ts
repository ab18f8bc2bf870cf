// The code blocks of a page of docs/, by what stands behind their fences: ```js file=order.mjs test=run
import { readFileSync } from 'node:fs'

export interface Sample {
  language: string
  /** `file`, `test`, `terminal`: what stands behind the language. */
  marks: Readonly<Record<string, string>>
  code: string
}

/** @param page its path from the root of the project. @throws when the page is not there */
export function samplesOf(page: string): Sample[] {
  const text = readFileSync(new URL(`../../${page}`, import.meta.url), 'utf8')
  return [...text.matchAll(/^```(\w+)(.*)\n([\s\S]*?)^```$/gm)].map(([, language = '', info = '', code = '']) => ({
    ...{ language, code },
    marks: Object.fromEntries([...info.matchAll(/(\w+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value])),
  }))
}

/** @throws when the page has no such file */
export function sampleFile(page: string, file: string): string {
  const found = samplesOf(page).find(({ marks }) => marks['file'] === file)
  if (!found) throw new Error(`${page} has no ${file}`)
  return found.code
}
