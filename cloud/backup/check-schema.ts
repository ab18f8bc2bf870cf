// Whether a file has the schema of a relay and nothing else: a view or a trigger of somebody else would run as soon as its rows are read.
import type Database from 'better-sqlite3'
import { MIGRATIONS } from '#cloud/storage/migrations/migrations.ts'
import { type SchemaEntry, schemaIn, schemaOfVersion } from '#cloud/storage/sqlite/schema-of-version.ts'
import { plain } from '#shared/terminal-text.ts'
import { FileRefusal } from './file-refusal.ts'

const MOST_LINES = 50
/** For a name that somebody else has chosen. */
const MOST_LETTERS = 100

/** Reads no row of any table. @returns a line for each difference. @throws FileRefusal for a version that this program does not have */
export async function schemaFaults(db: Database.Database, file: string): Promise<string[]> {
  const version = Number(db.pragma('user_version', { simple: true }))
  if (version > MIGRATIONS.length)
    throw new FileRefusal(
      `${file} is of schema ${version}, this program knows ${MIGRATIONS.length}: install the newer one.`,
    )
  return differences(schemaIn(db), await schemaOfVersion(Math.max(0, version)))
}

function differences(found: readonly SchemaEntry[], made: readonly SchemaEntry[]): string[] {
  const left = new Map(made.map((entry) => [keyOf(entry), entry]))
  const lines: string[] = []
  for (const entry of found) {
    const key = keyOf(entry)
    const wanted = left.get(key)
    left.delete(key)
    if (wanted === undefined) lines.push(`schema: ${nameOf(entry)} is none of the relay's`)
    else if (wanted.sql !== entry.sql || wanted.table !== entry.table)
      lines.push(`schema: ${nameOf(entry)} is not as the relay makes it`)
  }
  for (const entry of left.values()) lines.push(`schema: ${nameOf(entry)} is missing`)
  return lines.length <= MOST_LINES
    ? lines
    : [...lines.slice(0, MOST_LINES), `and ${lines.length - MOST_LINES} more of this kind`]
}

const keyOf = ({ type, name }: SchemaEntry): string => JSON.stringify([type, name])

const nameOf = ({ type, name }: SchemaEntry): string => plain(`${type} ${name}`).slice(0, MOST_LETTERS)
