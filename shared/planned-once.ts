// SQL with parameters as SQLite plans it once: for both programs' databases.

/** Quoted texts and names, comments to the end of a line, or a parameter: `?` or `@name`. Our SQL has no other quotes, comments or parameters. */
const TOKENS = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|(\?|@[a-z]\w*)/gi

/**
 * The same statement with a plus sign before each parameter, which changes no value. SQLite reads the value of a bare parameter if a
 * statement has an ORDER BY, a join or a LIMIT, and then plans the statement again at every execution: 30 microseconds and more where the
 * query itself takes one (docs/decisions/0044-planned-once.md). It does not read an expression, and `+?` is one. The price: no value
 * helps to choose an index, so the condition of a partial index must be in the statement itself.
 */
export function plannedOnce(sql: string): string {
  return sql.replace(TOKENS, (token, parameter: string | undefined) => (parameter === undefined ? token : `+${token}`))
}
