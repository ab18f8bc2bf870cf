// A sum over the rows of a table that is the same on both engines, whatever the order in which they are read.
import { createHash } from 'node:crypto'
import { storable } from '#cloud/storage/postgres/postgres-connection.ts'

const MODULUS = 1n << 256n

/** A value as both engines have it: numbers are whole, and no text has the character U+0000. */
export function moved(value: unknown): unknown {
  return storable(typeof value === 'string' ? value.toWellFormed() : value)
}

/** The SHA-256 of each row, added up: equal for the same rows in any order, and for no others. */
export class RowSum {
  rows = 0
  #sum = 0n

  /** @param row values in the order of the table's columns by name */
  add(row: readonly unknown[]): void {
    this.rows += 1
    this.#sum = (this.#sum + BigInt(`0x${createHash('sha256').update(textOf(row)).digest('hex')}`)) % MODULUS
  }

  /** 64 hex digits. */
  get hex(): string {
    return this.#sum.toString(16).padStart(64, '0')
  }
}

function textOf(row: readonly unknown[]): string {
  return JSON.stringify(
    row.map((value) => {
      if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString('base64') }
      // -0 is 0 to PostgreSQL.
      return value === 0 ? 0 : value
    }),
  )
}
