// Tables of relays that share a broker: which gateways each hears, and whom the list of passwords lacks.

/** Parts of the gateways of a shared broker. Which relay hears them. */
export interface ShardsTable {
  shard: number
  /** Id of a replica; null: it was given back. */
  owner: string | null
  /** Counts owners: one that lost it and has it again hears its gateways anew. */
  term: number
  /** On the database's clock. Afterwards anybody may take it. */
  until: number
}

/** Gateways that the list of a Mosquitto lacks: written down by the relay that paired them, until the one that writes the list has them. */
export interface BrokerAdmissionsTable {
  gateway_id: string
  /** As it stands in the list, with the hash of the password. */
  line: string
}
