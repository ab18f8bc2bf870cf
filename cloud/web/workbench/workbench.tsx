// Over the lower part of any page: requests, events and deliveries of what is on screen, and the calls of the API that do the same.
import { Button, Checkbox } from '@mantine/core'
import { type ComponentType, useEffect, useId, useRef, useState } from 'react'
import { workbenchWords } from '#cloud/web/messages/workbench.ts'
import { NAV_PAGES } from '#cloud/web/nav.ts'
import { PressChoice } from '#cloud/web/parts/press-choice.tsx'
import { usePlace } from '#cloud/web/place.tsx'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { remember, remembered } from '#shared/ui/browser.ts'
import { ApiOfThis } from './api-of-this.tsx'
import { isKeyOn, turnKey } from './by-key.ts'
import { DeliveriesOfThis, EventsOfThis, RequestsOfThis } from './lists-of-this.tsx'
import { type Subject, subjectOf } from './subject.ts'
import './workbench.css'

const VIEWS = ['requests', 'events', 'deliveries', 'api'] as const
type View = (typeof VIEWS)[number]

const SHOWN: Readonly<Record<View, ComponentType<{ subject: Subject }>>> = {
  requests: RequestsOfThis,
  events: EventsOfThis,
  deliveries: DeliveriesOfThis,
  api: ApiOfThis,
}

const KEPT = 'ticketrail.workbench-view'

/** @param pathname of the page on screen, below the dashboard */
export function Workbench({ pathname, close }: { pathname: string; close: () => void }) {
  const t = usePageWords(workbenchWords)
  const { t: frame } = useSpeech()
  const titleId = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const [view, setView] = useState<View>(() => VIEWS.find((one) => one === remembered(KEPT)) ?? 'requests')
  const subject = subjectOf(pathname, NAV_PAGES)
  useEffect(() => heading.current?.focus(), [])
  const choose = (to: View) => {
    remember(KEPT, to)
    setView(to)
  }
  const Shown = SHOWN[view]
  return (
    <aside className="workbench" aria-labelledby={titleId}>
      <div className="workbench-head">
        <h2 id={titleId} ref={heading} tabIndex={-1}>
          {frame.workbench} <About subject={subject} />
        </h2>
        <Button className="workbench-close" variant="subtle" size="compact-md" onClick={close}>
          {frame.common.close}
        </Button>
        <PressChoice label={t.choose} value={view} set={choose} choices={VIEWS} wordsOf={t.views} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <section className="workbench-body" tabIndex={0} aria-label={t.views[view]}>
        <Shown key={subject.kind === 'page' ? subject.kind : subject.id} subject={subject} />
        <KeyChoice />
      </section>
    </aside>
  )
}

function About({ subject }: { subject: Subject }) {
  const t = usePageWords(workbenchWords)
  const { merchant, merchantId } = usePlace()
  if (subject.kind === 'page') return <bdi className="soft">{merchant?.name ?? merchantId}</bdi>
  return (
    <span className="soft">
      {t.things[subject.kind]} <code>{subject.id}</code>
    </span>
  )
}

/** Some people's speech or hands press single keys without meaning to. */
function KeyChoice() {
  const t = usePageWords(workbenchWords)
  const [isOn, setOn] = useState(isKeyOn)
  return (
    <Checkbox
      label={t.byKey}
      checked={isOn}
      onChange={({ currentTarget: { checked } }) => {
        turnKey(checked)
        setOn(checked)
      }}
    />
  )
}
