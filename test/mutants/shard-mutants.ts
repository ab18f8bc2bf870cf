// Planted faults of relays that share a broker.
import { type Mutant, rooms } from './mutant.ts'

const LEASES = rooms('cloud/replica/shard-leases.room.test.ts')
const BROKER = rooms('cloud/relay/shared-broker.room.test.ts')
const LIST = rooms('cloud/relay/mosquitto-access.room.test.ts')

export const SHARD_MUTANTS: readonly Mutant[] = [
  {
    name: 'shards-are-sure-for-too-long',
    file: 'cloud/replica/shard-leases.ts',
    original: 'const SURE_MS = DEAD_AFTER_MS - LOOK_MS',
    replacement: 'const SURE_MS = DEAD_AFTER_MS + LOOK_MS',
    harm: 'A relay that cannot reach the database goes on with gateways that another one has taken.',
    tests: LEASES,
  },
  {
    name: 'shards-are-free-before-all-is-stored',
    file: 'cloud/replica/shard-leases.ts',
    original: '    await this.#letGo(shards)\n    await this.#store.giveBack(this.#deps.replicaId, shards)',
    replacement: '    void this.#letGo(shards)\n    await this.#store.giveBack(this.#deps.replicaId, shards)',
    harm: 'The next relay reads a hello that is behind what is stored later: tickets are marked POSSIBLE DUPLICATE.',
    tests: LEASES,
  },
  {
    name: 'shards-of-another-term-are-kept',
    file: 'cloud/replica/shard-leases.ts',
    original: 'held.get(shard) !== term).map',
    replacement: '!held.has(shard) || term < 0).map',
    harm: 'A relay that lost gateways and has them again sends by numbers that another relay has given out.',
    tests: LEASES,
  },
  {
    name: 'shards-of-another-relay-are-given-back',
    file: 'cloud/storage/shard-store.ts',
    original: ".where('owner', '=', id)\n          .where('shard', 'in', [...shards])",
    replacement: ".where('shard', 'in', [...shards])",
    harm: 'A slow relay takes gateways from the one that hears them: two relays take them in turns.',
    tests: LEASES,
  },
  {
    name: 'shards-keep-their-term-when-taken',
    file: 'cloud/storage/shard-store.ts',
    original: "term: e('term', '+', 1)",
    replacement: "term: e('term', '+', 0)",
    harm: 'A relay that lost gateways and has them again does not notice, and sends by numbers that another one has given out.',
    tests: LEASES,
  },
  {
    name: 'shards-are-all-given-back-at-once',
    file: 'cloud/replica/shard-leases.ts',
    original: '.slice(-1))',
    replacement: '.slice(-over))',
    harm: 'When a relay comes half of all gateways change at once.',
    tests: LEASES,
  },
  {
    name: 'shards-speak-to-gateways-of-another-relay',
    file: 'cloud/relay/shared-broker.ts',
    original: 'if (this.#isOurs(topic)) this.#deps.client.publish(topic, payload)',
    replacement: 'this.#deps.client.publish(topic, payload)',
    harm: 'A relay that stood still sends jobs to gateways that are another one by now.',
    tests: BROKER,
  },
  {
    name: 'shards-stay-at-a-relay-without-a-broker',
    file: 'cloud/relay/shared-broker.ts',
    original: 'const AWAY_MS = 5_000',
    replacement: 'const AWAY_MS = 5_000_000',
    harm: 'Half of the restaurants print nothing while one relay cannot reach the broker.',
    tests: BROKER,
  },
  {
    name: 'passwords-of-other-relays-are-not-taken',
    file: 'cloud/relay/mosquitto-access.ts',
    original: 'if (this.#options.admissions !== null) await this.#rounds.start()',
    replacement: '',
    harm: 'A box that was paired at one relay is refused by Mosquitto until another relay writes the list.',
    tests: LIST,
  },
  {
    name: 'passwords-are-written-without-the-lease',
    file: 'cloud/relay/broker-auth.ts',
    original: 'if (!mayWrite()) {',
    replacement: 'if (false as boolean) {',
    harm: 'A relay that stood still puts its old list over the new one: boxes that were paired meanwhile must be paired anew.',
    tests: LIST,
  },
  {
    name: 'passwords-of-whoever-is-revoked-meanwhile',
    file: 'cloud/relay/mosquitto-access.ts',
    original: `    await admissions?.done(waiting)
    // One of them may have been revoked meanwhile, when the list did not have it yet.
    await this.#files.revoke(...(await gateways.revokedSince(0)))`,
    replacement: '    await admissions?.done(waiting)',
    harm: 'A gateway that is revoked while it is admitted connects for ever.',
    tests: LIST,
  },
]
