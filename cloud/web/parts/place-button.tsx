// Account and restaurant, in the head of every page; a dialog to choose others.
import { Modal } from '@mantine/core'
import { useState } from 'react'
import { CloudIcon } from '#cloud/web/icons.tsx'
import { usePlace } from '#cloud/web/place.tsx'
import { useSpeech } from '#cloud/web/speech.tsx'

export function PlaceButton() {
  const { t } = useSpeech()
  const { account, accounts, go } = usePlace()
  const [isOpen, setOpen] = useState(false)
  const name = account?.name ?? t.place.noAccount
  const choose = (accountId: string) => {
    setOpen(false)
    go({ account: accountId })
  }
  return (
    <>
      <button
        type="button"
        className="bar-button place"
        aria-label={t.place.change(name)}
        onClick={() => setOpen(true)}
      >
        <bdi>{name}</bdi>
        <CloudIcon name="open" size={16} />
      </button>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title={t.place.title}>
        <h3>{t.place.account}</h3>
        <ul className="choice-list">
          {accounts.map(({ accountId, name, role }) => (
            <li key={accountId}>
              <button type="button" aria-pressed={accountId === account?.accountId} onClick={() => choose(accountId)}>
                <bdi>{name}</bdi>
                <span className="soft">{role && t.roles[role]}</span>
              </button>
            </li>
          ))}
        </ul>
      </Modal>
    </>
  )
}
