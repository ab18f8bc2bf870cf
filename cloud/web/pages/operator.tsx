// For operators: requests that wait for an answer, and all accounts.
import { Button, Modal } from '@mantine/core'
import { useState } from 'react'
import type { ListedAccount } from '#cloud/control/account-list.ts'
import type { OperationAnswers } from '#cloud/control/answers.ts'
import { operatorWords } from '#cloud/web/messages/operator.ts'
import { useChange } from '#cloud/web/operations.ts'
import { AccountActs } from '#cloud/web/operator/account-acts.tsx'
import { Waiting } from '#cloud/web/operator/waiting.tsx'
import { Answer } from '#cloud/web/parts/answer.tsx'
import { type Column, DataList } from '#cloud/web/parts/data-list.tsx'
import { usePages } from '#cloud/web/parts/use-pages.ts'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { NameField } from '#shared/ui/parts/fields.tsx'
import { Form } from '#shared/ui/parts/form.tsx'
import { Mark } from '#shared/ui/parts/mark.tsx'
import { Page, Part } from '#shared/ui/parts/page.tsx'

const PAGE_ROWS = 50
const PAGES = {
  page: ({ data, nextCursor }: OperationAnswers['op.accounts']) => ({ rows: data, next: nextCursor }),
  after: (cursor: string) => ({ cursor }),
  keyOf: ({ accountId }: ListedAccount) => accountId,
}

export function OperatorPage() {
  const t = usePageWords(operatorWords)
  const { t: frame } = useSpeech()
  const pages = usePages('op.accounts', { limit: PAGE_ROWS }, PAGES)
  const columns = useColumns()
  return (
    <Page title={frame.nav.pages.operator} actions={<NewAccount />}>
      <Waiting />
      <Part title={t.accounts}>
        <Answer of={pages.answer}>
          {() => (
            <DataList
              label={t.accounts}
              rows={pages.rows ?? []}
              keyOf={PAGES.keyOf}
              columns={columns}
              pages={pages}
              file={t.file}
              empty={null}
              actions={(account) => <AccountActs account={account} />}
            />
          )}
        </Answer>
      </Part>
    </Page>
  )
}

function useColumns(): Column<ListedAccount>[] {
  const t = usePageWords(operatorWords)
  const { formats } = useSpeech()
  return [
    {
      key: 'name',
      label: t.account,
      isTitle: true,
      cell: ({ name, accountId }) => (
        <>
          <bdi>{name}</bdi>
          <code className="soft block">{accountId}</code>
        </>
      ),
      text: ({ name }) => name,
    },
    { key: 'plan', label: t.plan, cell: ({ plan }) => t.plans[plan], text: ({ plan }) => plan },
    {
      key: 'live',
      label: t.live,
      cell: ({ liveApprovedAt }) =>
        liveApprovedAt === null ? (
          <Mark tone="idle">{t.notLive}</Mark>
        ) : (
          <Mark tone="ok">{formats.date(liveApprovedAt)}</Mark>
        ),
      text: ({ liveApprovedAt }) => liveApprovedAt,
    },
    {
      key: 'merchants',
      label: t.merchants,
      isNumber: true,
      cell: ({ liveMerchants }) => formats.number(liveMerchants),
      text: ({ liveMerchants }) => liveMerchants,
    },
    {
      key: 'calls',
      label: t.calls,
      isNumber: true,
      cell: ({ callsThisMonth }) => formats.number(callsThisMonth),
      text: ({ callsThisMonth }) => callsThisMonth,
    },
    {
      key: 'since',
      label: t.since,
      isInFileOnly: true,
      cell: ({ createdAt }) => formats.date(createdAt),
      text: ({ createdAt }) => createdAt,
    },
  ]
}

function NewAccount() {
  const t = usePageWords(operatorWords)
  const [isOpen, setOpen] = useState(false)
  const [name, setName] = useState('')
  const create = useChange('op.create')
  const close = () => {
    setOpen(false)
    setName('')
    create.reset()
  }
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t.create}</Button>
      <Modal opened={isOpen} onClose={close} title={t.create}>
        {create.data === undefined ? (
          <Form label={t.create} change={create} act={() => create.mutate({ name: name.trim() })}>
            <NameField label={t.name} maxLength={120} value={name} set={setName} />
          </Form>
        ) : (
          <div className="stack">
            <p>
              <bdi>{create.data.name}</bdi> <code className="soft">{create.data.accountId}</code>
            </p>
            <p>{t.made}</p>
            <pre className="code-block">{create.data.apiKey}</pre>
          </div>
        )}
      </Modal>
    </>
  )
}
