// The interface of the model to the browser: requests, the feed, storage, sounds. Tests use their own network instead.
import { openFeed, randomFraction, remember, remembered } from '#shared/ui/browser.ts'
import type { FeedSource } from '#shared/ui/live-client.ts'
import { post, randomId, reload } from './browser.ts'
import { applySettings, type ScreenSettings } from './screen-settings.ts'
import { type Noise, Sounds } from './sounds.ts'

export interface KitchenEdge {
  /** Status 0: no answer. */
  post: (path: string, body: unknown) => Promise<{ status: number; body: unknown }>
  openFeed: (path: string) => FeedSource
  /** In [0, 1). */
  random: () => number
  randomId: () => string
  remember: (key: string, value: string) => void
  remembered: (key: string) => string | null
  /** Applies settings to the page and its sounds. */
  apply: (settings: ScreenSettings) => void
  reload: () => void
  sounds: { readonly isOn: boolean; unlock(): Promise<void>; play(sound: Noise): void }
}

export function browserEdge(): KitchenEdge {
  const sounds = new Sounds()
  return {
    post,
    openFeed,
    random: randomFraction,
    randomId,
    remember,
    remembered,
    apply: (settings) => {
      sounds.volume = settings.volume
      applySettings(settings)
    },
    reload,
    sounds,
  }
}
