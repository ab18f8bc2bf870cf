// A test ticket with its number on every printer, one after another; a printer that cannot print now keeps its own for later.
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useLive } from '#gateway/web/admin/live.tsx'
import { useChange } from '#gateway/web/admin/operations.ts'
import { useNotice } from '#shared/ui/parts/notices.tsx'

export function usePrintNumbers() {
  const { t } = useSpeech()
  const say = useNotice()
  const printers = Object.values(useLive().topics.printers)
  const test = useChange('printers.test')
  const printAll = async () => {
    for (const { printerId } of printers) await test.mutateAsync({ printer: printerId }).catch(() => null)
    say(t.printer.test.sent)
  }
  return { printAll, isPending: test.isPending, error: test.error }
}
