// Which alerts send mail, after how long, and to whom: one row for each kind, with its own Save.
import { Button, Checkbox } from '@mantine/core'
import { useState } from 'react'
import type { AlertRuleAnswer, AlertRulesAnswer } from '#cloud/control/alert-list.ts'
import { settingsWords } from '#cloud/web/messages/settings.ts'
import { useChange, useRead } from '#cloud/web/operations.ts'
import { Answer } from '#cloud/web/parts/answer.tsx'
import { useMay, usePlace } from '#cloud/web/place.tsx'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { ChoiceField, NumberField } from '#shared/ui/parts/fields.tsx'
import { Form } from '#shared/ui/parts/form.tsx'
import { useNotice } from '#shared/ui/parts/notices.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'

export function AlertSettings({ merchantId }: { merchantId: string }) {
  const t = usePageWords(settingsWords)
  const { environment } = usePlace()
  const rules = useRead('alerts.rules', {})
  return (
    <Answer of={rules}>
      {(all) => (
        <div className="settings">
          <p className="soft">{t.alertsHint}</p>
          {environment === 'sandbox' && <p className="soft">{t.alertsSandbox}</p>}
          {!all.sendsMail && <p className="soft">{t.noMail}</p>}
          <TestMail sendsMail={all.sendsMail} />
          {all.defaults.map((kind) => (
            <AlertRow key={kind.kind} merchantId={kind.ofMerchant ? merchantId : null} usual={kind} all={all} />
          ))}
        </div>
      )}
    </Answer>
  )
}

function TestMail({ sendsMail }: { sendsMail: boolean }) {
  const t = usePageWords(settingsWords)
  const say = useNotice()
  const test = useChange('alerts.test', ({ to }) => say(sendsMail ? t.alertTested(to) : t.alertKept(to)))
  return (
    <div className="stack">
      <p>
        <Button variant="default" loading={test.isPending} onClick={() => test.mutate({})}>
          {t.alertTest}
        </Button>
      </p>
      <Problem error={test.error} />
    </div>
  )
}

interface RowProps {
  /** Null: it is about the account. */
  merchantId: string | null
  usual: AlertRulesAnswer['defaults'][number]
  all: AlertRulesAnswer
}

function AlertRow({ merchantId, usual, all }: RowProps) {
  const t = usePageWords(settingsWords)
  const mayChange = useMay('kitchen')
  const { environment } = usePlace()
  const own = all.rules.find((rule) => rule.kind === usual.kind && rule.merchantId === merchantId)
  const general = all.rules.find((rule) => rule.kind === usual.kind && rule.merchantId === null)
  const stands = own ?? general ?? { ...usual, on: usual.on && environment === 'live', to: null, mutedUntil: null }
  return (
    <details className="hint setting">
      <summary>
        <span>
          <strong>{t.kinds[usual.kind]}</strong>{' '}
          <span className="soft">
            {stands.on ? t.yes : t.no}, {own === undefined ? t.isDefault : t.isSet}
          </span>
        </span>
      </summary>
      {mayChange && (
        <RuleForm
          key={JSON.stringify(stands)}
          {...{ merchantId, kind: usual.kind, people: all.people, isOwn: own !== undefined }}
          stands={stands}
        />
      )}
    </details>
  )
}

interface RuleFormProps {
  merchantId: string | null
  kind: AlertRuleAnswer['kind']
  people: AlertRulesAnswer['people']
  isOwn: boolean
  stands: Pick<AlertRuleAnswer, 'on' | 'afterMinutes' | 'to' | 'mutedUntil'>
}

function RuleForm({ merchantId, kind, people, isOwn, stands }: RuleFormProps) {
  const t = usePageWords(settingsWords)
  const { t: frame } = useSpeech()
  const say = useNotice()
  const [draft, setDraft] = useState({
    on: stands.on,
    after: String(stands.afterMinutes),
    who: stands.to === null ? ('owners' as const) : ('some' as const),
    to: new Set<string>(stands.to ?? []),
  })
  const set = (part: Partial<typeof draft>) => setDraft((before) => ({ ...before, ...part }))
  const save = useChange('alerts.save', () => say(t.alertSaved))
  const reset = useChange('alerts.reset', () => say(t.alertSaved))
  const of = { kind, ...(merchantId === null ? {} : { merchantId }) }
  const act = () =>
    save.mutate({
      ...of,
      on: draft.on,
      afterMinutes: Number(draft.after || 0),
      to: draft.who === 'owners' ? null : people.map(({ userId }) => userId).filter((userId) => draft.to.has(userId)),
      mutedUntil: stands.mutedUntil,
    })
  const turn = (userId: string) =>
    set({
      to: draft.to.has(userId)
        ? new Set([...draft.to].filter((one) => one !== userId))
        : new Set([...draft.to, userId]),
    })
  return (
    <Form
      label={frame.common.save}
      act={act}
      change={{ error: save.error ?? reset.error, isPending: save.isPending }}
      buttons={
        isOwn && (
          <Button variant="default" loading={reset.isPending} onClick={() => reset.mutate(of)}>
            {t.toDefault}
          </Button>
        )
      }
    >
      <Checkbox label={t.on} checked={draft.on} onChange={(event) => set({ on: event.currentTarget.checked })} />
      <NumberField name="afterMinutes" label={t.after} digits={5} value={draft.after} set={(after) => set({ after })} />
      <ChoiceField
        name="to"
        label={t.to}
        value={draft.who}
        set={(who) => set({ who })}
        choices={[
          ['owners', t.owners],
          ['some', t.some],
        ]}
      />
      {draft.who === 'some' &&
        people.map(({ userId, name, email }) => (
          <Checkbox
            key={userId}
            label={name}
            description={email}
            checked={draft.to.has(userId)}
            onChange={() => turn(userId)}
          />
        ))}
    </Form>
  )
}
