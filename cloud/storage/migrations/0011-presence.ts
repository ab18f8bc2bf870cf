// Eleventh schema of the relay: who is unknown and who was revoked is found without reading all gateways.

import { runs } from './run-statements.ts'

export const up = runs([
  `create index gateways_unknown on gateways (created_at) where presence = 'unknown' and simulated = 0`,
  `create index gateways_revoked on gateways (revoked_at) where revoked_at is not null`,
])
