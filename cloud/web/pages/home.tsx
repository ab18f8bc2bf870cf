// The first page: what needs attention, worst first; then orders, kitchens and webhooks now.
import { Button } from '@mantine/core'
import { Link, Navigate } from '@tanstack/react-router'
import { useLive } from '#cloud/web/live.tsx'
import { homeWords } from '#cloud/web/messages/home.ts'
import { GreyRows } from '#cloud/web/parts/answer.tsx'
import { Empty } from '#cloud/web/parts/empty.tsx'
import { Alerts } from '#cloud/web/parts/home/alerts.tsx'
import { KitchensNow, OrdersNow, WebhooksNow } from '#cloud/web/parts/home/now-cards.tsx'
import { OfRestaurant } from '#cloud/web/parts/of-restaurant.tsx'
import { useMayRead, usePlace } from '#cloud/web/place.tsx'
import { useSession } from '#cloud/web/session.ts'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { Page } from '#shared/ui/parts/page.tsx'
import '#cloud/web/parts/home/home.css'

export function Home() {
  const { t: frame } = useSpeech()
  const { account } = usePlace()
  const { person } = useSession()
  // An operator without an account starts on the operator's page.
  if (account === null && person?.isOperator) return <Navigate to="/operator" replace />
  return (
    <Page title={frame.nav.pages.home}>
      {account === null && <Empty words={frame.states.noMember} />}
      {account !== null && <Alerts />}
      {account !== null && <OfRestaurant>{(merchantId) => <Now merchantId={merchantId} />}</OfRestaurant>}
    </Page>
  )
}

function Now({ merchantId }: { merchantId: string }) {
  const t = usePageWords(homeWords)
  const { environment } = usePlace()
  const { topics, hasData, state } = useLive()
  const may = useMayRead()
  // The feed was refused: its data is missing here, and the list of kitchens is requested instead.
  if (!hasData && state === 'silent')
    return <div className="now-cards">{may('kitchen') && <KitchensNow merchantId={merchantId} />}</div>
  if (!hasData) return <GreyRows count={3} />
  const isEmpty = environment === 'sandbox' && Object.keys(topics.orders).length === 0
  return (
    <>
      {isEmpty && may('build') && (
        <Empty words={t.firstSteps}>
          <Button component={Link} to="/quick-start">
            {t.toQuickStart}
          </Button>
        </Empty>
      )}
      <div className="now-cards">
        {may('serve') && <OrdersNow />}
        {may('kitchen') && <KitchensNow merchantId={merchantId} />}
        {may('build') && <WebhooksNow />}
      </div>
    </>
  )
}
