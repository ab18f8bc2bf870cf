// A printer's own description over its own connection, by which it is recognised: read once, compared on every new connection.
import { z } from 'zod'

/** Longer ones are banners. */
export const LONGEST_ANSWER = 40

const answer = z.string().min(1).max(LONGEST_ANSWER).nullable()

/** Printable ASCII, as the device sent it; null: no answer. */
export const deviceAnswers = z.object({ maker: answer, model: answer, serial: answer })
export type DeviceAnswers = z.infer<typeof deviceAnswers>

/** The device behind a printer's name. */
export const knownDevice = z.object({
  /** Null: not queried yet, or it answers no such query. */
  answers: deviceAnswers.nullable(),
  /** Its address before the gateway followed it automatically: the gateway returns there when it answers there again. */
  movedFrom: z.object({ host: z.string(), port: z.number().int(), atMs: z.number() }).nullable(),
})
export type KnownDevice = z.infer<typeof knownDevice>

export const UNKNOWN_DEVICE: KnownDevice = { answers: null, movedFrom: null }

/** A device as it was met: its hardware address by the kernel's own table (never by what it claims), and its answers. */
export interface DeviceFacts extends DeviceAnswers {
  mac: string | null
}

export const NO_ANSWERS: DeviceAnswers = { maker: null, model: null, serial: null }
