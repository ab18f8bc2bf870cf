// Stations and routing: which printers and screens each station has, and the rules that come before, tried on real orders.
import '#gateway/web/admin/stations.css'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { RuleList } from '#gateway/web/admin/parts/rule-list.tsx'
import { RulesAsText } from '#gateway/web/admin/parts/rules-as-text.tsx'
import { StationMatrix } from '#gateway/web/admin/parts/station-matrix.tsx'
import { Page, Part } from '#shared/ui/parts/page.tsx'

export function Routing() {
  const { t } = useSpeech()
  return (
    <Page title={t.nav.routing}>
      <Part title={t.stations.title}>
        <StationMatrix />
      </Part>
      <Part title={t.rules.title} actions={<RulesAsText />}>
        <RuleList />
      </Part>
    </Page>
  )
}
