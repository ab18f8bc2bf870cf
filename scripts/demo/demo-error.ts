// A failure of `npm start` that is printed in plain words, without a stack: what is wrong and what to do.

export class DemoError extends Error {
  override readonly name = 'DemoError'
}
