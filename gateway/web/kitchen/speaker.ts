// Audio output of a display. A browser may refuse it until somebody has touched the page.

interface Tone {
  hz: number
  /** Start, in seconds from now. */
  inS: number
  forS: number
  /** 0 to 1. */
  volume: number
  /** Fades out instead of stopping abruptly. */
  fades?: boolean
}

export class Speaker {
  #audio: AudioContext | null = null

  /** True if sound is possible. */
  get isOn(): boolean {
    return this.#audio?.state === 'running'
  }

  /** Resolves when sound is possible: at once within a touch, otherwise possibly never. */
  async unlock(): Promise<void> {
    try {
      this.#audio ??= new AudioContext()
      await this.#audio.resume()
    } catch {
      // No sound: the page shows that it is off.
    }
  }

  /** Does nothing while sound is not possible. */
  tone({ hz, inS, forS, volume, fades = false }: Tone): void {
    const audio = this.#audio
    if (!audio || !this.isOn || volume === 0) return
    const tone = audio.createOscillator()
    const loudness = audio.createGain()
    const beginsS = audio.currentTime + inS
    tone.frequency.value = hz
    loudness.gain.setValueAtTime(volume, beginsS)
    if (fades) loudness.gain.exponentialRampToValueAtTime(0.001, beginsS + forS)
    tone.connect(loudness).connect(audio.destination)
    tone.start(beginsS)
    tone.stop(beginsS + forS)
  }

  close(): void {
    void this.#audio?.close().catch(() => undefined)
    this.#audio = null
  }
}
