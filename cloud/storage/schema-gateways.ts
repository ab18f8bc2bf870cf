// Tables of locations, their gateways and these gateways' printers; conventions as in schema.ts.
import type { Generated } from 'kysely'
import type { GatewayId, LocationId, MerchantKey } from '#shared/ids.ts'
import type { PrinterState } from '#shared/print-job.ts'

export interface LocationsTable {
  id: LocationId
  merchant_id: MerchantKey
  name: string
  is_default: number
  /** `simulated`: the relay's own kitchen prints here (sandbox only), as long as no gateway is paired. */
  kitchen: 'gateway' | 'simulated'
  created_at: number
}

export interface GatewaysTable {
  id: GatewayId
  location_id: LocationId
  name: string
  /** Hex SHA-256 of the 256-bit token. */
  token_hash: string
  shard: number
  /** Identity of the gateway's dedupe memory and how far it has acknowledged; `last_seq` is the highest number given out on this stream. */
  stream: string | null
  acked_seq: number
  last_seq: number
  session_epoch: number
  boot_id: string | null
  /** `hello.machine` of the first hello that had one: that machine may always replace the connection. */
  machine: string | null
  /** `hello.disk` of the last session. */
  disk: string | null
  app_version: string | null
  presence: 'online' | 'offline' | 'unknown'
  /** 1: not a program in a restaurant but the simulated kitchen of a sandbox location. */
  simulated: number
  /** JSON array of the last reported `hello.caps`. */
  caps: string
  last_seen_at: number | null
  revoked_at: number | null
  created_at: number
  /** Of the password that was sent and not used yet: valid in addition to `token_hash` until then. */
  next_token_hash: string | null
  next_token_at: number | null
  /** The operator wants another password; null when it is in use. */
  rotation_asked_at: number | null
  rotated_at: number | null
  /** Relay time minus the gateway's wall clock, by its last report; null before. */
  clock_offset_ms: number | null
  /** JSON {queued, held, unreported}, by its last report. */
  queue: string | null
  /** JSON of `status.stations`, by its last report; null: not reported. */
  stations: string | null
  /** JSON of `status.routing`, by its last report; null: its stations are sufficient, or it is not reported. */
  routing: string | null
  /** JSON of `status.health`, by its last report; null: not reported. */
  health: string | null
  /** Its hardware, as reported when it was claimed. */
  hardware: string | null
  /**
   * This database was restored from a copy, and the gateway has jobs that it has forgotten: those of its stream with numbers above
   * `recall_after`, up to `recall_to`, are still to be handed back (equal: it has lost its own memory of them). Null: nothing is.
   */
  recall_after: number | null
  recall_to: number | null
  recall_since: number | null
  /** The replica that welcomed it last; null: none did, or the relay is alone. */
  relay_id: string | null
  /** JSON of the last boots that connected, at any relay; null: the relay runs alone and remembers them itself. */
  boots: string | null
}

/** Printers as the gateway last reported them. */
export interface PrintersTable {
  gateway_id: GatewayId
  printer_id: string
  name: string
  stations: string
  is_default: number
  state: PrinterState
  /** JSON array of IPP printer-state-reasons. */
  reasons: string
  /** Id of the printer by which its tickets come out now; null: none is known. */
  stand_in: string | null
  updated_at: number
  /** In the gateway's last report, from 0: by this order it chooses between printers of one station. */
  place: Generated<number>
}
