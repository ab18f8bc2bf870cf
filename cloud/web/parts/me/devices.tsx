// Browsers in which one is signed in; each can be signed out from here.
import type { DeviceAnswer } from '#cloud/control/me-list.ts'
import { useNow } from '#cloud/web/live.tsx'
import { meWords } from '#cloud/web/messages/me.ts'
import { useChange, useRead } from '#cloud/web/operations.ts'
import { Answer } from '#cloud/web/parts/answer.tsx'
import { type Column, DataList } from '#cloud/web/parts/data-list.tsx'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { AskButton } from '#shared/ui/parts/ask-button.tsx'
import { useNotice } from '#shared/ui/parts/notices.tsx'
import { Part } from '#shared/ui/parts/page.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'
import { useAgentWords } from './use-agent-words.ts'

export function Devices() {
  const t = usePageWords(meWords)
  const { formats } = useSpeech()
  const now = useNow()
  const agentWords = useAgentWords()
  const devices = useRead('me.devices', {})
  const columns: Column<DeviceAnswer>[] = [
    {
      key: 'device',
      label: t.device,
      isTitle: true,
      cell: ({ agent, isThis }) => (
        <>
          {agentWords(agent)}
          {isThis && <span className="soft"> ({t.thisOne})</span>}
        </>
      ),
    },
    { key: 'method', label: t.method, cell: ({ method }) => t.methods[method] },
    { key: 'from', label: t.from, cell: ({ address }) => <code>{address}</code> },
    { key: 'lastSeen', label: t.lastSeen, cell: ({ seenAt }) => formats.ago(seenAt, now) },
    { key: 'since', label: t.since, cell: ({ since }) => formats.date(since) },
  ]
  return (
    <Part title={t.devices}>
      <Answer of={devices}>
        {(all) => (
          <DataList
            label={t.devices}
            columns={columns}
            rows={all}
            keyOf={({ sessionId }) => sessionId}
            actions={(device) => !device.isThis && <EndDevice device={device} />}
            empty={null}
          />
        )}
      </Answer>
    </Part>
  )
}

function EndDevice({ device: { sessionId, agent } }: { device: DeviceAnswer }) {
  const t = usePageWords(meWords)
  const say = useNotice()
  const agentWords = useAgentWords()
  const end = useChange('me.device.end', () => say(t.ended))
  return (
    <>
      <AskButton
        size="xs"
        label={t.end}
        aria-label={t.endOf(agentWords(agent))}
        question={t.endOf(agentWords(agent))}
        loading={end.isPending}
        act={() => end.mutate({ sessionId })}
      />
      <Problem error={end.error} />
    </>
  )
}
