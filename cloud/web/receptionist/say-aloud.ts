// The browser's own voice and ear: what the receptionist says is read aloud, and what a person says becomes text, where the browser can.
import { useCallback, useEffect, useRef, useState } from 'react'

/** Whether this browser can speak. */
export const canSpeak = (): boolean => 'speechSynthesis' in window

/** Reads texts aloud, one after another. It ends with the page. */
export function useVoice() {
  const [isSpeaking, setSpeaking] = useState(false)
  const stop = useCallback(() => {
    if (canSpeak()) speechSynthesis.cancel()
    setSpeaking(false)
  }, [])
  useEffect(() => stop, [stop])
  const speak = useCallback((texts: readonly string[], language: string) => {
    if (!canSpeak() || texts.length === 0) return
    speechSynthesis.cancel()
    setSpeaking(true)
    for (const [index, text] of texts.entries()) {
      const said = new SpeechSynthesisUtterance(text)
      said.lang = language
      if (index === texts.length - 1)
        for (const end of ['end', 'error']) said.addEventListener(end, () => setSpeaking(false))
      speechSynthesis.speak(said)
    }
  }, [])
  return { isSpeaking, speak, stop }
}

/** What is used of the recognition that some browsers have. */
interface Recognition extends EventTarget {
  lang: string
  interimResults: boolean
  start(): void
  abort(): void
}
type RecognitionClass = new () => Recognition
interface HeardEvent extends Event {
  results: ArrayLike<ArrayLike<{ transcript: string }>>
}

function recognitionClass(): RecognitionClass | null {
  const { SpeechRecognition, webkitSpeechRecognition } = window as unknown as Partial<
    Record<'SpeechRecognition' | 'webkitSpeechRecognition', RecognitionClass>
  >
  return SpeechRecognition ?? webkitSpeechRecognition ?? null
}

/** @param heard what was understood. @returns `listen` null: this browser does not understand speech */
export function useEar(heard: (words: string) => void) {
  const [isListening, setListening] = useState(false)
  const running = useRef<Recognition | null>(null)
  useEffect(() => () => running.current?.abort(), [])
  const ear = recognitionClass()
  const listen = (language: string): void => {
    if (ear === null || running.current !== null) return
    const recognition = new ear()
    recognition.lang = language
    recognition.interimResults = false
    const over = (): void => {
      running.current = null
      setListening(false)
    }
    recognition.addEventListener('result', (event) => {
      const words = (event as HeardEvent).results[0]?.[0]?.transcript.trim() ?? ''
      if (words !== '') heard(words)
    })
    for (const end of ['end', 'error']) recognition.addEventListener(end, over)
    running.current = recognition
    setListening(true)
    recognition.start()
  }
  return { isListening, listen: ear === null ? null : listen }
}
