// Completion, asked of bash itself: what stands on the line, and what it offers.
import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { completionScript } from '#shared/cli/completion.ts'
import { COMMANDS, completion } from './all-commands.ts'

const SCRIPT = completionScript('bash', completion())

/** What bash would offer for the last word; a typed line that ends with a space asks for a new word. */
function offered(typed: string): string[] {
  const words = typed.split(' ')
  const script = `${SCRIPT}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _ticketrail_gateway; printf '%s\\n' "\${COMPREPLY[@]}"`
  const out = execFileSync('bash', ['-uc', script, 'bash', ...words], {
    encoding: 'utf8',
  })
  return out.split('\n').filter((word) => word !== '')
}

describe('completion in bash', () => {
  it('offers every command, and of what was begun only what fits', () => {
    const all = offered('ticketrail-gateway ')
    for (const { name } of COMMANDS) expect(all).toContain(name.split(' ')[0])
    expect(all).toContain('run')
    expect(offered('ticketrail-gateway pri')).toEqual(['printers'])
    expect(offered('ticketrail-gateway do')).toEqual(['doctor'])
  })

  it('completes the verbs of a noun, also after help', () => {
    expect(offered('ticketrail-gateway jobs re')).toEqual(['reprint', 'resolve', 'release'])
    expect(offered('ticketrail-gateway help jobs re')).toEqual(['reprint', 'resolve', 'release'])
    expect(offered('ticketrail-gateway help dis')).toEqual(['discover', 'displays'])
  })

  it('offers the options of just this command, and the words that an option takes', () => {
    expect(offered('ticketrail-gateway printers set Grill --ba')).toEqual([
      '--backup',
      '--backup-after',
      '--backup-when-doubtful-after',
    ])
    expect(offered('ticketrail-gateway printers pause Grill --ba')).toEqual([])
    expect(offered('ticketrail-gateway printers set Grill --doubt ')).toEqual(['reprint', 'hold'])
    expect(offered('ticketrail-gateway jobs list --state pa')).toEqual(['parked'])
    expect(offered('ticketrail-gateway doctor --off')).toEqual(['--offline'])
  })

  it('leaves names of files to bash where none of its words fits', () => {
    expect(offered('ticketrail-gateway restore friday')).toEqual([])
    expect(SCRIPT).toContain('complete -o default -F _ticketrail_gateway ticketrail-gateway')
  })
})
