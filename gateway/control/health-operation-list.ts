// Operations on the health of the box, and those that only its findings offer. A part of OPERATIONS.
import { z } from 'zod'
import { changes, reads } from './operation.ts'
import { displayId, none, printer } from './operation-fields.ts'

export const HEALTH_OPERATIONS = {
  'health.list': reads(
    'What is wrong, what it costs and what mends it, worst first; and whether all parts were heard',
    none,
    'manager',
  ),
  'displays.take-over': changes(
    'Another screen shows the stations of this one beside its own, until they are given back',
    z.strictObject({ displayId, by: displayId }),
    'manager',
  ),
  'displays.give-back': changes(
    'A screen that stands in for another one shows its own stations again',
    z.strictObject({ displayId }),
    'manager',
  ),
  'displays.print-board': changes(
    'Print the open orders that are on no screen, each once, marked SCREEN OFFLINE',
    z.strictObject({ printer }),
    'manager',
  ),
} as const
