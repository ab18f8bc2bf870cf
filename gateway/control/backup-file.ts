// What a backup of the box is: its configuration as one packed JSON document. No orders: a restored queue would print again what was printed.
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { z } from 'zod'
import { fieldMessage } from '#shared/field-message.ts'
import { printerSettings } from '#shared/printer-settings.ts'
import { routingRules } from '#shared/tickets/routing-rules.ts'
import { ControlRefusal } from './control-refusal.ts'
import { boxSettingsFields, printerFields, userName, userRole } from './operation-fields.ts'
import { isPasswordHash } from './passwords.ts'

const FORMAT = 'ticketrail-backup'
/** Unpacked. */
const MOST_BYTES = 4_194_304
const MOST_LOGO_BASE64 = 699_052

const backup = z.strictObject({
  format: z.literal(FORMAT),
  version: z.literal(1),
  madeAt: z.iso.datetime(),
  app: z.string().max(100),
  box: z.strictObject(boxSettingsFields),
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
})
export type Backup = z.infer<typeof backup>

export async function packBackup(content: Omit<Backup, 'format' | 'version'>): Promise<Buffer> {
  return await promisify(gzip)(JSON.stringify({ format: FORMAT, version: 1, ...content }))
}

/** @throws ControlRefusal that says what is wrong with the file */
export async function readBackup(bytes: Uint8Array): Promise<Backup> {
  const parsed = backup.safeParse(await unpacked(bytes), { error: fieldMessage })
  if (parsed.success) return parsed.data
  const errors = parsed.error.issues.slice(0, 20).map(({ path, message }) => ({ field: path.join('.'), message }))
  const words = errors.map(({ field, message }) => (field === '' ? message : `${field}: ${message}`))
  throw new ControlRefusal('invalid', `This is no backup that can be used: ${words.join('; ')}`, errors, {
    key: 'backup.unusable',
  })
}

async function unpacked(bytes: Uint8Array): Promise<unknown> {
  try {
    const text = await promisify(gunzip)(bytes, { maxOutputLength: MOST_BYTES })
    return JSON.parse(text.toString('utf8'))
  } catch {
    throw new ControlRefusal('invalid', 'This is no backup of a Ticketrail gateway, or the file is damaged.', [], {
      key: 'backup.no-backup',
    })
  }
}
