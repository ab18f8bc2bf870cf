// A page about one restaurant. Without a restaurant it shows why there is none, and the next step.
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { usePlace } from '#cloud/web/place.tsx'
import { useSpeech } from '#cloud/web/speech.tsx'
import { GreyRows } from './answer.tsx'
import { Empty } from './empty.tsx'

export function OfRestaurant({ children }: { children: (merchantId: string) => ReactNode }) {
  const { merchantId } = usePlace()
  return merchantId === null ? <NoRestaurant /> : children(merchantId)
}

function NoRestaurant() {
  const { t } = useSpeech()
  const { account, environment, isKnown } = usePlace()
  if (!isKnown) return <GreyRows count={4} />
  if (account === null) return <Empty words={t.states.noMember} />
  if (environment === 'sandbox') return <Empty words={t.states.noRestaurant} />
  return (
    <Empty words={t.states.noLiveRestaurant}>
      <Button component={Link} to="/keys">
        {t.nav.pages.keys}
      </Button>
    </Empty>
  )
}
