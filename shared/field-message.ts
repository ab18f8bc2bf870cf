// Messages about invalid fields that explain the required value; zod's own are about its types.
import type { z } from 'zod'

type Issue = z.core.$ZodRawIssue

/** For zod's `error` of one parse: null leaves zod's own words. A schema that brings words of its own keeps them. */
export function fieldMessage(issue: Issue): string | null {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${NOUNS[issue.expected] ?? issue.expected}`
    case 'invalid_value':
      return `must be ${oneOf(issue.values)}`
    case 'invalid_union':
      return Array.isArray(issue.options) ? `must be ${oneOf(issue.options)}` : null
    case 'too_small':
      return bound(issue.origin, Number(issue.minimum), { atWord: 'at least', orWord: 'or more' })
    case 'too_big':
      return bound(issue.origin, Number(issue.maximum), { atWord: 'at most', orWord: 'or less' })
    case 'invalid_format':
      return issue.format === 'email' ? 'must be an e-mail address' : null
    default:
      return null
  }
}

const NOUNS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}

function oneOf(values: readonly unknown[]): string {
  const words = values.map(String)
  const last = words.pop() ?? ''
  return words.length === 0 ? last : `${words.join(', ')} or ${last}`
}

function bound(origin: string, limit: number, { atWord, orWord }: { atWord: string; orWord: string }): string {
  if (origin === 'string') return `must have ${atWord} ${limit} ${limit === 1 ? 'character' : 'characters'}`
  if (origin === 'array') return `must have ${atWord} ${limit} ${limit === 1 ? 'entry' : 'entries'}`
  return `must be ${limit} ${orWord}`
}
