// Planted faults of orders, paper and the sandbox at the dashboard.
import { type Mutant, unit } from './mutant.ts'

const READS = unit('cloud/control/order-operations.test.ts')
const ACTS = unit('cloud/control/order-acts.test.ts')
const STORY = unit('cloud/control/order-story.test.ts')
const SANDBOX = unit('cloud/control/sandbox-operations.test.ts')

export const BOARD_MUTANTS: readonly Mutant[] = [
  {
    name: 'board-a-developer-sees-guests-on-paper',
    file: 'cloud/control/order-drawing.ts',
    original: 'doc: isMasked ? withoutCustomers(data) : data,',
    replacement: 'doc: data,',
    harm: 'A developer of a partner reads the names of live guests off the drawn ticket.',
    tests: READS,
  },
  {
    name: 'board-an-operator-who-looks-sees-guests',
    file: 'cloud/control/customer-mask.ts',
    original: 'return act.role !== null',
    replacement: 'return true',
    harm: 'Whoever runs the relay reads the guests of every restaurant.',
    tests: READS,
  },
  {
    name: 'board-the-search-finds-orders-of-others',
    file: 'cloud/control/order-handlers.ts',
    original: 'if (owner.accountId !== acting || owner.environment !== merchant.environment) return null',
    replacement: 'if (owner.environment !== merchant.environment) return null',
    harm: 'An id that somebody saw tells them which restaurant it belongs to.',
    tests: READS,
  },
  {
    name: 'board-open-orders-leave-the-ready-ones-out',
    file: 'cloud/control/order-handlers.ts',
    original: "['accepted', 'printed', 'ready']",
    replacement: "['accepted', 'printed']",
    harm: 'What stands at the counter and waits for its guest is missing on the board.',
    tests: READS,
  },
  {
    name: 'board-uncertain-counts-as-printed',
    file: 'cloud/control/order-trace.ts',
    original: "const step = state === 'uncertain' ? 'unproven' : 'not-printed'",
    replacement: "const step = 'not-printed'",
    harm: 'A ticket that may be on paper is told as missing, and somebody makes the food twice.',
    tests: STORY,
  },
  {
    name: 'board-a-wrong-clock-in-the-kitchen',
    file: 'cloud/control/order-trace.ts',
    original: 'Math.min(Math.max(atMs, job.claimed_at ?? order.queued_at), end)',
    replacement: 'atMs',
    harm: 'A box with a wrong clock puts the paper before the order.',
    tests: STORY,
  },
  {
    name: 'board-live-orders-from-the-page',
    file: 'cloud/control/order-act-handlers.ts',
    original: "if (merchant.environment !== 'sandbox')",
    replacement: 'if (false)',
    harm: 'A test order of the quick start is cooked in a real kitchen.',
    tests: ACTS,
  },
  {
    name: 'board-a-kitchen-that-is-away-refuses',
    file: 'cloud/control/print-handlers.ts',
    original: 'isOffline: refusal !== undefined',
    replacement: 'isOffline: false',
    harm: 'Whoever prints again waits at a printer that is not there.',
    tests: ACTS,
  },
  {
    name: 'board-the-clock-breaks-the-seal',
    file: 'cloud/orders/bring-forward.ts',
    original: 'origin: sealOrigin(deps.secretBox, of, originOf(order))',
    replacement: 'origin: before.origin',
    harm: 'After a restore the relay believes no order whose time was moved.',
    tests: SANDBOX,
  },
  {
    name: 'board-the-clock-moves-what-a-box-has',
    file: 'cloud/orders/bring-forward.ts',
    original: 'job?.isAtGateway !== true',
    replacement: 'job !== undefined',
    harm: 'The relay takes an order from a paired box, and it prints twice.',
    tests: SANDBOX,
  },
]
