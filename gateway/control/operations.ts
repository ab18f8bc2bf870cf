// Everything that a technician may ask or change, as one list: name, words, schema of the input. The control socket offers it; a page may offer the same.
import { z } from 'zod'
import { type PrinterSettings, printerSettings } from '#shared/printer-settings.ts'
import { routingRules } from '#shared/tickets/routing-rules.ts'

const MAX_PORT = 65_535
/** A picture of 512 KiB. */
const MAX_LOGO_BASE64 = 699_052

/** A printer's id, or its name. */
const printer = z.string().min(1).max(64)
const ticketId = z.string().min(1).max(64)
const name = z
  .string()
  .trim()
  .min(1)
  .max(40)
  .regex(/^[^\p{Cc}=@/,]+$/u, { error: 'must be a name without = @ / , and control characters' })
/** Host name, IP address, or the device file of a USB printer: no other file of the machine may get our bytes. */
const host = z
  .string()
  .regex(
    /^(?:[A-Za-z0-9._-]{1,253}|[0-9a-fA-F:.]{2,45}|\/dev\/(?:usb\/lp|lp)\d{1,3}|\/dev\/ticketrail\/[A-Za-z0-9_-]{1,40})$/,
    {
      error: 'must be an IP address, a host name, or a device file: /dev/usb/lp0, or /dev/ticketrail/<name>',
    },
  )
const port = z.number().int().min(0).max(MAX_PORT)
const profileId = z.string().regex(/^[a-z0-9-]{1,40}$/, { error: 'must be the id of a profile; profiles lists them' })
const stations = z.array(z.string().trim().min(1).max(64)).max(64)

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

const none = z.strictObject({})
const onePrinter = z.strictObject({ printer })
const oneTicket = z.strictObject({ ticketId })

/** `changes`: it is logged with who asked for it. */
function operation<S extends z.ZodType>(summary: string, input: S, changes: 'changes' | 'reads') {
  return { summary, input, changes: changes === 'changes' }
}

export const OPERATIONS = {
  status: operation('Gateway, printers, link, counts', none, 'reads'),
  profiles: operation('Families of printers', none, 'reads'),
  fonts: operation('Fonts for text that a printer has no characters for', none, 'reads'),

  'printers.list': operation('Printers with health, settings, confirm level', none, 'reads'),
  'printers.add': operation(
    'A printer more',
    z.strictObject({
      name,
      host,
      port: port.default(9_100),
      profileId: profileId.default('generic-80'),
      stations: stations.default([]),
      settings: settingsChange.default({}),
    }),
    'changes',
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
    }),
    'changes',
  ),
  'printers.remove': operation(
    'Take a printer away; its waiting tickets must have moved',
    z.strictObject({ printer, moveTo: printer.optional() }),
    'changes',
  ),
  'printers.pause': operation('Take nothing off its queue until it is resumed', onePrinter, 'changes'),
  'printers.resume': operation('Go on with its queue', onePrinter, 'changes'),
  'printers.move': operation(
    'Move every waiting ticket to another printer',
    z.strictObject({ from: printer, to: printer }),
    'changes',
  ),
  'printers.release': operation('Let tickets that wait for a person print', onePrinter, 'changes'),
  'printers.identify': operation(
    'Ask a device what it is; prints nothing',
    z.strictObject({ printer: printer.optional(), host: host.optional(), port: port.default(9_100) }),
    'reads',
  ),
  'printers.test': operation('Print a test ticket with a code to type in', onePrinter, 'changes'),
  'printers.verify': operation(
    'The code on the test ticket: the printer is as it should be',
    z.strictObject({ printer, code: z.string().regex(/^\d{4}$/, { error: 'must be the four digits on the ticket' }) }),
    'changes',
  ),
  'printers.sheet': operation('Print the code page sheet', onePrinter, 'changes'),
  'printers.drawer': operation('Open the cash drawer', onePrinter, 'changes'),

  'jobs.list': operation(
    'Tickets, newest first',
    z.strictObject({
      printer: printer.optional(),
      state: z.enum(['held', 'queued', 'sending', 'parked', 'printed', 'failed', 'cancelled', 'uncertain']).optional(),
      limit: z.number().int().min(1).max(200).default(50),
      before: z.number().int().optional(),
    }),
    'reads',
  ),
  'jobs.show': operation('One ticket: timeline, every attempt, why it went there', oneTicket, 'reads'),
  'jobs.cancel': operation('Take a waiting ticket back', oneTicket, 'changes'),
  'jobs.reprint': operation(
    'Print a ticket once more, marked REPRINT',
    z.strictObject({ ticketId, printer: printer.optional() }),
    'changes',
  ),
  'jobs.resolve': operation(
    'Say what stands on paper of a ticket that waits for a person',
    z.strictObject({ ticketId, how: z.enum(['print', 'on-paper', 'dismiss']) }),
    'changes',
  ),
  'jobs.preview': operation(
    'How a ticket looks on paper, drawn anew',
    z.strictObject({ ticketId, profileId: profileId.optional() }),
    'reads',
  ),

  'routing.get': operation('Routing rules', none, 'reads'),
  'routing.put': operation('Replace the routing rules', z.strictObject({ rules: routingRules }), 'changes'),
  'routing.what-if': operation(
    'Where an order would go and why; prints nothing',
    z.strictObject({ order: z.unknown().optional(), ticketId: ticketId.optional(), rules: routingRules.optional() }),
    'reads',
  ),

  'discover.start': operation('Look for printers on the local network', none, 'changes'),
  'discover.results': operation(
    'What was found so far; waits up to waitMs for something new',
    z.strictObject({
      seen: z.number().int().min(0).default(0),
      waitMs: z.number().int().min(0).max(10_000).default(0),
    }),
    'reads',
  ),
  'discover.stop': operation('End the search', none, 'changes'),

  'logo.put': operation(
    'The picture on receipts: a PNG in base64',
    z.strictObject({ png: z.base64().min(1).max(MAX_LOGO_BASE64) }),
    'changes',
  ),
  'logo.remove': operation('No picture on receipts', none, 'changes'),
} as const

export type OperationName = keyof typeof OPERATIONS
/** What a caller sends. */
export type OperationBody<N extends OperationName> = z.input<(typeof OPERATIONS)[N]['input']>
/** What the operation gets: checked, with defaults. */
export type OperationInput<N extends OperationName> = z.output<(typeof OPERATIONS)[N]['input']>

export function isOperation(text: string): text is OperationName {
  return Object.hasOwn(OPERATIONS, text)
}
