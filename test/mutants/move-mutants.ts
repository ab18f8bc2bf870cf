// Planted faults of the drain, and of the move of gateways from one relay to another.
import { type Mutant, rooms, unit } from './mutant.ts'

const MOVE = rooms('gateway/link/move.room.test.ts')
const BESIDE = unit('cloud/relay/gateway-connections.test.ts')
const DRAIN: Mutant['tests'] = { project: 'programs', files: ['cloud/drain.program.test.ts'] }

export const MOVE_MUTANTS: readonly Mutant[] = [
  {
    name: 'move-takes-jobs-behind-its-hello',
    file: 'gateway/link/cloud-link.ts',
    original: 'onHello: () => isSecond() && this.#line?.session.hold(),',
    replacement: 'onHello: () => undefined,',
    harm: 'A relay believes that the disk went back in time, and hands out again, as possible duplicates, what the kitchen has.',
    tests: MOVE,
  },
  {
    name: 'move-forgets-what-waited',
    file: 'gateway/link/cloud-link.ts',
    original: 'onTold: () => (isSecond() ? this.#line?.session.resume() : this.#setState(false, WAITS_FOR_RELAY)),',
    replacement: 'onTold: () => (isSecond() ? undefined : this.#setState(false, WAITS_FOR_RELAY)),',
    harm: 'While another relay makes a box wait for a minute, no order of the first one is printed.',
    tests: MOVE,
  },
  {
    name: 'move-leaves-too-early',
    file: 'gateway/link/cloud-link.ts',
    original: 'onWelcome: () => (isSecond() ? this.#moved() : this.#welcomed(line)),',
    replacement: 'onWelcome: () => this.#welcomed(line),',
    harm: 'Both connections stay, and what the first one says is of the past.',
    tests: MOVE,
  },
  {
    name: 'move-says-an-older-epoch',
    file: 'gateway/link/link-session.ts',
    original: 'this.#introduction.isSuperseded = true',
    replacement: '',
    harm: 'A relay takes a connection for a new one, and calls a job taken back that is on its way to paper.',
    tests: MOVE,
  },
  {
    name: 'move-never-gives-up',
    file: 'gateway/link/move.ts',
    original: 'this.#isTrying = clock.monotonicMs() + waitMs < this.#deadlineMs',
    replacement: 'this.#isTrying = true',
    harm: 'Every box of a relay that stays knocks at it for ever.',
    tests: MOVE,
  },
  {
    name: 'broker-lets-a-copy-stand-beside',
    file: 'cloud/relay/gateway-connections.ts',
    original: 'bootId !== null && living.bootId === bootId && living.machine === machine',
    replacement: 'living.machine === machine',
    harm: 'A copied card stands beside the box that it is a copy of, hears its orders, and nobody notices.',
    tests: BESIDE,
  },
  {
    name: 'relay-sends-all-away-at-once',
    file: 'cloud/relay/move-gateways.ts',
    original: 'const SHARE_A_SECOND = 0.05',
    replacement: 'const SHARE_A_SECOND = 10',
    harm: 'Ten thousand boxes come to the other relays in the same moment.',
    tests: unit('cloud/relay/move-gateways.test.ts'),
  },
  {
    name: 'drain-keeps-connections',
    file: 'cloud/api/closing-server.ts',
    original: 'for (const response of this.#running) response.shouldKeepAlive = false',
    replacement: '',
    harm: 'A proxy sends the next order on a connection that the relay is about to close.',
    tests: DRAIN,
  },
  {
    name: 'drain-is-not-said',
    file: 'cloud/build-app.ts',
    original: '!isStopping() && !isDraining()',
    replacement: '!isStopping()',
    harm: 'The balancer sends orders to a relay until it is gone.',
    tests: DRAIN,
  },
]
