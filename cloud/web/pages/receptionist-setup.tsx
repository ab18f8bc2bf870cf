// Setup of the receptionist: the telephone number, and one document of everything that it says and does, with what a caller hears beside it.
import { setupWords } from '#cloud/web/messages/receptionist-setup.ts'
import { useRead } from '#cloud/web/operations.ts'
import { Answer } from '#cloud/web/parts/answer.tsx'
import { OfRestaurant } from '#cloud/web/parts/of-restaurant.tsx'
import { NumberPart } from '#cloud/web/receptionist/number-part.tsx'
import { SetupForm } from '#cloud/web/receptionist/setup-form.tsx'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { Page } from '#shared/ui/parts/page.tsx'
import '#cloud/web/receptionist/receptionist.css'

export function ReceptionistSetup() {
  const t = usePageWords(setupWords)
  const { t: frame } = useSpeech()
  return (
    <Page title={frame.nav.pages.receptionistSetup}>
      <p>{t.intro}</p>
      <OfRestaurant>{(merchantId) => <Setup key={merchantId} merchantId={merchantId} />}</OfRestaurant>
    </Page>
  )
}

function Setup({ merchantId }: { merchantId: string }) {
  const stored = useRead('receptionist.get', { merchantId })
  return (
    <>
      <NumberPart merchantId={merchantId} />
      <Answer of={stored}>{(answer) => <SetupForm merchantId={merchantId} stored={answer} />}</Answer>
    </>
  )
}
