// All planted faults of `npm run mutants`.
import { ACCOUNT_MUTANTS } from './account-mutants.ts'
import { BACKUP_MUTANTS } from './backup-mutants.ts'
import { BOARD_MUTANTS } from './board-mutants.ts'
import { CHECK_MUTANTS } from './check-mutants.ts'
import { CLI_MUTANTS } from './cli-mutants.ts'
import { CLOUD_MUTANTS } from './cloud-mutants.ts'
import { DASHBOARD_MUTANTS } from './dashboard-mutants.ts'
import { DISK_MUTANTS } from './disk-mutants.ts'
import { DOCS_MUTANTS } from './docs-mutants.ts'
import { DOOR_MUTANTS } from './door-mutants.ts'
import { FLEET_MUTANTS } from './fleet-mutants.ts'
import { GATEWAY_MUTANTS } from './gateway-mutants.ts'
import { HEALTH_MUTANTS } from './health-mutants.ts'
import { HOOK_MUTANTS } from './hook-mutants.ts'
import { KITCHEN_MUTANTS } from './kitchen-mutants.ts'
import { METRICS_MUTANTS } from './metrics-mutants.ts'
import { MOVE_MUTANTS } from './move-mutants.ts'
import type { Mutant } from './mutant.ts'
import { NOTICE_MUTANTS } from './notice-mutants.ts'
import { OPEN_NETWORK_MUTANTS } from './open-network-mutants.ts'
import { ORDER_MUTANTS } from './order-mutants.ts'
import { OUTBOX_MUTANTS } from './outbox-mutants.ts'
import { PEOPLE_MUTANTS } from './people-mutants.ts'
import { RECEPTIONIST_MUTANTS } from './receptionist-mutants.ts'
import { RELAY_MUTANTS } from './relay-mutants.ts'
import { REPLICA_MUTANTS } from './replica-mutants.ts'
import { RETENTION_MUTANTS } from './retention-mutants.ts'
import { SDK_MUTANTS } from './sdk-mutants.ts'
import { SHARD_MUTANTS } from './shard-mutants.ts'
import { SHARED_MUTANTS } from './shared-mutants.ts'
import { STORAGE_MUTANTS } from './storage-mutants.ts'
import { STORM_MUTANTS } from './storm-mutants.ts'
import { TELEPHONY_MUTANTS } from './telephony-mutants.ts'
import { TEXT_MUTANTS } from './text-mutants.ts'
import { TRANSFER_MUTANTS } from './transfer-mutants.ts'

export const MUTANTS: readonly Mutant[] = [
  ...SHARED_MUTANTS,
  ...SDK_MUTANTS,
  ...CLI_MUTANTS,
  ...DOCS_MUTANTS,
  ...STORAGE_MUTANTS,
  ...GATEWAY_MUTANTS,
  ...KITCHEN_MUTANTS,
  ...CHECK_MUTANTS,
  ...HEALTH_MUTANTS,
  ...HOOK_MUTANTS,
  ...DISK_MUTANTS,
  ...ORDER_MUTANTS,
  ...BOARD_MUTANTS,
  ...RECEPTIONIST_MUTANTS,
  ...RELAY_MUTANTS,
  ...METRICS_MUTANTS,
  ...MOVE_MUTANTS,
  ...STORM_MUTANTS,
  ...SHARD_MUTANTS,
  ...CLOUD_MUTANTS,
  ...DASHBOARD_MUTANTS,
  ...DOOR_MUTANTS,
  ...ACCOUNT_MUTANTS,
  ...FLEET_MUTANTS,
  ...PEOPLE_MUTANTS,
  ...REPLICA_MUTANTS,
  ...OUTBOX_MUTANTS,
  ...NOTICE_MUTANTS,
  ...RETENTION_MUTANTS,
  ...BACKUP_MUTANTS,
  ...TELEPHONY_MUTANTS,
  ...TEXT_MUTANTS,
  ...TRANSFER_MUTANTS,
  ...OPEN_NETWORK_MUTANTS,
]
