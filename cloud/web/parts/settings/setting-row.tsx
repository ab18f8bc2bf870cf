// One setting with its own Save. A value that another person saved meanwhile is shown, and what was typed stays.
import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { Right } from '#cloud/control/roles.ts'
import { settingsWords } from '#cloud/web/messages/settings.ts'
import { useMay } from '#cloud/web/place.tsx'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import type { ApiError } from '#shared/ui/api.ts'
import { Form } from '#shared/ui/parts/form.tsx'

interface SettingProps {
  /** The relay's name of the value: `said.values` of a stale save has it under this name. */
  field: string
  /** As text. */
  value: string
  /** How a value is shown, where that is not the text itself. */
  shown?: (value: string) => string
  change: { error: ApiError | null; isPending: boolean; reset: () => void }
  /** @param saved called once it is */
  save: (draft: string, seen: string, saved: () => void) => void
  control: (draft: string, set: (draft: string) => void) => ReactNode
  /** The right that is needed to change it; default: that of the restaurant's settings. */
  right?: Right
}

export function SettingRow({
  field,
  value,
  shown = (text) => text,
  change,
  save,
  control,
  right = 'kitchen',
}: SettingProps) {
  const t = usePageWords(settingsWords)
  const { t: frame } = useSpeech()
  const mayChange = useMay(right)
  const { draft, seen, set, settle } = useDraft(value)
  const theirs = change.error?.code === 'stale' ? change.error.said?.values[field] : undefined
  const present = theirs === undefined ? null : String(theirs)
  const send = (against: string) => save(draft, against, () => settle(draft))
  if (!mayChange)
    return (
      <fieldset className="setting" disabled>
        {control(value, () => undefined)}
      </fieldset>
    )
  return (
    <div className="setting">
      <Form label={frame.common.save} act={() => send(seen)} change={change} isQuiet={draft === value}>
        {control(draft, set)}
      </Form>
      {present !== null && (
        <div className="stack">
          <p>{t.present(shown(present))}</p>
          <div className="row-actions">
            <Button
              variant="default"
              onClick={() => {
                settle(present)
                change.reset()
              }}
            >
              {t.takeTheirs}
            </Button>
            <Button variant="default" onClick={() => send(present)}>
              {t.saveMine}
            </Button>
          </div>
        </div>
      )}
    </div>
  )
}

/** Typed text stays whatever arrives; an untouched field shows the newest value. */
function useDraft(value: string) {
  const [{ draft, seen }, setState] = useState({ draft: value, seen: value })
  if (value !== seen && draft === seen) setState({ draft: value, seen: value })
  return {
    draft,
    seen,
    set: (next: string) => setState({ draft: next, seen }),
    /** Sets the present value. */
    settle: (present: string) => setState({ draft: present, seen: present }),
  }
}
