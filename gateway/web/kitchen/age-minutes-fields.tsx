// From which age orders are soon late, and late, each type for itself.
import type { AgeThreshold } from '#shared/kitchen-times.ts'
import type { KitchenModel } from './kitchen-model.ts'
import { useWords } from './messages/words.tsx'
import { MOST_MINUTES, type ScreenSettings, THRESHOLD_KEYS, withMinutes } from './screen-settings.ts'

export function AgeMinutes({ model, settings }: { model: KitchenModel; settings: ScreenSettings }) {
  const { m } = useWords()
  const { thresholds } = settings
  return THRESHOLD_KEYS.map((type) => {
    const before = thresholds[type]
    const set = (change: Partial<AgeThreshold>): void =>
      model.set({ thresholds: { ...thresholds, [type]: withMinutes(before, change) } })
    return (
      <fieldset key={type}>
        <legend>{type === 'usual' ? m.usual : (m.orderTypes[type] ?? type)}</legend>
        <div className="minutes">
          <MinutesField label={m.soonAfter} value={before.soonMin} onChange={(soonMin) => set({ soonMin })} />
          <MinutesField label={m.lateAfter} value={before.lateMin} onChange={(lateMin) => set({ lateMin })} />
        </div>
      </fieldset>
    )
  })
}

interface MinutesFieldProps {
  label: string
  value: number
  onChange: (value: number) => void
}

/** Changed when it is left, so that the first digit of two is not taken for the whole. */
function MinutesField({ label, value, onChange }: MinutesFieldProps) {
  return (
    <label>
      {label}
      <input
        key={value}
        type="number"
        inputMode="numeric"
        min="1"
        max={MOST_MINUTES}
        step="1"
        defaultValue={value}
        onBlur={({ target }) => {
          onChange(target.valueAsNumber)
          target.value = String(value)
        }}
      />
    </label>
  )
}
