// What each operation of the list does.
import { ACCOUNT_HANDLERS } from './account-handlers.ts'
import { ALERT_HANDLERS } from './alert-handlers.ts'
import { AUDIT_HANDLERS } from './audit-handlers.ts'
import { CALL_HANDLERS } from './call-handlers.ts'
import { CALLER_HANDLERS } from './caller-handlers.ts'
import { CHANNEL_HANDLERS } from './channel-handlers.ts'
import { DELIVERY_HANDLERS } from './delivery-handlers.ts'
import { DEVICE_HANDLERS } from './device-handlers.ts'
import { ENDPOINT_HANDLERS } from './endpoint-handlers.ts'
import { EVENT_HANDLERS } from './event-handlers.ts'
import { FLEET_HANDLERS } from './fleet-handlers.ts'
import { GATEWAY_HANDLERS } from './gateway-handlers.ts'
import { GRANT_HANDLERS } from './grant-handlers.ts'
import type { Handlers } from './handler.ts'
import { KEY_HANDLERS } from './key-handlers.ts'
import { KITCHEN_HANDLERS } from './kitchen-handlers.ts'
import { ME_HANDLERS } from './me-handlers.ts'
import { MENU_HANDLERS } from './menu-handlers.ts'
import { MERCHANT_HANDLERS } from './merchant-handlers.ts'
import { NOTICE_HANDLERS } from './notice-handlers.ts'
import { NUMBER_HANDLERS } from './number-handlers.ts'
import { ORDER_ACT_HANDLERS } from './order-act-handlers.ts'
import { ORDER_HANDLERS } from './order-handlers.ts'
import { ORDER_STORY_HANDLERS } from './order-story-handlers.ts'
import { OWN_ACCOUNT_HANDLERS } from './own-account-handlers.ts'
import { PEOPLE_HANDLERS } from './people-handlers.ts'
import { PEOPLE_OPERATOR_HANDLERS } from './people-operator-handlers.ts'
import { POS_HANDLERS } from './pos-handlers.ts'
import { PRINT_HANDLERS } from './print-handlers.ts'
import { PRINTER_HANDLERS } from './printer-handlers.ts'
import { RECEPTIONIST_HANDLERS } from './receptionist-handlers.ts'
import { REQUEST_HANDLERS } from './request-handlers.ts'
import { SANDBOX_HANDLERS } from './sandbox-handlers.ts'
import { SIMULATE_HANDLERS } from './simulate-handlers.ts'
import { SLICE_HANDLERS } from './slice-handlers.ts'
import { TEXT_HANDLERS } from './text-handlers.ts'
import { USAGE_HANDLERS } from './usage-handlers.ts'
import { VOICEMAIL_HANDLERS } from './voicemail-handlers.ts'
import { WORKSPACE_HANDLERS } from './workspace-handlers.ts'

export const HANDLERS: Handlers = {
  ...WORKSPACE_HANDLERS,
  ...KEY_HANDLERS,
  ...DEVICE_HANDLERS,
  ...ENDPOINT_HANDLERS,
  ...DELIVERY_HANDLERS,
  ...EVENT_HANDLERS,
  ...REQUEST_HANDLERS,
  ...ACCOUNT_HANDLERS,
  ...OWN_ACCOUNT_HANDLERS,
  ...GRANT_HANDLERS,
  ...USAGE_HANDLERS,
  ...AUDIT_HANDLERS,
  ...SLICE_HANDLERS,
  ...FLEET_HANDLERS,
  ...ORDER_HANDLERS,
  ...ORDER_STORY_HANDLERS,
  ...ORDER_ACT_HANDLERS,
  ...PRINT_HANDLERS,
  ...SANDBOX_HANDLERS,
  ...KITCHEN_HANDLERS,
  ...GATEWAY_HANDLERS,
  ...PRINTER_HANDLERS,
  ...MENU_HANDLERS,
  ...CHANNEL_HANDLERS,
  ...MERCHANT_HANDLERS,
  ...POS_HANDLERS,
  ...ME_HANDLERS,
  ...PEOPLE_HANDLERS,
  ...PEOPLE_OPERATOR_HANDLERS,
  ...NOTICE_HANDLERS,
  ...ALERT_HANDLERS,
  ...RECEPTIONIST_HANDLERS,
  ...NUMBER_HANDLERS,
  ...SIMULATE_HANDLERS,
  ...CALL_HANDLERS,
  ...CALLER_HANDLERS,
  ...VOICEMAIL_HANDLERS,
  ...TEXT_HANDLERS,
}
