// Which field of a form a refusal is about, so that the page can show it there. Pure.

const BY_CASE: Readonly<Record<string, string>> = {
  'printer.name-taken': 'name',
  'printer.wrong-number': 'code',
  'printer.no-number': 'code',
  'printer.unknown-backup': 'backupPrinterId',
  'printer.backup-is-itself': 'backupPrinterId',
  'address.itself': 'host',
  'address.link-local': 'host',
  'address.group': 'host',
  'address.nobody': 'host',
  'address.elsewhere': 'host',
  'address.port': 'port',
  'user.name-taken': 'name',
  'user.last-technician': 'role',
  'display.name-taken': 'name',
  'pairing.bad-code': 'code',
  'pairing.code-refused': 'code',
  'pairing.no-relay': 'relayUrl',
  'test-order.numbers-gone': 'number',
  'test-order.unknown-number': 'number',
  'test-order.other-printer': 'code',
  'backup.needs-passphrase': 'passphrase',
  'backup.wrong-passphrase': 'passphrase',
  'backup.unknown-person': 'people',
  'backup.plain-people': 'people',
  'report.days': 'to',
}

const BY_CODE: Readonly<Record<string, string>> = { 'wrong-code': 'code', 'wrong-password': 'password' }

/** @param code of the refusal @param key of the very case, where there is one @returns the name of the field as it is sent; null: it is about no single field */
export function refusedField(code: string, key: string | undefined): string | null {
  if (key !== undefined) return entry(BY_CASE, key)
  return entry(BY_CODE, code)
}

function entry(table: Readonly<Record<string, string>>, key: string): string | null {
  return Object.hasOwn(table, key) ? (table[key] ?? null) : null
}
