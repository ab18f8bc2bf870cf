// Addresses of printers that somebody with rights on the machine has allowed beyond the rule: gateway/control/printer-address-policy.ts.
import type { Statement } from 'better-sqlite3'
import type { GatewayDatabase } from './database.ts'

export interface AllowedAddress {
  host: string
  port: number
}

const KEY = 'allowed_addresses'

export class AllowedAddressStore {
  readonly #db: GatewayDatabase
  readonly #get: Statement<[string], { value: string }>
  readonly #put: Statement<[string, string]>
  #addresses: readonly AllowedAddress[]

  /** @param before where printers stand that were set up before there was a rule: they print on */
  constructor(db: GatewayDatabase, before: readonly AllowedAddress[]) {
    this.#db = db
    this.#get = db.sqlite.prepare('select value from meta where key = ?')
    this.#put = db.sqlite.prepare(
      'insert into meta (key, value) values (?, ?) on conflict (key) do update set value = excluded.value',
    )
    const stored = this.#get.get(KEY)?.value
    this.#addresses = stored === undefined ? [] : (JSON.parse(stored) as AllowedAddress[])
    if (stored === undefined) this.#write(before.map(({ host, port }) => ({ host, port })))
  }

  has({ host, port }: AllowedAddress): boolean {
    return this.#addresses.some((one) => one.host === host && one.port === port)
  }

  /** On disk when it returns. */
  add(address: AllowedAddress): void {
    if (!this.has(address)) this.#write([...this.#addresses, { host: address.host, port: address.port }])
  }

  /** Where no printer stands any more, the rule holds again. */
  keepOnly(places: readonly AllowedAddress[]): void {
    const kept = this.#addresses.filter(({ host, port }) =>
      places.some((place) => place.host === host && place.port === port),
    )
    if (kept.length < this.#addresses.length) this.#write(kept)
  }

  #write(addresses: readonly AllowedAddress[]): void {
    this.#db.transaction(() => this.#put.run(KEY, JSON.stringify(addresses)))
    this.#addresses = addresses
  }
}
