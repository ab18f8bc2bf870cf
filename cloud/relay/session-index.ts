// The relay's sessions, found by gateway and by location in constant time: an order reads only the sessions of its own location.
import type { GatewayId, LocationId } from '#shared/ids.ts'
import type { GatewaySession } from './gateway-session.ts'

/** The fields by which a session is found. Neither changes during the session. */
type Indexed = Pick<GatewaySession, 'facts'>

const NONE: ReadonlySet<never> = new Set()

/** Used as a map from gateway to session; a location's sessions follow from that. */
export class SessionIndex<S extends Indexed = GatewaySession> {
  readonly #byGateway = new Map<GatewayId, S>()
  readonly #byLocation = new Map<LocationId, Set<S>>()

  get size(): number {
    return this.#byGateway.size
  }

  get(gatewayId: GatewayId): S | undefined {
    return this.#byGateway.get(gatewayId)
  }

  /** Takes the place of the gateway's session before it, also when that one was of another location: the gateway has moved. */
  set(gatewayId: GatewayId, session: S): void {
    this.delete(gatewayId)
    this.#byGateway.set(gatewayId, session)
    const { locationId } = session.facts
    const there = this.#byLocation.get(locationId)
    if (there) there.add(session)
    else this.#byLocation.set(locationId, new Set([session]))
  }

  delete(gatewayId: GatewayId): void {
    const session = this.#byGateway.get(gatewayId)
    if (!session) return
    this.#byGateway.delete(gatewayId)
    const { locationId } = session.facts
    const there = this.#byLocation.get(locationId)
    there?.delete(session)
    if (there?.size === 0) this.#byLocation.delete(locationId)
  }

  /** Where any session is. */
  locations(): LocationId[] {
    return [...this.#byLocation.keys()]
  }

  /** Sessions of a location, those that came first at the front. */
  at(locationId: LocationId): ReadonlySet<S> {
    return this.#byLocation.get(locationId) ?? NONE
  }

  values(): Iterable<S> {
    return this.#byGateway.values()
  }
}
