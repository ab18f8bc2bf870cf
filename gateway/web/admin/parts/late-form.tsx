// After how many minutes an order is soon late, and late, for each type: for every screen that is not set to its own, and for the report.
import '#gateway/web/admin/stations.css'
import { useState } from 'react'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import type { Messages } from '#gateway/web/admin/messages/en.ts'
import { useChange, useRead } from '#gateway/web/admin/operations.ts'
import { type AgeThresholds, type OwnThresholds, THRESHOLD_KEYS, thresholdOf } from '#shared/kitchen-times.ts'
import { NumberField } from '#shared/ui/parts/fields.tsx'
import { Form } from '#shared/ui/parts/form.tsx'
import { useNotice } from '#shared/ui/parts/notices.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'
import { type LateDraft, lateDraftOf, minutesWithout, thresholdsFrom } from './late-draft.ts'
import { orderTypeWords } from './order-words.ts'

export function LateForm() {
  const settings = useRead('settings.get', {})
  if (!settings.data) return <Problem error={settings.error} />
  return <Fields before={settings.data.thresholds} />
}

function Fields({ before }: { before: OwnThresholds }) {
  const { t } = useSpeech()
  const say = useNotice()
  const [draft, setDraft] = useState(() => lateDraftOf(before))
  const put = useChange('settings.put', ({ thresholds }) => {
    setDraft(lateDraftOf(thresholds))
    say(t.common.saved)
  })
  const set = (type: keyof LateDraft, part: Partial<LateDraft['usual']>) =>
    setDraft((now) => ({ ...now, [type]: { ...now[type], ...part } }))
  return (
    <Form label={t.common.save} act={() => put.mutate({ thresholds: thresholdsFrom(draft) })} change={put}>
      <p className="soft">{t.late.explain}</p>
      {THRESHOLD_KEYS.map((type) => {
        const without = minutesWithout(type, draft)
        return (
          <fieldset key={type} className="minutes">
            <legend>{type === 'usual' ? t.late.usual : orderTypeWords(type, t)}</legend>
            <NumberField
              name={`thresholds.${type}.soonMin`}
              label={t.late.soonAfter}
              placeholder={String(without.soonMin)}
              value={draft[type].soonMin}
              set={(soonMin) => set(type, { soonMin })}
            />
            <NumberField
              name={`thresholds.${type}.lateMin`}
              label={t.late.lateAfter}
              placeholder={String(without.lateMin)}
              value={draft[type].lateMin}
              set={(lateMin) => set(type, { lateMin })}
            />
          </fieldset>
        )
      })}
    </Form>
  )
}

/** Order types with a late minute of their own: `Delivery: 15`. */
export function otherLateMinutes(thresholds: AgeThresholds, t: Messages): string[] {
  return THRESHOLD_KEYS.filter((type) => type !== 'usual')
    .map((type) => [orderTypeWords(type, t), thresholdOf(type, thresholds).lateMin] as const)
    .filter(([, lateMin]) => lateMin !== thresholds.usual.lateMin)
    .map(([name, lateMin]) => name + t.common.colon + lateMin)
}
