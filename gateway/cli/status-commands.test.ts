// The command line's table of families: every model, and what a family without models is for.
import { expect, it } from 'vitest'
import type { OperationName } from '#gateway/control/operations.ts'
import { PROFILES } from '#shared/tickets/printer-profiles.ts'
import { BoxServer } from '#test/doubles/box-server.ts'
import type { Line } from './command.ts'
import { profilesCommand } from './status-commands.ts'

it('profiles has a row for each family, with all of its models', async () => {
  const box = new BoxServer({ printers: [] })
  const call = (operation: OperationName, input: unknown) => box.control.perform(operation, input, { asker: 'test' })
  const { text = '' } = (await profilesCommand.run({ call, words: [], options: {} } as unknown as Line)) ?? {}
  await box.core.stop()
  const rows = text.split('\n')
  for (const { id, models } of PROFILES) {
    const row = rows.find((each) => each.startsWith(`${id} `))
    expect(row).toContain(models.join(', '))
  }
  expect(rows.find((row) => row.startsWith('generic-80-chinese '))).toContain('own gb18030 characters')
  expect(rows.find((row) => row.startsWith('epson-label-25 '))).toContain('labels 25 mm')
  expect(rows.find((row) => row.startsWith('epson-impact-40-no-cutter '))).toContain('no cutter')
})
