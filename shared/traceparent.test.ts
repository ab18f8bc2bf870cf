// Which headers are accepted. The invalid examples are the W3C's.
import { expect, test } from 'vitest'
import { readTraceparent, traceparentField } from './traceparent.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const SPAN = '00f067aa0ba902b7'

test.each([
  [`00-${TRACE}-${SPAN}-01`, `00-${TRACE}-${SPAN}-01`],
  [`00-${TRACE}-${SPAN}-00`, `00-${TRACE}-${SPAN}-00`],
  // Unknown flags are not passed on.
  [`00-${TRACE}-${SPAN}-ff`, `00-${TRACE}-${SPAN}-01`],
  // A later version may have more fields.
  [`cc-${TRACE}-${SPAN}-01-what-the-future`, `00-${TRACE}-${SPAN}-01`],
])('%s is taken', (text, taken) => {
  expect(readTraceparent(text)).toBe(taken)
})

test.each([
  undefined,
  ['00'],
  '',
  `00-${TRACE.toUpperCase()}-${SPAN}-01`,
  `00-${'0'.repeat(32)}-${SPAN}-01`,
  `00-${TRACE}-${'0'.repeat(16)}-01`,
  `00-${TRACE}-${SPAN}-01-more`,
  `ff-${TRACE}-${SPAN}-01`,
  `cc-${TRACE}-${SPAN}-01.what`,
  `00-${TRACE}-${SPAN}`,
  ` 00-${TRACE}-${SPAN}-01`,
  `00-${TRACE}-${SPAN}-01\n`,
])('%j counts as if it were not there', (text) => {
  expect(readTraceparent(text)).toBeNull()
  expect(traceparentField.parse(text)).toBeUndefined()
})
