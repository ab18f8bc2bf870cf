// A planted fault: one line of the product made wrong, and the tests that must notice. The lists of them stand beside this file.

/** A project of vitest.config.ts, and files of it. */
export interface NamedTests {
  project: 'unit' | 'rooms' | 'pg-unit' | 'pg-rooms' | 'pg-races' | 'programs' | 'conformance' | 'flows'
  files: readonly string[]
}

export interface Mutant {
  /** In kebab-case, of all lists once: what `--only` asks for. */
  name: string
  /** From the project's folder. */
  file: string
  /** Stands in the file exactly once. */
  original: string
  replacement: string
  /** What the fault would do to a restaurant, in one sentence. */
  harm: string
  tests: NamedTests
}

export const unit = (...files: string[]): NamedTests => ({ project: 'unit', files })
export const rooms = (...files: string[]): NamedTests => ({ project: 'rooms', files })

/** How often a text stands in another. */
export function occurrences(text: string, wanted: string): number {
  return text.split(wanted).length - 1
}

/** @throws Error in plain words when the original does not stand in the text exactly once */
export function planted(text: string, { file, original, replacement }: Mutant): string {
  const found = occurrences(text, original)
  if (found !== 1)
    throw new Error(
      `the original stands in ${file} ${found} times instead of once. Give the list the text that stands there now: ${original}`,
    )
  // A function, so that `$&` in a replacement is only text.
  return text.replace(original, () => replacement)
}
