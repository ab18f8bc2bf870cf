// The page's words in English. This object is the type of all languages: what is missing elsewhere does not compile.
import type { BackupHolds } from '#gateway/control/backup-answers.ts'
import { enCheck } from './en-check.ts'
import { enFigures } from './en-figures.ts'
import { enFolds } from './en-folds.ts'
import { enHealth } from './en-health.ts'
import { enJob } from './en-job.ts'
import { enLate } from './en-late.ts'
import { enOrders, enReport } from './en-orders.ts'
import { enPrinter } from './en-printer.ts'
import { enRefusals } from './en-refusals.ts'
import { enRules } from './en-rules.ts'
import { enStations } from './en-stations.ts'
import { enTestOrder } from './en-test-order.ts'
import { enWizard } from './en-wizard.ts'

export const en = {
  common: {
    /** Between a name and the text about it. */
    colon: ': ',
    comma: ', ',
    cancel: 'Cancel',
    close: 'Close',
    done: 'Done.',
    loading: 'Loading',
    never: 'never',
    none: 'none',
    notFound: 'There is nothing at this address',
    save: 'Save',
    saved: 'Saved.',
    showPassword: 'Show password',
    changed: (when: string) => `changed ${when}`,
    tryAgain: 'Try again',
  },
  nav: {
    menu: 'Pages',
    skip: 'To the content',
    overview: 'Overview',
    printers: 'Printers',
    jobs: 'Tickets',
    orders: 'Orders',
    report: 'Report',
    repairs: 'Repairs',
    displays: 'Screens',
    routing: 'Stations and routing',
    settings: 'Settings',
    users: 'People',
    logs: 'Log',
    care: 'Backup and support',
  },
  live: {
    live: 'Live',
    waiting: 'Connecting',
    silent: 'No connection',
    silentHint:
      'The box does not answer. What you see may be old. Check that the box is on and that this device is in its network; the page tries again by itself.',
  },
  problem: { title: 'That did not work' },
  refusals: enRefusals,
  folds: enFolds,
  late: enLate,
  signIn: {
    title: 'Sign in',
    name: 'Name',
    password: 'Password',
    signIn: 'Sign in',
    signOut: 'Sign out',
    forgotten:
      'Password forgotten? A technician can set a new one under People. At the box itself: ticketrail-gateway admin reset.',
  },
  overview: {
    lastTickets: 'Last tickets',
    allTickets: 'All tickets',
    queue: 'Queue',
    waiting: 'waiting to print',
    held: 'held for later',
    parked: 'wait for a person',
    unreported: 'results to send',
  },
  figures: enFigures,
  link: {
    title: 'Relay',
    connected: 'Connected',
    /** In its first seconds. */
    trying: 'Connecting',
    connecting: 'Not connected',
    connectingHint:
      'New orders arrive when the connection is back. Check the internet if this lasts. What is here still prints.',
    unpaired: 'Not paired',
    unpairedHint: 'This box belongs to no restaurant yet: no orders arrive. Printers and screens work without.',
    unusable: 'Pairing cannot be used',
    unusableHint: 'Pair this box again with a new claim code. What is here still prints.',
  },
  paper: { kitchen: 'Kitchen tickets', receipt: 'Receipts', label: 'Labels' },
  printers: {
    add: 'Add printer',
    none: 'No printer is set up yet.',
  },
  find: {
    title: 'Find printers on the network',
    byAddress: 'Add by address',
    start: 'Look for printers',
    stop: 'Stop',
    running: 'Looking…',
    nothing:
      'No printer was found. Is it on and in the same network? Printers in another network (VLAN) cannot be found: add them by address.',
    unknownModel: 'Unknown printer',
    newName: 'Printer',
    add: 'Add',
    addedAs: (name: string) => `Added as ${name}.`,
    known: (name: string) => `Set up as ${name}`,
  },
  printer: enPrinter,
  jobs: {
    printer: 'Printer',
    state: 'State',
    all: 'All',
    none: 'No tickets.',
    why: 'Why did it not print?',
    newer: 'Newer',
    older: 'Older',
  },
  job: enJob,
  orders: enOrders,
  report: enReport,
  courses: {
    title: 'Held courses',
    name: (order: string, course: number) => `Order ${order}, course ${course}`,
    fire: 'Fire',
    fireOf: (order: string, course: number) => `Fire course ${course} of order ${order}`,
  },
  testOrder: enTestOrder,
  health: enHealth,
  displays: {
    name: 'Name',
    kind: 'What it is for',
    kinds: {
      station: 'Station: makes orders of its stations',
      expo: 'Expo: sees all orders and hands them out',
      runner: 'Runner: carries out what is ready',
      'pick-up': 'Pick-up board: tells guests the numbers',
    },
    kindHints: {
      station: '',
      expo: '',
      runner: 'Shows only what is ready. It can mark an order as picked up, and undo that.',
      'pick-up': 'Two columns, preparing and ready, without touch. Orders with a table are not shown.',
    },
    showNames: 'Show first names beside the numbers',
    showNamesHint: 'Without it the board gets numbers only.',
    showsNames: 'First names beside the numbers',
    whichStations: 'Which stations does it show?',
    noScreenYet: 'no screen yet',
    anotherStation: 'Another station…',
    anotherHint: 'Written as on your menu; several with commas between them',
    add: 'Add screen',
    none: 'No screen yet. Any tablet with a browser can be one.',
    backup: 'Prints instead while the screen is silent',
    backupHint: 'Orders that no screen has shown print there, marked SCREEN OFFLINE',
    noBackup: 'Nothing prints instead',
    buzzAfter: 'Its buzzer sounds after this many seconds',
    buzzAfterHint: 'From 10 to 3600, when nobody has looked at an order on the screen; empty: never',
    backupIs: (name: string) => `${name} prints instead while it is silent`,
    scan: 'Scan this with the tablet, in the same network:',
    qr: 'Address of the screen as a QR code',
    codeUntil: (when: string) => `Works once, until ${when}.`,
    localAddress:
      'This page was opened at an address that only works on this machine. Open it by the IP address of the box, so that the code works for the tablet. If it does not answer there, set GATEWAY_HTTP_HOST=0.0.0.0 on this machine.',
    notYet: 'Waits for its tablet',
    alive: 'Connected',
    onShift: 'Connected, shift started',
    silent: 'Silent: switch the tablet on, or sign it in with a new code',
    edit: 'Change',
    lastHeard: (when: string) => `last heard ${when}`,
    notHeard: 'not heard since the box started',
    speaks: (language: string) => `Language: ${language}`,
    newCode: 'New code',
    remove: 'Remove screen',
    removeQuestion: (name: string) => `${name} is signed out at once.`,
  },
  logo: {
    title: 'Picture on receipts',
    explain: 'A PNG, drawn in black and white as wide as the paper allows. Dark on white prints best.',
    none: 'Receipts carry no picture.',
    file: 'PNG file',
    put: 'Use this picture',
    tooBig: 'The file is larger than 512 kB: make it smaller.',
    size: (width: number, height: number) => `It is ${width} by ${height} dots on wide paper.`,
    remove: 'Remove picture',
    removeQuestion: 'Receipts carry no picture from now on.',
  },
  routing: {
    paste: 'An order as JSON',
    whatIf: 'What would happen',
    pasteHint: 'As the relay sends it; what says nothing about the way may be left out. Nothing prints.',
    badJson: 'This is not JSON: check commas and quotes.',
    ask: 'Where would it go?',
    printsNow: 'It would print at once.',
    printsLater: 'It would not print at once, or not all of it.',
  },
  settings: {
    box: 'This box',
    name: 'Name of the restaurant',
    nameHint: 'As it is at the top of this page',
    timeZone: 'Time zone',
    timeZoneHint: 'Such as Europe/Madrid: times on tickets are local',
    relayZone: (zone: string) =>
      `The restaurant’s account says ${zone}: with another zone here, times on paper and screens are not those of the restaurant.`,
    browserZone: (zone: string) => `This device is set to ${zone}. What counts is where the restaurant is.`,
    boxLanguage: 'Language of the box',
    language: 'Language',
    colours: 'Colours',
    schemes: { auto: 'As the device', light: 'Light', dark: 'Dark' },
    password: 'Your password',
    currentPassword: 'Current password',
    newPassword: 'New password',
    ownPassword: 'Your own password',
    ownPasswordHint: 'Again, because this decides who has a way in',
    passwordHint: (n: number) =>
      `At least ${n} characters. A few unrelated words make a good one; easy ones are refused.`,
    changePassword: 'Change password',
    passwordChanged: 'Changed. Other browsers are signed out.',
    about: 'About',
    version: 'Version',
    gatewayId: 'Gateway ID',
    address: 'Address of this page',
    certificate: 'Certificate of this page, SHA-256',
  },
  pairing: {
    title: 'Pairing',
    explain:
      'A claim code comes from the dashboard of the restaurant. Without it everything in this network works, but no orders arrive.',
    code: 'Claim code',
    codeHint: 'Works once, for 15 minutes',
    relay: 'Address of the relay',
    relayHint: 'Only when you were given one',
    pair: 'Pair',
    paired: 'Paired.',
    belongsTo: (name: string) => `This box belongs to ${name}.`,
    unpair: 'Leave this restaurant',
    unpairQuestion: 'No more orders arrive until it is paired again. Printers and tickets stay.',
  },
  users: {
    explain: 'Managers see to printers, tickets and screens. Technicians can do everything.',
    add: 'Add person',
    role: 'Role',
    roles: { technician: 'Technician', manager: 'Manager' },
    you: 'this is you',
    since: (when: string) => `since ${when}`,
    remove: 'Remove person',
    removeQuestion: (name: string) => `${name} is signed out at once and cannot sign in any more.`,
    changeRole: 'Change role',
    changeRoleQuestion: (name: string) => `${name} is signed out, and signs in with the new role.`,
    setPassword: 'Set a new password',
    setPasswordQuestion: (name: string) => `${name} is signed out, and signs in with the new password.`,
    of: (act: string, name: string) => `${act}: ${name}`,
  },
  logs: {
    level: 'From level',
    levels: { debug: 'Detail', info: 'Info', warn: 'Warning', error: 'Error', fatal: 'Failure' },
    search: 'Search',
    none: 'No lines.',
    newest: 'Newest',
  },
  care: {
    diagnostics: 'Diagnostics',
    diagnosticsHint: 'A file for support: state, settings and log of this box. Without passwords, keys and customers.',
    saveDiagnostics: 'Save diagnostics',
    backup: 'Backup',
    backupHint:
      'Printers, routing, people and settings as one file, locked with a passphrase. Orders are not in it. Nobody can open it without the passphrase, not even you: keep it apart from the file.',
    saveBackup: 'Save backup',
    saved: (file: string) => `Saved as ${file}. It holds:`,
    holds: ({ printers, people, rules, hasLogo }: BackupHolds) => {
      const some = (n: number, one: string, several: string) =>
        n === 0 ? `no ${several}` : `${n} ${n === 1 ? one : several}`
      return `${some(printers, 'printer', 'printers')}, ${some(people, 'person', 'people')}, ${some(rules, 'rule', 'rules')}, ${hasLogo ? 'a picture' : 'no picture'}.`
    },
    ownPasswordHint: 'Again, because the backup takes people and their passwords along',
    restore: 'Restore',
    restoreHint:
      'Shows first what a backup would bring, also on another box. This box keeps its own identity, tickets and people.',
    file: 'Backup file',
    passphrase: 'Passphrase',
    passphraseHint: (n: number) => `At least ${n} characters: a few words that do not belong together.`,
    passphraseAgain: 'Passphrase again',
    isPlain: 'This file has no passphrase: an older version made it, and I know where it comes from',
    look: 'Show what it would bring',
    preview: (when: string, app: string) => `Made ${when} by ${app}.`,
    unprotected: 'The file is not protected: anybody may have changed it. Look closely. It brings no people.',
    standings: { new: 'new', changed: 'changes', same: 'as it is', here: 'is here, keeps password and role' },
    rules: (names: readonly string[], replaced: number) => {
      if (names.length === 0)
        return replaced === 0
          ? 'Routing rules: none, here or in the backup.'
          : `Routing rules: the backup has none, so the ${replaced} of this box are removed.`
      const instead = replaced === 0 ? '.' : `, in place of the ${replaced} of this box.`
      return `Routing rules: ${names.join(', ')}${instead}`
    },
    changes: {
      name: (after: string, before: string) => `Name: ${after}${before && ` instead of ${before}`}.`,
      timeZone: (after: string, before: string) => `Time zone: ${after}${before && ` instead of ${before}`}.`,
      language: (after: string, before: string) => `Language: ${after} instead of ${before}.`,
    },
    settingsStay: 'Name, time zone and language stay as they are.',
    lateMinutes: 'After how many minutes an order is late: as in the file.',
    logo: 'The picture on receipts is replaced.',
    logoStays: 'The picture on receipts stays as it is.',
    people: 'Who comes along',
    peopleHint: 'Nobody whom you do not tick. They sign in here with the password that they have there.',
    nobody: 'The file holds no people.',
    restored: (printers: number, rules: number, users: number) =>
      `Taken over: printers ${printers}, rules ${rules}, people ${users}.`,
  },
  wizard: enWizard,
  stations: enStations,
  rules: enRules,
  check: enCheck,
}

export type Messages = typeof en
