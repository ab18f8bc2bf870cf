// The kitchens of a restaurant as a list of boxes, the worst first, with their printers; how a further box joins.
import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { OperationAnswers } from '#cloud/control/answers.ts'
import { kitchensWords } from '#cloud/web/messages/kitchens.ts'
import { useRead } from '#cloud/web/operations.ts'
import { Answer } from '#cloud/web/parts/answer.tsx'
import { KitchenRow } from '#cloud/web/parts/kitchens/kitchen-row.tsx'
import { KITCHEN_STATES, matchesFilter, versionOf } from '#cloud/web/parts/kitchens/kitchen-words.ts'
import { PairBox } from '#cloud/web/parts/kitchens/pair-box.tsx'
import { OfRestaurant } from '#cloud/web/parts/of-restaurant.tsx'
import { useFilters } from '#cloud/web/parts/use-filters.ts'
import { useMay } from '#cloud/web/place.tsx'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { Page, Part } from '#shared/ui/parts/page.tsx'
import '#cloud/web/parts/kitchens/kitchens.css'

/** The feed says what changed; this finds what it cannot know, such as tickets that wait. */
const ASK_EVERY_MS = 5_000

export function Kitchens() {
  const { t } = useSpeech()
  return (
    <Page title={t.nav.pages.kitchens}>
      <OfRestaurant>{(merchantId) => <Fleet key={merchantId} merchantId={merchantId} />}</OfRestaurant>
    </Page>
  )
}

function Fleet({ merchantId }: { merchantId: string }) {
  const list = useRead('kitchens.list', { merchantId }, { everyMs: ASK_EVERY_MS })
  return <Answer of={list}>{(fleet) => <FleetList merchantId={merchantId} fleet={fleet} />}</Answer>
}

type FleetAnswer = OperationAnswers['kitchens.list']

function FleetList({ merchantId, fleet }: { merchantId: string; fleet: FleetAnswer }) {
  const t = usePageWords(kitchensWords)
  const mayChange = useMay('kitchen')
  const [filter, setFilter] = useFilters(['q', 'state', 'version'])
  const { kitchens } = fleet
  const boxes = kitchens.filter(({ simulated }) => !simulated)
  const needed = kitchens.filter(({ condition }) => condition.severity !== 'none').length
  const shown = kitchens.filter((kitchen) => matchesFilter(kitchen, filter))
  // Where the page began without a box: it stays there when the first one has joined, with what it says.
  const [pairsFirst] = useState(boxes.length === 0)
  const pairing = mayChange && (
    <Part title={t.pair}>
      <PairBox merchantId={merchantId} fleet={fleet} />
    </Part>
  )
  return (
    <>
      {boxes.length === 0 && <FiveMinutes />}
      {pairsFirst && pairing}
      {boxes.length > 0 && <p className="fleet-summary">{t.summary(t.boxes(boxes.length), needed)}</p>}
      {kitchens.length > 3 && <Filters kitchens={kitchens} filter={filter} set={setFilter} />}
      {shown.length === 0 && kitchens.length > 0 && (
        <p>
          {t.noMatch}{' '}
          <Button variant="default" onClick={() => setFilter({ q: '', state: '', version: '' })}>
            {t.states.all}
          </Button>
        </p>
      )}
      <ul className="fleet" aria-label={t.list}>
        {shown.map((kitchen) => (
          <KitchenRow key={kitchen.gatewayId} merchantId={merchantId} kitchen={kitchen} fleet={fleet} />
        ))}
      </ul>
      {!pairsFirst && pairing}
    </>
  )
}

function FiveMinutes() {
  const t = usePageWords(kitchensWords)
  return (
    <section className="empty">
      <p>{t.noBox}</p>
      <ol className="steps">
        {t.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </section>
  )
}

interface FiltersProps {
  kitchens: FleetAnswer['kitchens']
  filter: { q: string; state: string; version: string }
  set: (to: Partial<FiltersProps['filter']>) => void
}

function Filters({ kitchens, filter, set }: FiltersProps) {
  const t = usePageWords(kitchensWords)
  const versions = [...new Set(kitchens.flatMap(({ version }) => version ?? []))].sort()
  return (
    <search className="filters">
      <TextInput
        type="search"
        label={t.find}
        value={filter.q}
        onChange={(event) => set({ q: event.currentTarget.value })}
      />
      <NativeSelect
        label={t.state}
        value={filter.state || 'all'}
        onChange={({ currentTarget: { value } }) => set({ state: value === 'all' ? '' : value })}
        data={KITCHEN_STATES.map((value) => ({ value, label: t.states[value] }))}
      />
      {versions.length > 1 && (
        <NativeSelect
          label={t.version}
          value={filter.version}
          onChange={(event) => set({ version: event.currentTarget.value })}
          data={[{ value: '', label: t.anyVersion }, ...versions.map((value) => ({ value, label: versionOf(value) }))]}
        />
      )}
    </search>
  )
}
