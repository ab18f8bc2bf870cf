// Everything that a technician may ask or change, as one list: name, words, schema of the input. The control socket offers it; a page may offer the same.
import { z } from 'zod'
import { type PrinterSettings, printerSettings } from '#shared/printer-settings.ts'
import { routingRules } from '#shared/tickets/routing-rules.ts'
import { boxSettingsFields, newPassphrase, password, printerFields, userName, userRole } from './operation-fields.ts'

const { name, host, port, profileId, stations } = printerFields
/** A printer's id, or its name. */
const printer = z.string().min(1).max(64)
const ticketId = z.string().min(1).max(64)
const userId = z.string().min(1).max(64)
const displayId = z.string().min(1).max(64)
/** What the kitchen's page speaks. */
const displayLanguage = z.enum(['en', 'es', 'zh-Hans'])
/** A cook looks up within that; after an hour nobody is there. */
const buzzAfterS = z.number().int().min(10).max(3_600)

/** A picture of 512 KiB. */
const MAX_LOGO_BASE64 = 699_052

/** The address may be used whatever it is. By nobody at the page: see CONSOLE_FIELDS. */
const allowAddress = z.literal(true).optional()
/** Fields that only whoever may open the control socket may send. */
export const CONSOLE_FIELDS = ['allowAddress']

/** Any of the settings, without their defaults: what is absent stays as it is. */
const settingsChange = z
  .strictObject(
    Object.fromEntries(
      Object.entries(printerSettings.shape)
        // Only a typed test code proves a test.
        .filter(([key]) => key !== 'testedAtMs')
        .map(([key, schema]) => [key, (schema.unwrap() as z.ZodType).optional()]),
    ),
  )
  .transform((change) => change as Partial<PrinterSettings>)

/** Of 700 kB. `plain`: said by who knows that the file has no passphrase. */
const backupFile = {
  base64: z.base64().min(1).max(960_000),
  passphrase: z.string().min(1).max(200).optional(),
  plain: z.literal(true).optional(),
}

const none = z.strictObject({})
const onePrinter = z.strictObject({ printer })
const oneTicket = z.strictObject({ ticketId })

/** Who may ask for it: `console` is whoever may open the control socket, and nobody by the page. A technician may all that a manager may. */
export type OperationRole = 'manager' | 'technician' | 'console'

/** `changes`: it is logged with who asked for it. */
function operation<S extends z.ZodType>(summary: string, input: S, changes: 'changes' | 'reads', role: OperationRole) {
  return { summary, input, changes: changes === 'changes', role }
}

export const OPERATIONS = {
  status: operation('Gateway, printers, link, counts', none, 'reads', 'manager'),
  profiles: operation('Families of printers', none, 'reads', 'manager'),
  'box.figures': operation(
    'How the box itself is: order to paper over the last hours, disk, memory, clock, temperature',
    z.strictObject({ hours: z.number().int().min(1).max(24).default(6) }),
    'reads',
    'manager',
  ),
  fonts: operation('Fonts for text that a printer has no characters for', none, 'reads', 'manager'),

  'repairs.list': operation('What is wrong and what to do about it, worst first', none, 'reads', 'manager'),

  'settings.get': operation('Name, time zone and language of the box', none, 'reads', 'manager'),
  'settings.put': operation(
    'Name, time zone, language of the box; what is absent stays',
    z.strictObject(boxSettingsFields).partial(),
    'changes',
    'technician',
  ),

  'users.list': operation('People who may use the page', none, 'reads', 'technician'),
  'users.add': operation(
    'Another person',
    z.strictObject({ name: userName, role: userRole, password }),
    'changes',
    'technician',
  ),
  'users.update': operation(
    'Another name, role or password; a new role or password signs the person out',
    z.strictObject({
      userId,
      name: userName.optional(),
      role: userRole.optional(),
      password: password.optional(),
    }),
    'changes',
    'technician',
  ),
  'users.remove': operation(
    'Take a person away, who is signed out at once',
    z.strictObject({ userId }),
    'changes',
    'technician',
  ),
  'admin.setup-code': operation('A one-time code for the first user of the page', none, 'changes', 'console'),
  'admin.setup-ticket': operation(
    'Print where the page is, and make a one-time code for its first user: printed too at a USB printer, else in the answer',
    onePrinter,
    'changes',
    'console',
  ),
  'admin.reset': operation('Take all users away and make a set-up code', none, 'changes', 'console'),

  'displays.list': operation("The kitchen's screens, and which are alive", none, 'reads', 'manager'),
  'displays.add': operation(
    'A screen more; answers with the code by which it signs in, once',
    z.strictObject({
      name,
      stations: stations.default([]),
      language: displayLanguage.default('en'),
      backupPrinter: printer.nullable().default(null),
      buzzAfterS: buzzAfterS.nullable().default(null),
    }),
    'changes',
    'manager',
  ),
  'displays.update': operation(
    'Another name, stations, language, backup printer of a screen; what is absent stays, backupPrinter null: nothing prints for it',
    z.strictObject({
      displayId,
      name: name.optional(),
      stations: stations.optional(),
      language: displayLanguage.optional(),
      backupPrinter: printer.nullable().optional(),
      buzzAfterS: buzzAfterS.nullable().optional(),
    }),
    'changes',
    'manager',
  ),
  'displays.remove': operation(
    'Take a screen away, which is signed out at once',
    z.strictObject({ displayId }),
    'changes',
    'manager',
  ),
  'displays.code': operation('A new one-time code for a screen', z.strictObject({ displayId }), 'changes', 'manager'),

  'logs.list': operation(
    'The newest lines of the log',
    z.strictObject({
      level: z.enum(['debug', 'info', 'warn', 'error', 'fatal']).default('info'),
      text: z.string().max(100).default(''),
      limit: z.number().int().min(1).max(500).default(100),
      before: z.number().int().optional(),
    }),
    'reads',
    'technician',
  ),
  'diagnostics.export': operation(
    'What support needs to know, without secrets and customers: a tar.gz in base64',
    none,
    'reads',
    'technician',
  ),
  'backup.make': operation(
    'Printers, routing, people, settings as one file in base64, locked with a passphrase; no orders',
    z.strictObject({ passphrase: newPassphrase }),
    'changes',
    'technician',
  ),
  'backup.preview': operation(
    'What a backup would bring; changes nothing',
    z.strictObject(backupFile),
    'reads',
    'technician',
  ),
  'backup.restore': operation(
    'Take over what a backup holds, also on another box; of its people only those who are named',
    z.strictObject({ ...backupFile, people: z.array(userName).max(50).default([]) }),
    'changes',
    'technician',
  ),

  'pairing.show': operation('To whom the box belongs, and what the cloud has set up here', none, 'reads', 'technician'),
  'pairing.pair': operation(
    'Join a restaurant by a claim code; printing goes on meanwhile',
    z.strictObject({
      code: z.string().min(1).max(40),
      relayUrl: z.string().min(1).max(200).optional(),
    }),
    'changes',
    'technician',
  ),
  'pairing.unpair': operation('Leave the restaurant; printers and tickets stay', none, 'changes', 'technician'),

  'printers.list': operation('Printers with health, settings, confirm level', none, 'reads', 'manager'),
  'printers.add': operation(
    'A printer more',
    z.strictObject({
      name,
      host,
      port: port.default(9_100),
      profileId: profileId.default('generic-80'),
      stations: stations.default([]),
      settings: settingsChange.default({}),
      allowAddress,
    }),
    'changes',
    'technician',
  ),
  'printers.update': operation(
    'Another name, address, profile, stations, settings of a printer; what is absent stays',
    z.strictObject({
      printer,
      name: name.optional(),
      host: host.optional(),
      port: port.optional(),
      profileId: profileId.optional(),
      stations: stations.optional(),
      isDefault: z.literal(true).optional(),
      settings: settingsChange.optional(),
      allowAddress,
    }),
    'changes',
    'technician',
  ),
  'printers.remove': operation(
    'Take a printer away; its waiting tickets must have moved',
    z.strictObject({ printer, moveTo: printer.optional() }),
    'changes',
    'technician',
  ),
  'printers.pause': operation('Take nothing off its queue until it is resumed', onePrinter, 'changes', 'manager'),
  'printers.resume': operation('Go on with its queue', onePrinter, 'changes', 'manager'),
  'printers.move': operation(
    'Move every waiting ticket to another printer',
    z.strictObject({ from: printer, to: printer }),
    'changes',
    'manager',
  ),
  'printers.release': operation('Let tickets that wait for a person print', onePrinter, 'changes', 'manager'),
  'printers.accept': operation(
    'Another device is this printer from now on: the one that stands at its address, or that was found at another one',
    z.strictObject({ printer, deviceId: z.string().max(64).optional(), profileId: printerFields.profileId.optional() }),
    'changes',
    'manager',
  ),
  'printers.identify': operation(
    'Ask a device what it is; prints nothing',
    z.strictObject({ printer: printer.optional(), host: host.optional(), port: port.default(9_100), allowAddress }),
    'reads',
    'technician',
  ),
  'printers.test': operation('Print a test ticket with a code to type in', onePrinter, 'changes', 'manager'),
  'printers.verify': operation(
    'The code on the test ticket: the printer is as it should be',
    z.strictObject({ printer, code: z.string().regex(/^\d{4}$/, { error: 'must be the four digits on the ticket' }) }),
    'changes',
    'manager',
  ),
  'printers.sheet': operation('Print the code page sheet', onePrinter, 'changes', 'manager'),
  'printers.drawer': operation('Open the cash drawer', onePrinter, 'changes', 'manager'),

  'printers.setup-ticket': operation(
    'Print where the page is, as text and QR code; without a code for its first user',
    onePrinter,
    'changes',
    'manager',
  ),

  'jobs.list': operation(
    'Tickets, newest first',
    z.strictObject({
      printer: printer.optional(),
      state: z.enum(['held', 'queued', 'sending', 'parked', 'printed', 'failed', 'cancelled', 'uncertain']).optional(),
      limit: z.number().int().min(1).max(200).default(50),
      before: z.number().int().optional(),
    }),
    'reads',
    'manager',
  ),
  'jobs.show': operation('One ticket: timeline, every attempt, why it went there', oneTicket, 'reads', 'manager'),
  'jobs.cancel': operation('Take a waiting ticket back', oneTicket, 'changes', 'manager'),
  'jobs.move': operation(
    'Give one waiting ticket to another printer',
    z.strictObject({ ticketId, printer }),
    'changes',
    'manager',
  ),
  'jobs.reprint': operation(
    'Print a ticket once more, marked REPRINT',
    z.strictObject({ ticketId, printer: printer.optional() }),
    'changes',
    'manager',
  ),
  'jobs.resolve': operation(
    'Say what stands on paper of a ticket that waits for a person',
    z.strictObject({ ticketId, how: z.enum(['print', 'on-paper', 'dismiss']) }),
    'changes',
    'manager',
  ),
  'jobs.preview': operation(
    'How a ticket looks on paper, drawn anew',
    z.strictObject({ ticketId, profileId: profileId.optional() }),
    'reads',
    'manager',
  ),

  'orders.test': operation(
    'Try everything: an order of the box itself, marked TEST ORDER on paper and screens; the relay hears nothing of it',
    none,
    'changes',
    'manager',
  ),
  'orders.progress': operation(
    'How far a test order has come: printed, seen on the screens, ready',
    z.strictObject({ printJobId: z.string().min(1).max(64) }),
    'reads',
    'manager',
  ),

  'courses.list': operation('Courses that are held until somebody fires them', none, 'reads', 'manager'),
  'courses.fire': operation(
    'Fire a held course: its lines print at their stations, marked FIRE',
    z.strictObject({ order: z.string().min(1).max(128), course: z.number().int().min(1).max(99) }),
    'changes',
    'manager',
  ),

  'routing.get': operation('Routing rules', none, 'reads', 'manager'),
  'routing.put': operation(
    'Replace the routing rules',
    z.strictObject({ rules: routingRules }),
    'changes',
    'technician',
  ),
  'routing.what-if': operation(
    'Where an order would go and why; prints nothing',
    z.strictObject({ order: z.unknown().optional(), ticketId: ticketId.optional(), rules: routingRules.optional() }),
    'reads',
    'manager',
  ),

  'discover.start': operation('Look for printers on the local network', none, 'changes', 'technician'),
  'discover.results': operation(
    'What was found so far; waits up to waitMs for something new',
    z.strictObject({
      seen: z.number().int().min(0).default(0),
      waitMs: z.number().int().min(0).max(10_000).default(0),
    }),
    'reads',
    'technician',
  ),
  'discover.stop': operation('End the search', none, 'changes', 'technician'),

  'logo.get': operation('The picture on receipts, a PNG in base64; null: there is none', none, 'reads', 'technician'),
  'logo.put': operation(
    'The picture on receipts: a PNG in base64',
    z.strictObject({ png: z.base64().min(1).max(MAX_LOGO_BASE64) }),
    'changes',
    'technician',
  ),
  'logo.remove': operation('No picture on receipts', none, 'changes', 'technician'),
} as const

export type OperationName = keyof typeof OPERATIONS

/** What gives others a way in. By the page their body carries `ownPassword` too: the password of whoever is signed in, typed again. */
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
