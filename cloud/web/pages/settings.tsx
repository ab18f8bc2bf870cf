// Settings of a restaurant and of its account: one question a row, each saved by itself.
import { settingsWords } from '#cloud/web/messages/settings.ts'
import { useRead } from '#cloud/web/operations.ts'
import { Answer } from '#cloud/web/parts/answer.tsx'
import { OfRestaurant } from '#cloud/web/parts/of-restaurant.tsx'
import { AccountSettings } from '#cloud/web/parts/settings/account-settings.tsx'
import { AlertSettings } from '#cloud/web/parts/settings/alert-settings.tsx'
import { PlaceSettings } from '#cloud/web/parts/settings/place-settings.tsx'
import { PosSettings } from '#cloud/web/parts/settings/pos-settings.tsx'
import { RestaurantSettings } from '#cloud/web/parts/settings/restaurant-settings.tsx'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { Page, Part } from '#shared/ui/parts/page.tsx'
import '#cloud/web/parts/settings/settings.css'

export function SettingsPage() {
  const { t } = useSpeech()
  return (
    <Page title={t.nav.pages.settings}>
      <OfRestaurant>{(merchantId) => <Settings key={merchantId} merchantId={merchantId} />}</OfRestaurant>
      <AccountPart />
    </Page>
  )
}

function AccountPart() {
  const t = usePageWords(settingsWords)
  return (
    <Part title={t.account}>
      <AccountSettings />
    </Part>
  )
}

function Settings({ merchantId }: { merchantId: string }) {
  const t = usePageWords(settingsWords)
  const merchant = useRead('merchant.get', { merchantId })
  return (
    <div className="columns even">
      <div>
        <Part title={t.restaurant}>
          <Answer of={merchant}>{(detail) => <RestaurantSettings merchant={detail} />}</Answer>
        </Part>
      </div>
      <div>
        <Part title={t.places}>
          <Answer of={merchant}>
            {({ locations }) => <PlaceSettings merchantId={merchantId} places={locations} />}
          </Answer>
        </Part>
        <Part title={t.pos}>
          <Answer of={merchant}>{(detail) => <PosSettings merchant={detail} />}</Answer>
        </Part>
        <Part title={t.alerts}>
          <AlertSettings merchantId={merchantId} />
        </Part>
      </div>
    </div>
  )
}
