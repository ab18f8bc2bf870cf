// Operations on the health of the box, and those that only its findings offer. A part of OPERATIONS.
import { z } from 'zod'
import { operation } from './operation.ts'
import { displayId, none, printer } from './operation-fields.ts'

export const HEALTH_OPERATIONS = {
  'health.list': operation(
    'What is wrong, what it costs and what mends it, worst first; and whether all parts were heard',
    none,
    'reads',
    'manager',
  ),
  'displays.take-over': operation(
    'Another screen shows the stations of this one beside its own, until they are given back',
    z.strictObject({ displayId, by: displayId }),
    'changes',
    'manager',
  ),
  'displays.give-back': operation(
    'A screen that stands in for another one shows its own stations again',
    z.strictObject({ displayId }),
    'changes',
    'manager',
  ),
  'displays.print-board': operation(
    'Print the open orders that are on no screen, each once, marked SCREEN OFFLINE',
    z.strictObject({ printer }),
    'changes',
    'manager',
  ),
} as const
