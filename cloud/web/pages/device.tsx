// A command line asks for a key: the person types or compares its code, sees what asks and what it would get, and approves or denies.
import { Anchor, Button, Group } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { AskingDeviceAnswer } from '#cloud/control/device-list.ts'
import { useNow } from '#cloud/web/live.tsx'
import { deviceWords } from '#cloud/web/messages/device.ts'
import { keysWords } from '#cloud/web/messages/keys.ts'
import { useChange } from '#cloud/web/operations.ts'
import { useMay, usePlace } from '#cloud/web/place.tsx'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { CodeField } from '#shared/ui/parts/fields.tsx'
import { Form } from '#shared/ui/parts/form.tsx'
import { Mark } from '#shared/ui/parts/mark.tsx'
import { focusHeading, Page, Part } from '#shared/ui/parts/page.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'
import './device.css'

type Answered = { kind: 'approved'; keyName: string } | { kind: 'denied' }

export function DevicePage() {
  const t = usePageWords(deviceWords)
  const { account } = usePlace()
  const { t: frame } = useSpeech()
  const [answered, setAnswered] = useState<Answered | null>(null)
  // Not cached: each look-up counts against guessing.
  const look = useChange('device.look')
  const answer = (given: Answered) => {
    setAnswered(given)
    focusHeading()
  }
  const again = () => {
    setAnswered(null)
    look.reset()
    focusHeading()
  }
  if (account === null) return <Page title={t.title}>{frame.states.noMember}</Page>
  return (
    <Page title={t.title}>
      {answered !== null && <Outcome answered={answered} again={again} />}
      {answered === null && !look.data && <TypeCode look={look} />}
      {answered === null && look.data && <Asking asking={look.data} answer={answer} again={again} />}
    </Page>
  )
}

/** Empty when there is none, or an address that was cut or mistyped. */
function codeInAddress(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1)).slice(0, 20)
  } catch {
    return ''
  }
}

type Look = ReturnType<typeof useChange<'device.look'>>

function TypeCode({ look }: { look: Look }) {
  const t = usePageWords(deviceWords)
  const [code, setCode] = useState(() => codeInAddress(location.hash))
  const { mutate } = look
  // The address that the terminal shows contains the code: it is looked up at once, and the person compares it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for the code in the address
  useEffect(() => {
    if (code === '') return
    history.replaceState(history.state, '', location.pathname + location.search)
    mutate({ userCode: code })
  }, [])
  return (
    <Form label={t.next} act={() => mutate({ userCode: code })} change={look}>
      <p>{t.explain}</p>
      <CodeField
        name="userCode"
        label={t.code}
        description={t.codeHint}
        maxLength={20}
        value={code}
        set={setCode}
        className="device-code-field"
      />
    </Form>
  )
}

interface AskingProps {
  asking: AskingDeviceAnswer
  answer: (answered: Answered) => void
  again: () => void
}

function Asking({ asking, answer, again }: AskingProps) {
  const t = usePageWords(deviceWords)
  const { accounts } = usePlace()
  const mayAnswer = useMay('build')
  const { userCode, key } = asking
  const approve = useChange('device.approve', ({ keyName }) => answer({ kind: 'approved', keyName }))
  const deny = useChange('device.deny', () => answer({ kind: 'denied' }))
  const isBusy = approve.isPending || deny.isPending
  return (
    <div className="device">
      <section className="device-warning">
        <h2>
          <span aria-hidden="true">▲</span> {t.warning}
        </h2>
        <p>{t.warningWhy}</p>
      </section>
      <p className="device-compare">
        <output className="device-code">{userCode}</output>
        <span className="soft">{t.compare}</span>
      </p>
      <WhatAsks asking={asking} />
      <WhatItGets asking={asking} />
      {accounts.length > 1 && <p className="soft">{t.otherAccount}</p>}
      <Problem error={approve.error ?? deny.error} />
      {mayAnswer ? (
        <Group className="device-answer">
          <Button
            loading={approve.isPending}
            disabled={isBusy}
            onClick={() => approve.mutate({ userCode, environment: key.environment })}
          >
            {t.approve}
          </Button>
          <Button
            variant="default"
            loading={deny.isPending}
            disabled={isBusy}
            onClick={() => deny.mutate({ userCode })}
          >
            {t.deny}
          </Button>
        </Group>
      ) : (
        <p>{t.mayNot}</p>
      )}
      <div>
        <Anchor component="button" type="button" onClick={again}>
          {t.another}
        </Anchor>
      </div>
    </div>
  )
}

function WhatAsks({ asking: { host, app, address, isFromHere, askedAt } }: { asking: AskingDeviceAnswer }) {
  const t = usePageWords(deviceWords)
  const { formats } = useSpeech()
  const now = useNow()
  return (
    <Part title={t.who}>
      <dl className="device-facts">
        <dt>{t.machine}</dt>
        <dd>
          <strong>
            <bdi>{host}</bdi>
          </strong>
        </dd>
        <dt>{t.program}</dt>
        <dd>
          <code>{app}</code>
        </dd>
        <dt>{t.from}</dt>
        <dd>
          <code>{address}</code>{' '}
          <Mark tone={isFromHere ? 'ok' : 'warn'}>{isFromHere ? t.fromHere : t.fromElsewhere}</Mark>
        </dd>
        <dt>{t.asked}</dt>
        <dd>{formats.ago(askedAt, now)}</dd>
      </dl>
    </Part>
  )
}

function WhatItGets({ asking: { key } }: { asking: AskingDeviceAnswer }) {
  const t = usePageWords(deviceWords)
  const { scopes: words } = usePageWords(keysWords)
  const { t: frame } = useSpeech()
  const { account } = usePlace()
  const isLive = key.environment === 'live'
  return (
    <Part title={t.gets}>
      <dl className="device-facts">
        <dt>{t.key}</dt>
        <dd>
          <strong>
            <bdi>{key.name}</bdi>
          </strong>
        </dd>
        <dt>{t.account}</dt>
        <dd>
          <strong>
            <bdi>{account?.name}</bdi>
          </strong>
        </dd>
        <dt>{t.environment}</dt>
        <dd>
          <Mark tone={isLive ? 'bad' : 'ok'}>
            {`${frame.place.environments[key.environment]}: ${isLive ? t.liveKey : t.sandboxKey}`}
          </Mark>
        </dd>
        <dt>{t.validFor}</dt>
        <dd>{t.days(key.days)}</dd>
        <dt>{t.may}</dt>
        <dd>
          <ul className="plain">
            {key.scopes.map((scope) => (
              <li key={scope}>
                {words[scope]} <code className="soft">{scope}</code>
              </li>
            ))}
          </ul>
        </dd>
      </dl>
    </Part>
  )
}

function Outcome({ answered, again }: { answered: Answered; again: () => void }) {
  const t = usePageWords(deviceWords)
  const isApproved = answered.kind === 'approved'
  return (
    <div className="stack" role="status">
      <p>
        <Mark tone={isApproved ? 'ok' : 'idle'}>{isApproved ? t.approved : t.denied}</Mark>
      </p>
      <p>{isApproved ? t.approvedHint(answered.keyName) : t.deniedHint}</p>
      <Group>
        {isApproved && <Link to="/keys">{t.toKeys}</Link>}
        <Anchor component="button" type="button" onClick={again}>
          {t.another}
        </Anchor>
      </Group>
    </div>
  )
}
