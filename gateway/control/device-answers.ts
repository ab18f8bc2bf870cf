// Answers about devices: what was found in the network, what is known of the one behind a printer, and what stands there instead.
import type { DiscoveryMethod } from '#gateway/discovery/found-printer.ts'
import type { ConfirmLevel } from '#gateway/printers/confirm-level.ts'

/** A device by what tells it apart; null: it does not say, or was not asked. */
export interface DeviceAnswer {
  host: string
  port: number
  /** As the kernel knows it. */
  mac: string | null
  maker: string | null
  model: string | null
  serial: string | null
  level: ConfirmLevel['level'] | null
}

export interface IdentityAnswer {
  known: DeviceAnswer & { profileId: string }
  /** Another device that stands at the printer's address, or may be the printer at another one. */
  found: FoundDevice | null
}

export interface FoundDevice extends DeviceAnswer {
  /** For printers.accept. */
  deviceId: string
  /** The family that it gets when it is accepted. */
  profileId: string
  /** What it says of itself stands for no family, so it gets that of the other one: somebody must check that. */
  isFamilyUnsure: boolean
}

/** What became of the printer's family when another device was accepted. */
export interface FamilyAnswer {
  before: string
  now: string
  /** Nothing said which family it is, and nobody chose one. */
  isUnsure: boolean
}

export interface FoundAnswer {
  address: string
  port: number
  /** As the kernel knows it of the address. */
  mac: string | null
  /** What the device claims; anybody can claim any. */
  claimedMac: string | null
  model: string | null
  name: string | null
  methods: DiscoveryMethod[]
  /** Name of the printer that is set up there. */
  printer: string | null
  suggestedProfileId: string | null
}

export interface DiscoverAnswer {
  run: number
  state: 'never' | 'running' | 'done' | 'cancelled'
  startedAt: string | null
  endedAt: string | null
  networks: string[]
  printers: FoundAnswer[]
  /** Send it back as `seen`: the next answer waits for something newer. */
  seen: number
}
