// The code of an error, such as ENOENT: of the system, of SQLite, of a library.

/** Empty: it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
