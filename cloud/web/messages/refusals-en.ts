// Why the relay did not do what was asked, in English. `{name}` stands for a value from the relay.
export const enRefusals = {
  /** By the code of the answer. */
  codes: {
    unreachable: 'No answer came. Check the internet and try again.',
    'signed-out': 'You are signed out. Sign in again.',
    throttled: 'Too many tries. Wait {seconds} seconds and try again.',
    busy: 'Many people are signing in. Try again in a moment.',
    internal: 'Something went wrong inside the relay. Its log says more.',
  },
  /** By the relay's key for the very case. */
  cases: {
    'right.operator': 'Only those who run this relay may do this.',
    'right.viewing': 'You look at an account of others: nothing can be changed.',
    'right.member': 'You are not a member of this account.',
    'right.role': 'Your role may not do this. These may: {roles}.',
    'right.owner-account': 'Only the account that owns this restaurant may do this.',
    'right.elevate': 'Nothing was changed: show first that it is you.',
    'order.sandbox-only': 'The dashboard takes orders in the sandbox only. Live orders come through the API.',
    'tap.mismatch': 'This was sent before with other words. Load the page anew and try again.',
  },
  /** By the rule that a field breaks; `{limit}` is its limit. */
  rules: {
    required: 'must be filled in',
    'wrong-form': 'is in the wrong form',
    'at-least': 'must be {limit} or more',
    'at-most': 'must be {limit} or less',
    'at-least-characters': 'must have at least {limit} characters',
    'at-most-characters': 'must have at most {limit} characters',
    number: 'must be a number',
  },
  /** What a field must look like, by its name. */
  forms: {
    email: 'must be an e-mail address',
    code: 'must be the 8 characters of the mail',
    name: 'must be a name in one line',
  },
}
