// The device that was set up and the one that was found, side by side, with the button that accepts the other one.
import { Button, Group } from '@mantine/core'
import type { PrinterAnswer } from '#gateway/control/answers.ts'
import type { DeviceAnswer, FamilyAnswer } from '#gateway/control/device-answers.ts'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import type { Messages } from '#gateway/web/admin/messages/en.ts'
import { useChange } from '#gateway/web/admin/operations.ts'
import { useNotice } from '#shared/ui/parts/notices.tsx'
import { focusHeading } from '#shared/ui/parts/page.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'

/** Nothing while no other device was seen. */
export function DeviceComparison({ printer }: { printer: PrinterAnswer }) {
  const { t } = useSpeech()
  const say = useNotice()
  const accept = useChange('printers.accept', ({ family }) => {
    say(familyWords(family, t))
    focusHeading()
  })
  const { known, found } = printer.identity
  if (found === null) return null
  const words = t.printer.device
  return (
    <section className="card">
      <h2>{words.title}</h2>
      <table>
        <thead>
          <tr>
            <td />
            <th scope="col">{words.known}</th>
            <th scope="col">{words.found}</th>
          </tr>
        </thead>
        <tbody>
          {factsOf(t).map(([name, of]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{of(known) ?? words.notSaid}</td>
              <td>{of(found) ?? words.notSaid}</td>
            </tr>
          ))}
          <tr>
            <th scope="row">{t.printer.profile}</th>
            <td>{known.profileId}</td>
            <td>{found.isFamilyUnsure ? words.familyUnsure(found.profileId) : found.profileId}</td>
          </tr>
        </tbody>
      </table>
      <Group>
        <Button
          loading={accept.isPending}
          onClick={() => accept.mutate({ printer: printer.printerId, deviceId: found.deviceId })}
        >
          {words.accept}
        </Button>
      </Group>
      <p className="soft">{words.acceptHint}</p>
      <Problem error={accept.error} />
    </section>
  )
}

function familyWords({ before, now, isUnsure }: FamilyAnswer, t: Messages): string {
  const { familyChanged, familyUnsure } = t.printer.device
  if (before !== now) return `${t.common.done} ${familyChanged(before, now)}`
  return isUnsure ? `${t.common.done} ${familyUnsure(now)}` : t.common.done
}

type Fact = readonly [string, (device: DeviceAnswer) => string | null]

function factsOf(t: Messages): readonly Fact[] {
  const { maker, model, serial } = t.printer.device
  return [
    [t.printer.address, ({ host, port }) => (port === 0 ? host : `${host}:${port}`)],
    [t.printer.mac, ({ mac }) => mac],
    [maker, (device) => device.maker],
    [model, (device) => device.model],
    [serial, (device) => device.serial],
    [t.printer.confirm, ({ level }) => level && `${level}: ${t.printer.levels[level]}`],
  ]
}
