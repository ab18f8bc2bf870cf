// The kitchens of a restaurant as a list of boxes, the worst first, with their printers; how a further box joins.
import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { OperationAnswers } from '#cloud/control/answers.ts'
import { kitchensWords } from '#cloud/web/messages/kitchens.ts'
import { useRead } from '#cloud/web/operations.ts'
import { Answer } from '#cloud/web/parts/answer.tsx'
import { FilterChoice } from '#cloud/web/parts/filter-bar.tsx'
import { KitchenRow } from '#cloud/web/parts/kitchens/kitchen-row.tsx'
import { KITCHEN_STATES, matchesFilter, versionOf } from '#cloud/web/parts/kitchens/kitchen-words.ts'
import { PairBox } from '#cloud/web/parts/kitchens/pair-box.tsx'
import { OfRestaurant } from '#cloud/web/parts/of-restaurant.tsx'
import { type Filters, useFilters } from '#cloud/web/parts/use-filters.ts'
import { useMay } from '#cloud/web/place.tsx'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { Page, Part } from '#shared/ui/parts/page.tsx'
import '#cloud/web/parts/kitchens/kitchens.css'

const FILTERS = ['q', 'state', 'version'] as const
/** The feed reports changes; this request finds what the feed does not have, such as waiting tickets. */
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
  const filters = useFilters(FILTERS)
  const { kitchens } = fleet
  const boxes = kitchens.filter(({ simulated }) => !simulated)
  const counted = (severity: FleetAnswer['kitchens'][number]['condition']['severity']) =>
    kitchens.filter(({ condition }) => condition.severity === severity).length
  // As on Home: a warning does not count as something that needs attention now.
  const worse = { critical: counted('critical'), warned: counted('warning') }
  const shown = kitchens.filter((kitchen) => matchesFilter(kitchen, filters.values))
  // Whether the page began without a box: it keeps the pairing form, with its result, after the first box has joined.
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
      {boxes.length > 0 && <p className="fleet-summary">{t.summary(t.boxes(boxes.length), worse)}</p>}
      {kitchens.length > 3 && <FleetFilter kitchens={kitchens} filters={filters} />}
      {shown.length === 0 && kitchens.length > 0 && (
        <p>
          {t.noMatch}{' '}
          <Button variant="default" onClick={filters.clear}>
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

interface FleetFilterProps {
  kitchens: FleetAnswer['kitchens']
  filters: Filters<(typeof FILTERS)[number]>
}

function FleetFilter({ kitchens, filters: { values, set } }: FleetFilterProps) {
  const t = usePageWords(kitchensWords)
  const versions = [...new Set(kitchens.flatMap(({ version }) => version ?? []))].sort()
  return (
    <search className="filters">
      <TextInput
        type="search"
        label={t.find}
        value={values.q}
        onChange={(event) => set({ q: event.currentTarget.value })}
      />
      <NativeSelect
        label={t.state}
        value={values.state || 'all'}
        onChange={({ currentTarget: { value } }) => set({ state: value === 'all' ? '' : value })}
        data={KITCHEN_STATES.map((value) => ({ value, label: t.states[value] }))}
      />
      {versions.length > 1 && (
        <FilterChoice
          label={t.version}
          value={values.version}
          set={(version) => set({ version })}
          any={t.anyVersion}
          choices={versions.map((value) => ({ value, label: versionOf(value) }))}
        />
      )}
    </search>
  )
}
