// The menu of a restaurant: what is sold and where, sold out in two taps, stock, channels, a whole menu from a file.
import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { OperationAnswers } from '#cloud/control/answers.ts'
import type { SkuResource } from '#cloud/control/menu-list.ts'
import { menuWords } from '#cloud/web/messages/menu.ts'
import { useRead } from '#cloud/web/operations.ts'
import { Answer } from '#cloud/web/parts/answer.tsx'
import { Empty } from '#cloud/web/parts/empty.tsx'
import { FilterChoice } from '#cloud/web/parts/filter-bar.tsx'
import { ChannelList } from '#cloud/web/parts/menu/channel-list.tsx'
import { MenuImport } from '#cloud/web/parts/menu/menu-import.tsx'
import { menuSections } from '#cloud/web/parts/menu/menu-sections.ts'
import { SkuRow } from '#cloud/web/parts/menu/sku-row.tsx'
import { DIRECT } from '#cloud/web/parts/menu/sku-words.ts'
import { OfRestaurant } from '#cloud/web/parts/of-restaurant.tsx'
import { type Filters, useFilters } from '#cloud/web/parts/use-filters.ts'
import { usePages } from '#cloud/web/parts/use-pages.ts'
import { useMay } from '#cloud/web/place.tsx'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { Page, Part } from '#shared/ui/parts/page.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'
import '#cloud/web/parts/menu/menu.css'

/** Another person, or the time, sells something out: found this soon. */
const ASK_EVERY_MS = 10_000

const FILTERS = ['q', 'state', 'channel'] as const

type Channels = OperationAnswers['channels.list']

const PAGES = {
  page: ({ data, nextCursor }: OperationAnswers['menu.list']) => ({ rows: data, next: nextCursor }),
  after: (cursor: string) => ({ cursor }),
  keyOf: ({ umsId }: SkuResource) => umsId,
  everyMs: ASK_EVERY_MS,
}

export function MenuPage() {
  const { t } = useSpeech()
  return (
    <Page title={t.nav.pages.menu}>
      <OfRestaurant>{(merchantId) => <Menu key={merchantId} merchantId={merchantId} />}</OfRestaurant>
    </Page>
  )
}

function Menu({ merchantId }: { merchantId: string }) {
  const t = usePageWords(menuWords)
  const mayChange = useMay('kitchen')
  const channels = useRead('channels.list', { merchantId }, { everyMs: ASK_EVERY_MS })
  const known = channels.data ?? []
  return (
    <>
      <Items merchantId={merchantId} channels={known} />
      <Part title={t.channels}>
        <Answer of={channels}>{(all) => <ChannelList merchantId={merchantId} channels={all} />}</Answer>
      </Part>
      {mayChange && (
        <Part title={t.import}>
          <MenuImport merchantId={merchantId} />
        </Part>
      )}
    </>
  )
}

function Items({ merchantId, channels }: { merchantId: string; channels: Channels }) {
  const t = usePageWords(menuWords)
  const { t: frame } = useSpeech()
  const filters = useFilters(FILTERS)
  const { q, state, channel } = filters.values
  const pages = usePages(
    'menu.list',
    {
      merchantId,
      ...(q.trim() === '' ? {} : { q: q.trim() }),
      ...(state === 'live' || state === 'silenced' ? { state } : {}),
      ...(channel === '' ? {} : { channelId: channel }),
    },
    PAGES,
  )
  /** As the relay answered the last change of each row that was shown then: pages behind the first are not asked for again. */
  const [answered, setAnswered] = useState<ReadonlyMap<SkuResource, SkuResource>>(new Map())
  const keep = (shown: SkuResource, after: SkuResource) => setAnswered((before) => new Map(before).set(shown, after))
  return (
    <>
      <MenuFilter filters={filters} channels={channels} />
      <Answer of={pages.answer}>
        {() => (
          <>
            {pages.rows?.length === 0 && <Empty words={filters.isFiltered ? frame.list.none : t.empty} />}
            {menuSections(pages.rows ?? []).map(({ kind, category, rows }) => {
              const title = kind === 'modifier' ? t.modifiers : (category ?? t.noCategory)
              return (
                <section key={`${kind} ${category}`} className="menu-section">
                  <h2 className="menu-category">
                    <bdi>{title}</bdi>
                  </h2>
                  <ul className="menu-list" aria-label={title}>
                    {rows.map((row) => (
                      <SkuRow
                        key={row.umsId}
                        merchantId={merchantId}
                        sku={answered.get(row) ?? row}
                        channels={channels}
                        changed={(after) => keep(row, after)}
                      />
                    ))}
                  </ul>
                </section>
              )
            })}
            <Problem error={pages.moreError} />
            {pages.more && (
              <p>
                <Button variant="default" loading={pages.isLoadingMore} onClick={pages.more}>
                  {frame.list.more}
                </Button>
              </p>
            )}
          </>
        )}
      </Answer>
    </>
  )
}

interface MenuFilterProps {
  filters: Filters<(typeof FILTERS)[number]>
  channels: Channels
}

function MenuFilter({ filters: { values, set }, channels }: MenuFilterProps) {
  const t = usePageWords(menuWords)
  return (
    <search className="filters">
      <TextInput
        type="search"
        label={t.find}
        value={values.q}
        onChange={(event) => set({ q: event.currentTarget.value })}
      />
      <FilterChoice
        label={t.state}
        value={values.state}
        set={(state) => set({ state })}
        any={t.states.all}
        choices={[
          { value: 'live', label: t.states.live },
          { value: 'silenced', label: t.states.silenced },
        ]}
      />
      {channels.length > 0 && (
        <FilterChoice
          label={t.channel}
          value={values.channel}
          set={(channel) => set({ channel })}
          any={t.everywhere}
          choices={[
            { value: DIRECT, label: t.direct },
            ...channels.map(({ channelId, name }) => ({ value: channelId, label: name })),
          ]}
        />
      )}
    </search>
  )
}
