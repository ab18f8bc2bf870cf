// The beeps of the kitchen. A browser allows sound only after a tap: "Start shift" is that tap.
import type { Sound } from './sound-events.ts'
import { Speaker } from './speaker.ts'

/** `deny`: a key that has no effect now. */
export type Noise = Sound | 'deny'

/** Pitch in Hz, and number of beeps. */
const TONES: Readonly<Record<Noise, { hz: number; times: number }>> = {
  new: { hz: 880, times: 2 },
  changed: { hz: 660, times: 3 },
  void: { hz: 320, times: 4 },
  ready: { hz: 1_320, times: 1 },
  deny: { hz: 180, times: 1 },
}
const BEEP_S = 0.14
const EVERY_S = 0.22

export class Sounds extends Speaker {
  /** 0 to 1. */
  volume = 0.6

  play(sound: Noise): void {
    const { hz, times } = TONES[sound]
    for (let n = 0; n < times; n++) this.tone({ hz, inS: n * EVERY_S, forS: BEEP_S, volume: this.volume })
  }
}
