// Requests: what keys of the account called, equal errors together with what to do about each, and every call with its answer.
import { Button, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { RequestGroupAnswer, RequestLogState, RequestRowAnswer } from '#cloud/control/request-list.ts'
import { useNow } from '#cloud/web/live.tsx'
import { requestWords } from '#cloud/web/messages/requests.ts'
import { useRead } from '#cloud/web/operations.ts'
import { Ago } from '#cloud/web/parts/ago.tsx'
import { Answer } from '#cloud/web/parts/answer.tsx'
import { type Column, DataList } from '#cloud/web/parts/data-list.tsx'
import { Empty } from '#cloud/web/parts/empty.tsx'
import { FilterBar, FilterChoice } from '#cloud/web/parts/filter-bar.tsx'
import { ErrorHelp } from '#cloud/web/parts/requests/error-help.tsx'
import { type Filters, useFilters } from '#cloud/web/parts/use-filters.ts'
import { type PagesOf, usePages } from '#cloud/web/parts/use-pages.ts'
import { usePlace } from '#cloud/web/place.tsx'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { Mark, type Tone } from '#shared/ui/parts/mark.tsx'
import { Page, Part } from '#shared/ui/parts/page.tsx'
import './webhooks.css'

const FILTERS = ['status', 'code', 'route', 'fields', 'id'] as const
type RequestFilters = Filters<(typeof FILTERS)[number]>
const EVERY_MS = 10_000

const PAGES: PagesOf<'requests.list', RequestRowAnswer> = {
  page: ({ data, nextCursor }) => ({ rows: data, next: nextCursor }),
  after: (cursor) => ({ cursor }),
  keyOf: ({ requestId }) => requestId,
}

export function RequestsPage() {
  const { t: frame } = useSpeech()
  return (
    <Page title={frame.nav.pages.requests}>
      <Requests />
    </Page>
  )
}

function Requests() {
  const t = usePageWords(requestWords)
  const { environment } = usePlace()
  const filters = useFilters(FILTERS)
  const groups = useRead('requests.groups', { environment }, { everyMs: EVERY_MS })
  return (
    <>
      <Answer of={groups} rows={2}>
        {({ log, data }) => (
          <>
            <LogState log={log} />
            {log.state === 'on' && (
              <Part title={t.groups}>
                <Groups groups={data} set={filters.set} />
              </Part>
            )}
          </>
        )}
      </Answer>
      <Calls filters={filters} />
    </>
  )
}

export function LogState({ log: { state, days, leftOut, relay } }: { log: RequestLogState }) {
  const t = usePageWords(requestWords)
  const { formats } = useSpeech()
  if (state === 'off') return <Empty words={t.off} />
  if (state === 'failed') return <Empty words={t.failed} />
  return (
    <p className="soft">
      {t.kept(formats.number(days))} {relay !== null && t.oneRelay} {leftOut > 0 && t.leftOut(formats.number(leftOut))}
    </p>
  )
}

function Groups({ groups, set }: { groups: readonly RequestGroupAnswer[]; set: RequestFilters['set'] }) {
  const t = usePageWords(requestWords)
  if (groups.length === 0) return <p className="soft">{t.noGroups}</p>
  return (
    <ul className="endpoint-cards">
      {groups.slice(0, 6).map((group) => (
        <GroupCard
          key={JSON.stringify([group.method, group.route, group.code, group.fields])}
          group={group}
          set={set}
        />
      ))}
    </ul>
  )
}

function GroupCard({ group, set }: { group: RequestGroupAnswer; set: RequestFilters['set'] }) {
  const t = usePageWords(requestWords)
  const { formats } = useSpeech()
  const nowMs = useNow()
  const { method, route, status, code, fields, count, newestAt, help } = group
  return (
    <li className="card">
      <div className="endpoint-head">
        <strong>{t.times(formats.number(count))}</strong>
        <Mark tone={toneOf(status)}>{`${status} ${code ?? ''}`}</Mark>
      </div>
      <p>
        <code>{`${method} ${route ?? t.noRoute}`}</code>
      </p>
      {fields.length > 0 && (
        <p>
          {`${t.fields}: `}
          {fields.map((field) => (
            <code key={field}>{`${field} `}</code>
          ))}
        </p>
      )}
      {help !== null && <ErrorHelp help={help} />}
      <p>
        <Button
          size="compact-sm"
          variant="default"
          onClick={() =>
            set({ status: String(status), code: code ?? '', route: route ?? '', fields: fields.join(','), id: '' })
          }
        >
          {t.show}
        </Button>{' '}
        <span className="soft">{t.newest(formats.ago(newestAt, nowMs))}</span>
      </p>
    </li>
  )
}

const toneOf = (status: number): Tone => (status < 400 ? 'ok' : status < 500 ? 'warn' : 'bad')

function Calls({ filters }: { filters: RequestFilters }) {
  const t = usePageWords(requestWords)
  const { t: frame } = useSpeech()
  const { environment } = usePlace()
  const { status, code, route, fields, id } = filters.values
  const body = useMemo(
    () => bodyOf(environment, { status, code, route, fields, id }),
    [environment, status, code, route, fields, id],
  )
  const pages = usePages('requests.list', body, PAGES)
  const columns = useColumns()
  return (
    <>
      <RequestFilter filters={filters} />
      <Answer of={pages.answer} rows={6}>
        {() => (
          <DataList
            label={frame.nav.pages.requests}
            columns={columns}
            rows={pages.rows ?? []}
            keyOf={PAGES.keyOf}
            toneOf={(row) => (row.status >= 500 ? 'bad' : row.status >= 400 ? 'warn' : undefined)}
            empty={<Empty words={filters.isFiltered ? t.noMatch : t.none} />}
            pages={pages}
            file="requests"
          />
        )}
      </Answer>
    </>
  )
}

/** What cannot be a filter is none. */
function bodyOf(environment: 'sandbox' | 'live', { status, code, route, fields, id }: RequestFilters['values']) {
  return {
    environment,
    ...(/^([2-5]|[2-5]\d\d)$/.test(status) && { status: Number(status) }),
    ...(code.trim() !== '' && { code: code.trim() }),
    ...(route !== '' && { route }),
    ...(fields !== '' && { fields }),
    ...(id.trim() !== '' && { ids: [id.trim()] }),
  }
}

function RequestFilter({ filters }: { filters: RequestFilters }) {
  const { filter: t } = usePageWords(requestWords)
  const { values, set } = filters
  return (
    <FilterBar label={t.label} filters={filters} clear={t.clear}>
      <FilterChoice
        label={t.status}
        value={values.status}
        set={(status) => set({ status })}
        any={t.any}
        choices={[
          { value: '2', label: t.success },
          { value: '4', label: t.client },
          { value: '5', label: t.server },
          ...(values.status.length === 3 ? [values.status] : []),
        ]}
      />
      <TextInput
        type="search"
        label={t.code}
        title={t.codeHint}
        maxLength={64}
        value={values.code}
        onChange={({ currentTarget }) => set({ code: currentTarget.value, route: '', fields: '' })}
      />
      <TextInput
        type="search"
        label={t.id}
        title={t.idHint}
        placeholder="req_…"
        maxLength={128}
        value={values.id}
        onChange={({ currentTarget }) => set({ id: currentTarget.value })}
      />
    </FilterBar>
  )
}

function useColumns(): readonly Column<RequestRowAnswer>[] {
  const { columns: t } = usePageWords(requestWords)
  const { formats } = useSpeech()
  return [
    {
      key: 'call',
      label: t.call,
      isTitle: true,
      cell: ({ requestId, method, path }) => (
        <Link to="/requests/$id" params={{ id: requestId }}>
          <code>{`${method} ${path}`}</code>
        </Link>
      ),
      text: ({ method, path }) => `${method} ${path}`,
    },
    {
      key: 'status',
      label: t.status,
      cell: ({ status }) => <Mark tone={toneOf(status)}>{status}</Mark>,
      text: ({ status }) => status,
    },
    {
      key: 'code',
      label: t.code,
      cell: ({ code, fields }) =>
        code !== null && (
          <>
            <code>{code}</code> <span className="soft">{fields.join(', ')}</span>
          </>
        ),
      text: ({ code }) => code,
    },
    {
      key: 'ms',
      label: t.ms,
      isNumber: true,
      cell: ({ ms }) => formats.duration(Math.round(ms)),
      text: ({ ms }) => ms,
    },
    {
      key: 'time',
      label: t.time,
      cell: ({ at }) => <Ago at={at} />,
      text: ({ at }) => at,
    },
  ]
}
