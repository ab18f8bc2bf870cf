// Addresses of printers that an administrator of the machine has allowed beyond the rule: gateway/control/printer-address-policy.ts.
import type { GatewayDatabase } from './database.ts'
import { MetaValues } from './meta-values.ts'

export interface AllowedAddress {
  host: string
  port: number
}

const KEY = 'allowed_addresses'

export class AllowedAddressStore {
  readonly #db: GatewayDatabase
  readonly #values: MetaValues<typeof KEY>
  #addresses: readonly AllowedAddress[]

  /** @param before addresses of printers that were set up before there was a rule: they continue to print */
  constructor(db: GatewayDatabase, before: readonly AllowedAddress[]) {
    this.#db = db
    this.#values = new MetaValues(db)
    const stored = this.#values.get(KEY)
    this.#addresses = stored ? (JSON.parse(stored) as AllowedAddress[]) : []
    if (!stored) this.#write(before.map(({ host, port }) => ({ host, port })))
  }

  has({ host, port }: AllowedAddress): boolean {
    return this.#addresses.some((one) => one.host === host && one.port === port)
  }

  /** On disk when it returns. */
  add(address: AllowedAddress): void {
    if (!this.has(address)) this.#write([...this.#addresses, { host: address.host, port: address.port }])
  }

  /** Where no printer is set up any more, the rule applies again. */
  keepOnly(places: readonly AllowedAddress[]): void {
    const kept = this.#addresses.filter(({ host, port }) =>
      places.some((place) => place.host === host && place.port === port),
    )
    if (kept.length < this.#addresses.length) this.#write(kept)
  }

  #write(addresses: readonly AllowedAddress[]): void {
    this.#db.transaction(() => this.#values.put(KEY, JSON.stringify(addresses)))
    this.#addresses = addresses
  }
}
