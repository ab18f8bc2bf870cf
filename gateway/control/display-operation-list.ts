// Operations on the kitchen's screens. A part of OPERATIONS.
import { z } from 'zod'
import { LANGUAGE_IDS } from '#shared/languages.ts'
import { DISPLAY_KINDS } from '#shared/wire/kitchen-screens.ts'
import { changes, reads } from './operation.ts'
import { displayId, none, printer, printerFields } from './operation-fields.ts'

const { name, stations } = printerFields
const kind = z.enum(DISPLAY_KINDS)
/** The languages of the kitchen's page. */
const displayLanguage = z.enum(LANGUAGE_IDS)
/** A cook looks up within that; after an hour nobody is there. */
const buzzAfterS = z.number().int().min(10).max(3_600)

export const DISPLAY_OPERATIONS = {
  'displays.list': reads("The kitchen's screens, and which are alive", none, 'manager'),
  'displays.add': changes(
    'Add a kitchen display; the answer has its sign-in code, which is shown once',
    z.strictObject({
      name,
      kind: kind.default('kitchen'),
      stations: stations.default([]),
      language: displayLanguage.default('en'),
      backupPrinter: printer.nullable().default(null),
      buzzAfterS: buzzAfterS.nullable().default(null),
      showNames: z.boolean().default(false),
    }),
    'manager',
  ),
  'displays.update': changes(
    'Another name, kind, stations, language, backup printer of a screen; what is absent stays, backupPrinter null: nothing prints for it',
    z.strictObject({
      displayId,
      name: name.optional(),
      kind: kind.optional(),
      stations: stations.optional(),
      language: displayLanguage.optional(),
      backupPrinter: printer.nullable().optional(),
      buzzAfterS: buzzAfterS.nullable().optional(),
      showNames: z.boolean().optional(),
    }),
    'manager',
  ),
  'displays.remove': changes(
    'Take a screen away, which is signed out at once',
    z.strictObject({ displayId }),
    'manager',
  ),
  'displays.code': changes('A new one-time code for a screen', z.strictObject({ displayId }), 'manager'),
} as const
