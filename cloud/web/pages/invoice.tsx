// One invoice, as it is printed: the browser's own print makes the PDF.
import { Button } from '@mantine/core'
import { Link, useParams } from '@tanstack/react-router'
import type { OperationAnswers } from '#cloud/control/answers.ts'
import { useLocale } from '#cloud/web/locale.ts'
import { usageWords } from '#cloud/web/messages/usage.ts'
import { useRead } from '#cloud/web/operations.ts'
import { Answer } from '#cloud/web/parts/answer.tsx'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { BillLines } from '#cloud/web/usage/bill-lines.tsx'
import { monthName } from '#cloud/web/usage/money.ts'
import { asId } from '#shared/ids.ts'
import { Page } from '#shared/ui/parts/page.tsx'
import '#cloud/web/usage/usage.css'

export function InvoicePage() {
  const t = usePageWords(usageWords)
  const { id = '' } = useParams({ strict: false })
  const invoice = useRead('invoices.get', { invoiceId: asId<'inv'>(id) })
  const locale = useLocale()
  const title = invoice.data === undefined ? t.invoices : t.invoice(monthName(invoice.data.month, locale))
  return (
    <Page
      title={title}
      actions={
        <span className="no-print">
          <Button component={Link} to="/usage" variant="default">
            {t.back}
          </Button>{' '}
          <Button onClick={() => print()}>{t.print}</Button>
        </span>
      }
    >
      <Answer of={invoice}>{(one) => <Sheet invoice={one} />}</Answer>
    </Page>
  )
}

function Sheet({ invoice }: { invoice: OperationAnswers['invoices.get'] }) {
  const t = usePageWords(usageWords)
  const { formats } = useSpeech()
  const { account, invoiceId, issuedAt, plan, lines, totalCents } = invoice
  return (
    <article className="card invoice">
      <dl className="facts">
        <div>
          <dt>{t.account}</dt>
          <dd>
            <strong>{account.name}</strong>
          </dd>
        </div>
        <div>
          <dt>{t.number}</dt>
          <dd>
            <code className="id">{invoiceId}</code>
          </dd>
        </div>
        <div>
          <dt>{t.issuedAt}</dt>
          <dd>{formats.date(issuedAt)}</dd>
        </div>
        <div>
          <dt>{t.plan}</dt>
          <dd>{(t.plans as Readonly<Record<string, string>>)[plan] ?? plan}</dd>
        </div>
      </dl>
      <BillLines lines={lines} total={totalCents === null ? null : totalCents / 100} />
      <p className="soft">Ticketrail</p>
    </article>
  )
}
