// Account and restaurant, in the head of every page. The dialog in which one chooses others comes when it is opened.
import { lazy, Suspense, useState } from 'react'
import { CloudIcon } from '#cloud/web/icons.tsx'
import { usePlace } from '#cloud/web/place.tsx'
import { useSpeech } from '#cloud/web/speech.tsx'

const PlaceDialog = lazy(async () => ({ default: (await import('./place-dialog.tsx')).PlaceDialog }))

export function PlaceButton() {
  const { t } = useSpeech()
  const { account, merchant, merchantId } = usePlace()
  const [isOpen, setOpen] = useState(false)
  const name = account?.name ?? t.place.noAccount
  const restaurant = merchant?.name ?? merchantId
  return (
    <>
      <button type="button" className="bar-button place" onClick={() => setOpen(true)}>
        <span className="hidden">{t.place.change}</span>
        <span className="place-names">
          <bdi>{restaurant ?? name}</bdi> {restaurant !== null && <bdi className="soft">{name}</bdi>}
        </span>
        <CloudIcon name="open" size={16} />
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <PlaceDialog close={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
