// One routing rule in words: which lines, in which orders, where they go. Its sentence is read while it is made.
import { Button, Checkbox, Group } from '@mantine/core'
import type { FormEvent } from 'react'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useLive } from '#gateway/web/admin/live.tsx'
import { useRead } from '#gateway/web/admin/operations.ts'
import type { ApiError } from '#shared/ui/api.ts'
import { ChoiceField, NumberField, TextField } from '#shared/ui/parts/fields.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'
import { PAPERS } from './printer-draft.ts'
import { isClientRule, RULE_ORDER_TYPES, RULE_SPLITS, RULE_SUBJECTS, type RuleDraft } from './rule-draft.ts'

interface EditorProps {
  draft: RuleDraft
  set: (draft: RuleDraft) => void
  /** The present rule, in words. */
  sentence: string
  change: { error: ApiError | null; isPending: boolean }
  save: () => void
  cancel: () => void
}

type Part = { draft: RuleDraft; put: (part: Partial<RuleDraft>) => void }

export function RuleEditor({ draft, set, sentence, change, save, cancel }: EditorProps) {
  const { t } = useSpeech()
  const put = (part: Partial<RuleDraft>) => set({ ...draft, ...part })
  const isComplete = draft.printerIds.length > 0
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isComplete) save()
  }
  return (
    <form className="stack" onSubmit={submit}>
      <Lines draft={draft} put={put} />
      {!isClientRule(draft) && <Orders draft={draft} put={put} />}
      <Way draft={draft} put={put} />
      <More draft={draft} put={put} />
      <p className="sentence" role="status">
        {isComplete ? sentence : t.rules.noPrinterChosen}
      </p>
      <Problem error={change.error} />
      <Group>
        <Button type="submit" loading={change.isPending} disabled={!isComplete}>
          {t.rules.save}
        </Button>
        <Button variant="default" onClick={cancel}>
          {t.common.cancel}
        </Button>
      </Group>
    </form>
  )
}

function Lines({ draft, put }: Part) {
  const { t } = useSpeech()
  const stations = useRead('stations.list', {}).data?.stations ?? []
  const { subject, of } = draft
  return (
    <fieldset>
      <legend>{t.rules.lines}</legend>
      <ChoiceField
        name="subject"
        aria-label={t.rules.lines}
        value={subject}
        set={(next) => put({ subject: next, ...(next === 'receipt' || next === 'label' ? { paper: next } : {}) })}
        choices={RULE_SUBJECTS.map((one) => [one, t.rules.what[one]] as const)}
      />
      {(subject === 'station' || subject === 'category' || subject === 'item') && (
        <TextField
          name="of"
          label={t.rules.whatOf[subject]}
          required
          maxLength={subject === 'item' ? 128 : 64}
          list={subject === 'station' ? 'rule-stations' : ''}
          value={of}
          set={(next) => put({ of: next })}
        />
      )}
      <datalist id="rule-stations">
        {stations.map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </fieldset>
  )
}

function Orders({ draft, put }: Part) {
  const { t } = useSpeech()
  return (
    <fieldset>
      <legend>{t.rules.orders}</legend>
      <ChoiceField
        name="orderType"
        aria-label={t.rules.orders}
        value={draft.orderType}
        set={(orderType) => put({ orderType })}
        choices={[
          ['', t.rules.anyType] as const,
          ...RULE_ORDER_TYPES.map((one) => [one, t.rules.orderTypes[one]] as const),
        ]}
      />
      <div className="two">
        <TextField
          name="source"
          label={t.rules.source}
          description={t.rules.sourceHint}
          maxLength={64}
          value={draft.source}
          set={(source) => put({ source })}
        />
        <NumberField
          name="course"
          label={t.rules.course}
          digits={2}
          value={draft.course}
          set={(course) => put({ course })}
        />
      </div>
    </fieldset>
  )
}

function Way({ draft, put }: Part) {
  const { t } = useSpeech()
  const printers = Object.values(useLive().topics.printers)
  return (
    <fieldset>
      <legend>{t.rules.go}</legend>
      <ChoiceField
        name="way"
        aria-label={t.rules.go}
        value={draft.isOnly ? 'only' : 'also'}
        set={(way) => put({ isOnly: way === 'only' })}
        choices={[
          ['also', t.rules.also],
          ['only', t.rules.only],
        ]}
      />
      <Checkbox.Group label={t.rules.to} value={[...draft.printerIds]} onChange={(printerIds) => put({ printerIds })}>
        <Group gap="lg">
          {printers.map(({ printerId, name }) => (
            <Checkbox key={printerId} value={printerId} label={<bdi>{name}</bdi>} />
          ))}
        </Group>
      </Checkbox.Group>
    </fieldset>
  )
}

function More({ draft, put }: Part) {
  const { t } = useSpeech()
  return (
    <details>
      <summary>{t.rules.more}</summary>
      <div className="two">
        {!isClientRule(draft) && (
          <ChoiceField
            name="paper"
            label={t.rules.paper}
            value={draft.paper}
            set={(paper) => put({ paper })}
            choices={PAPERS.map((one) => [one, t.paper[one]] as const)}
          />
        )}
        <NumberField
          name="copies"
          label={t.rules.copies}
          digits={1}
          value={draft.copies}
          set={(copies) => put({ copies })}
        />
        <ChoiceField
          name="split"
          label={t.rules.split}
          value={draft.split}
          set={(split) => put({ split })}
          choices={RULE_SPLITS.map((one) => [one, t.rules.splits[one]] as const)}
        />
        <TextField
          name="label"
          label={t.rules.label}
          maxLength={64}
          value={draft.label}
          set={(label) => put({ label })}
        />
        <TextField
          name="location"
          label={t.rules.location}
          maxLength={64}
          value={draft.location}
          set={(location) => put({ location })}
        />
        <TextField
          name="name"
          label={t.rules.name}
          description={t.rules.nameHint}
          maxLength={64}
          value={draft.name}
          set={(name) => put({ name })}
        />
      </div>
    </details>
  )
}
