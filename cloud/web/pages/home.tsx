// The first page: how the account stands.
import { homeWords } from '#cloud/web/messages/home.ts'
import { useRead } from '#cloud/web/operations.ts'
import { Answer } from '#cloud/web/parts/answer.tsx'
import { useMayRead, usePlace } from '#cloud/web/place.tsx'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { FactList } from '#shared/ui/parts/fact-list.tsx'
import { Page } from '#shared/ui/parts/page.tsx'

export function Home() {
  const t = usePageWords(homeWords)
  const speech = useSpeech()
  const { account, environment } = usePlace()
  const maySeeKeys = useMayRead()('build')
  if (account === null) return <Page title={speech.t.nav.pages.home}>{speech.t.states.noMember}</Page>
  return (
    <Page title={speech.t.nav.pages.home}>
      <div className="card">
        <FactList
          facts={[
            { name: t.account, tone: 'ok', words: account.name },
            { name: t.role, tone: 'ok', words: account.role === null ? '–' : speech.t.roles[account.role] },
            { name: t.plan, tone: 'ok', words: account.plan },
            { name: t.environment, tone: 'ok', words: speech.t.place.environments[environment] },
            {
              name: t.liveAllowed,
              tone: account.isLive ? 'ok' : 'idle',
              words: account.isLive ? t.allowed : t.notYet,
            },
          ]}
        />
      </div>
      {maySeeKeys && <KeyCount label={t.keys} />}
    </Page>
  )
}

function KeyCount({ label }: { label: string }) {
  const keys = useRead('keys.list', {})
  const { environment } = usePlace()
  const { formats } = useSpeech()
  return (
    <Answer of={keys}>
      {(all) => (
        <dl className="figures">
          <div>
            <dt>{label}</dt>
            <dd>
              {formats.number(all.filter((key) => key.environment === environment && key.state === 'valid').length)}
            </dd>
          </div>
        </dl>
      )}
    </Answer>
  )
}
