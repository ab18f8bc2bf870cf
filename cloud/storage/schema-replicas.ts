// Tables of the relays on one database: which run, their leases, and which gateways of a shared broker each serves.

/** The relays that work on this database now. Times are the database's. */
export interface ReplicasTable {
  id: string
  version: string
  /** The number of migrations that its program has. */
  knows: number
  /** Since when the others may count on it: its start, or its first sign of life after it was dead. */
  started_at: number
  /** Of its last sign of life, every few seconds. */
  seen_at: number
  /** 1: it is about to stop. */
  draining: number
  /** Until then it is one of those that divide the gateways of a shared broker among them; on the database's clock. */
  shards_until: number
}

/** What one relay does for all. */
export interface LeasesTable {
  name: string
  /** Id of a replica. */
  holder: string
  /** On the database's clock. */
  until: number
}

/** One row, from the first start of a relay on. */
export interface MasterKeyTable {
  id: number
  /** Hex HMAC of a constant under the master key, by which a relay with another key is recognised. */
  check_value: string
}

/** Shards of the gateways of a shared broker, and the relay that serves each. */
export interface ShardsTable {
  shard: number
  /** Id of a replica; null: it was given back. */
  owner: string | null
  /** Counts owners: a relay that lost a shard and has it again starts new sessions. */
  term: number
  /** On the database's clock. Afterwards anybody may take it. */
  until: number
}

/** Gateways that the list of a Mosquitto lacks: written down by the relay that paired them, until the one that writes the list has them. */
export interface BrokerAdmissionsTable {
  gateway_id: string
  /** The line of the list, with the hash of the password. */
  line: string
}
