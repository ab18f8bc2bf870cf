// The age in minutes from which orders are soon late, and late, by type, for this display. An empty field uses the setting of the gateway.
import { type AgeThreshold, MOST_MINUTES, THRESHOLD_KEYS, thresholdOf, withMinutes } from '#shared/kitchen-times.ts'
import type { KitchenHello } from '#shared/wire/kitchen.ts'
import type { KitchenModel } from './kitchen-model.ts'
import { useWords } from './messages/words.tsx'
import type { ScreenSettings } from './screen-settings.ts'
import { thresholdsFor } from './snapshot.ts'

interface AgeMinutesProps {
  model: KitchenModel
  settings: ScreenSettings
  hello: Pick<KitchenHello, 'thresholds'> | null
}

export function AgeMinutes({ model, settings: { ownThresholds }, hello }: AgeMinutesProps) {
  const { m } = useWords()
  return (
    <>
      <p>{m.minutesOfTheBox}</p>
      {THRESHOLD_KEYS.map((type) => {
        const { [type]: own, ...others } = ownThresholds
        // The values without those of this row.
        const without = thresholdOf(type, thresholdsFor(hello, { ownThresholds: others }))
        const set = (change: Partial<AgeThreshold> | null): void =>
          model.set({
            ownThresholds: change === null ? others : { ...others, [type]: withMinutes(own ?? without, change) },
          })
        return (
          <fieldset key={type}>
            <legend>{type === 'usual' ? m.usual : (m.orderTypes[type] ?? type)}</legend>
            <div className="minutes">
              <MinutesField
                label={m.soonAfter}
                value={own?.soonMin}
                without={without.soonMin}
                onChange={(soonMin) => set(soonMin === null ? null : { soonMin })}
              />
              <MinutesField
                label={m.lateAfter}
                value={own?.lateMin}
                without={without.lateMin}
                onChange={(lateMin) => set(lateMin === null ? null : { lateMin })}
              />
            </div>
          </fieldset>
        )
      })}
    </>
  )
}

interface MinutesFieldProps {
  label: string
  value: number | undefined
  /** The minutes of the gateway. */
  without: number
  /** Null: no value for this display. */
  onChange: (value: number | null) => void
}

/** Changes on blur, so that the first digit of two is not taken as the value. */
function MinutesField({ label, value, without, onChange }: MinutesFieldProps) {
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
        placeholder={String(without)}
        onBlur={({ target }) => {
          const before = value === undefined ? '' : String(value)
          const { value: typed, validity } = target
          // Invalid input is restored.
          if (typed !== before && validity.valid) onChange(typed === '' ? null : target.valueAsNumber)
          target.value = before
        }}
      />
    </label>
  )
}
