// Settings of this display: size of tickets, times, taps, sounds. They are stored in its browser.
import type { ReactNode } from 'react'

import type { KitchenHello } from '#shared/wire/kitchen.ts'
import { AgeMinutes } from './age-minutes-fields.tsx'
import { fillScreen } from './browser.ts'
import type { KitchenModel } from './kitchen-model.ts'
import type { Messages } from './messages/en.ts'
import { useWords } from './messages/words.tsx'
import { COLUMNS, DENSITIES, EXPO_ASKS, ORDERS, type ScreenSettings } from './screen-settings.ts'
import { SOUND_MODES, SOUNDS } from './sound-events.ts'

const SOUND_NAMES = {
  new: 'soundNew',
  changed: 'soundChanged',
  void: 'soundVoid',
  ready: 'soundReady',
} as const satisfies Record<string, keyof Messages>

interface SettingsProps {
  model: KitchenModel
  settings: ScreenSettings
  /** Null: nothing received from the gateway yet. */
  hello: Pick<KitchenHello, 'thresholds'> | null
}

export function Settings(props: SettingsProps) {
  const { m } = useWords()
  return (
    <div className="settings">
      <button type="button" className="side" onClick={() => void fillScreen()}>
        {m.fullScreen}
      </button>
      <Fold title={m.groupTickets} isOpen>
        <Tickets {...props} />
      </Fold>
      <Fold title={m.groupTimes}>
        <AgeMinutes {...props} />
      </Fold>
      <Fold title={m.groupTaps}>
        <Taps {...props} />
      </Fold>
      <Fold title={m.groupSounds}>
        <SoundChoices {...props} />
      </Fold>
    </div>
  )
}

function Fold({ title, isOpen = false, children }: { title: string; isOpen?: boolean; children: ReactNode }) {
  return (
    <details open={isOpen}>
      <summary>{title}</summary>
      {children}
    </details>
  )
}

function Tickets({ model, settings }: SettingsProps) {
  const { m, number } = useWords()
  return (
    <>
      <Choice
        label={m.density}
        choices={DENSITIES}
        value={settings.density}
        nameOf={(density) => m.densities[density]}
        onChoose={(density) => model.set({ density })}
      />
      <Choice
        label={m.columns}
        choices={COLUMNS}
        value={settings.columns}
        nameOf={(columns) => (columns === 'auto' ? m.automatic : number(Number(columns)))}
        onChoose={(columns) => model.set({ columns })}
      />
      <Choice
        label={m.first}
        choices={ORDERS}
        value={settings.first}
        nameOf={(first) => (first === 'oldest' ? m.firstOldest : m.firstNewest)}
        onChoose={(first) => model.set({ first })}
      />
      <Check label={m.calmScreen} isOn={settings.isSlow} onChange={(isSlow) => model.set({ isSlow })} />
    </>
  )
}

function Taps({ model, settings }: SettingsProps) {
  const { m } = useWords()
  return (
    <>
      <Check label={m.doubleTap} isOn={settings.doubleTap} onChange={(doubleTap) => model.set({ doubleTap })} />
      <Choice
        label={m.expoSetting}
        choices={EXPO_ASKS}
        value={settings.expoAsk}
        nameOf={(ask) => m.expoSettings[ask]}
        onChoose={(expoAsk) => model.set({ expoAsk })}
      />
    </>
  )
}

function SoundChoices({ model, settings }: SettingsProps) {
  const { m } = useWords()
  const modeNames = { off: m.soundIsOff, once: m.soundOnce, repeat: m.soundUntilSeen }
  return (
    <>
      <label>
        {m.volume}
        <input
          type="range"
          min="0"
          max="1"
          step="0.1"
          value={settings.volume}
          onChange={({ target }) => {
            model.set({ volume: Number(target.value) })
            model.sounds.play('new')
          }}
        />
      </label>
      {SOUNDS.map((sound) => (
        <Choice
          key={sound}
          label={m[SOUND_NAMES[sound]]}
          choices={SOUND_MODES}
          value={settings.sounds[sound]}
          nameOf={(mode) => modeNames[mode]}
          onChoose={(mode) => {
            model.set({ sounds: { ...settings.sounds, [sound]: mode } })
            if (mode !== 'off') model.sounds.play(sound)
          }}
        />
      ))}
    </>
  )
}

function Check({ label, isOn, onChange }: { label: string; isOn: boolean; onChange: (isOn: boolean) => void }) {
  return (
    <label className="check">
      <input type="checkbox" checked={isOn} onChange={({ target }) => onChange(target.checked)} />
      {label}
    </label>
  )
}

interface ChoiceProps<T extends string> {
  label: string
  choices: readonly T[]
  value: T
  nameOf: (choice: T) => string
  onChoose: (choice: T) => void
}

function Choice<T extends string>({ label, choices, value, nameOf, onChoose }: ChoiceProps<T>) {
  return (
    <label>
      {label}
      <select
        value={value}
        onChange={({ target }) => {
          const chosen = choices[target.selectedIndex]
          if (chosen !== undefined) onChoose(chosen)
        }}
      >
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {nameOf(choice)}
          </option>
        ))}
      </select>
    </label>
  )
}
