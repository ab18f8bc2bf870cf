// Words about the test order, in English.

export const enTestOrder = {
  title: 'Test order',
  send: 'Send a test order',
  paperOf: 'The ticket at',
}
