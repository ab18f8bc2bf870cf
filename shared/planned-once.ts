// SQL with parameters as SQLite plans it once: for both programs' databases.

/** Quoted texts and names, comments to the end of a line, or a parameter: `?` or `@name`. Our SQL has no other quotes, comments or parameters. */
const TOKENS = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|(\?|@[a-z]\w*)/gi

/**
 * The same statement with a plus sign before each parameter, which changes no value. SQLite looks at the value of a bare parameter where a
 * statement has an ORDER BY, a join or a LIMIT, and then plans the statement anew at every execution: 30 microseconds and more where the
 * query itself takes one (docs/decisions/0044-planned-once.md). It does not look into an expression, and `+?` is one. The price: no value
 * helps to choose an index, so what a partial index is made for must stand in the statement itself.
 */
export function plannedOnce(sql: string): string {
  return sql.replace(TOKENS, (token, parameter: string | undefined) => (parameter === undefined ? token : `+${token}`))
}
