// The two tones by which the guests' board calls; many a sign is never touched.
import { Speaker } from './speaker.ts'

/** Each in Hz, and when it begins in seconds. */
const TONES = [
  { hz: 784, inS: 0 },
  { hz: 1_046, inS: 0.22 },
] as const
const RINGS_S = 0.9

export class Chime extends Speaker {
  /** @param volume 0 to 1 */
  ring(volume: number): void {
    for (const tone of TONES) this.tone({ ...tone, forS: RINGS_S, volume, fades: true })
  }
}
