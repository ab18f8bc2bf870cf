// Operations on stations, on rules tried before they are saved, and on the guide. A part of OPERATIONS.
import { z } from 'zod'
import { routingRules } from '#shared/tickets/routing-rules.ts'
import { changes, reads } from './operation.ts'
import { displayId, none, printer } from './operation-fields.ts'

const station = z.string().trim().min(1).max(64)
const ticketId = z.string().min(1).max(64)
const printJobId = z.string().min(1).max(64)
const step = z.string().regex(/^[a-z-]{1,20}$/, { error: 'must be the name of a step' })

/** Something that a person has excluded from the check. The box adds the person itself. */
const leftOut = z.strictObject({
  kind: z.enum(['printer', 'station', 'screen', 'rule', 'health']),
  /** Of the printer, screen or finding of Health; the name of a station or rule in lower case; empty: what has no station. */
  id: z.string().max(128),
})

export const STATION_OPERATIONS = {
  'stations.list': reads(
    'Every station with its printers and screens, its lines of the last week, and what has no place',
    none,
    'manager',
  ),
  'stations.assign': changes(
    'The printers and the screens of one station; what is absent stays. The first printer serves it, a rule prints it also at the others',
    z.strictObject({
      station,
      printers: z.array(printer).max(16).optional(),
      displays: z.array(displayId).max(64).optional(),
    }),
    'technician',
  ),
  'stations.rename': changes(
    'Another name of a station at its printers, screens and rules; the catalog keeps its own',
    z.strictObject({ station, name: station }),
    'technician',
  ),
  'routing.recent': reads('Orders that were here, the newest first, to try rules on', none, 'manager'),
  'routing.preview': reads(
    'How the tickets of an order would look on paper under these rules; prints nothing',
    z.strictObject({ ticketId, rules: routingRules.optional(), index: z.number().int().min(0).max(200) }),
    'manager',
  ),
  'orders.number': changes(
    'The number that came out at a printer: is it the one of its own paper?',
    z.strictObject({
      printJobId,
      printer,
      number: z.string().regex(/^\d{4}$/, { error: 'must be the four digits on the ticket' }),
    }),
    'manager',
  ),
  'guide.get': reads('How far the set-up guide has come, and what a person left out', none, 'manager'),
  'guide.put': changes(
    'Steps that are done, what is left out, and stations that were added by name; what is absent stays',
    z.strictObject({
      done: z.array(step).max(20).optional(),
      leftOut: z.array(leftOut).max(200).optional(),
      added: z.array(station).max(100).optional(),
    }),
    'manager',
  ),
} as const
