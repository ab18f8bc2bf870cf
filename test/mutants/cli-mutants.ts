// Planted faults of the command lines: what a wrong word, a lost stream or a key in the wrong place would do.
import { type Mutant, rooms, unit } from './mutant.ts'

export const CLI_MUTANTS: readonly Mutant[] = [
  {
    name: 'cli-progress-that-a-terminal-obeys',
    file: 'shared/cli/run-line.ts',
    original: 'writeError(asCalled(program, harmless(text)))',
    replacement: 'writeError(asCalled(program, text))',
    harm: 'A name that comes from outside moves the cursor of the terminal and hides what was printed.',
    tests: unit('shared/cli/run-line.test.ts'),
  },
  {
    name: 'cli-option-forgotten',
    file: 'shared/cli/run-line.ts',
    original: 'required && values[name] === undefined',
    replacement: 'required && values[name] === null',
    harm: 'A command runs without an option that it needs.',
    tests: unit('shared/cli/run-line.test.ts'),
  },
  {
    name: 'cli-stored-key-goes-anywhere',
    file: 'cloud/cli/settings.ts',
    original: 'if (!key && url && stored && addressOf(url) !== addressOf(stored.url))',
    replacement: 'if (!key && url && stored && addressOf(url) === url.toUpperCase())',
    harm: 'The key of one relay is sent to whatever address a variable names.',
    tests: unit('cloud/cli/settings.test.ts'),
  },
  {
    name: 'cli-settings-for-everybody',
    file: 'cloud/cli/settings.ts',
    original: 'if ((found.mode & OTHERS_MAY) !== 0)',
    replacement: 'if ((found.mode & OTHERS_MAY) === 0o777)',
    harm: 'Every user of a shared machine reads the key, and nobody is told.',
    tests: unit('cloud/cli/settings.test.ts'),
  },
  {
    name: 'cli-events-posted-twice',
    file: 'cloud/cli/listener.ts',
    original: 'if (known === null) return\n',
    replacement: '',
    harm: 'A repetition of a number is posted again while the program still works on it.',
    tests: unit('cloud/cli/listener.test.ts'),
  },
  {
    name: 'cli-half-an-emoji',
    file: 'cloud/cli/post-to-target.ts',
    original: '.subarray(0, RESPONSE_BYTES), { stream: true })',
    replacement: '.subarray(0, RESPONSE_BYTES))',
    harm: 'The answer that the log shows ends with a character that the target never sent.',
    tests: rooms('cloud/cli/post-to-target.room.test.ts'),
  },
  {
    name: 'cli-event-lost-after-a-kill',
    file: 'cloud/cli/listener.ts',
    original: '...(isBroken(result) && { again: true })',
    replacement: '',
    harm: 'An event that a kill interrupted is failed, and comes only after a recovery, behind the later events of its order.',
    tests: unit('cloud/cli/listener.test.ts'),
  },
  {
    name: 'cli-event-dropped-while-the-program-restarts',
    file: 'cloud/cli/listener.ts',
    original: "const NOT_ARRIVED = ['refused', ",
    replacement: 'const NOT_ARRIVED = [',
    harm: 'Every event that happens while the developer restarts the program is lost until a recovery.',
    tests: unit('cloud/cli/target-away.test.ts'),
  },
]
