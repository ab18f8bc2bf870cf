// The rule that an invalid field breaks, as a key and a limit, for pages in other languages. Pure.
import type { z } from 'zod'

export interface FieldRule {
  key:
    | 'at-least'
    | 'at-most'
    | 'at-least-characters'
    | 'at-most-characters'
    | 'at-least-entries'
    | 'at-most-entries'
    | 'number'
    | 'form'
    | 'required'
    | 'column-missing'
    | 'twice'
    | 'unknown'
  limit: number | null
}

/** Null: nothing that a person typed into a form breaks it. */
export function fieldRule(issue: z.core.$ZodIssue): FieldRule | null {
  switch (issue.code) {
    case 'too_small':
      return { key: `at-least${ofWhat(issue.origin)}`, limit: Number(issue.minimum) }
    case 'too_big':
      return { key: `at-most${ofWhat(issue.origin)}`, limit: Number(issue.maximum) }
    case 'invalid_type':
      return issue.expected === 'number' || issue.expected === 'int' ? { key: 'number', limit: null } : null
    case 'invalid_format':
    case 'custom':
      return { key: 'form', limit: null }
    default:
      return null
  }
}

function ofWhat(origin: string): '' | '-characters' | '-entries' {
  if (origin === 'string') return '-characters'
  return origin === 'array' ? '-entries' : ''
}
