// A whole list for the operator's line, read page by page: no single read holds up the relay.

/** @param read the page after `next` of the one before; null: the first one */
export async function allPages<R, N extends string>(
  read: (after: N | null) => Promise<{ rows: readonly R[]; next: N | null }>,
): Promise<R[]> {
  const rows: R[] = []
  let next: N | null = null
  do {
    const page: { rows: readonly R[]; next: N | null } = await read(next)
    rows.push(...page.rows)
    next = page.next
  } while (next !== null)
  return rows
}
