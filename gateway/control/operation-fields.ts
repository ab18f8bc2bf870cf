// Fields that operations share with the sign-in and with backups: what a name, an address, a password may be.
import { z } from 'zod'
import { MOST_MINUTES, THRESHOLD_KEYS } from '#shared/kitchen-times.ts'
import { LANGUAGE_IDS } from '#shared/languages.ts'
import { printableName } from '#shared/printable-name.ts'
import { MOST_STATIONS } from './station-limit.ts'

const MAX_PORT = 65_535

/** Of an operation without input. */
export const none = z.strictObject({})
/** A printer's id, or its name. */
export const printer = z.string().min(1).max(64)
export const displayId = z.string().min(1).max(64)

/** Of a printer. */
export const printerFields = {
  name: printableName,
  /** Host name, IP address, or the device file of a USB printer: no other file of the machine may get our bytes. */
  host: z
    .string()
    .regex(
      /^(?:[A-Za-z0-9._-]{1,253}|[0-9a-fA-F:.]{2,45}|\/dev\/(?:usb\/lp|lp)\d{1,3}|\/dev\/ticketrail\/[A-Za-z0-9_-]{1,40})$/,
      {
        error: 'must be an IP address, a host name, or a device file: /dev/usb/lp0, or /dev/ticketrail/<name>',
      },
    ),
  port: z.number().int().min(0).max(MAX_PORT),
  profileId: z.string().regex(/^[a-z0-9-]{1,40}$/, { error: 'must be the id of a profile; profiles lists them' }),
  stations: z.array(z.string().trim().min(1).max(64)).max(MOST_STATIONS),
}

/** Of a person. */
export const userName = z
  .string()
  .trim()
  .min(1)
  .max(40)
  .regex(/^\P{Cc}+$/u, { error: 'must be a name without control characters' })
/** Long is what matters: no rules about digits and signs. password-rules.ts has the rest. */
export const password = z.string().min(8).max(200)
/** For a file that may be stored anywhere: an attacker with the file can guess at full speed. */
export const newPassphrase = z.string().min(12).max(200)
export const userRole = z.enum(['technician', 'manager'])
const timeZone = z
  .string()
  .max(64)
  .refine((zone) => zone === '' || isTimeZone(zone), { error: 'must be a time zone such as Europe/Madrid' })
const language = z
  .string()
  .regex(/^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,2}$/, { error: `must be a language such as ${LANGUAGE_IDS.join(', ')}` })

const minutes = z.number().int().min(1).max(MOST_MINUTES)
const threshold = z
  .strictObject({ soonMin: minutes, lateMin: minutes })
  .refine(({ soonMin, lateMin }) => soonMin <= lateMin, {
    error: 'must not be before soon',
    path: ['lateMin'],
  })

/** Of the box as a whole. */
export const boxSettingsFields = {
  name: z
    .string()
    .trim()
    .max(60)
    .regex(/^\P{Cc}*$/u, { error: 'must have no control characters' }),
  timeZone,
  language,
  /** What is absent of it is as usual. */
  thresholds: z.partialRecord(z.enum(THRESHOLD_KEYS), threshold),
}

/** In addition to the operation's own input. */
export const withOwnPassword = z.looseObject({
  ownPassword: z.string({ error: 'must be your own password, typed in again' }).min(1).max(200),
})

/** What the set-up page asks for the first user. */
export const firstUser = z.strictObject({ code: z.string().min(1).max(20), name: userName, password })
/** The sign-in. Long passwords cost the box time. */
export const signIn = z.strictObject({ name: z.string().min(1).max(80), password: z.string().min(1).max(200) })
export const passwordChange = z.strictObject({ current: z.string().min(1).max(200), password })

function isTimeZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
