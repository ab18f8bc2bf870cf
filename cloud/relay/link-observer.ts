// Counters of the link to the gateways. They are called on the path of orders: they must be quick and must not throw.

/**
 * Why a gateway sends hello. `first`: never before. `memory_lost`: its disk is new. `another_disk`: an older image or a copy. `boot`: its
 * program was started. `reconnect`: its connection was opened again. `asked`: the relay requested it on the same connection.
 */
export type HelloReason = 'first' | 'memory_lost' | 'another_disk' | 'boot' | 'reconnect' | 'asked'

export interface LinkObserver {
  /** A message of a gateway that was understood. @param type `t` of it */
  heard(type: string): void
  /** A message to a gateway, also one that is sent again. */
  said(type: string): void
  /** A gateway was welcomed. */
  hello(why: HelloReason): void
  /** What a gateway had not acknowledged is sent again. */
  rewound(): void
}

/** In a sealed message to a gateway the type comes behind version, id, time and epoch. */
const TYPE = /"t":"([a-z.-]+)"/
const HEAD_CHARACTERS = 160

/** The same, and what is published is counted. */
export function saying(
  observer: LinkObserver | undefined,
  publish: (topic: string, payload: string) => void,
): (topic: string, payload: string) => void {
  if (observer === undefined) return publish
  return (topic, payload) => {
    observer.said(TYPE.exec(payload.slice(0, HEAD_CHARACTERS))?.[1] ?? 'other')
    publish(topic, payload)
  }
}
