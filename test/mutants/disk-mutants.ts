// Planted faults of what a disk can prove: older images, copied cards, and which of two boxes has the place at the relay.
import { type Mutant, unit } from './mutant.ts'

const PROOF = unit('gateway/storage/disk-proof.test.ts')
const DESK = unit('gateway/orders/doubt-desk.test.ts')
const TWINS = unit('cloud/relay/twin-watch.test.ts')

export const DISK_MUTANTS: readonly Mutant[] = [
  {
    name: 'disk-older-image-is-the-newest',
    file: 'gateway/storage/disk-proof.ts',
    original: 'isSameBinding && claims >= file.claims',
    replacement: 'isSameBinding',
    harm: 'An older image of the database prints everything again that waited on it, without a mark.',
    tests: PROOF,
  },
  {
    name: 'disk-copied-card-is-at-home',
    file: 'gateway/storage/disk-proof.ts',
    original: "if (bound !== null && !isSameMachine(bound.machine, machine)) return 'another-machine'",
    replacement: '',
    harm: 'A copied card in a second box prints what the first one prints too.',
    tests: PROOF,
  },
  {
    name: 'disk-doubt-marks-nothing',
    file: 'gateway/storage/disk-proof.ts',
    original: 'update tickets set possible_duplicate = 1 where',
    replacement: 'update tickets set possible_duplicate = possible_duplicate where',
    harm: 'The box notices that its disk is older, and prints what was printed all the same without a mark.',
    tests: PROOF,
  },
  {
    name: 'disk-proof-stays-behind',
    file: 'gateway/storage/disk-proof.ts',
    original: "if (this.#try('written', () => this.#file.write(total))) {",
    replacement: 'if (total > 0) {',
    harm: 'The counter outside the database stays where it was at the start, so every image since then counts as the newest.',
    tests: PROOF,
  },
  {
    name: 'disk-claims-are-not-counted',
    file: 'gateway/storage/ticket-door.ts',
    original: '#claim(head: HeadRow): ClaimedTicket {\n    this.claims.add()',
    replacement: '#claim(head: HeadRow): ClaimedTicket {',
    harm: 'Paper leaves no trace in the counter: an image from before it counts as the newest disk.',
    tests: PROOF,
  },
  {
    name: 'disk-forgets-what-was-called-off',
    file: 'gateway/storage/ticket-door.ts',
    original: "if (change.from !== 'sending' && !isOpen(change.state)) this.claims.add()",
    replacement: '',
    harm: 'An image from before a void prints the voided order at its time, without a mark and without a VOID slip.',
    tests: PROOF,
  },
  {
    name: 'disk-waits-for-ever',
    file: 'gateway/orders/doubt-desk.ts',
    original: "this.#release('the relay did not answer')",
    replacement: 'undefined',
    harm: 'A box that starts from an older image without internet prints nothing at all.',
    tests: DESK,
  },
  {
    name: 'disk-what-is-on-paper-prints-again',
    file: 'gateway/orders/doubt-desk.ts',
    original: "state === 'on-paper' || state === 'ended'",
    replacement: "state === 'ended'",
    harm: 'What the relay knows to be on paper comes out once more, marked, and the cook throws dozens of tickets away.',
    tests: DESK,
  },
  {
    name: 'disk-card-keeps-its-box-out',
    file: 'cloud/relay/twin-watch.ts',
    original: 'if (isKnown) {',
    replacement: 'if (isKnown && watched.owner === null) {',
    harm: 'A copied card that knocks keeps the right box outside for a minute after its restart.',
    tests: TWINS,
  },
  {
    name: 'disk-card-gets-in-beside-its-box',
    file: 'cloud/relay/twin-watch.ts',
    original: "if (watched.knownUntilMs !== null && nowMs < watched.knownUntilMs) return 'refuse'",
    replacement: '',
    harm: 'Box and copied card cut each other off in turns, and orders come late to both.',
    tests: TWINS,
  },
  {
    name: 'relay-does-not-hear-that-the-disk-is-another',
    file: 'cloud/relay/order-dispatcher.ts',
    original: '(isSaid && last.disk !== hello.disk)',
    replacement: '(isSaid && last.disk === null)',
    harm: 'An older image gets the order again that the newest disk has printed, without a mark.',
    tests: unit('cloud/relay/order-stream.test.ts'),
  },
]
