// Everything that a technician may ask or change, as one list: name, words, schema of the input. The control socket offers it; a page may offer the same.
import { z } from 'zod'
import { routingRules } from '#shared/tickets/routing-rules.ts'
import { DISPLAY_OPERATIONS } from './display-operation-list.ts'
import { HEALTH_OPERATIONS } from './health-operation-list.ts'
import { changes, reads } from './operation.ts'
import {
  boxSettingsFields,
  newPassphrase,
  none,
  password,
  printer,
  printerFields,
  userName,
  userRole,
} from './operation-fields.ts'
import { ORDER_OPERATIONS } from './order-operation-list.ts'
import { PRINTER_OPERATIONS } from './printer-operation-list.ts'
import { STATION_OPERATIONS } from './station-operation-list.ts'

const { profileId } = printerFields
const ticketId = z.string().min(1).max(64)
const userId = z.string().min(1).max(64)
/** A picture of 512 KiB. */
const MAX_LOGO_BASE64 = 699_052

/** Fields that are accepted only at the control socket. */
export const CONSOLE_FIELDS = ['allowAddress']

/** Of 700 kB. `plain`: the caller declares that the file has no passphrase. */
const backupFile = {
  base64: z.base64().min(1).max(960_000),
  passphrase: z.string().min(1).max(200).optional(),
  plain: z.literal(true).optional(),
}

const onePrinter = z.strictObject({ printer })
const oneTicket = z.strictObject({ ticketId })

export const OPERATIONS = {
  status: reads('Gateway, printers, link, counts', none, 'manager'),
  profiles: reads('Families of printers', none, 'manager'),
  'box.figures': reads(
    'How the box itself is: order to paper over the last hours, disk, memory, clock, temperature',
    z.strictObject({ hours: z.number().int().min(1).max(24).default(6) }),
    'manager',
  ),
  fonts: reads('Fonts for text that a printer has no characters for', none, 'manager'),

  ...HEALTH_OPERATIONS,

  'settings.get': reads('Name, time zone, language and late minutes of the box', none, 'manager'),
  'settings.put': changes(
    'Name, time zone, language, late minutes of the box; what is absent stays',
    z.strictObject(boxSettingsFields).partial(),
    'technician',
  ),

  'users.list': reads('People who may use the page', none, 'technician'),
  'users.add': changes('Another person', z.strictObject({ name: userName, role: userRole, password }), 'technician'),
  'users.update': changes(
    'Another name, role or password; a new role or password signs the person out',
    z.strictObject({
      userId,
      name: userName.optional(),
      role: userRole.optional(),
      password: password.optional(),
    }),
    'technician',
  ),
  'users.remove': changes('Take a person away, who is signed out at once', z.strictObject({ userId }), 'technician'),
  'admin.setup-code': changes('A one-time code for the first user of the page', none, 'console'),
  'admin.setup-ticket': changes(
    'Print where the page is, and make a one-time code for its first user: printed too at a USB printer, else in the answer',
    onePrinter,
    'console',
  ),
  'admin.reset': changes('Take all users away and make a set-up code', none, 'console'),

  ...DISPLAY_OPERATIONS,

  'logs.list': reads(
    'The newest lines of the log',
    z.strictObject({
      level: z.enum(['debug', 'info', 'warn', 'error', 'fatal']).default('info'),
      text: z.string().max(100).default(''),
      limit: z.number().int().min(1).max(500).default(100),
      before: z.number().int().optional(),
    }),
    'technician',
  ),
  'diagnostics.export': reads(
    'What support needs to know, without secrets and customers: a tar.gz in base64',
    none,
    'technician',
  ),
  'backup.make': changes(
    'Printers, routing, people, settings as one file in base64, locked with a passphrase; no orders',
    z.strictObject({ passphrase: newPassphrase }),
    'technician',
  ),
  'backup.preview': reads('What a backup would bring; changes nothing', z.strictObject(backupFile), 'technician'),
  'backup.restore': changes(
    'Take over what a backup holds, also on another box; of its people only those who are named',
    z.strictObject({ ...backupFile, people: z.array(userName).max(50).default([]) }),
    'technician',
  ),

  'pairing.show': reads('To whom the box belongs, and what the cloud has set up here', none, 'technician'),
  'pairing.pair': changes(
    'Join a restaurant by a claim code; printing goes on meanwhile',
    z.strictObject({
      code: z.string().min(1).max(40),
      relayUrl: z.string().min(1).max(200).optional(),
    }),
    'technician',
  ),
  'pairing.unpair': changes('Leave the restaurant; printers and tickets stay', none, 'technician'),

  ...PRINTER_OPERATIONS,
  ...STATION_OPERATIONS,

  'jobs.list': reads(
    'Tickets, newest first; or those of one order, named by its number or an id',
    z.strictObject({
      order: z.string().trim().min(1).max(128).optional(),
      printer: printer.optional(),
      state: z.enum(['held', 'queued', 'sending', 'parked', 'printed', 'failed', 'cancelled', 'uncertain']).optional(),
      limit: z.number().int().min(1).max(200).default(50),
      before: z.number().int().optional(),
    }),
    'manager',
  ),
  'jobs.show': reads('One ticket: timeline, every attempt, why it went there', oneTicket, 'manager'),
  'jobs.cancel': changes('Take a waiting ticket back', oneTicket, 'manager'),
  'jobs.move': changes('Give one waiting ticket to another printer', z.strictObject({ ticketId, printer }), 'manager'),
  'jobs.reprint': changes(
    'Print a ticket once more, marked REPRINT',
    z.strictObject({ ticketId, printer: printer.optional() }),
    'manager',
  ),
  'jobs.resolve': changes(
    'Say what stands on paper of a ticket that waits for a person',
    z.strictObject({ ticketId, how: z.enum(['print', 'on-paper', 'dismiss']) }),
    'manager',
  ),
  'jobs.preview': reads(
    'How a ticket looks on paper, drawn anew',
    z.strictObject({ ticketId, profileId: profileId.optional() }),
    'manager',
  ),

  ...ORDER_OPERATIONS,
  'orders.test': changes(
    'Try everything: an order of the box itself, marked TEST ORDER on paper and screens; the relay hears nothing of it',
    none,
    'manager',
  ),
  'orders.progress': reads(
    'How far a test order has come: printed, seen on the screens, ready',
    z.strictObject({ printJobId: z.string().min(1).max(64) }),
    'manager',
  ),

  'courses.list': reads('Courses that are held until somebody fires them', none, 'manager'),
  'courses.fire': changes(
    'Fire a held course: its lines print at their stations, marked FIRE',
    z.strictObject({ order: z.string().min(1).max(128), course: z.number().int().min(1).max(99) }),
    'manager',
  ),

  'routing.get': reads('Routing rules', none, 'manager'),
  'routing.put': changes('Replace the routing rules', z.strictObject({ rules: routingRules }), 'technician'),
  'routing.what-if': reads(
    'Where an order would go and why; prints nothing',
    z.strictObject({ order: z.unknown().optional(), ticketId: ticketId.optional(), rules: routingRules.optional() }),
    'manager',
  ),

  'discover.start': changes('Look for printers on the local network', none, 'technician'),
  'discover.results': reads(
    'What was found so far; waits up to waitMs for something new',
    z.strictObject({
      seen: z.number().int().min(0).default(0),
      waitMs: z.number().int().min(0).max(10_000).default(0),
    }),
    'technician',
  ),
  'discover.stop': changes('End the search', none, 'technician'),

  'logo.get': reads('The picture on receipts, a PNG in base64; null: there is none', none, 'technician'),
  'logo.put': changes(
    'The picture on receipts: a PNG in base64',
    z.strictObject({ png: z.base64().min(1).max(MAX_LOGO_BASE64) }),
    'technician',
  ),
  'logo.remove': changes('No picture on receipts', none, 'technician'),
} as const

export type OperationName = keyof typeof OPERATIONS

/** Operations that give others access. On the page their body also has `ownPassword`: the password of the signed-in user. */
export const ASKS_OWN_PASSWORD = [
  'users.add',
  'users.update',
  'users.remove',
  'backup.make',
  'backup.restore',
] as const satisfies readonly OperationName[]
export type AsksOwnPassword = (typeof ASKS_OWN_PASSWORD)[number]
/** What a caller sends. */
export type OperationBody<N extends OperationName> = z.input<(typeof OPERATIONS)[N]['input']>
/** What the operation gets: checked, with defaults. */
export type OperationInput<N extends OperationName> = z.output<(typeof OPERATIONS)[N]['input']>

export function isOperation(text: string): text is OperationName {
  return Object.hasOwn(OPERATIONS, text)
}
