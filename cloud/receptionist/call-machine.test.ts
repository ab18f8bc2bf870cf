// The call machine by properties: whatever comes, in whatever order, a call never gets stuck, and what is over stays over.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CallStep } from '#cloud/telephony/telephony.ts'
import { asId } from '#shared/ids.ts'
import { callFacts } from '#test/fixtures/call-facts.ts'
import { nextMove } from './call-machine.ts'
import { type CallFacts, type CallState, callState, isFinal, type MachineEvent, NEW_CALL } from './call-state.ts'
import { readBack } from './order-draft.ts'
import { EMPTY_DRAFT } from './order-taker.ts'
import { SPOKEN_LANGUAGES } from './profile.ts'

const PERSON = '+12125550199'
const VOICEMAIL = { digit: '9', label: 'a message', does: 'voicemail' } as const

const spoken = fc.constantFrom(
  'are you open on sunday',
  'a table for four at seven',
  'four',
  'tomorrow at eight',
  'my name is Anna',
  'yes',
  'no',
  'two burgers and fries',
  'i want to order',
  'leave a message',
  'blah blah',
  'that is all, goodbye',
  'my card number is four one one one',
  'una mesa para dos',
  'quiero dejar un mensaje',
  'repeat that please',
  '',
)
const reply = fc.constantFrom<Extract<MachineEvent, { kind: 'order-reply' }>['reply']>(
  null,
  { kind: 'asks', draft: EMPTY_DRAFT, say: 'Two burgers. Is that right?' },
  { kind: 'placed', draft: EMPTY_DRAFT, say: 'It is ordered.', orderId: asId<'ord'>('ord_1') },
  { kind: 'transfer', draft: EMPTY_DRAFT, say: 'Sorry.', reason: 'amount' },
  { kind: 'left', draft: EMPTY_DRAFT, say: 'Gladly.' },
)
const event: fc.Arbitrary<MachineEvent> = fc.oneof(
  fc.record({
    kind: fc.constant('incoming' as const),
    from: fc.constantFrom(null, '+12125550142', '+12125550166'),
    to: fc.constant('+12125550100'),
    callerName: fc.constantFrom(null, 'ANNA'),
  }),
  fc.record({ kind: fc.constant('speech' as const), text: spoken, confidence: fc.constantFrom(null, 0.4) }),
  fc.record({ kind: fc.constant('digits' as const), digits: fc.constantFrom('0', '1', '2', '9', '2125550177', '#') }),
  fc.constant<MachineEvent>({ kind: 'silence' }),
  fc.record({
    kind: fc.constant('dial' as const),
    outcome: fc.constantFrom('answered' as const, 'busy', 'no-answer', 'failed', 'ended'),
  }),
  fc.record({
    kind: fc.constant('recorded' as const),
    recordingId: fc.constant('RE1'),
    seconds: fc.constantFrom(0, 42),
  }),
  fc.record({
    kind: fc.constant('status' as const),
    status: fc.constantFrom('ringing' as const, 'in_progress', 'completed', 'missed', 'failed'),
  }),
  fc.record({ kind: fc.constant('order-reply' as const), reply }),
)
const facts: fc.Arbitrary<CallFacts> = fc
  .record({
    mode: fc.constantFrom('off' as const, 'answers', 'after-hours'),
    afterHours: fc.constantFrom('voicemail' as const, 'answers'),
    transfer: fc.constantFrom(null, { to: PERSON, onlyInHours: true }, { to: '+12125550100', onlyInHours: false }),
    recording: fc.constantFrom('off' as const, 'voicemail', 'whole-call'),
    language: fc.constantFrom(...SPOKEN_LANGUAGES),
    isOpen: fc.boolean(),
    takesOrders: fc.boolean(),
    hasCard: fc.boolean(),
    answer: fc.constantFrom(null, { id: null, say: 'We are open.' }),
    from: fc.constantFrom(null, '+12125550142', '+12125550166'),
  })
  .map(({ mode, afterHours, transfer, recording, ...rest }) =>
    callFacts({
      ...rest,
      profile: {
        mode,
        afterHours,
        transfer,
        recording: { mode: recording, consent: 'This call is recorded.' },
        blocked: ['+12125550166'],
      },
    }),
  )

/** What the telephone company does with it is known: it listens, dials, records, comes back, or the call ends. */
const CLOSING: readonly CallStep['do'][] = ['gather', 'dial', 'redirect', 'hangup', 'reject']
const BOUNDED = { numRuns: 400, interruptAfterTimeLimit: 8_000, markInterruptAsFailure: false }

/** Where a caller comes whom nobody helps. */
const lastPlace = ({ profile }: CallFacts) => (profile.recording.mode === 'off' ? 'over' : 'voicemail')

function run(events: readonly MachineEvent[], of: CallFacts, from: CallState = NEW_CALL) {
  let state = from
  return events.map((one) => {
    const before = state
    const move = nextMove(state, one, of)
    state = move.state
    return { before, event: one, move }
  })
}

test('every event is answered, and what is heard ends with listening, a person, another try or the end of the call', () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 40 }), facts, (events, of) => {
      for (const { event: one, move } of run(events, of)) {
        const mayBeEmpty = one.kind === 'status' || (one.kind === 'dial' && one.outcome === 'answered')
        if (mayBeEmpty) continue
        expect(CLOSING).toContain(move.steps.at(-1)?.do)
      }
    }),
    BOUNDED,
  )
})

test('where nothing is recorded no recording is ever begun, and a person is still called', () => {
  const off = facts.map((of) => ({
    ...of,
    profile: { ...of.profile, recording: { mode: 'off' as const, consent: '' }, menu: [...of.profile.menu, VOICEMAIL] },
  }))
  let dialled = 0
  fc.assert(
    fc.property(fc.array(event, { maxLength: 40 }), off, (events, of) => {
      const steps = run(events, of).flatMap(({ move }) => move.steps.map((step) => step.do))
      expect(steps).not.toContain('record')
      expect(steps).not.toContain('record-call')
      if (steps.includes('dial')) dialled += 1
    }),
    BOUNDED,
  )
  expect(dialled).toBeGreaterThan(0)
})

test('a caller whom nobody can take a message of hears so, and the call ends', () => {
  const recording = { mode: 'off' as const, consent: '' }
  for (const [language, words] of [
    ['en', 'Nobody can take a message now.'],
    ['es', 'Ahora nadie puede tomar un mensaje.'],
  ] as const) {
    const of = callFacts({ language, isOpen: false, profile: { recording, transfer: null, afterHours: 'voicemail' } })
    const incoming = { kind: 'incoming' as const, from: null, to: of.to, callerName: null }
    const { state, steps } = nextMove(NEW_CALL, incoming, of)
    const said = steps.flatMap((step) => (step.do === 'say' ? [step.text] : [])).join(' ')
    expect(said).toContain(words)
    expect(said).toContain(of.hours)
    expect([steps.at(-1), state.outcome]).toEqual([{ do: 'hangup' }, 'not-answered'])
  }
})

test('who wishes to leave a message where none is taken is asked what else they need', () => {
  const of = callFacts({ profile: { recording: { mode: 'off', consent: '' }, menu: [VOICEMAIL] } })
  for (const one of [
    { kind: 'digits' as const, digits: VOICEMAIL.digit },
    { kind: 'speech' as const, text: 'leave a message', confidence: null },
  ]) {
    const { state, steps } = nextMove({ ...NEW_CALL, status: 'in_progress', place: 'menu' }, one, of)
    expect([state.place, steps.map((step) => step.do)]).toEqual(['menu', ['gather']])
  }
})

test('a call that is over stays as it is, whatever comes late or again', () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 40 }), facts, (events, of) => {
      for (const { before, move } of run(events, of)) {
        if (!isFinal(before.status)) continue
        expect(move.state).toBe(before)
        expect(move.effects).toEqual([])
      }
    }),
    BOUNDED,
  )
})

test('every state can be stored and read back, and ended states have an outcome and others none', () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 40 }), facts, (events, of) => {
      for (const { move } of run(events, of)) {
        expect(callState.parse(JSON.parse(JSON.stringify(move.state)))).toEqual(move.state)
        expect(move.state.outcome !== null).toBe(isFinal(move.state.status))
        expect(move.state.place === 'over').toBe(isFinal(move.state.status))
      }
    }),
    BOUNDED,
  )
})

test('the turn goes up with every answer that a call in progress hears, so that no address comes twice', () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 40 }), facts, (events, of) => {
      for (const { before, event: one, move } of run(events, of)) {
        const isSpoken = one.kind !== 'status' && !(one.kind === 'dial' && one.outcome === 'answered')
        if (isSpoken && !isFinal(before.status)) expect(move.state.turn).toBeGreaterThan(before.turn)
      }
    }),
    BOUNDED,
  )
})

test('there are never two calls to people at once, and never one to the number that was called', () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 40 }), facts, (events, of) => {
      for (const { before, move } of run(events, of)) {
        const dials = move.steps.filter((step) => step.do === 'dial')
        expect(dials.length).toBeLessThanOrEqual(1)
        if (dials.length === 0) continue
        expect(before.status).not.toBe('transferring')
        expect(dials[0]?.to).toBe(PERSON)
        expect(move.state.status).toBe('transferring')
      }
    }),
    BOUNDED,
  )
})

test('at any point of a conversation "a person" leads to one, and to the voicemail where none can be called', () => {
  const wish: MachineEvent = { kind: 'speech', text: 'let me talk to a person', confidence: 0.9 }
  fc.assert(
    fc.property(fc.array(event, { maxLength: 25 }), facts, (events, of) => {
      const known = { ...of, language: 'en' as const, hasCard: false }
      const state = run(events, known).at(-1)?.move.state ?? NEW_CALL
      if (state.status !== 'in_progress') return
      const { state: after, steps } = nextMove(state, wish, known)
      const mayCall = known.profile.transfer?.to === PERSON && known.isOpen
      expect([after.place, steps.at(-1)?.do]).toEqual(mayCall ? ['transfer', 'dial'] : [lastPlace(known), 'hangup'])
    }),
    BOUNDED,
  )
})

test('a caller who says nothing any more is through with it after two answers', () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 25 }), facts, (events, of) => {
      const state = run(events, of).at(-1)?.move.state ?? NEW_CALL
      if (state.status !== 'in_progress' || state.thinking !== null) return
      const quiet = run(
        Array.from({ length: 2 }, () => ({ kind: 'silence' as const })),
        of,
        state,
      )
      expect(quiet.at(-1)?.move.state.place).toBe(lastPlace(of))
    }),
    BOUNDED,
  )
})

test('before the whole call is recorded the caller hears the sentence about it, whatever the restaurant has set', () => {
  fc.assert(
    fc.property(facts, (of) => {
      const { steps } = nextMove(NEW_CALL, { kind: 'incoming', from: null, to: '+12125550100', callerName: null }, of)
      const recorded = steps.findIndex((step) => step.do === 'record-call')
      const said = steps.findIndex((step) => step.do === 'say' && step.text === 'This call is recorded.')
      const isAnswered = steps.some((step) => step.do === 'gather' || step.do === 'record')
      const isRecorded = isAnswered && of.profile.recording.mode === 'whole-call'
      expect([said, recorded]).toEqual(isRecorded ? [0, 1] : [-1, -1])
    }),
    BOUNDED,
  )
})

test('an order that is being placed is waited for, however long it takes and whatever is heard meanwhile', () => {
  const line = { umsId: 'B', name: 'Burger', qty: 1, priceCents: 900, modifiers: [], note: null }
  const draft = readBack({ ...EMPTY_DRAFT, lines: [line] })
  const asked: CallState = { ...NEW_CALL, status: 'in_progress', place: 'order', draft }
  const heard = (words: string, later: MachineEvent) => {
    const { state } = nextMove(asked, { kind: 'speech', text: words, confidence: null }, callFacts({ nowMs: 0 }))
    return nextMove(state, later, callFacts({ nowMs: 3_600_000 }))
  }
  for (const later of [
    { kind: 'silence' as const },
    { kind: 'speech' as const, text: 'cancel', confidence: null },
    { kind: 'digits' as const, digits: '0' },
  ]) {
    const { state, steps, effects } = heard('yes please', later)
    expect([state.thinking?.words, state.draft]).toEqual(['yes please', draft])
    expect(steps.map((step) => step.do)).toEqual(['say', 'redirect'])
    expect(effects).toEqual([{ do: 'ask-order', words: 'yes please' }])
  }
  // Whatever else is thought about is given up.
  expect(heard('and fries', { kind: 'silence' }).state).toMatchObject({ thinking: null, misunderstood: 1 })
})

test('a party of twelve and a telephone number can be keyed in, and one key is enough elsewhere', () => {
  const table = { name: 'Ana', party: null, wanted: 'tonight at eight' }
  const asked: CallState = { ...NEW_CALL, status: 'in_progress', place: 'table-party', table }
  const keys = ({ steps }: { steps: readonly CallStep[] }) =>
    steps.map((step) => (step.do === 'gather' ? step.digits : step.do))
  const party = nextMove(asked, { kind: 'digits', digits: '12' }, callFacts())
  expect([party.state.table?.party, party.state.place, keys(party)]).toEqual([12, 'table-number', ['several']])
  const done = nextMove(party.state, { kind: 'digits', digits: '2125550177' }, callFacts())
  expect(done.effects).toMatchObject([{ do: 'table', party: 12, phone: '+12125550177' }])
  expect(keys(done)).toEqual([true])
  expect(keys(nextMove(asked, { kind: 'silence' }, callFacts()))).toEqual(['several'])
  const said = ({ steps }: { steps: readonly CallStep[] }) => steps.flatMap((step) => ('say' in step ? step.say : []))
  expect(said(party).join(' ')).toMatch(/press its keys, and then pound/)
})

test('a conversation of 150 answers comes to a person, whatever the caller says next', () => {
  const state: CallState = { ...NEW_CALL, status: 'in_progress', place: 'menu' }
  const words = { kind: 'speech', text: 'are you open on sunday', confidence: 1 } as const
  expect(nextMove({ ...state, turn: 149 }, words, callFacts()).state.place).toBe('menu')
  expect(nextMove({ ...state, turn: 150 }, words, callFacts()).state).toMatchObject({
    place: 'transfer',
    transferredTo: PERSON,
  })
})

test.each([
  ['en', 'soy alérgico a los cacahuates'],
  ['en', 'Quiero hablar con una persona'],
  ['es', 'I am allergic to nuts'],
  ['es', 'can I speak to the manager'],
  ['en', 'I want to cancel my reservation'],
  ['es', 'quiero cambiar mi reserva'],
] as const)('on a line that speaks %s, a person takes over at: %s', (language, text) => {
  const asked: CallState = { ...NEW_CALL, status: 'in_progress', place: 'menu' }
  const at = callFacts({ language, profile: { transfer: { to: PERSON, onlyInHours: false } } })
  const { state } = nextMove(asked, { kind: 'speech', text, confidence: 0.9 }, at)
  expect([state.status, state.transferredTo]).toEqual(['transferring', PERSON])
})

test.each(['two burgers and fries please', 'one creme brulee', 'how much is the smash burger'])(
  'where orders are taken, the name of an item begins one: %s',
  (text) => {
    const items = ['Smash Burger', 'Pommes Frites', 'Crème brûlée']
    const asked: CallState = { ...NEW_CALL, status: 'in_progress', place: 'menu' }
    const event = { kind: 'speech', text, confidence: 0.9 } as const
    expect(nextMove(asked, event, callFacts({ items })).effects).toEqual([{ do: 'ask-order', words: text }])
    expect(nextMove(asked, event, callFacts({ items: [] })).state.misunderstood).toBe(1)
  },
)

test.each([
  ['how much is the smash burger', 'order'],
  ['what do you have', 'order'],
  ['do you have a large table', 'menu'],
  ['do you have parking for a large truck', 'menu'],
])('where orders are taken, "%s" leads to: %s', (text, place) => {
  const items = ['Smash Burger', 'Large Coke']
  const asked: CallState = { ...NEW_CALL, status: 'in_progress', place: 'menu' }
  const { state } = nextMove(asked, { kind: 'speech', text, confidence: 0.9 }, callFacts({ items }))
  expect(state.place).toBe(place)
})

test('an answer of the restaurant to "what do you have" goes before the menu', () => {
  const answer = { id: asId<'kn'>('kn_1'), say: 'We change our menu every day.' }
  const asked: CallState = { ...NEW_CALL, status: 'in_progress', place: 'menu' }
  const event = { kind: 'speech', text: 'what do you have', confidence: 0.9 } as const
  const { state, steps } = nextMove(asked, event, callFacts({ items: ['Smash Burger'], answer }))
  expect([state.place, JSON.stringify(steps)]).toEqual(['menu', expect.stringContaining(answer.say)])
})
