// The frame around every page: the present page, the menu, and whether the data is live.
import { Button, NativeSelect, useMantineColorScheme } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import { isLanguage, LANGUAGES } from '#shared/languages.ts'
import { request } from '#shared/ui/api.ts'
import { Frame } from '#shared/ui/frame.tsx'
import { Icon } from '#shared/ui/icon.tsx'
import { Mark } from '#shared/ui/parts/mark.tsx'
import { useSpeech } from './i18n.tsx'
import { useLive } from './live.tsx'
import { useRead } from './operations.ts'
import { HealthChip } from './parts/health-verdict.tsx'
import { useIsTechnician, useSession } from './session.ts'
import { SetupFrame } from './wizard/setup-frame.tsx'

const PAGES = [
  { to: '/', key: 'overview', needsTechnician: false },
  { to: '/printers', key: 'printers', needsTechnician: false },
  { to: '/orders', key: 'orders', needsTechnician: false },
  { to: '/report', key: 'report', needsTechnician: false },
  { to: '/repairs', key: 'repairs', needsTechnician: false },
  { to: '/displays', key: 'displays', needsTechnician: false },
  { to: '/routing', key: 'routing', needsTechnician: false },
  { to: '/settings', key: 'settings', needsTechnician: false },
  { to: '/users', key: 'users', needsTechnician: true },
  { to: '/logs', key: 'logs', needsTechnician: true },
  { to: '/care', key: 'care', needsTechnician: true },
] as const
/** What is used every day, what is set up, what support needs. */
const FIRST_OF_GROUP: ReadonlySet<string> = new Set(['routing', 'logs'])

export function Shell() {
  const { t } = useSpeech()
  const { pathname } = useLocation()
  const session = useSession()
  useTimeZone()
  const name = session?.box.name || session?.box.merchantName || 'Ticketrail'
  if (pathname.startsWith('/setup'))
    return (
      <SetupFrame name={name} status={<Freshness />}>
        <Silence />
        <Outlet />
      </SetupFrame>
    )
  return (
    <Frame
      name={name}
      words={t.nav}
      path={pathname}
      status={
        <>
          <HealthChip />
          <Freshness />
        </>
      }
      menu={
        <>
          <PageLinks />
          <Choices />
        </>
      }
    >
      <Silence />
      <Outlet />
    </Frame>
  )
}

/** Times are those of the restaurant, wherever the reader is. */
function useTimeZone(): void {
  const { setTimeZone } = useSpeech()
  const zone = useRead('settings.get', {}).data?.timeZoneUsed
  useEffect(() => {
    if (zone !== undefined) setTimeZone(zone)
  }, [zone, setTimeZone])
}

function PageLinks() {
  const { t } = useSpeech()
  const isTechnician = useIsTechnician()
  const { topics } = useLive()
  const troubles = Object.values(topics.findings).filter(({ severity }) => severity !== 'advice').length
  return (
    <ul>
      {PAGES.filter(({ needsTechnician }) => isTechnician || !needsTechnician).map(({ to, key }) => (
        <li key={key} className={FIRST_OF_GROUP.has(key) ? 'apart' : ''}>
          <Link to={to} activeOptions={{ exact: to === '/' }} activeProps={{ 'aria-current': 'page' }}>
            <Icon name={key} />
            {t.nav[key]}
            {key === 'repairs' && troubles > 0 && <span className="count">{troubles}</span>}
          </Link>
        </li>
      ))}
    </ul>
  )
}

function Choices() {
  const { t, language, setLanguage } = useSpeech()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const queries = useQueryClient()
  const session = useSession()
  const signOut = async () => {
    await request('/api/v1/session', { method: 'DELETE' }).catch(() => null)
    queries.clear()
    await queries.invalidateQueries({ queryKey: ['session'] })
    location.reload()
  }
  return (
    <div className="choices">
      <NativeSelect
        label={t.settings.language}
        value={language}
        onChange={({ currentTarget }) => isLanguage(currentTarget.value) && setLanguage(currentTarget.value)}
        data={LANGUAGES.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <NativeSelect
        label={t.settings.colours}
        value={colorScheme}
        onChange={({ currentTarget }) => setColorScheme(currentTarget.value as 'auto' | 'light' | 'dark')}
        data={(['auto', 'light', 'dark'] as const).map((value) => ({ value, label: t.settings.schemes[value] }))}
      />
      <p className="soft">
        <bdi>{session?.user?.name}</bdi> · {session?.user && t.users.roles[session.user.role]}
      </p>
      <Button variant="default" onClick={() => void signOut()}>
        {t.signIn.signOut}
      </Button>
    </div>
  )
}

function Freshness() {
  const { t } = useSpeech()
  const { state } = useLive()
  if (state === 'live') return <Mark tone="ok">{t.live.live}</Mark>
  return state === 'silent' ? <Mark tone="bad">{t.live.silent}</Mark> : <Mark tone="idle">{t.live.waiting}</Mark>
}

/** The warning that the page's data may be old: shown above everything else. */
function Silence() {
  const { t } = useSpeech()
  const { state } = useLive()
  return <div role="alert">{state === 'silent' && <p className="silence">{t.live.silentHint}</p>}</div>
}
