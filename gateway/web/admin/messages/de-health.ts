// What is wrong and what to do, in German. `{name}` is replaced by a value from the box.
import type { enHealth } from './en-health.ts'

export const deHealth = {
  severities: { critical: 'Störung', warning: 'Warnung', advice: 'Hinweis' },
  sentences: {
    'not-paired': {
      title: 'Nicht gekoppelt',
      text: 'Diese Box gehört noch zu keinem Restaurant: Es kommen keine Bestellungen. Unter Einstellungen einen Kopplungscode eingeben. Drucker und Monitore gehen auch so.',
    },
    'pairing-unusable': {
      title: 'Kopplung nicht brauchbar',
      text: 'Die Kopplung dieser Box ist nicht lesbar: Es kommen keine Bestellungen. Mit einem neuen Kopplungscode koppeln.',
    },
    'relay-unreachable': {
      title: 'Keine Verbindung zum Server',
      text: 'Neue Bestellungen warten am Server und kommen, sobald die Verbindung wieder da ist. Das Internet prüfen. Was schon hier ist, wird gedruckt.',
    },
    'relay-refuses': {
      title: 'Der Server weist diese Box ab',
      text: 'Ihr Zugang wurde gesperrt, oder eine andere Box hat ihren Platz: Es kommen keine Bestellungen. Unter Einstellungen die Kopplung lösen und mit einem neuen Code koppeln. Was schon hier ist, wird gedruckt.',
    },
    'relay-certificate': {
      title: 'Der Server kann nicht beweisen, wer er ist',
      text: 'Es kommen keine Bestellungen. Erst prüfen, ob die Uhr dieser Box richtig geht. Wenn ja, ist die Adresse des Servers falsch, oder jemand steht dazwischen. Was schon hier ist, wird gedruckt.',
    },
    'no-printer': {
      title: 'Kein Drucker',
      text: 'Nichts kann gedruckt werden. Drucker im Netz suchen oder einen mit Adresse hinzufügen.',
    },
    'no-default-printer': {
      title: 'Kein Drucker übernimmt den Rest',
      text: 'Artikel, für deren Posten kein Drucker da ist, können nirgends hin. Festlegen, welcher Drucker sie übernimmt.',
    },
    'printer-paused': { title: '{printer} ist angehalten', text: 'Seine Bons warten, bis ihn jemand fortsetzt.' },
    'printer-untested': {
      title: '{printer} wurde nicht getestet',
      text: 'Einen Testbon drucken, ansehen und seine Nummer eingeben: Dann ist sicher, dass die Bons lesbar sind.',
    },
    'display-no-backup': {
      title: 'Monitor {display} hat keinen Ersatzdrucker',
      text: 'Nichts druckt seine Bestellungen, wenn er nicht antwortet. Einen Drucker dafür wählen.',
    },
    'printer-other': {
      title: 'An der Stelle von {printer} steht wohl ein anderer Drucker',
      text: 'Bekannt: {known}. Gefunden: {found}. Wurde der Drucker ersetzt, den neuen annehmen: Die Bons werden sofort dort gedruckt. Wenn nicht, das Gerät mit seiner Adresse suchen oder, falls er hängt, aus- und einschalten.',
    },
    'printer-quieter': {
      title: '{printer} antwortet nicht mehr wie früher',
      text: 'Bekannt: {known}. Gefunden: {found}. Das Gerät hat die Hardware-Adresse dieses Druckers, nennt aber seinen Namen nicht mehr. Aus- und einschalten. Nur annehmen, wenn seine Einstellungen geändert wurden: Dann druckt er mit dem Nachweis, den er jetzt gibt.',
    },
    'printer-elsewhere': {
      title: '{printer} hat vielleicht eine andere Adresse',
      text: 'Bekannt: {known}. Gefunden: {found}. Entweder stimmt nicht alles überein, oder beide antworten, darum ziehen seine Bons nicht von selbst um. Das Gerät ansehen; nur annehmen, wenn es das richtige ist.',
    },
    'disk-full': {
      title: 'Der Speicher ist voll',
      text: 'Bestellungen werden aus einer Reserve weiter gedruckt; der älteste erledigte Verlauf wird gelöscht. {freeBytes} von {totalBytes} sind frei. Dateien von diesem Gerät entfernen oder eine größere Karte einsetzen.',
    },
    'disk-low': {
      title: 'Der Speicher ist fast voll',
      text: 'Der älteste erledigte Verlauf wird gelöscht, um Platz zu schaffen. {freeBytes} von {totalBytes} sind frei. Dateien von diesem Gerät entfernen oder eine größere Karte einsetzen.',
    },
    'page-https': {
      title: 'Die Seite antwortet nicht über https',
      text: 'Niemand kann sich von einem anderen Gerät anmelden: {fault}. Druck und Küchenmonitore laufen weiter.',
    },
    'page-certificate': {
      title: 'Das eingesetzte Zertifikat ist nicht brauchbar',
      text: 'Bis das behoben ist, wird ein anderes Zertifikat benutzt. Grund: {fault}',
    },
    'page-certificate-ends': {
      title: 'Das eingesetzte Zertifikat läuft bald ab oder ist abgelaufen',
      text: 'Es gilt bis {until}. Ein neues in dieselben Dateien legen: Es gilt innerhalb einer Minute.',
    },
    'database-replaced': {
      title: 'Die Datenbank war beschädigt und wurde ersetzt',
      text: 'Offene Bons gerettet, sie werden mit dem Vermerk „möglicherweise doppelt“ gedruckt: {savedTickets}. Nicht lesbar: {lostTickets}; an der Kasse nach diesen Bestellungen fragen. Die beschädigten Dateien liegen in {folder}. Bei dieser Karte passiert das wieder: austauschen.',
    },
    'older-image': {
      title: 'Der Datenträger ist eine ältere Kopie: Was darauf wartete, bekam einen Vermerk',
      text: 'Eine Sicherung oder ein Abbild des Datenträgers wurde zurückgespielt. Was darauf wartete, ist vielleicht schon gedruckt und wird darum mit dem Vermerk „möglicherweise doppelt“ gedruckt, außer der Server kannte das Ergebnis. Bons mit Vermerk mit dem Papier vergleichen; mehr ist nicht zu tun. Bons, die herausgenommen wurden, weil der Server ihr Ergebnis kannte: {withdrawn}. Bons, die mit Vermerk gedruckt werden: {marked}.',
    },
    'older-image-settled': {
      title: 'Der Datenträger ist eine ältere Kopie: Nichts, was darauf wartete, wird gedruckt',
      text: 'Eine Sicherung oder ein Abbild des Datenträgers wurde zurückgespielt. Der Server kannte alle Ergebnisse dessen, was darauf wartete. Es ist nichts zu tun. Bons, die herausgenommen wurden, weil der Server ihr Ergebnis kannte: {withdrawn}. Bons, die mit Vermerk gedruckt werden: {marked}.',
    },
    'another-machine': {
      title:
        'Die Karte kommt aus einem anderen Gerät, oder ihre Datenbank wurde verschoben: Was darauf wartete, bekam einen Vermerk',
      text: 'Das andere Gerät hat es vielleicht gedruckt, darum wird es mit dem Vermerk „möglicherweise doppelt“ gedruckt, außer der Server kannte das Ergebnis. Läuft das andere Gerät noch mit einer gleichen Karte, die Kopplung dieser Box lösen und neu koppeln; wurde nur die Platine ersetzt, ist nichts zu tun. Bons, die herausgenommen wurden, weil der Server ihr Ergebnis kannte: {withdrawn}. Bons, die mit Vermerk gedruckt werden: {marked}.',
    },
    'another-machine-settled': {
      title:
        'Die Karte kommt aus einem anderen Gerät, oder ihre Datenbank wurde verschoben: Nichts, was darauf wartete, wird gedruckt',
      text: 'Der Server kannte alle Ergebnisse dessen, was darauf wartete. Läuft das andere Gerät noch mit einer gleichen Karte, die Kopplung dieser Box lösen und neu koppeln; wurde nur die Platine ersetzt, ist nichts zu tun. Bons, die herausgenommen wurden, weil der Server ihr Ergebnis kannte: {withdrawn}. Bons, die mit Vermerk gedruckt werden: {marked}.',
    },
    'another-database': {
      title: 'Das ist eine andere Datenbank als vorher: Was darin wartete, bekam einen Vermerk',
      text: 'Es ist vielleicht schon gedruckt und wird darum mit dem Vermerk „möglicherweise doppelt“ gedruckt, außer der Server kannte das Ergebnis. Bons mit Vermerk mit dem Papier vergleichen; mehr ist nicht zu tun. Bons, die herausgenommen wurden, weil der Server ihr Ergebnis kannte: {withdrawn}. Bons, die mit Vermerk gedruckt werden: {marked}.',
    },
    'another-database-settled': {
      title: 'Das ist eine andere Datenbank als vorher: Nichts, was darin wartete, wird gedruckt',
      text: 'Der Server kannte alle Ergebnisse dessen, was darin wartete. Es ist nichts zu tun. Bons, die herausgenommen wurden, weil der Server ihr Ergebnis kannte: {withdrawn}. Bons, die mit Vermerk gedruckt werden: {marked}.',
    },
    'no-disk-proof': {
      title: 'Die Box weiß nicht, ob ihr Datenträger eine ältere Kopie ist: Was darauf wartete, bekam einen Vermerk',
      text: 'Die Datei, in der das steht, fehlt: {file}. Was wartete, wird mit dem Vermerk „möglicherweise doppelt“ gedruckt, außer der Server kannte das Ergebnis. Die Datei wurde neu angelegt; dort lassen. Bons, die herausgenommen wurden, weil der Server ihr Ergebnis kannte: {withdrawn}. Bons, die mit Vermerk gedruckt werden: {marked}.',
    },
    'no-disk-proof-settled': {
      title: 'Die Box weiß nicht, ob ihr Datenträger eine ältere Kopie ist: Nichts, was darauf wartete, wird gedruckt',
      text: 'Die Datei, in der das steht, fehlt: {file}. Der Server kannte alle Ergebnisse dessen, was wartete. Die Datei wurde neu angelegt; dort lassen. Bons, die herausgenommen wurden, weil der Server ihr Ergebnis kannte: {withdrawn}. Bons, die mit Vermerk gedruckt werden: {marked}.',
    },
    'disk-proof-unusable': {
      title: 'Die Box kann nicht festhalten, welcher Datenträger der neueste ist',
      text: 'Diese Datei lässt sich nicht lesen oder schreiben oder ist beschädigt: {file}. Bis das behoben ist, wird beim Start Wartendes mit dem Vermerk „möglicherweise doppelt“ gedruckt. Der Box das Schreiben in ihren Ordner erlauben oder mit GATEWAY_PROOF_FOLDER einen anderen setzen und die Box neu starten. Bons, die herausgenommen wurden, weil der Server ihr Ergebnis kannte: {withdrawn}. Bons, die mit Vermerk gedruckt werden: {marked}.',
    },
    'memory-high': {
      title: 'Die Box braucht fast ihren ganzen Arbeitsspeicher',
      text: '{usedBytes} von {limitBytes}. An der Grenze beendet das System sie und startet sie neu; nichts geht verloren. Bitte mit der Diagnosedatei melden.',
    },
    'update-undone': {
      title: 'Das Update auf {version} wurde zurückgenommen',
      text: 'Es wurde nicht betriebsbereit, darum läuft wieder die vorige Version. Es wird kein zweites Mal versucht; die nächste Version schon.',
    },
    'unprintable-one': {
      title: 'Ein Zeichen der Bestellung #{order} war nicht druckbar',
      text: 'Auf dem Papier von {printer} steht dafür eine Nummer wie [U+0378] oder ein ?. Nachfragen, was gemeint war. Ein Drucker, der Bilder druckt, kann alles drucken, wofür diese Box eine Schrift hat: eine .ttf-, .otf- oder .woff-Datei in den Ordner fonts neben der Datenbank dieser Box legen und die Box neu starten.',
    },
    unprintable: {
      title: '{characters} Zeichen der Bestellung #{order} waren nicht druckbar',
      text: 'Auf dem Papier von {printer} steht für jedes eine Nummer wie [U+0378] oder ein ?. Nachfragen, was gemeint war. Ein Drucker, der Bilder druckt, kann alles drucken, wofür diese Box eine Schrift hat: eine .ttf-, .otf- oder .woff-Datei in den Ordner fonts neben der Datenbank dieser Box legen und die Box neu starten.',
    },
    'tickets-parked': {
      title: 'Bons warten auf Prüfung, {printer}: {tickets}',
      text: 'Es ist ungewiss, ob sie gedruckt sind, oder sie sind alt. Am Drucker nachsehen, dann drucken lassen oder jeden unter Bons erledigen.',
    },
    'relay-name': {
      title: 'Der Name des Servers wird nicht gefunden',
      text: 'Diese Box hat kein Internet, oder ihr Namensserver (DNS) antwortet nicht. Router und Netzwerkkabel prüfen. Was schon hier ist, wird gedruckt.',
    },
    'relay-no-way': {
      title: 'Es gibt keinen Weg zum Server',
      text: 'Das Netz dieser Box führt nicht ins Internet. Router und Netzwerkkabel prüfen. Was schon hier ist, wird gedruckt.',
    },
    'relay-closed': {
      title: 'Der Server nimmt die Verbindung nicht an',
      text: 'Seine Adresse antwortet, aber niemand nimmt dort die Verbindung an: Der Server startet gerade neu, oder eine Firewall steht dazwischen. Die Box versucht es von selbst weiter. Was schon hier ist, wird gedruckt.',
    },
    'relay-busy': {
      title: 'Der Server nimmt diese Box gleich an',
      text: 'Er ist da, und viele Boxen kommen gleichzeitig zu ihm zurück. Er hat gesagt, wann diese wieder fragen soll. Was schon hier ist, wird gedruckt.',
    },
    'time-zone': {
      title: 'Zeitzone nicht gesetzt',
      text: 'Die Zeiten auf den Bons sind in UTC. Die Zeitzone des Restaurants setzen.',
    },
    'time-zones-differ': {
      title: 'Box und Server haben verschiedene Zeitzonen',
      text: 'Seiten, Monitore und Papier dieser Box zeigen {zone}, weil jemand das hier gesetzt hat. Der Server sagt {relayZone}. Eine von beiden ist falsch.',
    },
    'clock-wrong': {
      title: 'Die Uhr dieses Geräts geht falsch',
      text: 'Sie weicht um {apartMs} vom Server ab. Bestellungen kommen trotzdem zur richtigen Zeit, aber sichere Verbindungen können scheitern: von einem Zeitserver stellen lassen (timedatectl set-ntp true).',
    },
    'clock-unset': {
      title: 'Die Uhrzeit ist nicht bekannt',
      text: 'Die Uhr dieses Geräts ging beim Start {behindMs} hinter der letzten bekannten Zeit, darum läuft die Box ab dieser weiter. Sie stellt sich von selbst, sobald der Server oder ein Zeitserver antwortet.',
    },
    'update-available': {
      title: 'Version {version} ist verfügbar',
      text: 'Sie installiert sich von selbst zwischen 3 und 5 Uhr nachts, wenn kein Bon wartet; nach drei Tagen auch, wenn Bons warten (sie bleiben gespeichert). Jetzt installieren: sudo ticketrail-gateway update now',
    },
    'image-held': {
      title: 'Was wartete, wird noch nicht gedruckt',
      text: 'Der Datenträger ist vielleicht eine ältere Kopie, darum fragt die Box erst den Server, was schon gedruckt ist. Sie wartet ein paar Sekunden auf die Antwort und druckt dann, mit Vermerk.',
    },
    'box-hot': {
      title: 'Das Gerät ist heiß',
      text: '{celsius} °C. Heiß wird es langsamer. Aufrecht hinstellen, auf jeder Seite eine Handbreit Luft lassen, fern von Öfen, Fritteusen und direkter Sonne, nicht in einen geschlossenen Schrank, und den Staub von den Öffnungen wischen. Der Hinweis geht von selbst, sobald es abgekühlt ist.',
    },
    'storage-worn': {
      title: 'Der Speicher ist fast verbraucht',
      text: '{percent} % sind verbraucht. Eine Sicherung speichern, dann die Karte austauschen.',
    },
    'box-not-backed-up': {
      title: 'Keine Sicherung dieser Box',
      text: 'In den letzten 30 Tagen hat niemand eine Sicherung gespeichert. Fällt die Karte aus, müssen Drucker, Posten und Personen neu eingerichtet werden.',
    },
    'page-only-here': {
      title: 'Telefone und Tablets erreichen diese Box nicht',
      text: 'Ihre Seite antwortet nur auf diesem Gerät, unter {url}. Für Telefone und Küchenmonitore: GATEWAY_HTTP_HOST=0.0.0.0',
    },
    'nobody-signs-in': {
      title: 'Noch kann sich niemand anmelden',
      text: 'Die Seite öffnen und die erste Person anlegen. Den Code dafür zeigt: ticketrail-gateway welcome',
    },
    'board-unread': {
      title: 'Die offenen Bestellungen sind nicht lesbar',
      text: 'Es ist nicht bekannt, was die Monitore zeigen. Die Box versucht es von selbst weiter. Im Protokoll nachsehen und melden.',
    },
    'printer-down': { title: '{printer} druckt nicht', text: '{hint}' },
    'paper-low': { title: 'Papier fast leer: {printer}', text: '{hint}' },
    'printer-warning': { title: '{printer} hat eine Meldung', text: '{hint}' },
    'printer-note': { title: '{printer}', text: '{text}' },
    'printer-idle': {
      title: '{printer} druckt nie',
      text: 'Kein Posten und keine Regel schickt ihm etwas, und er übernimmt für niemanden. Ihm einen Posten geben oder ihn entfernen.',
    },
    'printer-passed-over': {
      title: '{printer} bekommt nichts',
      text: 'Alle seine Posten gehen an einen Drucker, der vor ihm kommt. Sie dort wegnehmen oder {printer} andere geben.',
    },
    'printer-no-backup': {
      title: '{printer} hat keinen Ersatzdrucker',
      text: 'Niemand übernimmt seine Bons, wenn er ausfällt. Einen anderen Drucker als Ersatz wählen.',
    },
    'printers-share-address': {
      title: '{printer} und {other} haben dieselbe Adresse',
      text: 'Beide drucken unter {address}, darum bekommt jeder die Bons des anderen. Jedem eine eigene Adresse geben.',
    },
    'display-silent': {
      title: 'Monitor {display} antwortet nicht',
      text: 'Er hat sich seit einer Weile nicht gemeldet: Ist das Tablet an und in diesem Netz?',
    },
    'display-stuck': {
      title: 'Monitor {display} zeigt keine neuen Bestellungen',
      text: 'Er meldet sich, bekommt aber keine Bestellungen oder zeichnet sie nicht. Seite neu laden oder Tablet neu starten.',
    },
    'no-screen-alive': {
      title: 'Kein Monitor in der Küche antwortet',
      text: 'Kein Monitor meldet sich. Sind die Tablets an, und ist das WLAN da?',
    },
    'display-unclaimed': {
      title: 'Als {display} ist kein Monitor angemeldet',
      text: 'Auf dem Tablet die Küchenseite öffnen, mit einem neuen Code oder dem QR-Code.',
    },
    'display-stands-in': {
      title: '{by} zeigt auch die Posten von {display}',
      text: '{display} antwortet wieder. Die Posten zurückgeben, damit jeder Monitor seine eigenen zeigt.',
    },
    'station-unserved': {
      title: 'Kein Drucker und kein Monitor ist für {station} da',
      text: 'Die Artikel dieses Postens kommen an {printer} heraus, der den Rest übernimmt. Dem Posten einen Drucker oder Monitor geben oder festlegen, dass {printer} für ihn da ist.',
    },
    'station-no-screen': {
      title: 'Kein Monitor ist für {station} da',
      text: 'Die Artikel dieses Postens stehen auf dem Monitor eines anderen, gekennzeichnet. Den Posten einem Monitor geben.',
    },
  },
  notes: {
    away: '{printer} ist nicht erreichbar: {backup} hat seine Bons',
    moved: '{printer} hat eine andere Adresse',
    'moved-back': '{printer} ist zurück unter seiner alten Adresse',
    several: 'Mehrere Geräte antworten mit der Hardware-Adresse von {printer}',
    taken: 'Unter der neuen Adresse von {printer} ist ein anderer Drucker eingerichtet',
    'not-yet': '{printer} hat vielleicht eine andere Adresse',
  },
  printerDown: '{printer} druckt nicht',
  printerWarns: '{printer} hat eine Meldung',
  verdicts: {
    well: 'Alles in Ordnung.',
    unheard: 'Keine Störung bekannt. Noch ohne Antwort: {parts}.',
    critical: { one: '1 Störung', other: '# Störungen' },
    warning: { one: '1 Warnung', other: '# Warnungen' },
    advice: { one: '1 Hinweis', other: '# Hinweise' },
  },
  parts: { board: 'die offenen Bestellungen', disk: 'der Speicher', clock: 'die Uhr', relay: 'der Server' },
  costs: {
    'tickets-wait': {
      one: '1 Bon wartet, seit {oldestMs}.',
      other: '# Bons warten, der älteste seit {oldestMs}.',
    },
    'tickets-at-backup': { other: '{backup} druckt seine Bons.' },
    'tickets-parked': { one: '1 Bon wartet auf Prüfung.', other: '# Bons warten auf Prüfung.' },
    'tickets-held': { one: '1 Bon wird zurückgehalten.', other: '# Bons werden zurückgehalten.' },
    'tickets-nowhere': { other: 'Neue Bons warten, bis er druckt.' },
    'orders-refused': {
      other: 'Bestellungen mit Artikeln für {stations} werden abgelehnt: Sonst nimmt sie nichts an.',
    },
    'orders-unseen': { one: '1 Bestellung ist auf keinem Monitor.', other: '# Bestellungen sind auf keinem Monitor.' },
    'orders-at-expo': {
      one: 'Die Köche sehen 1 Bestellung an ihrem Posten nicht: Nur der Pass zeigt sie.',
      other: 'Die Köche sehen # Bestellungen an ihrem Posten nicht: Nur der Pass zeigt sie.',
    },
    'orders-on-paper': {
      one: '1 Bestellung wurde stattdessen gedruckt.',
      other: '# Bestellungen wurden stattdessen gedruckt.',
    },
    'orders-stop': { other: 'Es kommen keine Bestellungen.' },
    'results-wait': {
      one: 'Es kommen keine Bestellungen, und 1 Ergebnis wartet auf den Server.',
      other: 'Es kommen keine Bestellungen, und # Ergebnisse warten auf den Server.',
    },
    'lines-elsewhere': {
      one: '1 Artikel der letzten 7 Tage ging dorthin.',
      other: '# Artikel der letzten 7 Tage gingen dorthin.',
    },
    'never-prints': { other: 'Er bekommt nie eine Bestellung.' },
    'times-wrong': { other: 'Die Zeiten auf den Bons sind falsch.' },
  },
  acts: {
    'look-for-printers': 'Drucker suchen',
    'make-default': '{printer} soll sie übernehmen',
    resume: 'Fortsetzen',
    'test-print': 'Testbon drucken',
    'move-tickets': 'Wartendes zu {to} umleiten',
    'accept-device': 'Gefundenes Gerät annehmen',
    'release-tickets': 'Drucken',
    'choose-backup': '{backup} soll übernehmen',
    'serve-station': '{printer} für {station} nehmen',
    'assign-screen': '{station} auf {display} zeigen',
    'display-backup': '{backup} soll sie drucken',
    'take-over': 'Seine Bestellungen auf {by} zeigen',
    'give-back': 'Seine Posten zurückgeben',
    'print-board': 'Offene Bestellungen an {printer} drucken',
    'use-relay-zone': '{relayZone} verwenden',
    'set-zone': 'Zeitzone dieses Geräts verwenden',
    'open-printer': '{printer} ansehen',
    'open-stations': 'Posten und Verteilung',
    'open-displays': 'Monitore',
    'open-settings': 'Einstellungen',
    'open-care': 'Sicherung und Support',
    'first-person': 'Erste Person einrichten',
    'open-ticket': 'Bon ansehen',
    'open-log': 'Protokoll',
  },
  overview: {
    wrong: 'Was nicht stimmt',
    lasts: (span: string) => `seit ${span}`,
    chip: 'Zustand der Box',
  },
} satisfies typeof enHealth
