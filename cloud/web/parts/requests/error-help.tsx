// What to do about an error, as on the page of errors: in English, because the documentation is.
import type { ErrorHelpAnswer } from '#cloud/control/request-list.ts'
import { requestWords } from '#cloud/web/messages/requests.ts'
import { usePageWords } from '#cloud/web/speech.tsx'
import { helpPieces } from './request-text.ts'

export function ErrorHelp({ help }: { help: ErrorHelpAnswer }) {
  const t = usePageWords(requestWords)
  return (
    <div className="error-group">
      <p lang="en" dir="ltr">
        {helpPieces(help.todo).map(({ text, isCode }) => (isCode ? <code key={text}>{text}</code> : text))}
      </p>
      <p className="soft">
        {help.retry === 'later' ? t.retryLater : t.retryNo} <a href={help.path}>{t.docs}</a>
      </p>
    </div>
  )
}
