// Rows picked on the code page sheet, as people type them: `16:windows1252, 18:cp852`.

export interface CodePageRow {
  page: number
  encoding: string
}

/** @returns undefined where one of them is no such row */
export function codePageRows(text: string): CodePageRow[] | undefined {
  const rows = text
    .split(/[,，、;]/)
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .map(rowOf)
  return rows.length > 0 && rows.every((row) => row !== null) ? rows : undefined
}

export function codePageRowsText(rows: readonly CodePageRow[]): string {
  return rows.map(({ page, encoding }) => `${page}:${encoding}`).join(', ')
}

function rowOf(text: string): CodePageRow | null {
  const [, page, encoding] = /^(\d{1,3}):([\w/-]{1,40})$/.exec(text) ?? []
  return page === undefined || encoding === undefined ? null : { page: Number(page), encoding }
}
