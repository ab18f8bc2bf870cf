// The loudspeaker of a screen. A browser may refuse it until somebody has touched the page.

interface Tone {
  hz: number
  /** When it begins, seconds from now. */
  inS: number
  forS: number
  /** 0 to 1. */
  volume: number
  /** It dies away, instead of ending as loud as it began. */
  fades?: boolean
}

export class Speaker {
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
      // A screen without sound: the page shows that it is off.
    }
  }

  /** None while nothing can be heard. */
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
