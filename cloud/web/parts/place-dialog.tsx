// Another account, another restaurant.
import { Modal, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { WorkspaceMerchantAnswer } from '#cloud/control/workspace-list.ts'
import { usePlace } from '#cloud/web/place.tsx'
import type { PlaceSearch } from '#cloud/web/place-search.ts'
import { useSpeech } from '#cloud/web/speech.tsx'

/** From this number of entries on the list has a search field. */
const FEW = 8

export function PlaceDialog({ close }: { close: () => void }) {
  const { t } = useSpeech()
  const { account, accounts, go } = usePlace()
  const choose = (to: PlaceSearch) => {
    close()
    go(to)
  }
  return (
    <Modal opened onClose={close} title={t.place.title}>
      <div className="stack">
        {accounts.length > 1 && (
          <section aria-label={t.place.account}>
            <h3>{t.place.account}</h3>
            <ul className="choice-list">
              {accounts.map(({ accountId, name, role }) => (
                <Choice
                  key={accountId}
                  name={name}
                  hint={role === null ? '' : t.roles[role]}
                  isChosen={accountId === account?.accountId}
                  choose={() => choose({ account: accountId })}
                />
              ))}
            </ul>
          </section>
        )}
        <Restaurants choose={({ merchantId }) => choose({ merchant: merchantId })} />
      </div>
    </Modal>
  )
}

function Restaurants({ choose }: { choose: (merchant: WorkspaceMerchantAnswer) => void }) {
  const { t } = useSpeech()
  const { merchants, merchantId } = usePlace()
  const [text, setText] = useState('')
  const wanted = text.trim().toLocaleLowerCase()
  const shown = merchants.filter(({ name, merchantId: id }) => `${name} ${id}`.toLocaleLowerCase().includes(wanted))
  return (
    <section aria-label={t.place.restaurant}>
      <h3>{t.place.restaurant}</h3>
      {merchants.length > FEW && (
        <TextInput
          data-autofocus
          type="search"
          label={t.place.find}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
      )}
      <ul className="choice-list">
        {shown.map((merchant) => (
          <Choice
            key={merchant.merchantId}
            name={merchant.name}
            hint={merchant.isGranted ? `${merchant.merchantId}, ${t.place.granted}` : merchant.merchantId}
            isChosen={merchant.merchantId === merchantId}
            choose={() => choose(merchant)}
          />
        ))}
      </ul>
      <p role="status" className="soft">
        {shown.length === 0 && t.place.noneFound}
      </p>
    </section>
  )
}

interface ChoiceProps {
  name: string
  hint: string
  isChosen: boolean
  choose: () => void
}

function Choice({ name, hint, isChosen, choose }: ChoiceProps) {
  return (
    <li>
      <button type="button" aria-pressed={isChosen} onClick={choose}>
        <bdi>{name}</bdi>
        <bdi className="soft id">{hint}</bdi>
      </button>
    </li>
  )
}
