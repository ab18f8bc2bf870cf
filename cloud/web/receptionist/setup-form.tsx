// The form of the receptionist's profile: one draft, saved at once. What somebody else saved meanwhile is shown, and what was typed stays.
import { Button } from '@mantine/core'
import { useState } from 'react'
import type { ReceptionistAnswer } from '#cloud/control/receptionist-list.ts'
import { setupWords } from '#cloud/web/messages/receptionist-setup.ts'
import { useChange } from '#cloud/web/operations.ts'
import { useMay } from '#cloud/web/place.tsx'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { Form } from '#shared/ui/parts/form.tsx'
import { Mark } from '#shared/ui/parts/mark.tsx'
import { useNotice } from '#shared/ui/parts/notices.tsx'
import { SetupAnswering } from './setup-answering.tsx'
import { bodyOf, contradictions, type Draft, draftOf, refusedHere } from './setup-draft.ts'
import { SetupHolidays, SetupHours } from './setup-hours.tsx'
import { SetupMenu } from './setup-menu.tsx'
import { SetupOrders, SetupPeople, SetupRecording } from './setup-people.tsx'
import { SetupPreview } from './setup-preview.tsx'

export function SetupForm({ merchantId, stored }: { merchantId: string; stored: ReceptionistAnswer }) {
  const t = usePageWords(setupWords)
  const { t: frame } = useSpeech()
  const say = useNotice()
  const mayChange = useMay('kitchen') && !stored.isMasked
  const { draft, seen, set, settle, isChanged } = useDraft(stored)
  const save = useChange('receptionist.save', (answer) => {
    settle(answer)
    say(frame.common.saved)
  })
  const send = (version: number) => save.mutate({ merchantId, profile: bodyOf(draft), seen: { version } })
  const theirs = save.error?.code === 'stale'
  const wrong = [
    ...refusedHere(draft, stored, draftOf(stored.profile)).map((field) => t.refused[field]),
    ...contradictions(draft).map((name) => t.contradictions[name]),
  ]
  const section = { draft, set }
  return (
    <div className="receptionist-setup">
      <div className="receptionist-form">
        {stored.isMasked && <p className="soft">{t.masked}</p>}
        <fieldset disabled={!mayChange}>
          <Form
            label={t.save}
            isWide
            isQuiet={!isChanged}
            act={() => send(seen)}
            change={save}
            buttons={
              <>
                <span className="soft grows" role="status">
                  {isChanged ? t.unsaved : t.allSaved}
                </span>
                {isChanged && (
                  <Button variant="default" onClick={() => settle(stored)}>
                    {t.discard}
                  </Button>
                )}
              </>
            }
          >
            {wrong.length > 0 && (
              <div role="status">
                <ul className="plain">
                  {wrong.map((words) => (
                    <li key={words}>
                      <Mark tone="warn">{words}</Mark>
                    </li>
                  ))}
                </ul>
              </div>
            )}
            <SetupAnswering {...section} />
            <SetupHours {...section} />
            <SetupHolidays {...section} />
            <SetupMenu {...section} />
            <SetupPeople {...section} />
            <SetupOrders {...section} />
            <SetupRecording {...section} />
          </Form>
        </fieldset>
        {theirs && (
          <div className="stack">
            <p>{t.stale}</p>
            <div className="row-actions">
              <Button
                variant="default"
                onClick={() => {
                  settle(stored)
                  save.reset()
                }}
              >
                {t.takeTheirs}
              </Button>
              <Button variant="default" onClick={() => send(Number(save.error?.said?.values['version'] ?? seen))}>
                {t.saveMine}
              </Button>
            </div>
          </div>
        )}
      </div>
      <SetupPreview merchantId={merchantId} draft={draft} />
    </div>
  )
}

/** Typed text stays whatever arrives; an untouched form shows the newest. */
function useDraft(stored: ReceptionistAnswer) {
  const [state, setState] = useState(() => begun(stored))
  const isChanged = JSON.stringify(state.draft) !== state.text
  // While it is drawn: an older form would be sent on a newer version.
  if (stored.version !== state.seen && !isChanged) setState(begun(stored))
  return {
    draft: state.draft,
    /** The version that the draft was begun on. */
    seen: state.seen,
    isChanged,
    set: (part: Partial<Draft>) => setState((before) => ({ ...before, draft: { ...before.draft, ...part } })),
    settle: (answer: ReceptionistAnswer) => setState(begun(answer)),
  }
}

function begun({ profile, version }: ReceptionistAnswer) {
  const draft = draftOf(profile)
  return { draft, text: JSON.stringify(draft), seen: version }
}
