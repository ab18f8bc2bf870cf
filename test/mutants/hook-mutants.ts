// Planted faults of the inspector, of webhooks at the dashboard, and of the log of requests.
import { type Mutant, rooms, unit } from './mutant.ts'

const INSPECTOR = unit('cloud/webhooks/inspector.test.ts')
const HOOKS = unit('cloud/control/webhook-handlers.test.ts')
const LISTENERS = unit('cloud/webhooks/listener-desk.test.ts')
const LOG = unit('cloud/requests/request-log.test.ts')

export const HOOK_MUTANTS: readonly Mutant[] = [
  {
    name: 'listeners-are-sent-to-by-the-worker',
    file: 'cloud/webhooks/delivery-worker.ts',
    original: "if (kind === 'listener') {",
    replacement: "if (kind === 'listener' && endpointId === null) {",
    harm: 'The worker asks its HTTP client for the URL `listener:`, and the event is failed before a program gets it.',
    tests: LISTENERS,
  },
  {
    name: 'listeners-result-counts-twice',
    file: 'cloud/storage/listener-store.ts',
    original: 'if (number <= row.attempts) {',
    replacement: 'if (number < row.attempts) {',
    harm: 'A program whose network broke is told that its result is refused, and sends the event on again.',
    tests: LISTENERS,
  },
  {
    name: 'listeners-result-of-another-listener',
    file: 'cloud/storage/listener-store.ts',
    original: "p('deliveryId'))\n    .where('endpoint_id', '=', p('id'))",
    replacement: "p('deliveryId'))",
    harm: 'Whoever knows the id of a delivery marks it as delivered at an endpoint of another account.',
    tests: LISTENERS,
  },
  {
    name: 'listeners-two-streams-share-one',
    file: 'cloud/storage/listener-store.ts',
    original: 'if (row?.stream_id !== streamId) return null',
    replacement: 'if (row === undefined) return null',
    harm: 'A program that was replaced goes on taking events from the one that replaced it.',
    tests: LISTENERS,
  },
  {
    name: 'listeners-live-without-leave',
    file: 'cloud/api/v1/listener-routes.ts',
    original: "environment === 'live' && ",
    replacement: "environment === 'nowhere' && ",
    harm: 'Customers of live restaurants leave for the machine of a developer whom no owner allowed it.',
    tests: unit('cloud/api/v1/listener-routes.test.ts'),
  },
  {
    name: 'hooks-a-persons-address-is-dialled-as-the-operators',
    file: 'cloud/webhooks/post-webhook.ts',
    original: 'guard: guard.for(chosenBy)',
    replacement: 'guard',
    harm: 'A person names a till by a name that later leads to a machine of the operator, and the relay posts orders to it.',
    tests: rooms('cloud/orders/pos-worker.room.test.ts', 'cloud/catalog/channel-worker.room.test.ts'),
  },
  {
    name: 'hooks-deliveries-of-an-item-are-not-found',
    file: 'cloud/storage/delivery-log.ts',
    original: "'e.subject_id', 'in', subjectIds(owner, subjectId)",
    replacement: "'e.subject_id', '=', subjectId",
    harm: 'The workbench says of an item that nothing of it was sent, while every endpoint has it.',
    tests: HOOKS,
  },
  {
    name: 'hooks-inspector-is-dialled',
    file: 'cloud/webhooks/delivery-worker.ts',
    original: "if (endpoint.kind === 'inspector') {",
    replacement: "if (endpoint.kind === 'inspector' && url === 'inspector:') {",
    harm: 'An inspector whose row has another URL is a way to make the relay call its own network.',
    tests: INSPECTOR,
  },
  {
    name: 'hooks-inspector-answers-beyond-the-time-out',
    file: 'cloud/webhooks/inspector.ts',
    original: "if (delayMs >= timeoutMs) return { ...nothing, error: 'timeout' }",
    replacement: '',
    harm: 'Who picks an answer that comes too late sees it taken, and believes that slow receivers are well.',
    tests: INSPECTOR,
  },
  {
    name: 'hooks-test-event-takes-a-real-place',
    file: 'cloud/webhooks/record-event.ts',
    original: '  const { subjectId } = sample\n',
    replacement:
      '  const subjectId = (edited as { order?: { serviceOrderId: string } } | undefined)?.order?.serviceOrderId ?? sample.subjectId\n',
    harm: 'A test event with the id of a real order stands in the place of its next event: the order cannot go on.',
    tests: HOOKS,
  },
  {
    name: 'hooks-headers-by-the-new-secret',
    file: 'cloud/webhooks/sent-headers.ts',
    original: '  if (attempt.at < (endpoint.secret_since ?? endpoint.created_at)) return null\n',
    replacement: '',
    harm: 'A delivery shows a signature that was never sent, and the developer looks for the fault in the receiver.',
    tests: HOOKS,
  },
  {
    name: 'hooks-customers-shown-to-developers',
    file: 'cloud/control/delivery-handlers.ts',
    original: 'body: isMasked ? ',
    replacement: 'body: !isMasked && isMasked ? ',
    harm: 'Developers read names and telephone numbers of live customers in the log of deliveries.',
    tests: HOOKS,
  },
  {
    name: 'requests-unknown-fields-are-kept',
    file: 'cloud/requests/hide-fields.ts',
    original: 'return KEPT.has(name) ? undefined : replaced(inside)',
    replacement: "return name !== 'customer' ? undefined : replaced(inside)",
    harm: 'Keys of platforms, reasons and misspelt customers stand in the log of requests for a week.',
    tests: unit('cloud/requests/hide-fields.test.ts'),
  },
  {
    name: 'requests-of-every-account',
    file: 'cloud/requests/request-file.ts',
    original: 'where account_id = ? and environment = ? and id = ?`)',
    replacement: 'where (account_id = ? or true) and environment = ? and id = ?`)',
    harm: 'Whoever knows the id of a request reads what another account sent.',
    tests: LOG,
  },
  {
    name: 'requests-address-keeps-what-was-typed',
    file: 'cloud/requests/request-log.ts',
    original: 'path: keptPath(request.path)',
    replacement: 'path: request.path',
    harm: 'Whoever sends a key or a customer behind the question mark of an address finds them in the log of requests for a week.',
    tests: LOG,
  },
  {
    name: 'requests-full-disk-fails-the-relay',
    file: 'cloud/requests/request-log.ts',
    original: '    this.#safely(() => this.#file?.add(piece.map(rowOf)))\n',
    replacement: '    this.#file?.add(piece.map(rowOf))\n',
    harm: 'A full disk under the log of requests ends the relay.',
    tests: LOG,
  },
]
