// Sandbox or live: always visible, and changed with one press.
import { usePlace } from '#cloud/web/place.tsx'
import { useSpeech } from '#cloud/web/speech.tsx'

const ENVIRONMENTS = ['sandbox', 'live'] as const

export function EnvironmentSwitch() {
  const { t } = useSpeech()
  const { environment, go } = usePlace()
  return (
    <fieldset className="environment" aria-label={t.place.environment}>
      {ENVIRONMENTS.map((one) => (
        <button
          key={one}
          type="button"
          className={one}
          aria-pressed={one === environment}
          onClick={() => go({ environment: one })}
        >
          {t.place.environments[one]}
        </button>
      ))}
    </fieldset>
  )
}
