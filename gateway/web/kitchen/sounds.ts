// Beeps of the kitchen. A browser lets a page sound only after a tap: "Start shift" is that tap.
import type { Sound } from './sound-events.ts'

/** `deny`: a key that does nothing now. */
export type Noise = Sound | 'deny'

/** Pitch in Hz and how often. */
const TONES: Readonly<Record<Noise, { hz: number; times: number }>> = {
  new: { hz: 880, times: 2 },
  changed: { hz: 660, times: 3 },
  void: { hz: 320, times: 4 },
  ready: { hz: 1_320, times: 1 },
  deny: { hz: 180, times: 1 },
}
const BEEP_S = 0.14
const EVERY_S = 0.22

export class Sounds {
  /** 0 to 1. */
  volume = 0.6
  #audio: AudioContext | null = null

  get isOn(): boolean {
    return this.#audio?.state === 'running'
  }

  /** Inside a tap. */
  async unlock(): Promise<void> {
    try {
      this.#audio ??= new AudioContext()
      await this.#audio.resume()
    } catch {
      // A tablet without sound: the page shows that it is off.
    }
  }

  play(sound: Noise): void {
    const audio = this.#audio
    if (!audio || !this.isOn || this.volume === 0) return
    const { hz, times } = TONES[sound]
    for (let n = 0; n < times; n++) {
      const tone = audio.createOscillator()
      const loudness = audio.createGain()
      tone.frequency.value = hz
      loudness.gain.value = this.volume
      tone.connect(loudness).connect(audio.destination)
      tone.start(audio.currentTime + n * EVERY_S)
      tone.stop(audio.currentTime + n * EVERY_S + BEEP_S)
    }
  }
}
