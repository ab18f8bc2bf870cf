// Completion, tested in the shells themselves: the typed line and what is offered. Shells that are not installed are skipped.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { Command } from './command.ts'
import { type Completed, completionScript, type Shell } from './completion.ts'

const command = (name: string, usage: string, options: Command['options']): Command => ({
  name,
  usage,
  summary: `It's "${name}": $(does) what \`it\` says`,
  options,
  examples: [''],
  run: async () => ({ data: null, text: '' }),
})

const completed: Completed = {
  installedAs: 'coin-till',
  alsoFirst: ['run'],
  program: {
    options: { at: { value: '<path>', text: 'Another till' } },
    groups: [
      {
        title: 'All',
        commands: [
          command('coins add', '<kind>', {
            doubt: { value: '<keep|throw>', text: "What's doubtful" },
            dry: { text: 'No' },
          }),
          command('coins list', '', { state: { value: '<old|new>', text: 'Only these' } }),
          command('open', '[drawer|lid]', { slowly: { text: 'With care' } }),
        ],
      },
    ],
  },
}

const dir = mkdtempSync(join(tmpdir(), 'completion-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

/** Runs the shell with the script, and what it would offer for the last word of the line. */
const OFFERED: Readonly<Record<Shell, (file: string, typed: string) => string>> = {
  bash: (file, typed) =>
    `source ${file}; COMP_WORDS=(${words(typed)}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
     _coin_till; printf '%s\\n' "\${COMPREPLY[@]}"`,
  // What the shell's own _describe would show, for a word that begins so.
  zsh: (file, typed) =>
    `compdef() { }; _files() { }
     _describe() { for one in "\${offered[@]}"; do [[ $one == \${words[CURRENT]}* ]] && print -r -- "\${one%%:*}"; done; true }
     source ${file}; words=(${words(typed)}); CURRENT=\${#words}; _coin_till`,
  fish: (file, typed) => `source ${file}; complete -C '${typed}'`,
}

function words(typed: string): string {
  return typed
    .split(' ')
    .map((word) => `'${word}'`)
    .join(' ')
}

function offered(shell: Shell, typed: string): string[] {
  const file = join(dir, `script.${shell}`)
  writeFileSync(file, completionScript(shell, completed))
  const plain = { bash: ['--norc'], zsh: ['-f'], fish: ['--no-config'] }[shell]
  const out = execFileSync(shell, [...plain, '-c', OFFERED[shell](file, typed)], { encoding: 'utf8', cwd: dir })
  const found = out.split('\n').map((line) => line.split('\t')[0] ?? '')
  return [...new Set(found.filter((word) => word !== ''))].sort()
}

const isInstalled = (shell: Shell) => spawnSync(shell, ['--version']).status === 0

describe.each(['bash', 'zsh', 'fish'] as const)('in %s', (shell) => {
  it.skipIf(!isInstalled(shell))('offers nouns, then verbs, also after help', () => {
    expect(offered(shell, 'coin-till co')).toEqual(['coins'])
    expect(offered(shell, 'coin-till ')).toEqual(expect.arrayContaining(['coins', 'help', 'open', 'run']))
    expect(offered(shell, 'coin-till coins ')).toEqual(['add', 'list'])
    expect(offered(shell, 'coin-till help coins l')).toEqual(['list'])
  })

  it.skipIf(!isInstalled(shell))('offers the options of just this command, and everywhere those of all', () => {
    expect(offered(shell, 'coin-till coins add dime --d')).toEqual(['--doubt', '--dry'])
    expect(offered(shell, 'coin-till coins list --d')).toEqual([])
    expect(offered(shell, 'coin-till open --s')).toEqual(['--slowly'])
    expect(offered(shell, 'coin-till coins list --a')).toEqual(['--at'])
  })

  it.skipIf(!isInstalled(shell))('offers the words that an option or a command takes', () => {
    expect(offered(shell, 'coin-till coins add dime --doubt ')).toEqual(['keep', 'throw'])
    expect(offered(shell, 'coin-till coins list --state n')).toEqual(['new'])
    expect(offered(shell, 'coin-till open d')).toEqual(['drawer'])
  })
})
