// Finds the field that a client probably meant when it sent one that does not exist.
import { z } from 'zod'

/** Largest edit distance that still counts as a typing error. */
const MAX_DISTANCE = 2
const LONGEST_NAME = 40

/** The known field at `path` of `schema` that is nearest to `key` (case and `_`/`-` ignored), or null when none is near. */
export function nearestField(schema: z.ZodType, path: readonly PropertyKey[], key: string): string | null {
  if (key.length > LONGEST_NAME) return null
  const wanted = plain(key)
  let best: string | null = null
  let bestDistance = MAX_DISTANCE + 1
  for (const name of fieldsAt(schema, path)) {
    const d = distance(wanted, plain(name))
    if (d >= bestDistance || d >= plain(name).length) continue
    best = name
    bestDistance = d
  }
  return best
}

function plain(name: string): string {
  return name.replaceAll(/[_-]/g, '').toLowerCase()
}

function fieldsAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  let at: unknown = unwrap(schema)
  for (const part of path) {
    if (at instanceof z.ZodObject) at = unwrap(at.shape[String(part)])
    else if (at instanceof z.ZodArray) at = unwrap(at.element)
    else return []
  }
  return at instanceof z.ZodObject ? Object.keys(at.shape) : []
}

function unwrap(schema: unknown): unknown {
  let at = schema
  while (at instanceof z.ZodOptional || at instanceof z.ZodDefault || at instanceof z.ZodNullable) at = at.unwrap()
  return at
}

/** Levenshtein distance. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, replaced))
    }
    row = next
  }
  return row[b.length] ?? 0
}
