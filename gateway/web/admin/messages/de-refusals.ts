// Why the box refused a request, in German. `{name}` is replaced by a value from the box.
import type { enRefusals } from './en-refusals.ts'

export const deRefusals = {
  codes: {
    unreachable: 'Die Box antwortet nicht. Prüfen, ob sie an ist und ob dieses Gerät in ihrem Netz ist.',
    forbidden: 'Das darf nur die Technik.',
    'signed-out': 'Die Anmeldung ist abgelaufen. Neu anmelden.',
    throttled: 'Zu viele Versuche. {seconds} Sekunden warten und noch einmal versuchen.',
    busy: 'Gerade melden sich andere an. Gleich noch einmal versuchen.',
    'wrong-password': 'Name oder Passwort ist falsch.',
    'wrong-code':
      'Der Einrichtungscode ist falsch. Noch einmal nachsehen; wenn er nicht gilt, von der Box einen neuen holen.',
    setup: 'Diese Box hat noch keine Benutzer: den Einrichtungscode eingeben.',
    origin: 'Die Box hat diese Seite nicht angenommen. Neu öffnen, unter der Adresse der Box.',
    https: 'Diese Seite nimmt Passwörter nur über https an. Die Adresse der Box neu öffnen und dort weitermachen.',
    host: 'Die Box hört nicht auf diese Adresse. Über ihre IP-Adresse öffnen.',
    internal: 'In der Box ist etwas schiefgegangen. Mehr steht in ihrem Protokoll.',
  },
  cases: {
    'printer.nothing-to-accept': 'Es wurde kein anderes Gerät als dieser Drucker gesehen: Es gibt nichts anzunehmen.',
    'printer.another-device': 'Inzwischen antwortet dort wieder ein anderes Gerät: noch einmal ansehen.',
    'printer.unknown-printer': 'Diesen Drucker gibt es nicht mehr.',
    'printer.wrong-number': 'Das ist nicht die Nummer auf dem letzten Testbon. Noch einmal nachsehen.',
    'printer.no-number': 'Es wird keine Nummer erwartet: einen Testbon drucken und seine Nummer eingeben.',
    'printer.kept-open': 'Die Box hält die Verbindung zu {printer} offen: Was er antwortet, steht auf seiner Seite.',
    'printer.name-taken': 'Ein anderer Drucker heißt schon so: einen anderen Namen wählen.',
    'printer.too-many': 'Eine Box hat höchstens 32 Drucker: erst einen entfernen.',
    'printer.unknown-backup': 'Den Ersatzdrucker gibt es nicht mehr: einen anderen wählen.',
    'printer.backup-is-itself': 'Ein Drucker kann nicht sein eigener Ersatz sein: einen anderen wählen.',
    'printer.tickets-wait': 'An diesem Drucker warten Bons: erst umleiten oder drucken lassen.',
    'printer.printing':
      'Ein Bon ist unterwegs zu diesem Drucker: warten, bis er fertig ist, oder den Drucker ausschalten.',
    'printer.move-to-itself': 'Bons werden zu einem anderen Drucker umgeleitet: einen wählen.',
    'printer.no-drawer': 'Dieser Drucker hat keinen Anschluss für eine Kassenlade.',
    'address.itself':
      '{address} ist diese Box selbst, darum wird dort kein Drucker eingerichtet. Die Technik der Box kann es erlauben.',
    'address.link-local':
      '{address} ist link-lokal, wie bei einem Gerät, das von DHCP keine Adresse bekam, darum wird dort kein Drucker eingerichtet. Die Technik der Box kann es erlauben.',
    'address.group':
      '{address} ist für Multicast oder Broadcast und erreicht viele Geräte, darum wird dort kein Drucker eingerichtet. Die Technik der Box kann es erlauben.',
    'address.nobody':
      '{address} gehört zu keinem Gerät, darum wird dort kein Drucker eingerichtet. Die Technik der Box kann es erlauben.',
    'address.elsewhere':
      '{address} liegt in keinem privaten Netz, darum wird dort kein Drucker eingerichtet. Die Technik der Box kann es erlauben.',
    'address.port':
      'Port {port} gehört zu einem anderen Dienst: Drucker hören auf 9100. Die Technik der Box kann es erlauben.',
    'console.only': 'Das geht nur auf der Kommandozeile der Box selbst.',
    'ticket.unknown-ticket': 'Diesen Bon gibt es nicht mehr.',
    'ticket.unknown-printer': 'Sein Drucker ist nicht mehr eingerichtet: einen anderen wählen.',
    'ticket.printing': 'Der Bon ist unterwegs zum Drucker: warten, bis er fertig ist.',
    'ticket.settled': 'Der Bon ist schon erledigt.',
    'ticket.not-parked': 'Der Bon wartet nicht mehr auf Prüfung.',
    'ticket.own-document':
      'Ein Testbon, ein Hinweiszettel oder die Kassenlade gehört zu seinem Drucker: am anderen neu auslösen.',
    'ticket.cancelled': 'Seine Bestellung wurde zurückgezogen, darum wird er nicht nachgedruckt.',
    'ticket.document-gone': 'Sein Inhalt ist nicht mehr gespeichert, darum lässt er sich nicht nachdrucken.',
    'ticket.test': 'Ein Testbon wird nicht nachgedruckt: einen neuen drucken.',
    'box.disk-full':
      'Der Speicher der Box ist voll: Was zu tun ist, steht unter Störungen. Dann noch einmal versuchen.',
    'box.looking':
      'Andere suchen gerade Bestellungen oder Berichte auf dieser Box. Einige Sekunden warten, dann noch einmal.',
    'order.unknown-order':
      'Hier ist keine Bestellung mit dieser Nummer oder ID gespeichert. In der Liste der Bestellungen suchen.',
    'report.days': 'Der letzte Tag darf nicht vor dem ersten liegen und höchstens 400 Tage danach.',
    'user.name-taken': 'Eine andere Person heißt schon so: einen anderen Namen wählen.',
    'user.unknown-user': 'Diese Person gibt es nicht mehr.',
    'user.last-technician': 'Eine Person muss die Rolle Technik behalten: erst einer anderen diese Rolle geben.',
    'user.too-many': 'Eine Box hat höchstens 50 Personen: erst eine entfernen.',
    'display.not-its-kind':
      'Nur ein Küchenmonitor hat Posten, Ersatzdrucker und Summer, und nur eine Abholanzeige zeigt Namen.',
    'display.name-taken': 'Ein anderer Monitor heißt schon so: einen anderen Namen wählen.',
    'display.too-many': 'Es gibt schon 64 Monitore: einen entfernen, der nicht mehr gebraucht wird.',
    'display.no-stand-in': 'Dieser Monitor hat keine Posten eines anderen übernommen.',
    'display.no-stations': 'Jener Monitor kann keine Posten zeigen: einen anderen wählen.',
    'display.take-over-itself': 'Ein anderer Monitor übernimmt: einen wählen.',
    'display.answers':
      '{display} antwortet, seine Bestellungen sind dort zu sehen. Übernommen wird nur ein stummer Monitor.',
    'display.unknown-display': 'Diesen Monitor gibt es nicht mehr.',
    'station.last-of-display':
      '{station} ist der einzige Posten von {display}: Ohne Posten würde er alles zeigen. Erst einen anderen Posten geben oder festlegen, dass er alles zeigt.',
    'station.too-many': '{name} hätte mehr als {most} Posten: erst einen wegnehmen.',
    'routing.too-many-rules': 'Es gibt schon {most} Regeln: erst eine entfernen.',
    'routing.order-gone': 'Diese Bestellung ist hier nicht mehr gespeichert: eine andere wählen.',
    'routing.unknown-printer': 'Eine Regel nennt einen Drucker, den es nicht mehr gibt: einen anderen wählen.',
    'test-order.numbers-gone': 'Die Nummern dieser Testbestellung sind nicht mehr bekannt: noch eine senden.',
    'test-order.unknown-number': 'Diese Nummer steht auf keinem Papier dieser Testbestellung. Noch einmal nachsehen.',
    'test-order.other-printer': 'Diese Nummer kam an {printer} heraus, nicht hier.',
    'course.unknown-order': 'Diese Bestellung ist in der Küche nicht mehr offen.',
    'course.several-orders': 'Mehrere offene Bestellungen haben diese Nummer.',
    'course.unknown-course': 'Diesen späteren Gang hat die Bestellung nicht.',
    'course.voided': 'Die Bestellung wurde storniert.',
    'course.scheduled': 'Die Bestellung ist für später vorbestellt.',
    'pairing.bad-code': 'So sieht kein Kopplungscode aus. Noch einmal nachsehen.',
    'pairing.no-relay': 'Die Adresse des Servers fehlt: eingeben.',
    'pairing.already-paired': 'Diese Box ist schon gekoppelt. Erst die Kopplung lösen.',
    'pairing.unreachable': 'Der Server antwortet nicht. Internet, Adresse des Servers und Uhr dieser Box prüfen.',
    'pairing.code-refused':
      'Der Server nimmt diesen Code nicht an: Er ist unbekannt, abgelaufen oder schon benutzt. Einen neuen erstellen lassen.',
    'pairing.throttled': 'Zu viele Codes wurden probiert. Ein paar Minuten warten.',
    'pairing.relay-refused': 'Der Server hat unerwartet geantwortet. Seine Adresse prüfen.',
    'pairing.not-stored': 'Die Kopplung ließ sich auf dieser Box nicht speichern. Mehr steht in ihrem Protokoll.',
    'pairing.not-paired': 'Diese Box ist nicht gekoppelt.',
    'logo.bad-picture': 'Das ist kein PNG-Bild, das sich schwarz-weiß zeichnen lässt.',
    'backup.busy':
      'Die Box arbeitet gerade an einer anderen Sicherung oder an Anmeldungen. Gleich noch einmal versuchen.',
    'backup.no-backup': 'Das ist keine Sicherung einer solchen Box, oder die Datei ist beschädigt.',
    'backup.unusable': 'Diese Sicherung ist nicht brauchbar:',
    'backup.needs-passphrase': 'Diese Sicherung ist verschlossen: die Passphrase eingeben, mit der sie erstellt wurde.',
    'backup.wrong-passphrase':
      'Die Passphrase ist falsch, oder die Datei wurde geändert oder beschädigt. Nichts wurde übernommen.',
    'backup.not-protected':
      'Diese Sicherung stammt von einer älteren Version und hat keine Passphrase: Jeder kann sie geändert haben. Ist die Herkunft bekannt, ankreuzen, dass sie keine hat.',
    'backup.plain-people': 'Aus einer Datei ohne Passphrase werden keine Personen übernommen: neu hinzufügen.',
    'backup.unknown-person': 'Diese Person ist nicht in der Sicherung.',
    'password.not-yours': 'Das ist nicht das eigene Passwort.',
    'request.too-large': 'Das ist mehr, als die Box auf einmal annimmt: verkleinern.',
    'setup.taken': 'Diese Box hat ihre erste Person schon: anmelden oder die Technik fragen.',
  },
  rules: {
    required: 'muss ausgefüllt sein',
    'wrong-form': 'hat nicht die richtige Form',
    'at-least': 'muss mindestens {limit} sein',
    'at-most': 'darf höchstens {limit} sein',
    'at-least-characters': 'muss mindestens {limit} Zeichen haben',
    'at-most-characters': 'darf höchstens {limit} Zeichen haben',
    'at-least-entries': 'muss mindestens {limit} Einträge haben',
    'at-most-entries': 'darf höchstens {limit} Einträge haben',
    number: 'muss eine Zahl sein',
    'password-common':
      'ist zu leicht zu erraten, weil viele ein ähnliches benutzen: ein paar Wörter wählen, die nicht zusammengehören',
    'password-own-words':
      'enthält den eigenen Namen, den Namen des Restaurants oder den Einrichtungscode, die andere kennen: ein paar eigene Wörter wählen',
  },
  forms: {
    lateMin: 'darf nicht kleiner sein als „bald zu spät“',
    name: 'muss ein Name in einer Zeile sein',
    host: 'muss eine IP-Adresse, ein Hostname oder ein Gerät wie /dev/usb/lp0 sein',
    timeZone: 'muss eine Zeitzone wie Europe/Berlin sein',
    mac: 'muss eine Hardware-Adresse wie 64:eb:8c:00:00:01 sein',
    code: 'müssen die vier Ziffern auf dem Bon sein',
    relayUrl: 'muss eine Adresse wie mqtts://relay.example.com sein',
  },
} satisfies typeof enRefusals
