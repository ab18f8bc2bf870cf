// The format of a backup of the box: its configuration as one packed JSON document, encrypted with a passphrase. No orders: a restored queue would print again what was printed.
//
// The file: a line of JSON with the parameters of the key, a line feed, and AES-256-GCM over the packed document with that line as its additional
// data. Not one byte can be changed without the passphrase. Files of version 1 were the packed document alone.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { z } from 'zod'
import { fieldMessage } from '#shared/field-message.ts'
import { isPasswordHash, isScryptCost, type Passwords, scryptBytes } from '#shared/pages/passwords.ts'
import { printerSettings } from '#shared/printer-settings.ts'
import { routingRules } from '#shared/tickets/routing-rules.ts'
import { ControlRefusal } from './control-refusal.ts'
import { boxSettingsFields, printerFields, userName, userRole } from './operation-fields.ts'

const FORMAT = 'ticketrail-backup'
/** Unpacked. */
const MOST_BYTES = 4_194_304
const MOST_LOGO_BASE64 = 699_052
/** 32 MB, as a sign-in takes, and four times its work. */
const COST = { N: 32_768, r: 8, p: 4 }
/** What a file from elsewhere may ask of this box: 64 MB, and sixteen times the work of a sign-in. */
const MOST_MEMORY = scryptBytes({ N: 65_536, r: 8, p: 16 })
const MOST_STEPS = 16 * 32_768 * 8
const SALT_BYTES = 16
const NONCE_BYTES = 12
const TAG_BYTES = 16
const MOST_HEADER_BYTES = 1_024
const GZIP = Buffer.from([0x1f, 0x8b])

const content = {
  madeAt: z.iso.datetime(),
  app: z.string().max(100),
  /** Without thresholds where none are set, as files of older versions. */
  box: z.strictObject({ ...boxSettingsFields, thresholds: boxSettingsFields.thresholds.optional() }),
  printers: z
    .array(
      z.strictObject({
        ...printerFields,
        printerId: z.string().min(1).max(64),
        isDefault: z.boolean(),
        settings: printerSettings,
      }),
    )
    .max(32),
  rules: routingRules,
  users: z
    .array(
      z.strictObject({
        name: userName,
        role: userRole,
        password: z.string().max(300).refine(isPasswordHash, { error: 'must be a hash that this program makes' }),
      }),
    )
    .max(50),
  logo: z.base64().max(MOST_LOGO_BASE64).nullable(),
}
const locked = z.strictObject(content)
const plain = z.strictObject({ format: z.literal(FORMAT), version: z.literal(1), ...content })
export type Backup = z.infer<typeof locked>

const bytesOf = (count: number) =>
  z
    .base64url()
    .transform((text) => Buffer.from(text, 'base64url'))
    .refine(({ length }) => length === count, { error: `must be ${count} bytes` })
const header = z.strictObject({
  format: z.literal(FORMAT),
  version: z.literal(2),
  kdf: z
    .strictObject({ name: z.literal('scrypt'), N: z.int(), r: z.int(), p: z.int(), salt: bytesOf(SALT_BYTES) })
    .refine((kdf) => isScryptCost(kdf, MOST_STEPS) && scryptBytes(kdf) <= MOST_MEMORY, {
      error: 'must be costs of scrypt that this box can bear',
    }),
  cipher: z.strictObject({ name: z.literal('aes-256-gcm'), nonce: bytesOf(NONCE_BYTES) }),
})

/** How to open a file: by its passphrase; `plain` by a caller who declares that it has none. */
export interface BackupKey {
  passphrase?: string | undefined
  plain?: true | undefined
}

export interface OpenedBackup {
  backup: Backup
  /** No one without the passphrase has changed it. */
  isProtected: boolean
}

/** Packed and locked. */
export async function packBackup(what: Backup, passphrase: string, passwords: Pick<Passwords, 'key'>): Promise<Buffer> {
  const [salt, nonce] = [randomBytes(SALT_BYTES), randomBytes(NONCE_BYTES)]
  const facts = {
    ...{ format: FORMAT, version: 2 },
    kdf: { name: 'scrypt', ...COST, salt: salt.toString('base64url') },
    cipher: { name: 'aes-256-gcm', nonce: nonce.toString('base64url') },
  }
  const line = Buffer.from(`${JSON.stringify(facts)}\n`)
  const packed = await promisify(gzip)(JSON.stringify(what))
  const key = await passwords.key({ words: passphrase, salt, cost: COST })
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES }).setAAD(line)
  return Buffer.concat([line, cipher.update(packed), cipher.final(), cipher.getAuthTag()])
}

/** @throws ControlRefusal with the problem of the file, or what is missing to open it */
export async function openBackup(
  bytes: Buffer,
  key: BackupKey,
  passwords: Pick<Passwords, 'key'>,
): Promise<OpenedBackup> {
  if (bytes.subarray(0, GZIP.length).equals(GZIP)) return { backup: await openPlain(bytes, key), isProtected: false }
  return { backup: checked(locked, await unpacked(await unlocked(bytes, key, passwords))), isProtected: true }
}

async function openPlain(bytes: Buffer, { plain: isSaid }: BackupKey): Promise<Backup> {
  if (isSaid !== true)
    throw refused(
      'backup.not-protected',
      'This backup is of an older version and has no passphrase: anybody may have changed it. Look at what it would bring, and say that you know (--plain). People cannot be taken over from it.',
    )
  const { format: _, version: __, ...backup } = checked(plain, await unpacked(bytes))
  return backup
}

async function unlocked(bytes: Buffer, { passphrase }: BackupKey, passwords: Pick<Passwords, 'key'>): Promise<Buffer> {
  const end = bytes.subarray(0, MOST_HEADER_BYTES).indexOf('\n') + 1
  const { kdf, cipher } = checked(header, headerOf(bytes.subarray(0, end)))
  if (bytes.length < end + TAG_BYTES) throw damaged()
  if (passphrase === undefined)
    throw refused('backup.needs-passphrase', 'This backup is locked: type in the passphrase that it was made with.')
  const { N, r, p, salt } = kdf
  const key = await passwords.key({ words: passphrase, salt, cost: { N, r, p } }).catch(() => {
    const message = 'The key of this backup cannot be made on this box: its costs are none that it can bear.'
    throw new ControlRefusal('invalid', message, { said: { key: 'backup.unusable' } })
  })
  const decipher = createDecipheriv('aes-256-gcm', key, cipher.nonce, { authTagLength: TAG_BYTES })
    .setAAD(bytes.subarray(0, end))
    .setAuthTag(bytes.subarray(-TAG_BYTES))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(end, -TAG_BYTES)), decipher.final()])
  } catch {
    throw refused(
      'backup.wrong-passphrase',
      'The passphrase is wrong, or the file was changed or damaged since it was made. Nothing was taken over.',
    )
  }
}

function headerOf(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString('utf8'))
  } catch {
    throw damaged()
  }
}

async function unpacked(bytes: Uint8Array): Promise<unknown> {
  try {
    const text = await promisify(gunzip)(bytes, { maxOutputLength: MOST_BYTES })
    return JSON.parse(text.toString('utf8'))
  } catch {
    throw damaged()
  }
}

function checked<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value, { error: fieldMessage })
  if (parsed.success) return parsed.data
  const errors = parsed.error.issues.slice(0, 20).map(({ path, message }) => ({ field: path.join('.'), message }))
  const words = errors.map(({ field, message }) => (field === '' ? message : `${field}: ${message}`))
  throw new ControlRefusal('invalid', `This is no backup that can be used: ${words.join('; ')}`, {
    errors,
    said: { key: 'backup.unusable' },
  })
}

function damaged(): ControlRefusal {
  return refused('backup.no-backup', 'This is no backup of a Ticketrail gateway, or the file is damaged.')
}

function refused(key: string, message: string): ControlRefusal {
  return new ControlRefusal('invalid', message, { said: { key } })
}
