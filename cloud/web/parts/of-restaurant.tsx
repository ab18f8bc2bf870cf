// A page that is about one restaurant: drawn once one is chosen.
import type { ReactNode } from 'react'
import { usePlace } from '#cloud/web/place.tsx'
import { useSpeech } from '#cloud/web/speech.tsx'
import { GreyRows } from './answer.tsx'
import { Empty } from './empty.tsx'

export function OfRestaurant({ children }: { children: (merchantId: string) => ReactNode }) {
  const { t } = useSpeech()
  const { merchantId, account, isKnown } = usePlace()
  if (merchantId !== null) return children(merchantId)
  if (!isKnown) return <GreyRows count={4} />
  return <Empty words={account === null ? t.states.noMember : t.place.noneChosen} />
}
