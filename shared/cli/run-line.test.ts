// The frame of all command lines, with a small program: help, words, options, nearest command, JSON, exit codes.
import { describe, expect, it } from 'vitest'
import { type Command, EXIT, type Line, LineError, texts } from './command.ts'
import type { Program } from './help.ts'
import { runLine } from './run-line.ts'

const echo = async ({ words, options }: Parameters<Command['run']>[0]) => ({
  data: { words, ...options },
  text: JSON.stringify({ words, ...options }),
})

const program: Program<Command> = {
  name: 'till',
  intro: 'A till.',
  outro: 'Exit codes: 0 done.',
  options: { at: { value: '<path>', text: 'Another till' } },
  groups: [
    {
      title: 'Money',
      commands: [
        {
          name: 'coins add',
          usage: '<kind> [<count>]',
          summary: 'More coins',
          options: {
            note: { value: '<text>', text: 'What for', required: true },
            tag: { value: '<tag>', text: 'Marks', repeats: true },
            quiet: { text: 'Says nothing' },
          },
          examples: ['dime 3 --note change'],
          problems: ({ options: { note } }) => (note === 'bad' ? ['--note must be good'] : []),
          run: echo,
        },
        { name: 'coins list', usage: '', summary: 'All coins', options: {}, examples: [''], run: echo },
        {
          name: 'open',
          usage: '',
          summary: 'Opens it',
          options: {},
          examples: [''],
          run: async (line) => {
            line.progress('pulls \u001b[31m')
            throw new LineError(`stuck \u001b[31m ${texts(line, 'at').length}`, 7)
          },
        },
      ],
    },
  ],
}

async function type(...args: string[]) {
  const [out, err]: [string[], string[]] = [[], []]
  const write = (text: string) => void out.push(text)
  const code = await runLine(program, {
    args,
    write,
    writeError: (text) => void err.push(text),
    lineOf: (line) => line,
  })
  return { code, out: out.join('\n'), err: err.join('\n') }
}

describe('a line', () => {
  it('passes words and options to its command, with --json in any position', async () => {
    const typed = await type('--json', 'coins', 'add', 'dime', '--note', 'x', '--tag', 'a', '--tag=b', '--at', 'here')
    expect(typed).toMatchObject({ code: EXIT.ok, err: '' })
    expect(JSON.parse(typed.out)).toEqual({ words: ['dime'], note: 'x', tag: ['a', 'b'], at: 'here' })
  })

  it('that names no command is refused with the nearest ones', async () => {
    const typed = await type('coin', 'ad')
    expect(typed).toMatchObject({ code: EXIT.usage, out: '' })
    expect(typed.err).toMatch(/^There is no command "coin ad"\. Did you mean: coins add/)
  })

  it('that is like no command is refused without a guess', async () => {
    expect((await type('xyzzy')).err).toBe('There is no command "xyzzy".\ntill help shows all commands.')
    expect((await type('opne')).err).toMatch(/Did you mean: open\?/)
    expect((await type('coins', 'wash')).err).not.toMatch(/open/)
  })

  it('hears everything that is wrong with it at once, with the help of the command', async () => {
    const missing = await type('coins', 'add')
    expect(missing).toMatchObject({ code: EXIT.usage, out: '' })
    expect(missing.err).toMatch(/--note is required\n<kind> is missing\.\n\ncoins add <kind>/)
    expect((await type('coins', 'add', 'dime', '--note', 'bad')).err).toMatch(/^--note must be good\n\ncoins add/)
    expect((await type('coins', 'list', 'all')).err).toMatch(/^"all" is too much\./)
    expect((await type('coins', 'list', '--al')).err).toContain("'--al'")
  })

  it('names its commands as they must be typed here, and leaves other words as they are', async () => {
    const said: string[] = []
    const write = (text: string) => void said.push(text)
    const line = { args: ['coins', 'list', 'x'], write, writeError: write, lineOf: (same: Line) => same }
    const list = { ...program.groups[0]?.commands[1], usage: '<x>' } as Command
    const text = 'sudo till-box coins list; till-box open, `till-box coins`; systemctl start till-box. till-box opens'
    list.run = async ({ progress }) => {
      progress(text)
      return { data: null, text }
    }
    const groups = [...program.groups, { title: 'Told', commands: [list] }].toReversed()
    await runLine({ ...program, groups, name: 'npm run till --', installedAs: 'till-box' }, line)
    const typed = 'npm run till -- coins list; npm run till -- open, `npm run till -- coins`;'
    expect(said).toEqual(Array(2).fill(`${typed} systemctl start till-box. till-box opens`))
    await runLine({ ...program, groups, name: 'till-box', installedAs: 'till-box' }, line)
    expect(said.slice(2)).toEqual([text, text])
  })

  it('that is refused exits with the code of the refusal, its words made harmless', async () => {
    const told = await type('open')
    expect([told.code, told.out]).toEqual([7, ''])
    expect(told.err.split('\n')).toEqual(['pulls ?[31m', 'stuck ?[31m 0'])
    const asJson = await type('open', '--json')
    expect([asJson.code, JSON.parse(asJson.err)]).toEqual([7, { error: 'stuck \u001b[31m 0' }])
  })
})

describe('help', () => {
  it('shows all commands in their groups, for no words, for help and for --help', async () => {
    const { code, out } = await type()
    expect(code).toBe(EXIT.ok)
    expect(out).toMatch(/^A till\.\n\nMoney:\n {2}coins add {3}More coins\n.*\n\nExit codes: 0 done\.$/s)
    for (const args of [['help'], ['--help'], ['-h'], ['help', 'nonsense']]) expect((await type(...args)).out).toBe(out)
  })

  it('of a command, and of a noun alone, shows words, options and lines that work', async () => {
    const one = await type('help', 'coins', 'add')
    expect(one.out).toMatch(/^coins add <kind> \[<count>\]\n {4}More coins\n {4}--note <text> +What for \(required\)\n/)
    expect(one.out).toContain('For example:\n    till coins add dime 3 --note change')
    expect((await type('coins', 'add', '-h')).out).toBe(one.out)
    const noun = await type('coins')
    expect(noun).toMatchObject({ code: EXIT.ok, err: '' })
    expect(noun.out).toContain(one.out)
    expect(noun.out).toContain('coins list')
  })
})
