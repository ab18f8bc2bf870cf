// How many attempts may be in flight: in total, in each lane, and in lanes whose last attempt failed. A lane is a receiver that must not keep others waiting.

export interface LaneLimits {
  total: number
  perLane: number
  /** Limits of a lane whose last attempt failed, and of all such lanes together; absent: as for any other. */
  failing?: { perLane: number; total: number }
}

interface Lane {
  inFlight: number
  isFailing: boolean
  /** When it had its last turn, counted in turns. */
  turn: number
}

export class Lanes<Name extends string = string> {
  readonly #limits: LaneLimits
  readonly #lanes = new Map<Name, Lane>()
  #inFlight = 0
  #turns = 0

  constructor(limits: LaneLimits) {
    this.#limits = limits
  }

  /** Attempts that may begin now in all lanes together. */
  get free(): number {
    return this.#limits.total - this.#inFlight
  }

  /** Attempts that may begin now in this one. */
  room(name: Name): number {
    const { failing, perLane } = this.#limits
    const { inFlight, isFailing } = this.#of(name)
    if (failing === undefined || !isFailing) return Math.min(perLane - inFlight, this.free)
    let all = 0
    for (const lane of this.#lanes.values()) if (lane.isFailing) all += lane.inFlight
    return Math.min(failing.perLane - inFlight, failing.total - all, this.free)
  }

  /** Lanes that have none: what is claimed for all at once passes over them. */
  get full(): Name[] {
    return [...this.#lanes.keys()].filter((name) => this.room(name) <= 0)
  }

  /** Those of them that their lanes have room for, in this order. */
  within<T>(items: readonly T[], laneOf: (item: T) => Name): T[] {
    const left = new Map<Name, number>()
    return items.filter((item) => {
      const name = laneOf(item)
      const room = left.get(name) ?? this.room(name)
      left.set(name, room - 1)
      return room > 0
    })
  }

  /** The item that waited longest for a turn comes first. */
  inTurn<T>(items: readonly T[], laneOf: (item: T) => Name): T[] {
    return items.toSorted((a, b) => this.#of(laneOf(a)).turn - this.#of(laneOf(b)).turn)
  }

  /** The lane had its turn. */
  took(name: Name): void {
    this.#of(name).turn = ++this.#turns
  }

  begun(name: Name): void {
    this.#of(name).inFlight += 1
    this.#inFlight += 1
  }

  answered(name: Name, isTaken: boolean): void {
    this.#of(name).isFailing = !isTaken
  }

  ended(name: Name): void {
    const lane = this.#of(name)
    lane.inFlight -= 1
    this.#inFlight -= 1
    // Where all lanes are alike there is nothing to remember of one.
    if (lane.inFlight === 0 && this.#limits.failing === undefined) this.#lanes.delete(name)
  }

  #of(name: Name): Lane {
    const lane = this.#lanes.get(name) ?? { inFlight: 0, isFailing: false, turn: 0 }
    this.#lanes.set(name, lane)
    return lane
  }
}
