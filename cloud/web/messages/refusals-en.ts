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
    'gateway.unknown': 'There is no such box here.',
    'gateway.revoked': 'This box was retired. Pair it anew if you want it again.',
    'gateway.too-many-codes': 'Ten codes of this place wait for their box. Use one of them, or wait until they end.',
    'gateway.over-plan': 'Your plan allows no further box.',
    'gateway.move-online':
      'The box is switched on, and goes on with the place for which it was switched on. Switch it off, move it here, and switch it on there.',
    'gateway.move-open':
      'The box has {tickets} tickets of its present place of which it has not told the outcome. Let it print them there first, or retire it: then the next box of that place gets them.',
    'gateway.one-password':
      'This relay cannot change the password of a box. For another one make a code, unpair the box on its page, and pair it with the code: its tickets stay.',
    'location.unknown': 'There is no such place here.',
    'plan.over': 'Your plan does not allow one more.',
    'printer.unknown-printer': 'This printer is not proposed any more.',
    'printer.name-taken': 'Another proposed printer of this box has that name.',
    'printer.too-many': 'This box has as many proposed printers as it may have.',
    'printer.too-large': 'That is more than a box can be told: fewer printers, or fewer stations.',
    'seen.stale': 'Somebody else has changed it meanwhile. Nothing was saved, and what you typed is still here.',
    'menu.file-wrong-lines': 'Some lines of the file are wrong. Nothing was taken over.',
    'menu.file-empty': 'The file has no items.',
    'menu.file-not-json': 'The file begins with [ and is not a JSON list.',
    'menu.file-quote': 'A quote in the CSV is in the wrong place.',
    'channel.simulated-live': 'A live restaurant has no simulated channels.',
    'channel.fails': 'Only a simulated channel can be told to fail.',
    'channel.no-url': 'A channel over http needs an address.',
    'merchant.nothing': 'Nothing has changed.',
    'pos.none': 'The built-in register needs no test.',
    'relay.no-master-key': 'This relay has no key to keep secrets with. Ask those who run it.',
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
