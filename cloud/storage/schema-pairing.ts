// Tables of pairing and of the configuration that gateways are sent.
import type { GatewayId, LocationId } from '#shared/ids.ts'

/** One row per code, also used and expired ones until they are swept. */
export interface ClaimCodesTable {
  /** Hex SHA-256 of the ten characters. */
  code_hash: string
  location_id: LocationId
  /** Name that the gateway gets. */
  gateway_name: string
  /** `cli`, or the account whose key made it. */
  made_by: string
  created_at: number
  expires_at: number
  claimed_at: number | null
  /** Hex SHA-256 of the secret with which the box that claimed it may repeat its claim. */
  attempt_hash: string | null
  gateway_id: GatewayId | null
}

/** The configuration that a gateway should have, and what it last answered. */
export interface GatewayConfigsTable {
  gateway_id: GatewayId
  /** Counts changes, from 1. */
  ver: number
  /** Text of a GatewayConfigDoc; its hash is `sha256`. */
  doc: string
  sha256: string
  updated_at: number
  updated_by: string
  /** Of which version the answer is. */
  answered_ver: number | null
  /** JSON of a ConfigResult. */
  answer: string | null
  answered_at: number | null
}
