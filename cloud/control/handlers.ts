// What each operation of the list does.

import type { Handlers } from './handler.ts'
import { KEY_HANDLERS } from './key-handlers.ts'

export const HANDLERS: Handlers = {
  ...KEY_HANDLERS,
}
