// What is wrong and what to do, in English. `{name}` stands for a value from the box.
export const enRepairs = {
  severities: { error: 'Fault', warning: 'Warning', info: 'Advice' },
  sentences: {
    'not-paired': {
      title: 'Not paired',
      text: 'This box belongs to no restaurant yet: no orders arrive. Type in a claim code under Settings. Printers and displays work without.',
    },
    'pairing-unusable': {
      title: 'Pairing cannot be used',
      text: 'The pairing of this box cannot be read: no orders arrive. Pair it again with a new claim code.',
    },
    'relay-unreachable': {
      title: 'No connection to the relay',
      text: 'New orders wait at the relay and arrive when the connection is back. Check the internet. What is here still prints.',
    },
    'relay-refuses': {
      title: 'The relay refuses this box',
      text: 'It was revoked, or another box has its place: no orders arrive. Under Settings, unpair it, then pair it with a new claim code. What is here still prints.',
    },
    'relay-certificate': {
      title: 'The relay cannot prove who it is',
      text: 'No orders arrive. First look whether the clock of this box is right. If it is, the address of the relay is wrong, or somebody stands in between. What is here still prints.',
    },
    'no-printer': {
      title: 'No printer',
      text: 'Nothing can print. Look for printers on the network, or add one by its address.',
    },
    'no-default-printer': {
      title: 'No printer takes the rest',
      text: 'Items whose station no printer serves have nowhere to go. Say which printer takes them.',
    },
    'time-zone': {
      title: 'Time zone not set',
      text: 'Times on tickets are in UTC. Set the time zone of the restaurant under Settings.',
    },
    'printer-paused': { title: '{printer} is paused', text: 'Its tickets wait until somebody lets it go on.' },
    'printer-untested': {
      title: '{printer} was not tested',
      text: 'Print a test ticket, look at it, and type in its number: then its tickets are known to read right.',
    },
    'no-backup': {
      title: '{printer} has no backup',
      text: 'Nobody takes over its tickets when it fails. Choose another printer as its backup.',
    },
    'display-no-backup': {
      title: 'Display {display} has no backup printer',
      text: 'Nothing prints its orders when it is silent. Choose a printer that does.',
    },
    'display-unseen': {
      title: 'Display {display} is silent, and nothing prints instead',
      text: 'Orders of its stations are shown nowhere else. Switch the screen on, or choose a printer that prints them meanwhile.',
    },
    'printer-other': {
      title: 'Another printer seems to stand where {printer} was',
      text: 'Known: {known}. Found: {found}. If the printer was replaced, accept the new one: its tickets print there at once. If not, look which device has its address, or whether it hangs: switch it off and on.',
    },
    'printer-quieter': {
      title: '{printer} does not answer as it used to',
      text: "Known: {known}. Found: {found}. It has this printer's hardware address, but does not say its name any more. Switch it off and on. Accept it only if its settings were changed: it then prints with the proof that it has now.",
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
      text: 'Nobody can sign in from another machine: {fault}. Printing and kitchen displays go on.',
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
      text: 'The file that tells it is gone: {file}. What waited prints as a possible duplicate, unless the relay knew its result. The file was made anew; leave it there. Tickets taken out because the relay had their results: {withdrawn}. Tickets that print marked: {marked}.',
    },
    'no-disk-proof-settled': {
      title: 'The box cannot tell whether its disk is an older copy: nothing that waited on it prints',
      text: 'The file that tells it is gone: {file}. The relay knew the results of all that waited. The file was made anew; leave it there. Tickets taken out because the relay had their results: {withdrawn}. Tickets that print marked: {marked}.',
    },
    'disk-proof-unusable': {
      title: 'The box cannot note which disk is the newest',
      text: 'This file cannot be read or written, or is damaged: {file}. Until it can, what waits at a start prints as a possible duplicate. Make its folder writable for the box, or set GATEWAY_PROOF_FOLDER to another one, and start it again. Tickets taken out because the relay had their results: {withdrawn}. Tickets that print marked: {marked}.',
    },
    'clock-unset': {
      title: 'The time is not known',
      text: 'The clock of this machine was {behindMs} behind the last known time when it started, so the box goes on from that. It is put right by itself once the relay or a time server answers.',
    },
    'clock-wrong': {
      title: 'The clock of this machine is wrong',
      text: 'It is {apartMs} away from the relay. Orders come at the right time all the same, but secure connections may fail: let a time server set it (timedatectl set-ntp true).',
    },
    'memory-high': {
      title: 'The box needs nearly all of its memory',
      text: '{usedBytes} of {limitBytes}. At the limit the system ends it and starts it again; nothing is lost. Please report it with the diagnostics file.',
    },
    'update-undone': {
      title: 'The update to {version} was undone',
      text: 'It did not become ready, so the version before runs again. It is not tried a second time; the next version is.',
    },
    'update-available': {
      title: 'Version {version} is available',
      text: 'It installs by itself between 3 and 5 at night when no ticket is waiting; after three days also when tickets wait (they stay on disk). Install now: sudo ticketrail-gateway update now',
    },
    'unprintable-one': {
      title: 'A character of order #{order} could not be printed',
      text: 'On the paper of {printer} a number such as [U+0378], or ?, stands in the place of it. Ask what was meant. A printer that prints pictures can print whatever this box has a font for: put a .ttf, .otf or .woff file into the folder fonts beside the database of this box, and start the box again.',
    },
    unprintable: {
      title: '{characters} characters of order #{order} could not be printed',
      text: 'On the paper of {printer} a number such as [U+0378], or ?, stands in the place of each. Ask what was meant. A printer that prints pictures can print whatever this box has a font for: put a .ttf, .otf or .woff file into the folder fonts beside the database of this box, and start the box again.',
    },
    'tickets-parked': {
      title: 'Tickets wait for you at {printer}: {tickets}',
      text: 'It is not known whether they stand on paper, or they are old. Look at the printer, then let them print or settle each under Tickets.',
    },
  },
  /** Titles of what there is to know of a printer, by key from the box. */
  notes: {
    away: '{printer} is away: {backup} has its tickets',
    moved: '{printer} has another address',
    'moved-back': '{printer} is back at its old address',
    several: 'Several devices answer with the hardware address of {printer}',
    taken: 'Another printer is set up at the new address of {printer}',
    'not-yet': '{printer} may have another address',
  },
  lookAtTicket: 'Look at the ticket',
  /** Of a printer that is down or warns: its reason says the rest. */
  printerDown: '{printer} does not print',
  printerWarns: '{printer} has a message',
  /** Of buttons that mend, by operation. */
  fixes: {
    'discover.start': 'Look for printers',
    'printers.update': 'Let {printer} take them',
    'printers.resume': 'Go on',
    'printers.test': 'Print a test ticket',
    'displays.update': 'Let {backup} print them',
    'printers.accept': 'Accept the device that was found',
    'printers.release': 'Print them',
  },
}
