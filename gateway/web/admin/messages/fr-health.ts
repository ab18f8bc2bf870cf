// What is wrong and what to do, in French. `{name}` is replaced by a value from the box.
import type { enHealth } from './en-health.ts'

/** Of a disk in doubt: what became of the tickets that waited on it. */
const COUNTED =
  'Bons retirés parce que le relais avait leur résultat : {withdrawn}. Bons qui s’impriment marqués : {marked}.'
const REST = 'Ce qui est déjà ici s’imprime.'

export const frHealth = {
  severities: { critical: 'Panne', warning: 'Avertissement', advice: 'Conseil' },
  verdicts: {
    well: 'Tout va bien.',
    unheard: 'Aucun défaut connu. Pas encore de nouvelles de : {parts}.',
    critical: { one: '1 panne', other: '# pannes' },
    warning: { one: '1 avertissement', other: '# avertissements' },
    advice: { one: '1 conseil', other: '# conseils' },
  },
  parts: { board: 'les commandes en cours', disk: 'le disque', clock: 'l’horloge', relay: 'le relais' },
  sentences: {
    'not-paired': {
      title: 'Non associé',
      text: 'Ce boîtier n’appartient encore à aucun restaurant : aucune commande n’arrive. Saisissez un code d’association sous Réglages. Imprimantes et écrans fonctionnent quand même.',
    },
    'pairing-unusable': {
      title: 'Association inutilisable',
      text: 'L’association de ce boîtier est illisible : aucune commande n’arrive. Associez-le à nouveau avec un nouveau code.',
    },
    'relay-refuses': {
      title: 'Le relais refuse ce boîtier',
      text: `Son accès a été retiré, ou un autre boîtier a sa place : aucune commande n’arrive. Sous Réglages, quittez le restaurant, puis associez le boîtier avec un nouveau code. ${REST}`,
    },
    'relay-certificate': {
      title: 'Le relais ne peut pas prouver qui il est',
      text: `Aucune commande n’arrive. Regardez d’abord si l’horloge de ce boîtier est à l’heure. Si oui, l’adresse du relais est incorrecte, ou quelqu’un s’est mis entre les deux. ${REST}`,
    },
    'no-default-printer': {
      title: 'Aucune imprimante ne prend le reste',
      text: 'Les articles dont aucune imprimante ne sert le poste n’ont nulle part où aller. Dites quelle imprimante les prend.',
    },
    'printer-paused': { title: '{printer} est en pause', text: 'Ses bons attendent que quelqu’un la relance.' },
    'printer-untested': {
      title: '{printer} n’a pas été testée',
      text: 'Imprimez un bon de test, regardez-le et saisissez son numéro : on sait alors que ses bons se lisent bien.',
    },
    'display-no-backup': {
      title: 'L’écran {display} n’a pas d’imprimante de secours',
      text: 'Rien n’imprime ses commandes quand il ne répond pas. Choisissez une imprimante qui le fait.',
    },
    'printer-other': {
      title: 'Une autre imprimante semble être à la place de {printer}',
      text: 'Connue : {known}. Trouvée : {found}. Si vous l’avez remplacée, acceptez la nouvelle : ses bons s’y impriment aussitôt. Sinon, cherchez quel appareil a son adresse, ou si elle est bloquée : éteignez-la et rallumez-la.',
    },
    'printer-quieter': {
      title: '{printer} ne répond plus comme avant',
      text: 'Connue : {known}. Trouvée : {found}. Elle a l’adresse matérielle de cette imprimante, mais ne dit plus son nom. Éteignez-la et rallumez-la. Ne l’acceptez que si ses réglages ont été changés : elle imprime alors avec la preuve qu’elle donne maintenant.',
    },
    'printer-elsewhere': {
      title: '{printer} a peut-être une autre adresse',
      text: 'Connue : {known}. Trouvée : {found}. Soit tout ne concorde pas, soit les deux répondent : ses bons ne suivent donc pas tout seuls. Regardez l’appareil ; ne l’acceptez que s’il est à vous.',
    },
    'disk-full': {
      title: 'Le disque est plein',
      text: 'Les commandes s’impriment encore, grâce à une réserve ; l’historique terminé le plus ancien est effacé. Il reste {freeBytes} sur {totalBytes}. Retirez des fichiers de cette machine, ou prenez une carte plus grande.',
    },
    'disk-low': {
      title: 'Le disque est presque plein',
      text: 'L’historique terminé le plus ancien est effacé pour faire de la place. Il reste {freeBytes} sur {totalBytes}. Retirez des fichiers de cette machine, ou prenez une carte plus grande.',
    },
    'page-https': {
      title: 'La page ne répond pas par https',
      text: 'Personne ne peut se connecter depuis une autre machine : {fault}. L’impression et les écrans de cuisine continuent.',
    },
    'page-certificate': {
      title: 'Le certificat installé ne peut pas être utilisé',
      text: 'Un autre certificat est utilisé jusqu’à ce que ce soit réparé. Raison : {fault}',
    },
    'page-certificate-ends': {
      title: 'Le certificat installé expire bientôt, ou a expiré',
      text: 'Il est valable jusqu’au {until}. Mettez-en un nouveau dans les mêmes fichiers : il est pris en moins d’une minute.',
    },
    'database-replaced': {
      title: 'La base de données était endommagée et a été remplacée',
      text: 'Bons ouverts sauvés, qui s’impriment marqués comme doublons possibles : {savedTickets}. Illisibles : {lostTickets} ; demandez ces commandes à la caisse. Les fichiers endommagés sont gardés dans {folder}. Une carte qui fait cela une fois le refait : remplacez-la.',
    },
    'older-image': {
      title: 'Le disque est une ancienne copie : ce qui y attendait a été marqué',
      text: `Une sauvegarde ou une image du disque a été remise. Ce qui y attendait est peut-être déjà sur papier, et s’imprime donc comme doublon possible, sauf si le relais connaissait son résultat. Comparez les bons marqués avec le papier ; il n’y a rien d’autre à faire. ${COUNTED}`,
    },
    'older-image-settled': {
      title: 'Le disque est une ancienne copie : rien de ce qui y attendait ne s’imprime',
      text: `Une sauvegarde ou une image du disque a été remise. Le relais connaissait les résultats de tout ce qui y attendait. Il n’y a rien à faire. ${COUNTED}`,
    },
    'another-machine': {
      title:
        'La carte vient d’une autre machine, ou sa base de données a été déplacée : ce qui y attendait a été marqué',
      text: `L’autre machine l’a peut-être imprimé : il s’imprime donc comme doublon possible, sauf si le relais connaissait son résultat. Si l’autre machine tourne encore avec une carte semblable, quittez le restaurant sur ce boîtier et associez-le à nouveau ; si sa carte mère a été remplacée, il n’y a rien à faire. ${COUNTED}`,
    },
    'another-machine-settled': {
      title:
        'La carte vient d’une autre machine, ou sa base de données a été déplacée : rien de ce qui y attendait ne s’imprime',
      text: `Le relais connaissait les résultats de tout ce qui y attendait. Si l’autre machine tourne encore avec une carte semblable, quittez le restaurant sur ce boîtier et associez-le à nouveau ; si sa carte mère a été remplacée, il n’y a rien à faire. ${COUNTED}`,
    },
    'another-database': {
      title: 'Ce n’est pas la même base de données qu’avant : ce qui y attendait a été marqué',
      text: `C’est peut-être déjà sur papier, et s’imprime donc comme doublon possible, sauf si le relais connaissait son résultat. Comparez les bons marqués avec le papier ; il n’y a rien d’autre à faire. ${COUNTED}`,
    },
    'another-database-settled': {
      title: 'Ce n’est pas la même base de données qu’avant : rien de ce qui y attendait ne s’imprime',
      text: `Le relais connaissait les résultats de tout ce qui y attendait. Il n’y a rien à faire. ${COUNTED}`,
    },
    'no-disk-proof': {
      title: 'Le boîtier ne sait pas si son disque est une ancienne copie : ce qui y attendait a été marqué',
      text: `Le fichier qui le dit a disparu : {file}. Ce qui attendait s’imprime comme doublon possible, sauf si le relais connaissait son résultat. Le fichier a été refait ; laissez-le là. ${COUNTED}`,
    },
    'no-disk-proof-settled': {
      title: 'Le boîtier ne sait pas si son disque est une ancienne copie : rien de ce qui y attendait ne s’imprime',
      text: `Le fichier qui le dit a disparu : {file}. Le relais connaissait les résultats de tout ce qui attendait. Le fichier a été refait ; laissez-le là. ${COUNTED}`,
    },
    'disk-proof-unusable': {
      title: 'Le boîtier ne peut pas noter quel disque est le plus récent',
      text: `Ce fichier ne peut pas être lu ou écrit, ou il est endommagé : {file}. D’ici là, ce qui attend au démarrage s’imprime comme doublon possible. Donnez au boîtier le droit d’écrire dans son dossier, ou indiquez-en un autre dans GATEWAY_PROOF_FOLDER, puis redémarrez-le. ${COUNTED}`,
    },
    'memory-high': {
      title: 'Le boîtier a besoin de presque toute sa mémoire',
      text: '{usedBytes} sur {limitBytes}. À la limite, le système l’arrête et le redémarre ; rien n’est perdu. Merci de le signaler avec le fichier de diagnostic.',
    },
    'update-undone': {
      title: 'La mise à jour vers {version} a été annulée',
      text: 'Elle n’a pas démarré : la version précédente tourne à nouveau. Elle ne sera pas réessayée ; la version suivante le sera.',
    },
    'unprintable-one': {
      title: 'Un caractère de la commande #{order} n’a pas pu être imprimé',
      text: 'Sur le papier de {printer}, un numéro comme [U+0378], ou un ?, est à sa place. Demandez ce qui était voulu. Une imprimante qui imprime des images peut imprimer tout ce pour quoi ce boîtier a une police : mettez un fichier .ttf, .otf ou .woff dans le dossier fonts, à côté de la base de données de ce boîtier, puis redémarrez-le.',
    },
    unprintable: {
      title: '{characters} caractères de la commande #{order} n’ont pas pu être imprimés',
      text: 'Sur le papier de {printer}, un numéro comme [U+0378], ou un ?, est à la place de chacun. Demandez ce qui était voulu. Une imprimante qui imprime des images peut imprimer tout ce pour quoi ce boîtier a une police : mettez un fichier .ttf, .otf ou .woff dans le dossier fonts, à côté de la base de données de ce boîtier, puis redémarrez-le.',
    },
    'tickets-parked': {
      title: 'Bons qui attendent votre décision sur {printer} : {tickets}',
      text: 'On ne sait pas s’ils sont sur papier, ou ils sont anciens. Regardez l’imprimante, puis imprimez ou réglez chacun sous Bons.',
    },
    'relay-unreachable': {
      title: 'Pas de connexion au relais',
      text: `Les nouvelles commandes attendent au relais et arrivent quand la connexion revient. Vérifiez internet. ${REST}`,
    },
    'relay-name': {
      title: 'Le nom du relais est introuvable',
      text: `Ce boîtier n’a pas internet, ou son serveur de noms (DNS) ne répond pas. Vérifiez le routeur et le câble réseau. ${REST}`,
    },
    'relay-no-way': {
      title: 'Aucun chemin vers le relais',
      text: `Le réseau de ce boîtier ne mène pas à internet. Vérifiez le routeur et le câble réseau. ${REST}`,
    },
    'relay-closed': {
      title: 'Le relais ne prend pas la connexion',
      text: `Son adresse répond, mais personne n’y prend la connexion : le relais redémarre, ou un pare-feu se trouve entre les deux. Le boîtier réessaie tout seul. ${REST}`,
    },
    'relay-busy': {
      title: 'Le relais prend ce boîtier dans un instant',
      text: `Il est là, et beaucoup de boîtiers reviennent en même temps. Il a dit quand celui-ci peut redemander. ${REST}`,
    },
    'no-printer': {
      title: 'Aucune imprimante',
      text: 'Rien ne peut s’imprimer. Cherchez des imprimantes sur le réseau, ou ajoutez-en une par son adresse.',
    },
    'time-zone': {
      title: 'Fuseau horaire non réglé',
      text: 'Les heures des bons sont en UTC. Réglez le fuseau horaire du restaurant.',
    },
    'time-zones-differ': {
      title: 'Le boîtier et le relais ont des fuseaux horaires différents',
      text: 'Pages, écrans et papier de ce boîtier suivent {zone}, parce que quelqu’un l’a réglé ici. Le relais dit {relayZone}. L’un des deux est faux.',
    },
    'clock-wrong': {
      title: 'L’horloge de cette machine n’est pas à l’heure',
      text: 'Elle est à {apartMs} du relais. Les commandes arrivent quand même à l’heure, mais les connexions sûres peuvent échouer : laissez un serveur de temps la régler (timedatectl set-ntp true).',
    },
    'clock-unset': {
      title: 'L’heure n’est pas connue',
      text: 'Au démarrage, l’horloge de cette machine retardait de {behindMs} sur la dernière heure connue : le boîtier repart donc de celle-ci. Elle se remet à l’heure toute seule dès que le relais ou un serveur de temps répond.',
    },
    'update-available': {
      title: 'La version {version} est disponible',
      text: 'Elle s’installe toute seule entre 3 h et 5 h la nuit, quand aucun bon n’attend ; après trois jours, même si des bons attendent (ils restent sur le disque). Installer maintenant : sudo ticketrail-gateway update now',
    },
    'image-held': {
      title: 'Rien de ce qui attendait ne s’imprime encore',
      text: 'Le disque est peut-être une ancienne copie : le boîtier demande donc d’abord au relais ce qui est déjà sur papier. Il attend la réponse quelques secondes, puis imprime, avec la marque.',
    },
    'box-hot': {
      title: 'La machine est chaude',
      text: '{celsius} °C. Elle ralentit quand elle est chaude. Posez-la debout avec une largeur de main d’air de chaque côté, loin des fours, des friteuses et du soleil direct, sortez-la de tout placard fermé et essuyez la poussière de ses ouvertures. L’avertissement disparaît seul une fois qu’elle a refroidi.',
    },
    'storage-worn': {
      title: 'La carte arrive en fin de vie',
      text: 'Usure : {percent} %. Faites une sauvegarde, puis remplacez la carte.',
    },
    'box-not-backed-up': {
      title: 'Pas de sauvegarde de ce boîtier',
      text: 'Personne n’a fait de sauvegarde ces 30 derniers jours. Si la carte lâche, il faudra tout réinstaller : imprimantes, postes et personnes.',
    },
    'page-only-here': {
      title: 'Téléphones et tablettes n’atteignent pas ce boîtier',
      text: 'Sa page ne répond que sur cette machine, à {url}. Pour les téléphones et les écrans de cuisine : GATEWAY_HTTP_HOST=0.0.0.0',
    },
    'nobody-signs-in': {
      title: 'Personne ne peut encore se connecter',
      text: 'Ouvrez la page et créez la première personne. Son code : ticketrail-gateway welcome',
    },
    'board-unread': {
      title: 'Les commandes en cours sont illisibles',
      text: 'On ne sait pas ce que montrent les écrans. Le boîtier réessaie tout seul. Regardez le journal, et signalez-le.',
    },
    'printer-down': { title: '{printer} n’imprime pas', text: '{hint}' },
    'paper-low': { title: 'Le papier de {printer} est presque épuisé', text: '{hint}' },
    'printer-warning': { title: '{printer} signale quelque chose', text: '{hint}' },
    'printer-note': { title: '{printer}', text: '{text}' },
    'printer-idle': {
      title: '{printer} n’imprime jamais',
      text: 'Elle ne sert aucun poste, aucune règle ne la nomme et elle ne remplace personne. Donnez-lui un poste, ou retirez-la.',
    },
    'printer-passed-over': {
      title: '{printer} ne reçoit rien',
      text: 'Tous ses postes vont à une imprimante qui passe avant. Retirez-les à cette dernière, ou donnez d’autres postes à {printer}.',
    },
    'printer-no-backup': {
      title: '{printer} n’a pas de secours',
      text: 'Rien n’imprime ses bons quand elle est en panne. Choisissez une autre imprimante comme secours.',
    },
    'printers-share-address': {
      title: '{printer} et {other} ont la même adresse',
      text: 'Les deux impriment à {address} : chacune reçoit donc les bons de l’autre. Donnez à chacune sa propre adresse.',
    },
    'display-silent': {
      title: 'L’écran {display} ne répond pas',
      text: 'Il n’a rien dit depuis un moment : la tablette est-elle allumée, et sur ce réseau ?',
    },
    'display-stuck': {
      title: 'L’écran {display} n’affiche pas les nouvelles commandes',
      text: 'Il répond, mais ne reçoit pas les commandes ou ne les dessine pas. Rechargez sa page ou redémarrez la tablette.',
    },
    'no-screen-alive': {
      title: 'Aucun écran de la cuisine ne répond',
      text: 'Plus aucun écran ne répond. Les tablettes sont-elles allumées, et le Wi-Fi fonctionne-t-il ?',
    },
    'display-unclaimed': {
      title: 'Aucun écran ne s’est connecté comme {display}',
      text: 'Ouvrez la page des écrans sur la tablette, avec un nouveau code ou le code QR.',
    },
    'display-stands-in': {
      title: '{by} montre aussi les postes de {display}',
      text: '{display} répond à nouveau. Rendez-lui ses postes, pour que chaque écran montre les siens.',
    },
    'station-unserved': {
      title: 'Aucune imprimante et aucun écran ne sert {station}',
      text: 'Ses lignes sortent sur {printer}, qui prend le reste. Donnez au poste une imprimante ou un écran, ou dites que {printer} le sert.',
    },
    'station-no-screen': {
      title: 'Aucun écran ne sert {station}',
      text: 'Ses lignes sont sur l’écran d’un autre poste, marquées. Donnez un écran à ce poste.',
    },
  },
  costs: {
    'tickets-wait': {
      one: '1 bon attend, depuis {oldestMs}.',
      other: '# bons attendent, le plus ancien depuis {oldestMs}.',
    },
    'tickets-at-backup': { other: '{backup} imprime ses bons.' },
    'tickets-parked': { one: '1 bon attend une décision.', other: '# bons attendent une décision.' },
    'tickets-held': { one: '1 bon est retenu.', other: '# bons sont retenus.' },
    'tickets-nowhere': { other: 'Les nouveaux bons attendent qu’elle imprime.' },
    'orders-refused': {
      other: 'Les commandes avec des lignes de {stations} sont refusées : rien d’autre ne les prend.',
    },
    'orders-unseen': { one: '1 commande n’est sur aucun écran.', other: '# commandes ne sont sur aucun écran.' },
    'orders-at-expo': {
      one: 'Les cuisiniers ne voient pas 1 commande à leur poste : seul le passe l’affiche.',
      other: 'Les cuisiniers ne voient pas # commandes à leur poste : seul le passe les affiche.',
    },
    'orders-on-paper': {
      one: '1 commande a été imprimée à la place.',
      other: '# commandes ont été imprimées à la place.',
    },
    'orders-stop': { other: 'Aucune commande n’arrive.' },
    'results-wait': {
      one: 'Aucune commande n’arrive, et 1 résultat attend le relais.',
      other: 'Aucune commande n’arrive, et # résultats attendent le relais.',
    },
    'lines-elsewhere': {
      one: '1 ligne y est allée ces 7 derniers jours.',
      other: '# lignes y sont allées ces 7 derniers jours.',
    },
    'never-prints': { other: 'Aucune commande ne lui parvient.' },
    'times-wrong': { other: 'Les heures des bons sont fausses.' },
  },
  acts: {
    'look-for-printers': 'Chercher des imprimantes',
    'make-default': 'Les donner à {printer}',
    resume: 'Relancer',
    'test-print': 'Imprimer un bon de test',
    'move-tickets': 'Déplacer ce qui attend vers {to}',
    'accept-device': 'Accepter l’appareil trouvé',
    'release-tickets': 'Les imprimer',
    'choose-backup': 'Prendre {backup} comme secours',
    'serve-station': 'Donner {station} à {printer}',
    'assign-screen': 'Afficher {station} sur {display}',
    'display-backup': 'Les imprimer sur {backup}',
    'take-over': 'Afficher ses commandes sur {by}',
    'give-back': 'Lui rendre ses postes',
    'print-board': 'Imprimer les commandes en cours sur {printer}',
    'use-relay-zone': 'Utiliser {relayZone}',
    'set-zone': 'Utiliser le fuseau horaire de cet appareil',
    'open-printer': 'Voir {printer}',
    'open-stations': 'Postes et répartition',
    'open-displays': 'Écrans',
    'open-settings': 'Réglages',
    'open-care': 'Sauvegarde et assistance',
    'first-person': 'Créer la première personne',
    'open-ticket': 'Voir le bon',
    'open-log': 'Journal',
  },
  notes: {
    away: '{printer} est absente : {backup} a ses bons',
    moved: '{printer} a une autre adresse',
    'moved-back': '{printer} est revenue à son ancienne adresse',
    several: 'Plusieurs appareils répondent avec l’adresse matérielle de {printer}',
    taken: 'Une autre imprimante est installée à la nouvelle adresse de {printer}',
    'not-yet': '{printer} a peut-être une autre adresse',
  },
  overview: {
    wrong: 'Ce qui ne va pas',
    lasts: (span: string) => `depuis ${span}`,
    chip: 'État du boîtier',
  },
  printerDown: '{printer} n’imprime pas',
  printerWarns: '{printer} signale quelque chose',
} satisfies typeof enHealth
