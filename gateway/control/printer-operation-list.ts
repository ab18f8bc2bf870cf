// Operations on printers. A part of OPERATIONS.
import { z } from 'zod'
import { type PrinterSettings, printerSettings } from '#shared/printer-settings.ts'
import { operation } from './operation.ts'
import { none, printer, printerFields } from './operation-fields.ts'

const { name, host, port, profileId, stations } = printerFields
const onePrinter = z.strictObject({ printer })
/** The address may be used whatever it is. By nobody at the page: see CONSOLE_FIELDS. */
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
} as const
