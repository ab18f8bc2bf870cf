// The frame around every page: the chosen place, the menu, and whether the data is live.
import { Button } from '@mantine/core'
import { Link, Outlet, useLocation, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { Frame } from '#shared/ui/frame.tsx'
import { Mark } from '#shared/ui/parts/mark.tsx'
import { CloudIcon } from './icons.tsx'
import { LiveProvider, useLiveState, useSilentSince } from './live.tsx'
import { GROUPS, NAV_PAGES, type NavPage } from './nav.ts'
import { GreyRows } from './parts/answer.tsx'
import { Empty } from './parts/empty.tsx'
import { EnvironmentSwitch } from './parts/environment-switch.tsx'
import { PersonMenu } from './parts/person-menu.tsx'
import { PlaceButton } from './parts/place-button.tsx'
import { SearchButton } from './parts/search-button.tsx'
import { PlaceProvider, useMayRead, usePlace } from './place.tsx'
import { useSession } from './session.ts'
import { useSpeech } from './speech.tsx'
import { WorkbenchButton } from './workbench/workbench-button.tsx'

export function Shell() {
  return (
    <PlaceProvider>
      <LiveProvider>
        <Framed />
      </LiveProvider>
    </PlaceProvider>
  )
}

function Framed() {
  const { t, formats } = useSpeech()
  const { pathname } = useLocation()
  const { environment, account, accounts, isKnown } = usePlace()
  const isStranger = account === null && accounts.length > 0
  useTimeZone()
  const { viewing } = useSession()
  const isStaff = account?.role === 'staff'
  return (
    <Frame
      name={<PlaceButton />}
      look={`dashboard ${account === null ? '' : environment}${isStaff ? ' staff' : ''}`}
      words={t.nav}
      path={pathname}
      status={
        <>
          {account !== null && <EnvironmentSwitch />}
          <SearchButton />
          <WorkbenchButton />
          <Freshness />
          <PersonMenu />
        </>
      }
      menu={<PageLinks />}
    >
      {environment === 'sandbox' && account !== null && (
        <p className="sandbox-strip">
          <strong>{t.place.environments.sandbox}</strong> {t.place.sandboxHint}
        </p>
      )}
      {viewing && <p className="viewing">{t.place.viewing(viewing.accountName, formats.time(viewing.until))}</p>}
      <Silence />
      {isStranger && <NotMember />}
      {!isStranger && (isKnown ? <Outlet /> : <GreyRows count={4} />)}
    </Frame>
  )
}

/** A link to an account of others. */
function NotMember() {
  const { t } = useSpeech()
  const { accounts, go } = usePlace()
  const [own] = accounts
  return (
    <Empty words={t.states.notMember}>
      {own && <Button onClick={() => go({ account: own.accountId })}>{t.states.ownAccount}</Button>}
    </Empty>
  )
}

/** Times are those of the restaurant, wherever the reader is. */
function useTimeZone(): void {
  const { setTimeZone } = useSpeech()
  const zone = usePlace().merchant?.timeZone
  useEffect(() => {
    if (zone !== undefined) setTimeZone(zone)
  }, [zone, setTimeZone])
}

/** Of those outside of the service, the one page that staff have in their menu. */
const CALLS = '/receptionist'

function PageLinks() {
  const { t } = useSpeech()
  const may = useMayRead()
  const { routesByPath } = useRouter()
  const { account } = usePlace()
  const isHere = ({ to, right, group }: NavPage) =>
    Object.hasOwn(routesByPath, to) && may(right) && (account?.role !== 'staff' || group === 'run' || to === CALLS)
  const shown = NAV_PAGES.filter(isHere)
  return GROUPS.filter((group) => shown.some((one) => one.group === group)).map((group) => (
    <section key={group} className="nav-group" aria-label={t.nav.groups[group]}>
      <p aria-hidden="true">{t.nav.groups[group]}</p>
      <ul>
        {shown
          .filter((one) => one.group === group)
          .map(({ to, key }) => (
            <li key={key}>
              <Link
                to={to}
                activeOptions={{ exact: NAV_PAGES.some((other) => other.to !== to && other.to.startsWith(to)) }}
                activeProps={{ 'aria-current': 'page' }}
              >
                <CloudIcon name={key} />
                <span>{t.nav.pages[key]}</span>
              </Link>
            </li>
          ))}
      </ul>
    </section>
  ))
}

function Freshness() {
  const { t } = useSpeech()
  const state = useLiveState()
  const { merchantId } = usePlace()
  if (merchantId === null) return null
  if (state === 'live') return <Mark tone="ok">{t.live.live}</Mark>
  return state === 'silent' ? <Mark tone="bad">{t.live.silent}</Mark> : <Mark tone="idle">{t.live.waiting}</Mark>
}

/** The warning that the page's data may be old: shown above everything else. */
function Silence() {
  const { t, formats } = useSpeech()
  const since = useSilentSince()
  return (
    <div role="alert">
      {since !== null && (
        <p className="silence">
          {t.live.silentSince(formats.time(since))} {t.live.silentHint}
        </p>
      )}
    </div>
  )
}
