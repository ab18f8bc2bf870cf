// For operators: the boxes of all accounts, which are offline, and the version of each.
import { Checkbox } from '@mantine/core'
import type { OperationAnswers } from '#cloud/control/answers.ts'
import type { FleetGatewayAnswer } from '#cloud/control/fleet-list.ts'
import { useNow } from '#cloud/web/live.tsx'
import { operatorWords } from '#cloud/web/messages/operator.ts'
import { useRead } from '#cloud/web/operations.ts'
import { Answer } from '#cloud/web/parts/answer.tsx'
import { type Column, DataList } from '#cloud/web/parts/data-list.tsx'
import { Empty } from '#cloud/web/parts/empty.tsx'
import { FilterChoice } from '#cloud/web/parts/filter-bar.tsx'
import { useFilters } from '#cloud/web/parts/use-filters.ts'
import { usePages } from '#cloud/web/parts/use-pages.ts'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { asId } from '#shared/ids.ts'
import { Mark } from '#shared/ui/parts/mark.tsx'
import { Page, Part } from '#shared/ui/parts/page.tsx'

const TONES = { online: 'ok', offline: 'bad', unknown: 'idle' } as const
const PAGES = {
  page: ({ gateways, next }: OperationAnswers['op.fleet']) => ({ rows: gateways, next }),
  after: (cursor: string) => ({ after: asId<'gw'>(cursor) }),
  keyOf: ({ gatewayId }: FleetGatewayAnswer) => gatewayId,
}

export function FleetPage() {
  const t = usePageWords(operatorWords)
  const { t: frame } = useSpeech()
  const { values: filter, set: setFilter } = useFilters(['silent', 'version'])
  const silent = filter.silent === 'yes'
  const pages = usePages('op.fleet', { silent, ...(filter.version && { version: filter.version }) }, PAGES)
  const all = useRead('op.fleet', { limit: 1 })
  const columns = useColumns()
  return (
    <Page title={frame.nav.pages.fleet}>
      <Answer of={all} rows={2}>
        {({ versions }) => (
          <>
            <Versions versions={versions} />
            <search className="filters">
              <FilterChoice
                label={t.version}
                value={filter.version}
                set={(version) => setFilter({ version })}
                any={t.anyVersion}
                choices={versions.flatMap(({ version }) => version ?? [])}
              />
              <Checkbox
                label={t.silentOnly}
                checked={silent}
                onChange={(event) => setFilter({ silent: event.currentTarget.checked ? 'yes' : '' })}
              />
            </search>
          </>
        )}
      </Answer>
      <Answer of={pages.answer}>
        {() => (
          <DataList
            label={t.fleet}
            rows={pages.rows ?? []}
            keyOf={PAGES.keyOf}
            toneOf={({ state }) => (state === 'offline' ? 'bad' : undefined)}
            columns={columns}
            pages={pages}
            file={t.fleetFile}
            empty={<Empty words={silent || filter.version !== '' ? frame.list.none : t.noBoxes} />}
          />
        )}
      </Answer>
    </Page>
  )
}

function Versions({ versions }: { versions: OperationAnswers['op.fleet']['versions'] }) {
  const t = usePageWords(operatorWords)
  const { formats } = useSpeech()
  if (versions.length === 0) return null
  return (
    <Part title={t.versions}>
      <DataList
        label={t.versions}
        rows={versions}
        keyOf={({ version }) => version ?? ''}
        empty={null}
        columns={[
          {
            key: 'version',
            label: t.version,
            isTitle: true,
            cell: ({ version }) => (version === null ? t.unknownVersion : <code>{version}</code>),
          },
          { key: 'boxes', label: t.boxes, isNumber: true, cell: ({ gateways }) => formats.number(gateways) },
          { key: 'online', label: t.online, isNumber: true, cell: ({ online }) => formats.number(online) },
        ]}
      />
    </Part>
  )
}

function useColumns(): Column<FleetGatewayAnswer>[] {
  const t = usePageWords(operatorWords)
  const { formats } = useSpeech()
  const now = useNow()
  return [
    {
      key: 'box',
      label: t.box,
      isTitle: true,
      cell: ({ name }) => <bdi>{name}</bdi>,
      text: ({ gatewayId }) => gatewayId,
    },
    {
      key: 'account',
      label: t.account,
      cell: ({ accountName }) => <bdi>{accountName}</bdi>,
      text: ({ accountName }) => accountName,
    },
    {
      key: 'where',
      label: t.where,
      cell: ({ merchantId, location }) => (
        <>
          <code>{merchantId}</code> <bdi>{location}</bdi>
        </>
      ),
      text: ({ merchantId, location }) => `${merchantId} ${location}`,
    },
    {
      key: 'state',
      label: t.state,
      cell: ({ state }) => <Mark tone={TONES[state]}>{t.states[state]}</Mark>,
      text: ({ state }) => state,
    },
    {
      key: 'version',
      label: t.version,
      cell: ({ version }) => (version === null ? '–' : <code>{version}</code>),
      text: ({ version }) => version,
    },
    {
      key: 'seen',
      label: t.lastSeen,
      cell: ({ lastSeenAt }) => (lastSeenAt === null ? '–' : formats.ago(lastSeenAt, now)),
      text: ({ lastSeenAt }) => lastSeenAt,
    },
  ]
}
