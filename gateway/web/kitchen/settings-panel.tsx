// What this one screen is set to: letters, columns, sounds. It stays in its browser.
import { fillScreen } from './browser.ts'
import type { KitchenModel } from './kitchen-model.ts'
import type { Messages } from './messages/en.ts'
import { useWords } from './messages/words.tsx'
import { COLUMNS, DENSITIES, ORDERS, type ScreenSettings } from './screen-settings.ts'
import { SOUND_MODES, SOUNDS } from './sound-events.ts'

const SOUND_NAMES = {
  new: 'soundNew',
  changed: 'soundChanged',
  void: 'soundVoid',
  ready: 'soundReady',
} as const satisfies Record<string, keyof Messages>

export function Settings({ model, settings }: { model: KitchenModel; settings: ScreenSettings }) {
  const { m, number } = useWords()
  const modeNames = { off: m.soundIsOff, once: m.soundOnce, repeat: m.soundUntilSeen }
  return (
    <div className="settings">
      <button type="button" className="side" onClick={() => void fillScreen()}>
        {m.fullScreen}
      </button>
      <Choice
        label={m.textSize}
        choices={DENSITIES}
        value={settings.density}
        nameOf={(density) => density}
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
      <label className="check">
        <input
          type="checkbox"
          checked={settings.isSlow}
          onChange={({ target }) => model.set({ isSlow: target.checked })}
        />
        {m.slowTablet}
      </label>
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
    </div>
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
