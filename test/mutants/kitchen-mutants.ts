// Planted faults of the kitchen's displays: acts on what a screen saw, selection, adoption, what cannot be read.
import { type Mutant, unit } from './mutant.ts'

export const KITCHEN_MUTANTS: readonly Mutant[] = [
  {
    name: 'kitchen-an-unreadable-board-ends-the-program',
    file: 'gateway/kitchen/board.ts',
    original: 'void this.#background.run(() => this.catchUp())',
    replacement: 'void this.catchUp()',
    harm: 'One order that cannot be read ends the program that prints all others, again after each start.',
    tests: unit('gateway/kitchen/background.test.ts'),
  },
  {
    name: 'kitchen-any-screen-acts',
    file: 'gateway/kitchen/kitchen.ts',
    original: 'const reason = stale ?? this.#beyond(display, order, act)',
    replacement: 'const reason = stale',
    harm: 'A runner hands out what is being made, and the fry screen bumps the grill.',
    tests: unit('gateway/kitchen/act-scope.test.ts'),
  },
  {
    name: 'kitchen-an-act-hits-what-the-screen-had-not-seen',
    file: 'gateway/kitchen/act-refusal.ts',
    original:
      "if (kind !== 'recall' && lines && newWork(now, stations).some((place) => !lines.includes(place))) return 'new-work'",
    replacement: 'void newWork',
    harm: 'A Ready bumps a course that was fired a moment ago, and nobody cooks it.',
    tests: unit('gateway/kitchen/seen-revisions.test.ts'),
  },
  {
    name: 'kitchen-a-silent-screen-keeps-what-no-screen-serves',
    file: 'gateway/kitchen/adoption.ts',
    original: 'const live = displays.filter(isLive)',
    replacement: 'const live = [...displays]',
    harm: 'Lines of a station without a screen stand on a tablet that is off, and nowhere else.',
    tests: unit('gateway/kitchen/adoption.test.ts'),
  },
  {
    name: 'kitchen-enter-hits-the-neighbour',
    file: 'gateway/web/kitchen/board-model.ts',
    original: 'return { ...state, selected: null, lostUntilMs: nowMs + BOARD_TIMES.lostMs }',
    replacement: 'return { ...state, selected: neighbour(shown, selected) ?? firstOnPage(state) }',
    harm: 'Two cooks bump the same order at once, and the second Enter bumps the order beside it, which nobody has made.',
    tests: unit('gateway/web/kitchen/board-model.test.ts'),
  },
  {
    name: 'kitchen-tickets-move-under-a-finger',
    file: 'gateway/web/kitchen/board-model.ts',
    original: 'const isKept = isDown || nowMs < quietUntilMs',
    replacement: 'const isKept = isDown',
    harm: 'A second tap in haste bumps the ticket that has just moved into the place of the first.',
    tests: unit('gateway/web/kitchen/board-model.test.ts'),
  },
  {
    name: 'web-a-tap-that-nobody-took-is-gone',
    file: 'gateway/web/kitchen/tap-queue.ts',
    original: 'else this.#cancelAgain = this.#options.clock.after(AGAIN_AFTER_MS, () => this.flush())',
    replacement: 'else this.#taken(batch, [])',
    harm: 'A bump on a tablet without network is lost, and the order stays on the other screens.',
    tests: unit('gateway/web/kitchen/tap-queue.test.ts'),
  },
]
