// Answers about the device behind a printer: what is known of it, and what stands there instead.
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
  known: DeviceAnswer
  /** Another device that stands at the printer's address, or may be the printer at another one. `deviceId`: for printers.accept. */
  found: (DeviceAnswer & { deviceId: string }) | null
}
