// The webhook event of an alert of an account.
import { z } from 'zod'
import { isoTime } from './api/fields.ts'

/** What may be wrong at a restaurant or with an account. More kinds may be added. @see docs/notices.md */
export const ACCOUNT_ALERT_KINDS = [
  'box-silent',
  'printer-away',
  'ticket-late',
  'ticket-uncertain',
  'endpoint-failing',
  'endpoint-failing-long',
  'endpoint-disabled',
  'clock-off',
  'usage-high',
  'usage-full',
] as const
export type AccountAlertKind = (typeof ACCOUNT_ALERT_KINDS)[number]

export const alertResource = z
  .object({
    alertId: z.string(),
    kind: z.enum(ACCOUNT_ALERT_KINDS),
    severity: z.enum(['critical', 'warning']),
    title: z.string(),
    act: z.string(),
    gatewayId: z.string().nullable(),
    printerId: z.string().nullable(),
    locationId: z.string().nullable(),
    webhookId: z.string().nullable(),
    values: z.record(z.string(), z.union([z.string(), z.number()])),
    since: isoTime,
    startedAt: isoTime,
    endedAt: isoTime.nullable(),
  })
  .meta({ id: 'Alert' })
export type AlertResource = z.infer<typeof alertResource>
