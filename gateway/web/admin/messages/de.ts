// The page's words in German.
// Glossary: ticket Bon, order Bestellung, station Posten, expo Pass, display and screen Monitor, relay Server, backup printer Ersatzdrucker, backup of data Sicherung,
// void Storno, held course "auf Abruf", fire abrufen, recall zurückholen, parked "wartet auf Prüfung", pairing Kopplung. Nobody is addressed: "Drucker wählen".
import type { BackupHolds } from '#gateway/control/backup-answers.ts'
import { deCheck } from './de-check.ts'
import { deFigures } from './de-figures.ts'
import { deFolds } from './de-folds.ts'
import { deHealth } from './de-health.ts'
import { deJob } from './de-job.ts'
import { deLate } from './de-late.ts'
import { deOrders, deReport } from './de-orders.ts'
import { dePrinter } from './de-printer.ts'
import { deRefusals } from './de-refusals.ts'
import { deRules } from './de-rules.ts'
import { deStations } from './de-stations.ts'
import { deTestOrder } from './de-test-order.ts'
import { deWizard } from './de-wizard.ts'
import type { Messages } from './en.ts'

export const de = {
  common: {
    colon: ': ',
    comma: ', ',
    cancel: 'Abbrechen',
    close: 'Schließen',
    done: 'Erledigt.',
    loading: 'Lädt',
    never: 'nie',
    none: 'keine',
    notFound: 'Unter dieser Adresse gibt es nichts',
    save: 'Speichern',
    saved: 'Gespeichert.',
    showPassword: 'Passwort zeigen',
    changed: (when: string) => `${when} geändert`,
    tryAgain: 'Noch einmal versuchen',
  },
  nav: {
    menu: 'Seiten',
    skip: 'Zum Inhalt',
    overview: 'Übersicht',
    printers: 'Drucker',
    jobs: 'Bons',
    orders: 'Bestellungen',
    report: 'Bericht',
    repairs: 'Störungen',
    displays: 'Monitore',
    routing: 'Posten und Verteilung',
    settings: 'Einstellungen',
    users: 'Personen',
    logs: 'Protokoll',
    care: 'Sicherung und Support',
  },
  live: {
    live: 'Live',
    waiting: 'Verbindet',
    silent: 'Keine Verbindung',
    silentHint:
      'Die Box antwortet nicht. Was hier steht, ist vielleicht veraltet. Prüfen, ob die Box an ist und ob dieses Gerät in ihrem Netz ist; die Seite versucht es von selbst weiter.',
  },
  problem: { title: 'Das hat nicht geklappt' },
  refusals: deRefusals,
  folds: deFolds,
  late: deLate,
  signIn: {
    title: 'Anmelden',
    name: 'Name',
    password: 'Passwort',
    signIn: 'Anmelden',
    signOut: 'Abmelden',
    forgotten:
      'Passwort vergessen? Die Technik kann unter Personen ein neues setzen. An der Box selbst: ticketrail-gateway admin reset.',
  },
  overview: {
    lastTickets: 'Letzte Bons',
    allTickets: 'Alle Bons',
    queue: 'Warteschlange',
    waiting: 'warten auf Druck',
    held: 'für später',
    parked: 'warten auf Prüfung',
    unreported: 'Ergebnisse zu senden',
  },
  figures: deFigures,
  link: {
    title: 'Server',
    connected: 'Verbunden',
    trying: 'Verbindet',
    connecting: 'Nicht verbunden',
    connectingHint:
      'Neue Bestellungen kommen, sobald die Verbindung wieder da ist. Dauert es länger, das Internet prüfen. Was schon hier ist, wird gedruckt.',
    unpaired: 'Nicht gekoppelt',
    unpairedHint:
      'Diese Box gehört noch zu keinem Restaurant: Es kommen keine Bestellungen. Drucker und Monitore gehen auch so.',
    unusable: 'Kopplung nicht brauchbar',
    unusableHint: 'Diese Box mit einem neuen Code koppeln. Was schon hier ist, wird gedruckt.',
  },
  paper: { kitchen: 'Küchenbons', receipt: 'Belege', label: 'Etiketten' },
  printers: {
    add: 'Drucker hinzufügen',
    none: 'Noch kein Drucker eingerichtet.',
  },
  find: {
    title: 'Drucker im Netz suchen',
    byAddress: 'Mit Adresse hinzufügen',
    start: 'Drucker suchen',
    stop: 'Stopp',
    running: 'Sucht…',
    nothing:
      'Kein Drucker gefunden. Ist er an und im selben Netz? Drucker in einem anderen Netz (VLAN) sind nicht zu finden: mit Adresse hinzufügen.',
    unknownModel: 'Unbekannter Drucker',
    newName: 'Drucker',
    add: 'Hinzufügen',
    addedAs: (name: string) => `Als ${name} hinzugefügt.`,
    known: (name: string) => `Eingerichtet als ${name}`,
  },
  printer: dePrinter,
  jobs: {
    printer: 'Drucker',
    state: 'Stand',
    all: 'Alle',
    none: 'Keine Bons.',
    why: 'Warum nicht gedruckt?',
    newer: 'Neuere',
    older: 'Ältere',
  },
  job: deJob,
  orders: deOrders,
  report: deReport,
  courses: {
    title: 'Gänge auf Abruf',
    name: (order: string, course: number) => `Bestellung ${order}, Gang ${course}`,
    fire: 'Abrufen',
    fireOf: (order: string, course: number) => `Gang ${course} der Bestellung ${order} abrufen`,
  },
  testOrder: deTestOrder,
  health: deHealth,
  displays: {
    name: 'Name',
    kind: 'Wozu er dient',
    kinds: {
      station: 'Posten: bereitet für seine Posten zu',
      expo: 'Pass: sieht alle Bestellungen, gibt aus',
      runner: 'Runner: trägt hinaus, was fertig ist',
      'pick-up': 'Abholanzeige: zeigt Gästen Nummern',
    },
    kindHints: {
      station: '',
      expo: '',
      runner: 'Zeigt nur, was fertig ist. Kann Bestellungen als abgeholt melden und das zurücknehmen.',
      'pick-up': 'Zwei Spalten, „In Arbeit“ und „Abholbereit“, ohne Tippen. Bestellungen mit Tisch erscheinen nicht.',
    },
    showNames: 'Vornamen neben den Nummern zeigen',
    showNamesHint: 'Sonst bekommt die Anzeige nur Nummern.',
    showsNames: 'Vornamen neben den Nummern',
    add: 'Monitor hinzufügen',
    none: 'Noch kein Monitor. Jedes Tablet mit Browser kann einer sein.',
    whichStations: 'Welche Posten zeigt er?',
    noScreenYet: 'noch kein Monitor',
    anotherStation: 'Anderer Posten…',
    anotherHint: 'Geschrieben wie auf der Karte; mehrere durch Kommas getrennt',
    backup: 'Druckt, solange der Monitor nicht antwortet',
    backupHint: 'Bons, die niemand gesehen hat, kommen dort heraus, mit dem Vermerk SCREEN OFFLINE',
    noBackup: 'Nichts druckt ersatzweise',
    buzzAfter: 'Sein Summer ruft nach so vielen Sekunden',
    buzzAfterHint: '10 bis 3600, wenn niemand eine Bestellung auf dem Monitor angesehen hat; leer: nie',
    backupIs: (name: string) => `${name} druckt, solange er nicht antwortet`,
    scan: 'Mit dem Tablet scannen, im selben Netz:',
    qr: 'Adresse des Monitors als QR-Code',
    codeUntil: (when: string) => `Gilt einmal, bis ${when}.`,
    localAddress:
      'Diese Seite wurde unter einer Adresse geöffnet, die nur dieses Gerät kennt. Über die IP-Adresse der Box öffnen, damit der Code für das Tablet gilt. Antwortet sie dort nicht: auf diesem Gerät GATEWAY_HTTP_HOST=0.0.0.0 setzen.',
    notYet: 'Wartet auf sein Tablet',
    alive: 'Verbunden',
    onShift: 'Verbunden, Schicht gestartet',
    silent: 'Antwortet nicht: Tablet einschalten oder mit neuem Code anmelden',
    edit: 'Ändern',
    lastHeard: (when: string) => `letztes Signal ${when}`,
    notHeard: 'kein Signal, seit die Box läuft',
    speaks: (language: string) => `Sprache: ${language}`,
    newCode: 'Neuer Code',
    remove: 'Monitor entfernen',
    removeQuestion: (name: string) => `${name} wird sofort abgemeldet.`,
  },
  logo: {
    title: 'Bild auf Belegen',
    explain: 'Ein PNG, schwarz-weiß gezeichnet, so breit, wie das Papier erlaubt. Dunkel auf Weiß druckt am besten.',
    none: 'Auf den Belegen steht kein Bild.',
    file: 'PNG-Datei',
    put: 'Dieses Bild verwenden',
    tooBig: 'Die Datei ist größer als 512 kB: verkleinern.',
    size: (width: number, height: number) => `Auf breitem Papier ist es ${width} mal ${height} Punkte groß.`,
    remove: 'Bild entfernen',
    removeQuestion: 'Auf den Belegen steht ab jetzt kein Bild.',
  },
  routing: {
    paste: 'Eine Bestellung als JSON',
    whatIf: 'Was wäre, wenn',
    pasteHint: 'Wie der Server sie schickt; was den Weg nicht bestimmt, darf fehlen. Nichts wird gedruckt.',
    badJson: 'Das ist kein JSON: Kommas und Anführungszeichen prüfen.',
    ask: 'Wohin ginge sie?',
    printsNow: 'Sie würde sofort gedruckt.',
    printsLater: 'Sie würde nicht sofort oder nicht ganz gedruckt.',
  },
  settings: {
    box: 'Diese Box',
    name: 'Name des Restaurants',
    nameHint: 'Wie er oben auf dieser Seite steht',
    timeZone: 'Zeitzone',
    timeZoneHint: 'Zum Beispiel Europe/Berlin: Zeiten auf Bons sind Ortszeit',
    relayZone: (zone: string) =>
      `Im Konto des Restaurants steht ${zone}: Mit einer anderen Zone hier sind die Zeiten auf Bons und Monitoren nicht die des Restaurants.`,
    browserZone: (zone: string) => `Dieses Gerät steht auf ${zone}. Es zählt, wo das Restaurant ist.`,
    boxLanguage: 'Sprache der Box',
    language: 'Sprache',
    colours: 'Farben',
    schemes: { auto: 'Wie das Gerät', light: 'Hell', dark: 'Dunkel' },
    password: 'Eigenes Passwort',
    currentPassword: 'Jetziges Passwort',
    newPassword: 'Neues Passwort',
    ownPassword: 'Eigenes Passwort',
    ownPasswordHint: 'Noch einmal, weil das hier entscheidet, wer hineinkommt',
    passwordHint: (n: number) =>
      `Mindestens ${n} Zeichen. Gut sind ein paar Wörter, die nicht zusammengehören; leichte werden abgelehnt.`,
    changePassword: 'Passwort ändern',
    passwordChanged: 'Geändert. Andere Browser sind abgemeldet.',
    about: 'Über diese Box',
    version: 'Version',
    gatewayId: 'Nummer der Box',
    address: 'Adresse dieser Seite',
    certificate: 'Zertifikat dieser Seite, SHA-256',
  },
  pairing: {
    title: 'Kopplung',
    explain:
      'Den Kopplungscode gibt es in der Verwaltung des Restaurants. Ohne ihn geht in diesem Netz alles, aber es kommen keine Bestellungen.',
    code: 'Kopplungscode',
    codeHint: 'Gilt einmal, 15 Minuten lang',
    relay: 'Adresse des Servers',
    relayHint: 'Nur wenn eine mitgeteilt wurde',
    pair: 'Koppeln',
    paired: 'Gekoppelt.',
    belongsTo: (name: string) => `Diese Box gehört zu ${name}.`,
    unpair: 'Kopplung lösen',
    unpairQuestion: 'Es kommen keine Bestellungen mehr, bis sie neu gekoppelt ist. Drucker und Bons bleiben.',
  },
  users: {
    explain: 'Die Leitung kümmert sich um Drucker, Bons und Monitore. Die Technik darf alles.',
    add: 'Person hinzufügen',
    role: 'Rolle',
    roles: { technician: 'Technik', manager: 'Leitung' },
    you: 'eigenes Konto',
    since: (when: string) => `seit ${when}`,
    remove: 'Person entfernen',
    removeQuestion: (name: string) => `${name} wird sofort abgemeldet und kann sich nicht mehr anmelden.`,
    changeRole: 'Rolle ändern',
    changeRoleQuestion: (name: string) => `${name} wird abgemeldet und meldet sich mit der neuen Rolle an.`,
    setPassword: 'Neues Passwort setzen',
    setPasswordQuestion: (name: string) => `${name} wird abgemeldet und meldet sich mit dem neuen Passwort an.`,
    of: (act: string, name: string) => `${act}: ${name}`,
  },
  logs: {
    level: 'Ab Stufe',
    levels: { debug: 'Einzelheit', info: 'Info', warn: 'Warnung', error: 'Fehler', fatal: 'Ausfall' },
    search: 'Suchen',
    none: 'Keine Zeilen.',
    newest: 'Neueste',
  },
  care: {
    diagnostics: 'Diagnose',
    diagnosticsHint:
      'Eine Datei für den Support: Zustand, Einstellungen und Protokoll dieser Box. Ohne Passwörter, Schlüssel und Gäste.',
    saveDiagnostics: 'Diagnose speichern',
    backup: 'Sicherung',
    backupHint:
      'Drucker, Verteilung, Personen und Einstellungen in einer Datei, verschlossen mit einer Passphrase. Bestellungen sind nicht darin. Ohne die Passphrase kann niemand die Datei öffnen: getrennt von ihr aufbewahren.',
    saveBackup: 'Sicherung speichern',
    saved: (file: string) => `Gespeichert als ${file}. Inhalt:`,
    holds: ({ printers, people, rules, hasLogo }: BackupHolds) => {
      const rulesWords = rules === 0 ? 'keine Regeln' : `${rules} ${rules === 1 ? 'Regel' : 'Regeln'}`
      const peopleWords = people === 0 ? 'keine Personen' : `${people} ${people === 1 ? 'Person' : 'Personen'}`
      return `${printers === 0 ? 'keine' : printers} Drucker, ${peopleWords}, ${rulesWords}, ${hasLogo ? 'ein Bild' : 'kein Bild'}.`
    },
    ownPasswordHint: 'Noch einmal, weil die Sicherung Personen und ihre Passwörter mitnimmt',
    restore: 'Wiederherstellen',
    restoreHint:
      'Zeigt erst, was eine Sicherung bringen würde, auch auf einer anderen Box. Diese Box behält ihre Identität, ihre Bons und ihre Personen.',
    file: 'Sicherungsdatei',
    passphrase: 'Passphrase',
    passphraseHint: (n: number) => `Mindestens ${n} Zeichen: ein paar Wörter, die nicht zusammengehören.`,
    passphraseAgain: 'Passphrase noch einmal',
    isPlain: 'Diese Datei hat keine Passphrase: Eine ältere Version hat sie erstellt, und ihre Herkunft ist bekannt',
    look: 'Zeigen, was sie bringen würde',
    preview: (when: string, app: string) => `Erstellt am ${when} mit ${app}.`,
    unprotected:
      'Die Datei ist nicht geschützt: Jeder kann sie geändert haben. Genau ansehen. Sie bringt keine Personen.',
    standings: {
      new: 'neu',
      changed: 'ändert sich',
      same: 'bleibt gleich',
      here: 'ist hier, behält Passwort und Rolle',
    },
    rules: (names: readonly string[], replaced: number) => {
      if (names.length === 0)
        return replaced === 0
          ? 'Regeln der Verteilung: keine, weder hier noch in der Sicherung.'
          : `Regeln der Verteilung: In der Sicherung sind keine, darum werden die ${replaced} dieser Box entfernt.`
      const instead = replaced === 0 ? '.' : `, anstelle der ${replaced} dieser Box.`
      return `Regeln der Verteilung: ${names.join(', ')}${instead}`
    },
    changes: {
      name: (after: string, before: string) => `Name: ${after}${before && ` statt ${before}`}.`,
      timeZone: (after: string, before: string) => `Zeitzone: ${after}${before && ` statt ${before}`}.`,
      language: (after: string, before: string) => `Sprache: ${after} statt ${before}.`,
    },
    settingsStay: 'Name, Zeitzone und Sprache bleiben, wie sie sind.',
    lateMinutes: 'Nach wie vielen Minuten eine Bestellung zu spät ist: wie in der Datei.',
    logo: 'Das Bild auf den Belegen wird ersetzt.',
    logoStays: 'Das Bild auf den Belegen bleibt, wie es ist.',
    people: 'Wer mitkommt',
    peopleHint: 'Nur wer angekreuzt ist. Die Anmeldung hier geht mit dem Passwort von dort.',
    nobody: 'In der Datei sind keine Personen.',
    restored: (printers: number, rules: number, users: number) =>
      `Übernommen: Drucker ${printers}, Regeln ${rules}, Personen ${users}.`,
  },
  wizard: deWizard,
  stations: deStations,
  rules: deRules,
  check: deCheck,
} satisfies Messages
