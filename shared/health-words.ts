// The sentences about a box's problems and what to do, in English, for `doctor`, the operations and the page. `{name}` is replaced by a value.
// Its sentences in Spanish and Chinese: health-sentences-*.ts, for the box and the relay. All else in other languages stands beside the page's words: gateway/web/admin/messages.

/** Forms of a sentence by the rule of the language; `#` is the number. */
export type CountForms = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>

/** What a finding costs while it lasts. */
const costs = {
  'tickets-wait': {
    one: '1 ticket waits, for {oldestMs}.',
    other: '# tickets wait, the oldest for {oldestMs}.',
  },
  'tickets-at-backup': { other: '{backup} prints its tickets.' },
  'tickets-parked': { one: '1 ticket waits for a person.', other: '# tickets wait for a person.' },
  'tickets-held': { one: '1 ticket is held back.', other: '# tickets are held back.' },
  'tickets-nowhere': { other: 'New tickets wait until it prints.' },
  'orders-refused': { other: 'Orders with lines of {stations} are refused: nothing else takes them.' },
  'orders-unseen': { one: '1 order is on no screen.', other: '# orders are on no screen.' },
  'orders-at-expo': {
    one: 'The cooks do not see 1 order at their station: only expo shows it.',
    other: 'The cooks do not see # orders at their station: only expo shows them.',
  },
  'orders-on-paper': { one: '1 order was printed instead.', other: '# orders were printed instead.' },
  'orders-stop': { other: 'No orders come in.' },
  'results-wait': {
    one: 'No orders come in, and 1 result waits for the relay.',
    other: 'No orders come in, and # results wait for the relay.',
  },
  'lines-elsewhere': {
    one: '1 line in the last 7 days went there.',
    other: '# lines in the last 7 days went there.',
  },
  'never-prints': { other: 'No order ever reaches it.' },
  'times-wrong': { other: 'Times on tickets are wrong.' },
} satisfies Record<string, CountForms>

export type CostKey = keyof typeof costs

export const HEALTH_WORDS = {
  severities: { critical: 'Fault', warning: 'Warning', advice: 'Advice' },
  verdicts: {
    well: 'Everything is fine.',
    unheard: 'No problem is known. No report yet from: {parts}.',
    /** Of both: a count is put before. */
    critical: { one: '1 fault', other: '# faults' } as CountForms,
    warning: { one: '1 warning', other: '# warnings' } as CountForms,
    advice: { one: '1 piece of advice', other: '# pieces of advice' } as CountForms,
  },
  /** The parts that may not have reported in time, besides printers and displays, which have their names. */
  parts: { board: 'the open orders', disk: 'the disk', clock: 'the clock', relay: 'the relay' },
  sentences: {
    'not-paired': {
      title: 'Not paired',
      text: 'This box belongs to no restaurant yet: no orders arrive. Type in a claim code under Settings. Printers and screens work without.',
    },
    'pairing-unusable': {
      title: 'Pairing cannot be used',
      text: 'The pairing of this box cannot be read: no orders arrive. Pair it again with a new claim code.',
    },
    'relay-refuses': {
      title: 'The relay refuses this box',
      text: 'It was revoked, or another box has its place: no orders arrive. Under Settings, unpair it, then pair it with a new claim code. What is here still prints.',
    },
    'relay-certificate': {
      title: 'The relay cannot prove who it is',
      text: 'No orders arrive. First check whether the clock of this box is right. If it is, the address of the relay is wrong, or another server intercepts the connection. What is here still prints.',
    },
    'no-default-printer': {
      title: 'No printer takes the rest',
      text: 'Items whose station no printer serves are printed nowhere. Choose the printer that takes them.',
    },
    'printer-paused': { title: '{printer} is paused', text: 'Its tickets wait until somebody lets it go on.' },
    'printer-untested': {
      title: '{printer} was not tested',
      text: 'Print a test ticket, look at it, and type in its number: then its tickets are known to read right.',
    },
    'display-no-backup': {
      title: 'Screen {display} has no backup printer',
      text: 'Nothing prints its orders when it is silent. Choose a printer that does.',
    },
    'printer-other': {
      title: 'Another printer seems to stand where {printer} was',
      text: 'Known: {known}. Found: {found}. If the printer was replaced, accept the new one: its tickets print there at once. If not, look which device has its address, or whether it hangs: switch it off and on.',
    },
    'printer-quieter': {
      title: '{printer} does not answer as it used to',
      text: 'Known: {known}. Found: {found}. It has this printer’s hardware address, but does not say its name any more. Switch it off and on. Accept it only if its settings were changed: it then prints with the proof that it has now.',
    },
    'printer-elsewhere': {
      title: '{printer} may have another address',
      text: 'Known: {known}. Found: {found}. Either not all of it agrees, or both answer, so its tickets do not follow by themselves. Look at the device; accept it only if it is yours.',
    },
    'disk-full': {
      title: 'The disk is full',
      text: 'Orders still print, out of a reserve; the oldest finished history is deleted. {freeBytes} of {totalBytes} are free. Remove files from this machine, or use a larger card.',
    },
    'disk-low': {
      title: 'The disk is nearly full',
      text: 'The oldest finished history is deleted to make room. {freeBytes} of {totalBytes} are free. Remove files from this machine, or use a larger card.',
    },
    'page-https': {
      title: 'The page does not answer https',
      text: 'Nobody can sign in from another machine: {fault}. Printing and kitchen screens go on.',
    },
    'page-certificate': {
      title: 'The certificate that was put in cannot be used',
      text: 'Another certificate is used until this is fixed. Reason: {fault}',
    },
    'page-certificate-ends': {
      title: 'The certificate that was put in ends soon, or has ended',
      text: 'It holds until {until}. Put a new one into the same files: it is taken up within a minute.',
    },
    'database-replaced': {
      title: 'The database was damaged and has been replaced',
      text: 'Open tickets saved, they print marked as possible duplicates: {savedTickets}. Could not be read: {lostTickets}; ask the till for those orders. The damaged files are kept in {folder}. A card that does this once does it again: replace it.',
    },
    'older-image': {
      title: 'The disk is an older copy: what waited on it was marked',
      text: 'A backup or an image of the disk was put back. What waited on it may be on paper already, so it prints as a possible duplicate, unless the relay knew its result. Compare marked tickets with the paper; nothing else has to be done. Tickets taken out because the relay had their results: {withdrawn}. Tickets that print marked: {marked}.',
    },
    'older-image-settled': {
      title: 'The disk is an older copy: nothing that waited on it prints',
      text: 'A backup or an image of the disk was put back. The relay knew the results of all that waited on it. Nothing has to be done. Tickets taken out because the relay had their results: {withdrawn}. Tickets that print marked: {marked}.',
    },
    'another-machine': {
      title: 'The card comes from another machine, or its database was moved: what waited on it was marked',
      text: 'The other machine may have printed it, so it prints as a possible duplicate, unless the relay knew its result. If the other machine still runs with a card like this one, unpair this box and pair it anew; if its board was replaced, nothing has to be done. Tickets taken out because the relay had their results: {withdrawn}. Tickets that print marked: {marked}.',
    },
    'another-machine-settled': {
      title: 'The card comes from another machine, or its database was moved: nothing that waited on it prints',
      text: 'The relay knew the results of all that waited on it. If the other machine still runs with a card like this one, unpair this box and pair it anew; if its board was replaced, nothing has to be done. Tickets taken out because the relay had their results: {withdrawn}. Tickets that print marked: {marked}.',
    },
    'another-database': {
      title: 'This is another database than the one before: what waited on it was marked',
      text: 'It may be on paper already, so it prints as a possible duplicate, unless the relay knew its result. Compare marked tickets with the paper; nothing else has to be done. Tickets taken out because the relay had their results: {withdrawn}. Tickets that print marked: {marked}.',
    },
    'another-database-settled': {
      title: 'This is another database than the one before: nothing that waited on it prints',
      text: 'The relay knew the results of all that waited on it. Nothing has to be done. Tickets taken out because the relay had their results: {withdrawn}. Tickets that print marked: {marked}.',
    },
    'no-disk-proof': {
      title: 'The box cannot tell whether its disk is an older copy: what waited on it was marked',
      text: 'The file that proves it is gone: {file}. Waiting tickets print as possible duplicates, unless the relay had their results. The file was created again; leave it there. Tickets taken out because the relay had their results: {withdrawn}. Tickets that print marked: {marked}.',
    },
    'no-disk-proof-settled': {
      title: 'The box cannot tell whether its disk is an older copy: nothing that waited on it prints',
      text: 'The file that proves it is gone: {file}. The relay had the results of all waiting tickets. The file was created again; leave it there. Tickets taken out because the relay had their results: {withdrawn}. Tickets that print marked: {marked}.',
    },
    'disk-proof-unusable': {
      title: 'The box cannot note which disk is the newest',
      text: 'This file cannot be read or written, or is damaged: {file}. Until it can, what waits at a start prints as a possible duplicate. Make its folder writable for the box, or set GATEWAY_PROOF_FOLDER to another one, and start it again. Tickets taken out because the relay had their results: {withdrawn}. Tickets that print marked: {marked}.',
    },
    'memory-high': {
      title: 'The box needs nearly all of its memory',
      text: '{usedBytes} of {limitBytes}. At the limit the system ends it and starts it again; nothing is lost. Please report it with the diagnostics file.',
    },
    'update-undone': {
      title: 'The update to {version} was undone',
      text: 'It did not become ready, so the version before runs again. It is not tried a second time; the next version is.',
    },
    'unprintable-one': {
      title: 'A character of order #{order} could not be printed',
      text: 'On the paper of {printer} a number such as [U+0378], or ?, is printed instead of it. Ask what was meant. A printer that prints pictures can print whatever this box has a font for: put a .ttf, .otf or .woff file into the folder fonts beside the database of this box, and start the box again.',
    },
    unprintable: {
      title: '{characters} characters of order #{order} could not be printed',
      text: 'On the paper of {printer} a number such as [U+0378], or ?, is printed instead of each. Ask what was meant. A printer that prints pictures can print whatever this box has a font for: put a .ttf, .otf or .woff file into the folder fonts beside the database of this box, and start the box again.',
    },
    'tickets-parked': {
      title: 'Tickets wait for you at {printer}: {tickets}',
      text: 'It is not known whether they stand on paper, or they are old. Look at the printer, then let them print or settle each under Tickets.',
    },
    'relay-unreachable': {
      title: 'No connection to the relay',
      text: 'New orders wait at the relay and arrive when the connection is back. Check the internet. What is here still prints.',
    },
    'relay-name': {
      title: 'The name of the relay is not found',
      text: 'This box has no internet, or its name server does not answer. Check the router and the network cable. What is here still prints.',
    },
    'relay-no-way': {
      title: 'There is no way to the relay',
      text: 'The network of this box does not lead to the internet. Check the router and the network cable. What is here still prints.',
    },
    'relay-closed': {
      title: 'The relay does not take the connection',
      text: 'Its address answers, but the connection is refused: the relay is being restarted, or a firewall blocks it. The box tries again by itself. What is here still prints.',
    },
    'relay-busy': {
      title: 'The relay takes this box in a moment',
      text: 'It answers, but many boxes reconnect to it at once. It has told this one when to try again. What is here still prints.',
    },
    'no-printer': {
      title: 'No printer',
      text: 'Nothing can print. Look for printers on the network, or add one by its address.',
    },
    'time-zone': {
      title: 'Time zone not set',
      text: 'Times on tickets are in UTC. Set the time zone of the restaurant.',
    },
    'time-zones-differ': {
      title: 'The box and the relay have different time zones',
      text: 'Pages, screens and paper of this box show {zone}, because somebody set it here. The relay says {relayZone}. One of them is wrong.',
    },
    'clock-wrong': {
      title: 'The clock of this machine is wrong',
      text: 'It is {apartMs} away from the relay. Orders come at the right time all the same, but secure connections may fail: let a time server set it (timedatectl set-ntp true).',
    },
    'clock-unset': {
      title: 'The time is not known',
      text: 'The clock of this machine was {behindMs} behind the last known time when it started, so the box goes on from that. It is put right by itself once the relay or a time server answers.',
    },
    'update-available': {
      title: 'Version {version} is available',
      text: 'It installs by itself between 3 and 5 at night when no ticket is waiting; after three days also when tickets wait (they stay on disk). Install now: sudo ticketrail-gateway update now',
    },
    'image-held': {
      title: 'Nothing that waited prints yet',
      text: 'The disk may be an older copy, so the box asks the relay first what is on paper already. It waits a few seconds for the answer, then prints, marked.',
    },
    'box-hot': {
      title: 'The machine is hot',
      text: '{celsius} °C. It slows down when it is hot. Stand it upright with a hand’s width of air on each side, away from ovens, fryers and direct sun, take it out of any closed cupboard, and wipe dust from its openings. This goes away by itself once it has cooled down.',
    },
    'storage-worn': {
      title: 'The storage is near the end of its life',
      text: '{percent} % of it are worn. Make a backup, then replace the card.',
    },
    'box-not-backed-up': {
      title: 'No backup of this box',
      text: 'Nobody has made a backup in the last 30 days. When the card fails, printers, stations and people must be set up again.',
    },
    'page-only-here': {
      title: 'Phones and tablets cannot reach this box',
      text: 'Its page answers on this machine only, at {url}. For phones and kitchen screens: GATEWAY_HTTP_HOST=0.0.0.0',
    },
    'nobody-signs-in': {
      title: 'Nobody can sign in yet',
      text: 'Open the page and set up the first person. Its code: ticketrail-gateway welcome',
    },
    'board-unread': {
      title: 'The open orders cannot be read',
      text: 'It is not known what the screens show. The box tries again by itself. Look at the log, and report it.',
    },
    'printer-down': { title: '{printer} does not print', text: '{hint}' },
    'paper-low': { title: 'Paper of {printer} is nearly out', text: '{hint}' },
    'printer-warning': { title: '{printer} has a message', text: '{hint}' },
    'printer-note': { title: '{printer}', text: '{text}' },
    'printer-idle': {
      title: '{printer} never prints',
      text: 'It serves no station, no rule names it, and it is no backup of another printer. Give it a station, or remove it.',
    },
    'printer-passed-over': {
      title: '{printer} gets nothing',
      text: 'All of its stations go to a printer that comes before it. Take them from that one, or give {printer} other stations.',
    },
    'printer-no-backup': {
      title: '{printer} has no backup',
      text: 'No printer takes over its tickets when it fails. Choose another printer as its backup.',
    },
    'printers-share-address': {
      title: '{printer} and {other} have the same address',
      text: 'Both print at {address}, so each gets the tickets of the other. Give each its own address.',
    },
    'display-silent': {
      title: 'Screen {display} is silent',
      text: 'It has said nothing for a while: is the tablet on, and in this network?',
    },
    'display-stuck': {
      title: 'Screen {display} shows no new orders',
      text: 'It answers, but gets no orders or does not draw them. Load its page again, or start the tablet anew.',
    },
    'no-screen-alive': {
      title: 'No screen in the kitchen answers',
      text: 'All screens are silent. Are the tablets on, and is the wireless network there?',
    },
    'display-unclaimed': {
      title: 'No screen has signed in as {display}',
      text: 'Open the page of the screens on the tablet, with a new code or the QR code.',
    },
    'display-stands-in': {
      title: '{by} shows the stations of {display} too',
      text: '{display} answers again. Give its stations back, so that each screen shows its own.',
    },
    'station-unserved': {
      title: 'No printer and no screen serves {station}',
      text: 'Its lines come out at {printer}, which takes the rest. Give the station a printer or a screen, or say that {printer} serves it.',
    },
    'station-no-screen': {
      title: 'No screen serves {station}',
      text: 'Its lines stand on the screen of another station, marked. Give the station to a screen.',
    },
  },
  costs: costs as Record<CostKey, CountForms>,
  /** On buttons and links. */
  acts: {
    'look-for-printers': 'Look for printers',
    'make-default': 'Let {printer} take them',
    resume: 'Go on',
    'test-print': 'Print a test ticket',
    'move-tickets': 'Move what waits to {to}',
    'accept-device': 'Accept the device that was found',
    'release-tickets': 'Print them',
    'choose-backup': 'Let {backup} take over',
    'serve-station': 'Let {printer} serve {station}',
    'assign-screen': 'Show {station} on {display}',
    'display-backup': 'Let {backup} print them',
    'take-over': 'Show its orders on {by}',
    'give-back': 'Give its stations back',
    'print-board': 'Print the open orders at {printer}',
    'use-relay-zone': 'Use {relayZone}',
    'set-zone': 'Use the time zone of this device',
    'open-printer': 'Look at {printer}',
    'open-stations': 'Stations and routing',
    'open-displays': 'Screens',
    'open-settings': 'Settings',
    'open-care': 'Backup and support',
    'first-person': 'Set up the first person',
    'open-ticket': 'Look at the ticket',
    'open-log': 'Log',
  },
  /** Titles of messages about a printer, by key from the box. */
  notes: {
    away: '{printer} is away: {backup} has its tickets',
    moved: '{printer} has another address',
    'moved-back': '{printer} is back at its old address',
    several: 'Several devices answer with the hardware address of {printer}',
    taken: 'Another printer is set up at the new address of {printer}',
    'not-yet': '{printer} may have another address',
  },
}

export type FindingKey = keyof typeof HEALTH_WORDS.sentences
/** Of every finding, in one language. */
export type FindingSentences = Readonly<Record<FindingKey, { readonly title: string; readonly text: string }>>
export type ActKey = keyof typeof HEALTH_WORDS.acts
