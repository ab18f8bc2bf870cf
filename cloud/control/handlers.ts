// What each operation of the list does.

import { DELIVERY_HANDLERS } from './delivery-handlers.ts'
import { ENDPOINT_HANDLERS } from './endpoint-handlers.ts'
import { EVENT_HANDLERS } from './event-handlers.ts'
import type { Handlers } from './handler.ts'
import { KEY_HANDLERS } from './key-handlers.ts'

export const HANDLERS: Handlers = {
  ...KEY_HANDLERS,
  ...ENDPOINT_HANDLERS,
  ...DELIVERY_HANDLERS,
  ...EVENT_HANDLERS,
}
