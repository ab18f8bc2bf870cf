// The guide of the command line and the list of commands agree.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { commandsOf } from '#shared/cli/help.ts'
import { ticketrailProgram } from './all-commands.ts'

it('every command is in the guide, and the guide has no other', () => {
  const guide = readFileSync('docs/guides/command-line.md', 'utf8')
  const named = [...guide.matchAll(/^\| `([a-z ]+)` \|/gm)].map(([, name]) => name)
  expect(named.sort()).toEqual(
    commandsOf(ticketrailProgram('ticketrail'))
      .map(({ name }) => name)
      .sort(),
  )
})
