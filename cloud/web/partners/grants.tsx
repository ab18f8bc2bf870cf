// Grants as a list: those on the account's own restaurants can be narrowed and ended.
import { Button, Group, Modal } from '@mantine/core'
import { useState } from 'react'
import type { OperationAnswers } from '#cloud/control/answers.ts'
import type { GrantAnswer } from '#cloud/control/grant-list.ts'
import { useNow } from '#cloud/web/live.tsx'
import { partnersWords } from '#cloud/web/messages/partners.ts'
import { useChange } from '#cloud/web/operations.ts'
import { Answer } from '#cloud/web/parts/answer.tsx'
import { type Column, DataList } from '#cloud/web/parts/data-list.tsx'
import { Empty } from '#cloud/web/parts/empty.tsx'
import { usePages } from '#cloud/web/parts/use-pages.ts'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { AskButton } from '#shared/ui/parts/ask-button.tsx'
import { useNotice } from '#shared/ui/parts/notices.tsx'
import { Part } from '#shared/ui/parts/page.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'
import { SCOPE_NAMES, ScopeTicks } from './scope-ticks.tsx'

const keyOf = ({ merchantId, accountId }: GrantAnswer) => `${merchantId} ${accountId}`

const PAGES = {
  page: ({ data, nextCursor }: OperationAnswers['grants.list']) => ({ rows: data, next: nextCursor }),
  after: (cursor: string) => ({ cursor }),
  keyOf,
}

export function Given({ mayChange }: { mayChange: boolean }) {
  const t = usePageWords(partnersWords)
  const pages = usePages('grants.list', { side: 'given' }, PAGES)
  const columns = useColumns()
  return (
    <Part title={t.given}>
      <Answer of={pages.answer}>
        {() => (
          <DataList
            label={t.given}
            rows={pages.rows ?? []}
            keyOf={keyOf}
            columns={columns}
            pages={pages}
            empty={<Empty words={t.noneGiven} />}
            {...(mayChange ? { actions: (grant: GrantAnswer) => <Acts grant={grant} /> } : {})}
          />
        )}
      </Answer>
    </Part>
  )
}

export function Held() {
  const t = usePageWords(partnersWords)
  const pages = usePages('grants.list', { side: 'held' }, PAGES)
  const columns = useColumns()
  return (
    <Part title={t.held}>
      <Answer of={pages.answer}>
        {() => (
          <DataList
            label={t.held}
            rows={pages.rows ?? []}
            keyOf={keyOf}
            columns={columns.filter(({ key }) => key !== 'partner')}
            pages={pages}
            empty={<Empty words={t.noneHeld} />}
          />
        )}
      </Answer>
    </Part>
  )
}

function useColumns(): Column<GrantAnswer>[] {
  const t = usePageWords(partnersWords)
  const { formats } = useSpeech()
  const now = useNow()
  return [
    { key: 'partner', label: t.partner, isTitle: true, cell: ({ accountName }) => <bdi>{accountName}</bdi> },
    {
      key: 'restaurant',
      label: t.restaurant,
      cell: ({ merchantName, merchantId }) => (
        <>
          <bdi>{merchantName}</bdi> <code className="soft id">{merchantId}</code>
        </>
      ),
    },
    {
      key: 'scopes',
      label: t.mayDo,
      cell: ({ scopes }) => (scopes === null ? t.everything : formats.list(scopes.map((scope) => t.scopes[scope]))),
    },
    { key: 'since', label: t.since, cell: ({ grantedAt }) => formats.date(grantedAt) },
    {
      key: 'orders',
      label: t.orders,
      isNumber: true,
      cell: ({ orders }) => `${formats.number(orders.count)}${orders.more ? '+' : ''}`,
    },
    {
      key: 'last',
      label: t.lastOrder,
      cell: ({ orders }) => (orders.lastAt === null ? '–' : formats.ago(orders.lastAt, now)),
    },
  ]
}

function Acts({ grant }: { grant: GrantAnswer }) {
  const t = usePageWords(partnersWords)
  const say = useNotice()
  const { merchantId, accountId, accountName, merchantName } = grant
  const remove = useChange('grants.remove', () => say(t.removed))
  return (
    <Group gap="xs" wrap="nowrap" justify="flex-end">
      <Problem error={remove.error} />
      <Narrow grant={grant} />
      <AskButton
        label={t.remove}
        color="red"
        aria-label={`${t.remove}, ${accountName}, ${merchantName}`}
        question={t.removeAsk(accountName, merchantName)}
        loading={remove.isPending}
        act={() => remove.mutate({ merchantId, accountId })}
      />
    </Group>
  )
}

function Narrow({ grant }: { grant: GrantAnswer }) {
  const t = usePageWords(partnersWords)
  const { t: frame } = useSpeech()
  const [isOpen, setOpen] = useState(false)
  const { merchantId, accountId, accountName, merchantName } = grant
  const has = grant.scopes ?? SCOPE_NAMES
  const [scopes, setScopes] = useState([...has])
  const narrow = useChange('grants.narrow', () => setOpen(false))
  const open = () => {
    setScopes([...has])
    narrow.reset()
    setOpen(true)
  }
  return (
    <>
      <Button variant="default" aria-label={`${t.narrow}, ${accountName}, ${merchantName}`} onClick={open}>
        {t.narrow}
      </Button>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title={`${accountName}, ${merchantName}`}>
        <div className="stack">
          <ScopeTicks label={t.mayDo} of={has} value={scopes} set={setScopes} />
          <p className="soft">{t.narrowHint}</p>
          <Problem error={narrow.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={() => setOpen(false)}>
              {frame.common.cancel}
            </Button>
            <Button
              disabled={scopes.length === 0 || scopes.length === has.length}
              loading={narrow.isPending}
              onClick={() => narrow.mutate({ merchantId, accountId, scopes })}
            >
              {t.save}
            </Button>
          </Group>
        </div>
      </Modal>
    </>
  )
}
