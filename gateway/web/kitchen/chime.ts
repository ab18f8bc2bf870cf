// The two tones by which the guests' board calls. A browser may refuse them until somebody has touched the screen; many of a sign do not.

/** Each in Hz, and when it begins in seconds. */
const TONES = [
  { hz: 784, atS: 0 },
  { hz: 1_046, atS: 0.22 },
] as const
const RINGS_S = 0.9

export class Chime {
  #audio: AudioContext | null = null

  /** It can be heard. */
  get isOn(): boolean {
    return this.#audio?.state === 'running'
  }

  /** Resolves when it can be heard; within a touch that is at once, elsewhere it may be never. */
  async unlock(): Promise<void> {
    try {
      this.#audio ??= new AudioContext()
      await this.#audio.resume()
    } catch {
      // A screen without sound.
    }
  }

  /** @param volume 0 to 1 */
  ring(volume: number): void {
    const audio = this.#audio
    if (!audio || !this.isOn || volume === 0) return
    for (const { hz, atS } of TONES) {
      const tone = audio.createOscillator()
      const loudness = audio.createGain()
      const beginsS = audio.currentTime + atS
      tone.frequency.value = hz
      loudness.gain.setValueAtTime(volume, beginsS)
      loudness.gain.exponentialRampToValueAtTime(0.001, beginsS + RINGS_S)
      tone.connect(loudness).connect(audio.destination)
      tone.start(beginsS)
      tone.stop(beginsS + RINGS_S)
    }
  }

  close(): void {
    void this.#audio?.close().catch(() => undefined)
    this.#audio = null
  }
}
