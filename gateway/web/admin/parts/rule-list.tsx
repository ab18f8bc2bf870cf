// The routing rules as sentences, in the order in which they apply: up, down, change, remove; a form for one of them; and a trial beside it.
import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useLive } from '#gateway/web/admin/live.tsx'
import { useChange, useRead } from '#gateway/web/admin/operations.ts'
import { useIsTechnician } from '#gateway/web/admin/session.ts'
import type { RoutingRule } from '#shared/tickets/routing-rules.ts'
import { AskButton } from '#shared/ui/parts/ask-button.tsx'
import { Mark } from '#shared/ui/parts/mark.tsx'
import { useNotice } from '#shared/ui/parts/notices.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'
import { EMPTY_RULE, movedBy, type RuleDraft, ruleDraftOf, ruleOf } from './rule-draft.ts'
import { RuleEditor } from './rule-editor.tsx'
import { ruleSentence } from './rule-sentence.ts'
import { RuleTrial } from './rule-trial.tsx'

/** `index` of a rule that is there; past the last: a new one. */
interface Edited {
  index: number
  draft: RuleDraft
}

export function RuleList() {
  const rules = useRead('routing.get', {})
  if (!rules.data) return <Problem error={rules.error} />
  return <Rules rules={rules.data.rules} />
}

function Rules({ rules }: { rules: readonly RoutingRule[] }) {
  const { t } = useSpeech()
  const say = useNotice()
  const sentenceOf = useSentences()
  const isTechnician = useIsTechnician()
  const [edited, setEdited] = useState<Edited | null>(null)
  const put = useChange('routing.put', () => say(t.common.saved))
  const save = (next: readonly RoutingRule[]) => put.mutate({ rules: [...next] }, { onSuccess: () => setEdited(null) })
  const draftRules = edited && withDraft(rules, edited, sentenceOf)
  const editor = edited && draftRules && (
    <RuleEditor
      draft={edited.draft}
      set={(draft) => setEdited({ ...edited, draft })}
      sentence={sentenceOf(draftRules[edited.index] ?? ruleOf(edited.draft, ''))}
      change={put}
      save={() => save(draftRules)}
      cancel={() => setEdited(null)}
    />
  )
  return (
    <div className="beside">
      <div className="stack">
        <p className="soft">{rules.length === 0 ? t.rules.none : t.rules.explain}</p>
        {!edited && <Problem error={put.error} />}
        <ol className="rules">
          {rules.map((rule, index) => (
            <li key={rule.name} className="card">
              {edited?.index === index ? (
                editor
              ) : (
                <RuleItem
                  rule={rule}
                  sentence={sentenceOf(rule)}
                  isBusy={put.isPending || edited !== null}
                  {...(isTechnician && {
                    acts: {
                      edit: () => setEdited({ index, draft: ruleDraftOf(rule) }),
                      remove: () => save(rules.filter((one) => one !== rule)),
                      ...(index > 0 && { up: () => save(movedBy(rules, index, -1)) }),
                      ...(index < rules.length - 1 && { down: () => save(movedBy(rules, index, 1)) }),
                    },
                  })}
                />
              )}
            </li>
          ))}
          {edited?.index === rules.length && <li className="card">{editor}</li>}
        </ol>
        {isTechnician && !edited && (
          <Group>
            <Button onClick={() => setEdited({ index: rules.length, draft: EMPTY_RULE })}>{t.rules.add}</Button>
          </Group>
        )}
      </div>
      <RuleTrial rules={draftRules} />
    </div>
  )
}

/** As they would be saved now. */
function withDraft(
  rules: readonly RoutingRule[],
  { index, draft }: Edited,
  sentenceOf: (rule: RoutingRule) => string,
): RoutingRule[] {
  // Isolate characters are for display: names are stored without them.
  const name = sentenceOf(ruleOf(draft, '')).replaceAll(/[\u2068\u2069]/g, '')
  const rule = ruleOf(draft, name)
  return index < rules.length ? rules.map((one, at) => (at === index ? rule : one)) : [...rules, rule]
}

function useSentences(): (rule: RoutingRule) => string {
  const { t } = useSpeech()
  const { printers } = useLive().topics
  return (rule) => ruleSentence(rule, t, (id) => printers[id]?.name ?? id)
}

interface RuleActs {
  edit: () => void
  remove: () => void
  up?: () => void
  down?: () => void
}

function RuleItem({
  rule: { name },
  sentence,
  isBusy,
  acts,
}: {
  rule: RoutingRule
  sentence: string
  isBusy: boolean
  acts?: RuleActs
}) {
  const { t } = useSpeech()
  const stations = useRead('stations.list', {})
  const fault = stations.data?.rules.find((rule) => rule.name === name)?.fault ?? null
  const button = (label: string, act: (() => void) | undefined) => (
    <Button
      variant="default"
      size="compact-md"
      disabled={isBusy || act === undefined}
      aria-label={t.rules.of(label, name)}
      onClick={act}
    >
      {label}
    </Button>
  )
  return (
    <>
      <p className="sentence">{sentence}</p>
      <p className="soft">
        <bdi>{name}</bdi>
      </p>
      {fault !== null && <Mark tone={fault === 'part-gone' ? 'warn' : 'bad'}>{t.rules.faults[fault]}</Mark>}
      {acts && (
        <Group gap="xs">
          {button(t.rules.up, acts.up)}
          {button(t.rules.down, acts.down)}
          {button(t.rules.edit, acts.edit)}
          <AskButton
            size="compact-md"
            label={t.rules.remove}
            aria-label={t.rules.of(t.rules.remove, name)}
            question={t.rules.removeQuestion(name)}
            disabled={isBusy}
            act={acts.remove}
          />
        </Group>
      )}
    </>
  )
}
