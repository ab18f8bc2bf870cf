// Rows of a list that does not shift under the hand: what comes meanwhile waits behind "3 new", what is shown stays where it is and is brought up to date. Pure.

import { replaceEqualDeep } from '@tanstack/react-query'

/** One answer of a list: its rows, the newest first, and how to go on. */
export interface RowPage<R> {
  rows: readonly R[]
  /** The cursor of the next page; null: there is none. */
  next: string | null
}

export interface HeldRows<R> {
  /** What is shown. */
  rows: readonly R[]
  next: string | null
  /** The newest first page that arrived. */
  head: RowPage<R>
}

export const heldFrom = <R>(head: RowPage<R>): HeldRows<R> => ({ rows: head.rows, next: head.next, head })

/** Merges a newer first page: shown rows are updated, removed ones go, and new ones wait. A row with the same content stays the same object, so that it is not redrawn. */
export function withHead<R>(held: HeldRows<R>, head: RowPage<R>, keyOf: (row: R) => string): HeldRows<R> {
  if (held.rows.length === 0) return heldFrom(head)
  const newer = new Map(head.rows.map((row) => [keyOf(row), row]))
  const fresh = freshRows({ ...held, head }, keyOf).length
  // As many as came may have been pushed onto the second page; the others that stood on the first one are gone.
  const before = held.head.rows.map(keyOf)
  const stays = head.next === null ? before : before.slice(0, Math.max(0, before.length - fresh))
  const gone = new Set(stays.filter((key) => !newer.has(key)))
  const rows = held.rows
    .filter((row) => !gone.has(keyOf(row)))
    .map((row) => replaceEqualDeep(row, newer.get(keyOf(row)) ?? row))
  return rows.length === 0 ? heldFrom(head) : { ...held, rows, head }
}

/** Those that have come and are not shown yet. */
export function freshRows<R>({ rows, head }: HeldRows<R>, keyOf: (row: R) => string): R[] {
  const shown = new Set(rows.map(keyOf))
  const firstShown = head.rows.findIndex((row) => shown.has(keyOf(row)))
  return head.rows.slice(0, firstShown === -1 ? head.rows.length : firstShown)
}

/** Appends a further page; a row that moved there from the page before is kept once. */
export function withMore<R>(held: HeldRows<R>, more: RowPage<R>, keyOf: (row: R) => string): HeldRows<R> {
  const shown = new Set(held.rows.map(keyOf))
  return { ...held, rows: [...held.rows, ...more.rows.filter((row) => !shown.has(keyOf(row)))], next: more.next }
}
