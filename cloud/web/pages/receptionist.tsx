// Manage: who is on the telephone now, voicemails, tables that were asked for, every call, and text messages.
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { callsWords } from '#cloud/web/messages/receptionist-calls.ts'
import { OfRestaurant } from '#cloud/web/parts/of-restaurant.tsx'
import { usePlace } from '#cloud/web/place.tsx'
import { CallHistory } from '#cloud/web/receptionist/call-history.tsx'
import { CallerData } from '#cloud/web/receptionist/caller-data.tsx'
import { LiveCalls } from '#cloud/web/receptionist/live-calls.tsx'
import { TableRequests } from '#cloud/web/receptionist/table-requests.tsx'
import { Voicemails } from '#cloud/web/receptionist/voicemails.tsx'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { TextMessages } from '#cloud/web/texts/text-messages.tsx'
import { Page } from '#shared/ui/parts/page.tsx'
import '#cloud/web/receptionist/receptionist.css'

export function ReceptionistPage() {
  const { t: frame } = useSpeech()
  const t = usePageWords(callsWords)
  const { environment } = usePlace()
  const tryCall = environment === 'sandbox' && (
    <Button variant="default" component={Link} to="/receptionist/try">
      {t.tryCall}
    </Button>
  )
  return (
    <Page title={frame.nav.pages.calls} actions={tryCall}>
      <OfRestaurant>
        {(merchantId) => (
          <div className="stack" key={merchantId}>
            <LiveCalls />
            <Voicemails merchantId={merchantId} />
            <TableRequests merchantId={merchantId} />
            <CallHistory merchantId={merchantId} />
            <TextMessages merchantId={merchantId} />
            <CallerData merchantId={merchantId} />
          </div>
        )}
      </OfRestaurant>
    </Page>
  )
}
