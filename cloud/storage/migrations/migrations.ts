// All migrations of the relay in order. A released one is never changed: add the next.
import * as first from './0001-first.ts'
import * as wholeContract from './0002-whole-contract.ts'
import * as printingEngine from './0003-printing-engine.ts'
import * as pairing from './0004-pairing.ts'
import * as kitchenContract from './0005-kitchen-contract.ts'
import * as machines from './0006-machines.ts'
import * as standing from './0007-standing.ts'
import * as routing from './0008-routing.ts'
import * as eventStream from './0009-event-stream.ts'
import * as retention from './0010-retention.ts'
import * as presence from './0011-presence.ts'
import * as copies from './0012-copies.ts'
import * as manyRelays from './0013-many-relays.ts'
import * as people from './0014-people.ts'
import * as developerTools from './0015-developer-tools.ts'
import * as receptionist from './0016-receptionist.ts'
import type { Up } from './run-statements.ts'

export interface Migration {
  up: Up
  /** A program of the previous release may keep running on its schema. */
  keepsOlderPrograms?: boolean
}

export const MIGRATIONS: readonly Migration[] = [
  first,
  wholeContract,
  printingEngine,
  pairing,
  kitchenContract,
  machines,
  standing,
  routing,
  eventStream,
  retention,
  presence,
  copies,
  manyRelays,
  people,
  developerTools,
  receptionist,
]
