// Answers about devices: found in the network, known as a printer's device, and other devices at a printer's address.
import type { DiscoveryMethod } from '#gateway/discovery/found-printer.ts'
import type { ConfirmLevel } from '#gateway/printers/confirm-level.ts'

/** The identifying fields of a device; null: no answer, or not requested. */
export interface DeviceAnswer {
  host: string
  port: number
  /** From the kernel's table. */
  mac: string | null
  maker: string | null
  model: string | null
  serial: string | null
  level: ConfirmLevel['level'] | null
}

export interface IdentityAnswer {
  known: DeviceAnswer & { profileId: string }
  /** Another device at the printer's address, or one that may be the printer at another address. */
  found: FoundDevice | null
}

export interface FoundDevice extends DeviceAnswer {
  /** For printers.accept. */
  deviceId: string
  /** The family that it gets when it is accepted. */
  profileId: string
  /** Its own answers match no family, so it gets that of the old device: a person must check that. */
  isFamilyUnsure: boolean
}

/** What became of the printer's family when another device was accepted. */
export interface FamilyAnswer {
  before: string
  now: string
  /** No answer matched a family, and none was chosen. */
  isUnsure: boolean
}

export interface FoundAnswer {
  address: string
  port: number
  /** From the kernel's table, for the address. */
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
