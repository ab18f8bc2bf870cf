// Everything that a person may ask or change at the cloud, as one list: words, schema of the input, the right that it needs. The dashboard and the operator's line offer it.
import type { z } from 'zod'
import { ACCOUNT_OPERATIONS } from './account-list.ts'
import { ALERT_OPERATIONS } from './alert-list.ts'
import { AUDIT_OPERATIONS } from './audit-list.ts'
import { CALL_OPERATIONS } from './call-list.ts'
import { CALLER_OPERATIONS } from './caller-list.ts'
import { CHANNEL_OPERATIONS } from './channel-list.ts'
import { DEVICE_OPERATIONS } from './device-list.ts'
import { EVENT_OPERATIONS } from './event-list.ts'
import { FLEET_OPERATIONS } from './fleet-list.ts'
import { GATEWAY_OPERATIONS } from './gateway-list.ts'
import { GRANT_OPERATIONS } from './grant-list.ts'
import { KEY_OPERATIONS } from './key-list.ts'
import { KITCHEN_OPERATIONS } from './kitchen-list.ts'
import { ME_OPERATIONS } from './me-list.ts'
import { MENU_OPERATIONS } from './menu-list.ts'
import { MERCHANT_OPERATIONS } from './merchant-list.ts'
import { NOTICE_OPERATIONS } from './notice-list.ts'
import { NUMBER_OPERATIONS } from './number-list.ts'
import { ORDER_OPERATIONS } from './order-list.ts'
import { OWN_ACCOUNT_OPERATIONS } from './own-account-list.ts'
import { PEOPLE_OPERATIONS } from './people-list.ts'
import { PRINT_OPERATIONS } from './print-list.ts'
import { PRINTER_OPERATIONS } from './printer-list.ts'
import { RECEPTIONIST_OPERATIONS } from './receptionist-list.ts'
import { REQUEST_OPERATIONS } from './request-list.ts'
import { SANDBOX_OPERATIONS } from './sandbox-list.ts'
import { SLICE_OPERATIONS } from './slice-list.ts'
import { TEXT_OPERATIONS } from './text-list.ts'
import { USAGE_OPERATIONS } from './usage-list.ts'
import { VOICEMAIL_OPERATIONS } from './voicemail-list.ts'
import { WEBHOOK_OPERATIONS } from './webhook-list.ts'
import { WORKSPACE_OPERATIONS } from './workspace-list.ts'

export const OPERATIONS = {
  ...WORKSPACE_OPERATIONS,
  ...KEY_OPERATIONS,
  ...DEVICE_OPERATIONS,
  ...WEBHOOK_OPERATIONS,
  ...EVENT_OPERATIONS,
  ...REQUEST_OPERATIONS,
  ...ACCOUNT_OPERATIONS,
  ...OWN_ACCOUNT_OPERATIONS,
  ...GRANT_OPERATIONS,
  ...USAGE_OPERATIONS,
  ...AUDIT_OPERATIONS,
  ...SLICE_OPERATIONS,
  ...FLEET_OPERATIONS,
  ...ORDER_OPERATIONS,
  ...PRINT_OPERATIONS,
  ...SANDBOX_OPERATIONS,
  ...KITCHEN_OPERATIONS,
  ...GATEWAY_OPERATIONS,
  ...PRINTER_OPERATIONS,
  ...MENU_OPERATIONS,
  ...CHANNEL_OPERATIONS,
  ...MERCHANT_OPERATIONS,
  ...ME_OPERATIONS,
  ...PEOPLE_OPERATIONS,
  ...NOTICE_OPERATIONS,
  ...ALERT_OPERATIONS,
  ...RECEPTIONIST_OPERATIONS,
  ...NUMBER_OPERATIONS,
  ...CALL_OPERATIONS,
  ...CALLER_OPERATIONS,
  ...VOICEMAIL_OPERATIONS,
  ...TEXT_OPERATIONS,
}

export type OperationName = keyof typeof OPERATIONS
/** What the page sends. */
export type OperationBody<N extends OperationName> = z.input<(typeof OPERATIONS)[N]['input']>
/** What a handler gets. */
export type OperationInput<N extends OperationName> = z.output<(typeof OPERATIONS)[N]['input']>
