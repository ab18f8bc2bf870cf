// Planted faults of the receptionist: calls, orders by voice, voicemails, what is deleted.
import { type Mutant, unit } from './mutant.ts'

const MACHINE = unit('cloud/receptionist/call-machine.test.ts')
const TURNS = unit('cloud/receptionist/receptionist.test.ts')
const ORDERS = unit('cloud/receptionist/call-orders.test.ts')
const DRAFT = unit('cloud/receptionist/order-draft.test.ts')
const CARDS = unit('cloud/receptionist/cut-cards.test.ts')

export const RECEPTIONIST_MUTANTS: readonly Mutant[] = [
  {
    name: 'receptionist-a-call-that-is-over-goes-on',
    file: 'cloud/receptionist/call-machine.ts',
    original: 'if (isFinal(state.status)) return',
    replacement: "if (isFinal(state.status) && event.kind === 'quiet') return",
    harm: 'A late hook opens a call again that ended: it is shown as going on for ever.',
    tests: MACHINE,
  },
  {
    name: 'receptionist-records-without-consent',
    file: 'cloud/receptionist/call-machine.ts',
    original: "...say(profile.recording.consent), { do: 'record-call' }",
    replacement: "{ do: 'record-call' }",
    harm: 'A whole call is recorded, and the caller was never told.',
    tests: MACHINE,
  },
  {
    name: 'receptionist-believes-late-words',
    file: 'cloud/receptionist/turn-rules.ts',
    original: 'return said !== undefined && Number(said) !== turn',
    replacement: 'return said !== undefined && Number(said) > turn',
    harm: 'Words of an earlier question that come late answer the question that is asked now: a yes to another order.',
    tests: TURNS,
  },
  {
    name: 'receptionist-a-yes-to-an-older-order',
    file: 'cloud/receptionist/order-draft.ts',
    original: 'draft.questions.length === 0 && draft.readBack === contentOf(draft)',
    replacement: 'draft.questions.length === 0 && draft.readBack !== null',
    harm: 'A yes places what was never read back to the caller.',
    tests: DRAFT,
  },
  {
    name: 'receptionist-old-prices-are-placed',
    file: 'cloud/receptionist/call-orders.ts',
    original: 'if (now.draft !== draft) return this.#changed(turn, now)',
    replacement: 'if (now.draft.lines.length === 0) return this.#changed(turn, now)',
    harm: 'What cost 9 when it was read back is placed for 9 although the menu says 12 by now.',
    tests: ORDERS,
  },
  {
    name: 'receptionist-an-allergy-is-left-to-a-driver',
    file: 'cloud/receptionist/call-orders.ts',
    original: "for (const reason of ['allergy', 'complaint', 'person', 'delivery', 'later'] as const)",
    replacement: "for (const reason of ['complaint', 'person', 'delivery', 'later'] as const)",
    harm: 'A caller who names an allergy gets it noted by a program instead of speaking with a person.',
    tests: ORDERS,
  },
  {
    name: 'receptionist-keeps-numbers-of-cards',
    file: 'cloud/receptionist/cut-cards.ts',
    original: 'digit > 4 ? 2 * digit - 9 : 2 * digit',
    replacement: '2 * digit',
    harm: 'The number of a card stands in the transcript for ninety days.',
    tests: CARDS,
  },
]
