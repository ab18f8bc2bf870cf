// Try a call: a telephone in the page, whose calls take the whole real path.
import { Button } from '@mantine/core'
import { tryWords } from '#cloud/web/messages/receptionist-try.ts'
import { Answer } from '#cloud/web/parts/answer.tsx'
import { Empty } from '#cloud/web/parts/empty.tsx'
import { OfRestaurant } from '#cloud/web/parts/of-restaurant.tsx'
import { usePlace } from '#cloud/web/place.tsx'
import { TestNumber, useNumbers } from '#cloud/web/receptionist/number-part.tsx'
import { Telephone } from '#cloud/web/receptionist/telephone.tsx'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { Page } from '#shared/ui/parts/page.tsx'
import '#cloud/web/receptionist/receptionist.css'

export function ReceptionistTry() {
  const t = usePageWords(tryWords)
  const { t: frame } = useSpeech()
  const { environment, go } = usePlace()
  return (
    <Page title={frame.nav.pages.tryCall}>
      {environment === 'live' ? (
        <Empty words={t.onlySandbox}>
          <Button onClick={() => go({ environment: 'sandbox' })}>{t.goSandbox}</Button>
        </Empty>
      ) : (
        <>
          <p>{t.intro}</p>
          <OfRestaurant>{(merchantId) => <WithNumber key={merchantId} merchantId={merchantId} />}</OfRestaurant>
        </>
      )}
    </Page>
  )
}

function WithNumber({ merchantId }: { merchantId: string }) {
  const t = usePageWords(tryWords)
  const numbers = useNumbers(merchantId)
  return (
    <Answer of={numbers} rows={3}>
      {({ numbers: all }) => {
        const wired = all.find(({ provider, state }) => provider === 'simulator' && state === 'wired')
        if (wired !== undefined) return <Telephone merchantId={merchantId} number={wired.e164 ?? ''} />
        if (all.some(({ state }) => state === 'wanted' || state === 'wiring'))
          return <p role="status">{t.connecting}</p>
        return (
          <section className="empty">
            <p>{t.needsNumber}</p>
            <TestNumber merchantId={merchantId} />
          </section>
        )
      }}
    </Answer>
  )
}
