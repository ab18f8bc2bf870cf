// The last step: the test order, the connection to the relay, and the page's address to print.
import { Button, Group } from '@mantine/core'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useLive } from '#gateway/web/admin/live.tsx'
import { useChange } from '#gateway/web/admin/operations.ts'
import { linkStanding } from '#gateway/web/admin/parts/words.ts'
import { FactList } from '#shared/ui/parts/fact-list.tsx'
import { useNotice } from '#shared/ui/parts/notices.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'
import { TestOrder } from './test-order.tsx'

export function CheckStep() {
  const { t } = useSpeech()
  const say = useNotice()
  const { topics } = useLive()
  const printers = Object.values(topics.printers)
  const address = useChange('printers.setup-ticket', () => say(t.wizard.addressSent))
  const wallPrinter = printers.find(({ isDefault }) => isDefault) ?? printers[0]
  const link = linkStanding(topics.status['box']?.link ?? { state: 'unpaired' }, t)
  return (
    <>
      <TestOrder />
      <FactList facts={[{ name: t.link.title, tone: link.tone, words: link.words }]} />
      {wallPrinter && (
        <Group>
          <Button
            variant="default"
            loading={address.isPending}
            onClick={() => address.mutate({ printer: wallPrinter.printerId })}
          >
            {t.wizard.printAddress}
          </Button>
        </Group>
      )}
      <Problem error={address.error} />
    </>
  )
}
