// Why the box did not do what was asked, in English. `{name}` stands for a value from the box.
export const enRefusals = {
  /** By the code of the answer. */
  codes: {
    unreachable: 'The box does not answer. Check that it is on and that this device is in its network.',
    forbidden: 'Only a technician may do that.',
    'signed-out': 'You are signed out. Sign in again.',
    throttled: 'Too many tries. Wait {seconds} seconds and try again.',
    busy: 'Others are signing in. Try again in a moment.',
    'wrong-password': 'Name or password is wrong.',
    'wrong-code': 'The set-up code is wrong. Look again; ask the box for a new one if it does not work.',
    setup: 'This box has no user yet: type in the set-up code.',
    origin: 'The box did not accept this page. Open it again by the address of the box.',
    https: 'This page takes passwords by https only. Open the address of the box again, and go on from there.',
    host: 'The box does not go by this address. Open it by its IP address.',
    internal: 'Something went wrong inside the box. Its log says more.',
  },
  /** By the box's key for the very case. */
  cases: {
    'printer.nothing-to-accept': 'No other device than this printer was seen: there is nothing to accept.',
    'printer.another-device': 'Meanwhile yet another device answers there: look at it again.',
    'printer.unknown-printer': 'There is no such printer any more.',
    'printer.name-taken': 'Another printer has this name: choose another one.',
    'printer.too-many': 'A box has at most 32 printers: remove one first.',
    'printer.unknown-backup': 'The backup printer is not there any more: choose another one.',
    'printer.backup-is-itself': 'A printer cannot be its own backup: choose another one.',
    'printer.tickets-wait': 'Tickets wait at this printer: move them to another one first, or let them print.',
    'printer.printing': 'A ticket is on its way to this printer: wait until it has ended, or switch the printer off.',
    'printer.move-to-itself': 'Tickets move to another printer: choose one.',
    'printer.no-drawer': 'This printer has no connector for a drawer.',
    'address.itself':
      '{address} is this box itself, so no printer is set up there. Whoever administers the box can allow it.',
    'address.link-local':
      '{address} is link-local, as of a device that got no address from DHCP, so no printer is set up there. Whoever administers the box can allow it.',
    'address.group':
      '{address} is for multicast or broadcast, which reaches many devices, so no printer is set up there. Whoever administers the box can allow it.',
    'address.nobody':
      '{address} is the address of no device, so no printer is set up there. Whoever administers the box can allow it.',
    'address.elsewhere':
      '{address} is in no private network, so no printer is set up there. Whoever administers the box can allow it.',
    'address.port':
      'Port {port} is one of another service: printers listen on 9100. Whoever administers the box can allow it.',
    'console.only': 'Only the command line on the box itself may say so.',
    'ticket.unknown-ticket': 'There is no such ticket any more.',
    'ticket.unknown-printer': 'Its printer is no longer set up: choose another one.',
    'ticket.printing': 'The ticket is on its way to the printer: wait until that has ended.',
    'ticket.settled': 'The ticket has ended already.',
    'ticket.not-parked': 'The ticket does not wait for a person any more.',
    'ticket.own-document': 'A test, a slip or the drawer belongs to its printer: make a new one at the other.',
    'ticket.cancelled': 'Its order was taken back, so it is not printed again.',
    'ticket.document-gone': 'What it said is no longer kept, so it cannot be printed again.',
    'ticket.test': 'A test ticket is not printed again: make a new one.',
    'user.name-taken': 'Another person has this name: choose another one.',
    'user.unknown-user': 'This person is no longer there.',
    'user.last-technician': 'One technician must remain: make another person a technician first.',
    'user.too-many': 'A box has at most 50 people: remove one first.',
    'display.not-its-kind':
      'Only a kitchen screen has stations, a backup printer and a buzzer, and only a pick-up board shows names.',
    'display.name-taken': 'Another display has this name: choose another one.',
    'display.too-many': 'There are 64 displays: remove one that is no longer used.',
    'display.unknown-display': 'This display is no longer there.',
    'course.unknown-order': 'The kitchen has no such open order any more.',
    'course.several-orders': 'More than one open order has this number.',
    'course.unknown-course': 'The order has no such later course.',
    'course.voided': 'The order was called off.',
    'course.scheduled': 'The order waits for its own time.',
    'pairing.bad-code': 'That is not the form of a claim code. Look again.',
    'pairing.no-relay': 'The address of the relay is missing: type it in.',
    'pairing.already-paired': 'This box is paired already. Let it leave its restaurant first.',
    'pairing.unreachable':
      'The relay does not answer. Check the internet, the address of the relay and the clock of this box.',
    'pairing.code-refused':
      'The relay does not take this code: it is unknown, has expired or was used. Have a new one made.',
    'pairing.throttled': 'Too many codes were tried. Wait a few minutes.',
    'pairing.relay-refused': 'The relay answered something unexpected. Check its address.',
    'pairing.not-stored': 'The pairing could not be written to the disk of this box. Its log says more.',
    'pairing.not-paired': 'This box is not paired.',
    'logo.bad-picture': 'This is no PNG picture that can be drawn in black and white.',
    'backup.busy': 'The box is busy with another backup, or with people who sign in. Try again in a moment.',
    'backup.no-backup': 'This is no backup of such a box, or the file is damaged.',
    'backup.unusable': 'This backup cannot be used:',
    'backup.needs-passphrase': 'This backup is locked: type in the passphrase that it was made with.',
    'backup.wrong-passphrase': 'The passphrase is wrong, or the file was changed or damaged. Nothing was taken over.',
    'backup.not-protected':
      'This backup is of an older version and has no passphrase: anybody may have changed it. If you know where it comes from, tick that it has none.',
    'backup.plain-people': 'People are not taken over from a file without a passphrase: add them anew.',
    'backup.unknown-person': 'The backup has no such person.',
    'password.not-yours': 'That is not your own password.',
    'setup.taken': 'This box has its first user already: sign in, or ask a technician.',
  },
  /** By the rule that a field breaks; `{limit}` is its limit. */
  rules: {
    required: 'must be filled in',
    'wrong-form': 'has not the right form',
    'at-least': 'must be {limit} or more',
    'at-most': 'must be {limit} or less',
    'at-least-characters': 'must have at least {limit} characters',
    'at-most-characters': 'must have at most {limit} characters',
    'at-least-entries': 'must have at least {limit} entries',
    'at-most-entries': 'must have at most {limit} entries',
    number: 'must be a number',
    'password-common':
      'is too easy to guess, because many people use one like it: choose a few words that do not belong together',
    'password-own-words':
      'contains your name, the name of the restaurant or the set-up code, which others know: choose a few words of your own',
  },
  /** What a field must look like, by its name. */
  forms: {
    name: 'must be a name without = @ / and commas',
    host: 'must be an IP address, a host name, or a device such as /dev/usb/lp0',
    timeZone: 'must be a time zone such as Europe/Madrid',
    mac: 'must be a hardware address such as 64:eb:8c:00:00:01',
    code: 'must be the four digits on the ticket',
    relayUrl: 'must be an address such as mqtts://relay.example.com',
  },
}
