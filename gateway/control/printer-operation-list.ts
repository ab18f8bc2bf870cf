// Operations on printers. A part of OPERATIONS.
import { z } from 'zod'
import { type PrinterSettings, printerSettings } from '#shared/printer-settings.ts'
import { changes, reads } from './operation.ts'
import { none, printer, printerFields } from './operation-fields.ts'

const { name, host, port, profileId, stations } = printerFields
const onePrinter = z.strictObject({ printer })
/** Any address may be used. Not accepted from the page: see CONSOLE_FIELDS. */
const allowAddress = z.literal(true).optional()

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

export const PRINTER_OPERATIONS = {
  'printers.list': reads('Printers with health, settings, confirm level', none, 'manager'),
  'printers.add': changes(
    'Add a printer',
    z.strictObject({
      name,
      host,
      port: port.default(9_100),
      profileId: profileId.default('generic-80'),
      stations: stations.default([]),
      settings: settingsChange.default({}),
      allowAddress,
    }),
    'technician',
  ),
  'printers.update': changes(
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
    'technician',
  ),
  'printers.remove': changes(
    'Take a printer away; its waiting tickets must have moved',
    z.strictObject({ printer, moveTo: printer.optional() }),
    'technician',
  ),
  'printers.pause': changes('Take nothing off its queue until it is resumed', onePrinter, 'manager'),
  'printers.resume': changes('Go on with its queue', onePrinter, 'manager'),
  'printers.move': changes(
    'Move every waiting ticket to another printer',
    z.strictObject({ from: printer, to: printer }),
    'manager',
  ),
  'printers.release': changes('Let tickets that wait for a person print', onePrinter, 'manager'),
  'printers.accept': changes(
    'Another device is this printer from now on: the one that stands at its address, or that was found at another one',
    z.strictObject({ printer, deviceId: z.string().max(64).optional(), profileId: printerFields.profileId.optional() }),
    'manager',
  ),
  'printers.identify': reads(
    'Ask a device what it is; prints nothing',
    z.strictObject({ printer: printer.optional(), host: host.optional(), port: port.default(9_100), allowAddress }),
    'technician',
  ),
  'printers.test': changes('Print a test ticket with a code to type in', onePrinter, 'manager'),
  'printers.verify': changes(
    'The code on the test ticket: the printer is as it should be',
    z.strictObject({ printer, code: z.string().regex(/^\d{4}$/, { error: 'must be the four digits on the ticket' }) }),
    'manager',
  ),
  'printers.sheet': changes('Print the code page sheet', onePrinter, 'manager'),
  'printers.drawer': changes('Open the cash drawer', onePrinter, 'manager'),

  'printers.setup-ticket': changes(
    'Print where the page is, as text and QR code; without a code for its first user',
    onePrinter,
    'manager',
  ),
} as const
