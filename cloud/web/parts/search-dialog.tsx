// What is typed leads to a page, an account, or the page of an id. Arrows choose, Enter goes.
import { Modal, TextInput } from '@mantine/core'
import { useNavigate, useRouter } from '@tanstack/react-router'
import { type KeyboardEvent, useId, useState } from 'react'
import { NAV_PAGES } from '#cloud/web/nav.ts'
import { useMayRead, usePlace } from '#cloud/web/place.tsx'
import { pagesNamed, type SearchTarget, targetOfId } from '#cloud/web/search-targets.ts'
import { useSpeech } from '#cloud/web/speech.tsx'

interface Found {
  key: string
  name: string
  kind: string
  go: () => void
}

const SHOWN = 8

export function SearchDialog({ close }: { close: () => void }) {
  const { t } = useSpeech()
  const id = useId()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const found = useFound(text).slice(0, SHOWN)
  const chosen = found[Math.min(at, found.length - 1)]
  const go = (one: Found | undefined) => {
    if (!one) return
    close()
    one.go()
  }
  const keys = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (event.key === 'Enter') go(chosen)
    if (step === 0 || chosen === undefined) return
    event.preventDefault()
    setAt((found.indexOf(chosen) + step + found.length) % found.length)
  }
  return (
    <Modal opened onClose={close} title={t.search.title} size="lg">
      <TextInput
        data-autofocus
        type="search"
        role="combobox"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={chosen && `${id}-${chosen.key}`}
        label={t.search.label}
        description={t.search.hint}
        value={text}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value)
          setAt(0)
        }}
        onKeyDown={keys}
      />
      <div id={id} className="search-found" role="listbox" aria-label={t.search.title}>
        {found.map((one) => (
          // The keyboard goes through the field, as a combobox does.
          // biome-ignore lint/a11y/useKeyWithClickEvents: see above
          <div
            key={one.key}
            id={`${id}-${one.key}`}
            role="option"
            tabIndex={-1}
            aria-selected={one === chosen}
            onClick={() => go(one)}
          >
            <bdi>{one.name}</bdi>
            <span className="soft">{one.kind}</span>
          </div>
        ))}
      </div>
      <p role="status" className="soft">
        {found.length === 0 && t.search.none}
      </p>
    </Modal>
  )
}

function useFound(text: string): Found[] {
  const { t } = useSpeech()
  const navigate = useNavigate()
  const { routesByPath } = useRouter()
  const may = useMayRead()
  const place = usePlace()
  const hasRoute = (to: string) => Object.hasOwn(routesByPath, to)
  const to =
    ({ to, search = {} }: SearchTarget) =>
    () =>
      void navigate({ to, search: (before: object) => ({ ...before, ...search }) })
  const wanted = text.trim()
  const target = targetOfId(wanted, hasRoute)
  const byId = target ? [{ key: 'id', name: t.search.toId(wanted), kind: t.search.kinds.id, go: to(target) }] : []
  const seen = NAV_PAGES.filter((page) => hasRoute(page.to) && may(page.right))
  const pages = pagesNamed(wanted, seen, ({ key }) => t.nav.pages[key]).map((page) => ({
    key: page.key,
    name: t.nav.pages[page.key],
    kind: t.search.kinds.page,
    go: to({ to: page.to }),
  }))
  const accounts = place.accounts
    .filter(({ accountId, name }) => accountId !== place.account?.accountId && isIn(name, wanted))
    .map(({ accountId, name }) => ({
      key: accountId,
      name,
      kind: t.place.account,
      go: () => place.go({ account: accountId }),
    }))
  const restaurants = place.merchants
    .filter(({ merchantId, name }) => wanted !== '' && isIn(`${name} ${merchantId}`, wanted))
    .map(({ merchantId, name }) => ({
      key: merchantId,
      name,
      kind: t.search.kinds.restaurant,
      go: () => place.go({ merchant: merchantId }),
    }))
  const isNumber = /^[\p{L}\p{N} #-]{1,40}$/u.test(wanted) && hasRoute('/orders')
  const orders = isNumber
    ? [
        {
          key: 'orders',
          name: t.search.toOrders(wanted),
          kind: t.nav.pages.orders,
          go: to({ to: '/orders', search: { text: wanted } }),
        },
      ]
    : []
  return [...byId, ...pages, ...restaurants, ...accounts, ...(target ? [] : orders)]
}

const isIn = (name: string, text: string): boolean => name.toLocaleLowerCase().includes(text.toLocaleLowerCase())
