// One typed line: help that teaches each command, lines that are not understood, and commands that need no running gateway.
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { COMMANDS } from './all-commands.ts'
import { runLine } from './run-line.ts'

const dir = mkdtempSync(join(tmpdir(), 'run-line-'))
const updates = join(dir, 'updates')
afterAll(() => rmSync(dir, { recursive: true, force: true }))

/** Types a line where no gateway runs. */
async function type(line: string, updateFolder: string | null = null) {
  const [out, err]: [string[], string[]] = [[], []]
  const code = await runLine({
    args: line.split(' '),
    socketPath: join(dir, 'control.sock'),
    page: { host: '127.0.0.1', port: 0 },
    updateFolder,
    program: 'ticketrail-gateway',
    write: (text) => out.push(text),
    writeError: (text) => err.push(text),
  })
  return { code, out: out.join('\n'), err: err.join('\n') }
}

describe('help', () => {
  it.each(COMMANDS.map(({ name }) => [name]))(
    'of %s tells its words, its options and a line that works',
    async (name) => {
      const command = COMMANDS.find((one) => one.name === name)
      const { code, out, err } = await type(`help ${name}`)
      expect({ code, err }).toEqual({ code: 0, err: '' })
      expect(out.split('\n')[0]).toBe(`${name} ${command?.usage}`.trimEnd())
      for (const option of Object.keys(command?.options ?? {}))
        expect(out).toMatch(new RegExp(`^    --${option}\\b`, 'm'))
      expect(out).toMatch(new RegExp(`For example:\\n    ticketrail-gateway ${name}`))
      expect((await type(`${name} --help`)).out).toBe(out)
    },
  )

  it.each(COMMANDS.flatMap(({ name, examples }) => examples.map((example) => [`${name} ${example}`.trimEnd()])))(
    'shows no line that would not be understood: %s',
    async (line) => {
      const [typed = ''] = line.split(/ [<>] ?/)
      // Reads standard input, or waits for an answer there.
      if (/ -( |$)/.test(typed) || typed === 'pair') return
      expect((await type(typed)).err).not.toMatch(/missing|too much|Unknown option|must be|There is no command/)
    },
  )

  it('of all is in groups, with every command', async () => {
    const { out } = await type('help')
    for (const { name } of COMMANDS) expect(out).toMatch(new RegExp(`^  ${name} +\\S`, 'm'))
    for (const { summary } of COMMANDS) expect(out).toContain(summary)
    expect((await type('--help')).out).toBe(out)
  })
})

describe('update', () => {
  it('shows what the last updates did, the newest last', async () => {
    mkdirSync(updates)
    expect((await type('update', updates)).out).toBe('No update yet.')
    const notes = Array.from({ length: 12 }, (_, i) => `2026-11-${i + 10}T03:00:00Z 1.${i} runs`)
    writeFileSync(join(updates, 'log'), `${notes.join('\n')}\n`)
    expect((await type('update', updates)).out).toBe(notes.slice(-10).join('\n'))
    expect(JSON.parse((await type('update --json', updates)).out)).toEqual(notes.slice(-10))
  })

  it('now asks the updater, which alone may install', async () => {
    expect(await type('update now', updates)).toMatchObject({ code: 0, out: expect.stringContaining('starts now') })
    expect(existsSync(join(dir, 'update-wanted'))).toBe(true)
    expect(await type('update now')).toMatchObject({
      code: 1,
      err: expect.stringContaining('not installed as a package'),
    })
    expect(await type('update tomorrow', updates)).toMatchObject({ code: 2, err: expect.stringContaining('say "now"') })
  })
})

describe('completion', () => {
  it('supports bash, zsh and fish, and refuses other shells', async () => {
    expect(await type('completion bash')).toEqual(await type('completion'))
    expect((await type('completion zsh')).out).toMatch(/^#compdef ticketrail-gateway/)
    expect((await type('completion fish')).out).toContain('complete -c ticketrail-gateway')
    expect(await type('completion tcsh')).toMatchObject({
      code: 2,
      out: '',
      err: 'the shell must be one of bash, zsh, fish',
    })
  })
})

describe('doctor without a gateway', () => {
  it('reports what is missing, the data folder and the free space, with the exit code for "not running', async () => {
    const { code, out } = await type('doctor')
    expect(code).toBe(3)
    expect(out).toMatch(/^FAIL +gateway +not running/m)
    expect(out).toMatch(new RegExp(`^PASS +data folder +${dir}`, 'm'))
    expect(out).toMatch(/^PASS +disk +\d+ MB free/m)
  })

  it('reports that the folder belongs to another user, or does not exist yet', async () => {
    const missing = await type(`doctor --socket ${join(dir, 'nowhere/control.sock')}`)
    expect(missing.out).toMatch(/^WARN +data folder +.*not there yet/m)
    if (process.getuid?.() === 0) return
    chmodSync(dir, 0o500)
    const foreign = await type('doctor')
    chmodSync(dir, 0o700)
    expect(foreign.out).toMatch(/^WARN +data folder +.*not this user's/m)
  })
})
