// The lines of an invoice or of a draft, with their total.

import { useLocale } from '#cloud/web/locale.ts'
import { usageWords } from '#cloud/web/messages/usage.ts'
import { ScrollFrame } from '#cloud/web/parts/scroll-frame.tsx'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import type { InvoiceLine } from '#shared/wire/api/account.ts'
import { dollars } from './money.ts'

/** @param total in dollars; null: by contract */
export function BillLines({ lines, total }: { lines: readonly InvoiceLine[]; total: number | null }) {
  const t = usePageWords(usageWords)
  const { formats } = useSpeech()
  const locale = useLocale()
  const money = (amount: number | null) => dollars(amount, locale, t.byContract)
  return (
    <ScrollFrame label={t.bill}>
      <table aria-label={t.bill} className="bill">
        <thead>
          <tr>
            <th scope="col">{t.what}</th>
            <th scope="col" className="number end">
              {t.quantity}
            </th>
            <th scope="col" className="number end">
              {t.each}
            </th>
            <th scope="col" className="number end">
              {t.amount}
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ description, quantity, unitPrice, amount }) => (
            <tr key={description}>
              <td lang="en">{description}</td>
              <td className="number end">{formats.number(quantity)}</td>
              <td className="number end">{money(unitPrice)}</td>
              <td className="number end">{money(amount)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" colSpan={3}>
              {t.total}
            </th>
            <td className="number end">
              <strong>{money(total)}</strong>
            </td>
          </tr>
        </tfoot>
      </table>
    </ScrollFrame>
  )
}
