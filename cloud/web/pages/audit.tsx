// The audit log of the account: who changed what, when, and from which address.
import { TextInput } from '@mantine/core'
import type { OperationAnswers } from '#cloud/control/answers.ts'
import type { AuditLine } from '#cloud/control/audit-list.ts'
import { auditWords } from '#cloud/web/messages/audit.ts'
import type { AuditWords } from '#cloud/web/messages/audit-en.ts'
import { Answer } from '#cloud/web/parts/answer.tsx'
import { AuditSubject, useSubjectWords } from '#cloud/web/parts/audit-subject.tsx'
import { type Column, DataList } from '#cloud/web/parts/data-list.tsx'
import { Empty } from '#cloud/web/parts/empty.tsx'
import { FilterChoice } from '#cloud/web/parts/filter-bar.tsx'
import { useFilters } from '#cloud/web/parts/use-filters.ts'
import { usePages } from '#cloud/web/parts/use-pages.ts'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { Page } from '#shared/ui/parts/page.tsx'

const PAGES = {
  page: ({ lines, next }: OperationAnswers['audit.list']) => ({
    rows: lines,
    next: next === null ? null : String(next),
  }),
  after: (cursor: string) => ({ before: Number(cursor) }),
  keyOf: ({ ordinal }: AuditLine) => String(ordinal),
}

export function AuditPage() {
  const t = usePageWords(auditWords)
  const { t: frame } = useSpeech()
  const { values: filter, set: setFilter } = useFilters(['action', 'actor', 'subject'])
  const said = Object.entries(filter).filter(([, value]) => value.trim() !== '')
  const pages = usePages('audit.list', Object.fromEntries(said.map(([name, value]) => [name, value.trim()])), PAGES)
  const columns = useColumns((actor) => setFilter({ actor }))
  return (
    <Page title={frame.nav.pages.audit}>
      <p>{t.intro}</p>
      <search className="filters">
        <FilterChoice
          label={t.kind}
          value={filter.action}
          set={(action) => setFilter({ action })}
          any={t.everything}
          choices={Object.entries(t.kinds).map(([value, label]) => ({ value, label }))}
        />
        <TextInput
          type="search"
          label={t.person}
          value={filter.actor}
          onChange={(event) => setFilter({ actor: event.currentTarget.value })}
        />
        <TextInput
          type="search"
          label={t.subject}
          value={filter.subject}
          onChange={(event) => setFilter({ subject: event.currentTarget.value })}
        />
      </search>
      <Answer of={pages.answer}>
        {() => (
          <DataList
            label={frame.nav.pages.audit}
            rows={pages.rows ?? []}
            keyOf={PAGES.keyOf}
            columns={columns}
            pages={pages}
            file={t.file}
            empty={<Empty words={said.length > 0 ? frame.list.none : t.none} />}
          />
        )}
      </Answer>
    </Page>
  )
}

/** @param only shows what this one did */
function useColumns(only: (actor: string) => void): Column<AuditLine>[] {
  const t = usePageWords(auditWords)
  const { formats } = useSpeech()
  const wordsOf = useSubjectWords()
  return [
    {
      key: 'when',
      label: t.when,
      cell: ({ at }) => <time dateTime={at}>{formats.dateTime(at)}</time>,
      text: ({ at }) => at,
    },
    { key: 'who', label: t.who, cell: (line) => <Who line={line} only={only} />, text: (line) => whoWords(line, t) },
    {
      key: 'what',
      label: t.what,
      isTitle: true,
      cell: ({ action }) => <Action action={action} />,
      text: ({ action }) => action,
    },
    {
      key: 'to',
      label: t.to,
      cell: (line) => <AuditSubject line={line} />,
      text: (line) => {
        const words = wordsOf(line)
        return words === null ? line.subject : `${words} (${line.subject})`
      },
    },
    {
      key: 'change',
      label: t.change,
      cell: (line) => <BeforeAfter line={line} />,
      text: ({ before, after }) => JSON.stringify({ before, after }),
    },
    {
      key: 'from',
      label: t.from,
      cell: (line) => fromWords(line, t),
      text: (line) => fromWords(line, t),
    },
  ]
}

/** Words of what was done, over its name in the log; an action of another release has the name alone. */
function Action({ action }: { action: string }) {
  const { actions } = usePageWords(auditWords)
  const words = (actions as Readonly<Record<string, string | undefined>>)[action]
  return (
    <>
      {words !== undefined && <span>{words}</span>}
      <code className={words === undefined ? '' : 'soft block'}>{action}</code>
    </>
  )
}

function Who({ line, only }: { line: AuditLine; only: (actor: string) => void }) {
  const t = usePageWords(auditWords)
  const words = whoWords(line, t)
  return (
    <button type="button" className="word-button" title={t.only(words)} onClick={() => only(line.actor)}>
      <bdi>{words}</bdi>
    </button>
  )
}

function whoWords({ actor, actorName }: AuditLine, t: AuditWords): string {
  if (actor.startsWith('key_')) return t.key(actorName ?? actor)
  if (actorName !== null) return actorName
  if (actor === 'cli') return t.operator
  if (actor === 'relay') return t.relay
  if (actor === 'gateway') return t.box
  return actor.startsWith('usr_') ? t.gone : t.vias.api
}

function fromWords({ actor, via, address }: AuditLine, t: AuditWords): string {
  // Older releases wrote no door of a key: it has only one.
  const by = via ?? (actor.startsWith('key_') ? 'api' : null)
  const door = by === null ? null : ((t.vias as Readonly<Record<string, string>>)[by] ?? by)
  return [door, address].filter((part) => part !== null).join(', ') || '–'
}

function BeforeAfter({ line: { before, after } }: { line: AuditLine }) {
  const t = usePageWords(auditWords)
  if (before === null && after === null) return '–'
  return (
    <details>
      <summary>{t.show}</summary>
      {before !== null && <Json label={t.before} value={before} />}
      {after !== null && <Json label={t.after} value={after} />}
    </details>
  )
}

function Json({ label, value }: { label: string; value: unknown }) {
  return (
    <>
      <span className="soft">{label}</span>
      <pre className="code-block">{JSON.stringify(value, null, 2)}</pre>
    </>
  )
}
