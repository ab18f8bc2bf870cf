// Why the box refused a request, in French. `{name}` is replaced by a value from the box.
import type { enRefusals } from './en-refusals.ts'

export const frRefusals = {
  codes: {
    unreachable: 'Le boîtier ne répond pas. Vérifiez qu’il est allumé et que cet appareil est sur son réseau.',
    forbidden: 'Seul un technicien peut faire cela.',
    'signed-out': 'Vous êtes déconnecté. Connectez-vous à nouveau.',
    throttled: 'Trop d’essais. Attendez {seconds} secondes et réessayez.',
    busy: 'D’autres personnes se connectent. Réessayez dans un instant.',
    'wrong-password': 'Le nom ou le mot de passe est incorrect.',
    'wrong-code':
      'Le code d’installation est incorrect. Vérifiez-le ; s’il ne fonctionne pas, demandez-en un nouveau au boîtier.',
    setup: 'Ce boîtier n’a encore aucun utilisateur : saisissez le code d’installation.',
    origin: 'Le boîtier n’a pas accepté cette page. Ouvrez-la à nouveau par l’adresse du boîtier.',
    https:
      'Cette page n’accepte les mots de passe que par https. Ouvrez à nouveau l’adresse du boîtier, et continuez de là.',
    host: 'Le boîtier ne répond pas à cette adresse. Ouvrez-le par son adresse IP.',
    internal: 'Quelque chose a échoué dans le boîtier. Son journal en dit plus.',
  },
  cases: {
    'printer.nothing-to-accept': 'Aucun autre appareil que cette imprimante n’a été vu : il n’y a rien à accepter.',
    'printer.another-device': 'Entre-temps, encore un autre appareil y répond : regardez à nouveau.',
    'printer.unknown-printer': 'Cette imprimante n’existe plus.',
    'printer.wrong-number': 'Ce n’est pas le numéro du dernier bon de test. Regardez à nouveau.',
    'printer.no-number': 'Aucun numéro n’est attendu : imprimez un bon de test, puis saisissez son numéro.',
    'printer.kept-open':
      'Le boîtier garde la connexion à {printer} ouverte : la page de cette imprimante dit ce qu’elle répond.',
    'printer.name-taken': 'Une autre imprimante porte ce nom : choisissez-en un autre.',
    'printer.too-many': 'Un boîtier a au plus 32 imprimantes : retirez-en d’abord une.',
    'printer.unknown-backup': 'L’imprimante de secours n’existe plus : choisissez-en une autre.',
    'printer.backup-is-itself': 'Une imprimante ne peut pas être son propre secours : choisissez-en une autre.',
    'printer.tickets-wait':
      'Des bons attendent cette imprimante : déplacez-les d’abord vers une autre, ou laissez-les s’imprimer.',
    'printer.printing':
      'Un bon est en route vers cette imprimante : attendez qu’il soit terminé, ou éteignez l’imprimante.',
    'printer.move-to-itself': 'Les bons se déplacent vers une autre imprimante : choisissez-en une.',
    'printer.no-drawer': 'Cette imprimante n’a pas de prise pour un tiroir-caisse.',
    'address.itself':
      '{address} est ce boîtier lui-même : aucune imprimante n’y est installée. L’administrateur du boîtier peut l’autoriser.',
    'address.link-local':
      '{address} est une adresse locale de lien, celle d’un appareil qui n’a pas reçu d’adresse par DHCP : aucune imprimante n’y est installée. L’administrateur du boîtier peut l’autoriser.',
    'address.group':
      '{address} est une adresse de multidiffusion ou de diffusion, qui atteint beaucoup d’appareils : aucune imprimante n’y est installée. L’administrateur du boîtier peut l’autoriser.',
    'address.nobody':
      '{address} n’est l’adresse d’aucun appareil : aucune imprimante n’y est installée. L’administrateur du boîtier peut l’autoriser.',
    'address.elsewhere':
      '{address} n’est dans aucun réseau privé : aucune imprimante n’y est installée. L’administrateur du boîtier peut l’autoriser.',
    'address.port':
      'Le port {port} est celui d’un autre service : les imprimantes utilisent le 9100. L’administrateur du boîtier peut l’autoriser.',
    'console.only': 'Seule la ligne de commande du boîtier lui-même peut le dire.',
    'ticket.unknown-ticket': 'Ce bon n’existe plus.',
    'ticket.unknown-printer': 'Son imprimante n’est plus installée : choisissez-en une autre.',
    'ticket.printing': 'Le bon est en route vers l’imprimante : attendez qu’il soit terminé.',
    'ticket.settled': 'Le bon est déjà terminé.',
    'ticket.not-parked': 'Le bon n’attend plus de décision.',
    'ticket.own-document':
      'Un test, un avis ou le tiroir-caisse appartient à son imprimante : faites-en un nouveau sur l’autre.',
    'ticket.cancelled': 'Sa commande a été retirée : il n’est pas imprimé à nouveau.',
    'ticket.document-gone': 'Son contenu n’est plus conservé : il ne peut pas être imprimé à nouveau.',
    'ticket.test': 'Un bon de test n’est pas imprimé à nouveau : faites-en un nouveau.',
    'box.disk-full': 'Le disque du boîtier est plein : la page Pannes dit quoi faire. Réessayez ensuite.',
    'box.looking':
      'D’autres cherchent des commandes ou des rapports sur ce boîtier. Attendez quelques secondes, puis réessayez.',
    'order.unknown-order':
      'Aucune commande avec ce numéro ou cet identifiant n’est conservée ici. Cherchez-la dans la liste des commandes.',
    'report.days': 'Le dernier jour ne peut pas précéder le premier, ni le suivre de plus de 400 jours.',
    'user.name-taken': 'Une autre personne porte ce nom : choisissez-en un autre.',
    'user.unknown-user': 'Cette personne n’existe plus.',
    'user.last-technician': 'Il doit rester un technicien : donnez d’abord ce rôle à une autre personne.',
    'user.too-many': 'Un boîtier a au plus 50 personnes : retirez-en d’abord une.',
    'display.not-its-kind':
      'Seul un écran de cuisine a des postes, une imprimante de secours et un avertisseur, et seul un écran de retrait affiche des noms.',
    'display.name-taken': 'Un autre écran porte ce nom : choisissez-en un autre.',
    'display.too-many': 'Il y a 64 écrans : retirez-en un qui ne sert plus.',
    'display.no-stand-in': 'Cet écran n’en remplace aucun autre.',
    'display.no-stations': 'Cet écran ne peut pas afficher de postes : choisissez-en un autre.',
    'display.take-over-itself': 'Un écran ne se remplace pas lui-même : choisissez-en un autre.',
    'display.answers': '{display} répond : ses commandes y sont visibles. Seul un écran muet peut être remplacé.',
    'display.unknown-display': 'Cet écran n’existe plus.',
    'station.last-of-display':
      '{station} est le seul poste de {display} : sans poste, cet écran afficherait tout. Donnez-lui d’abord un autre poste, ou laissez-le tout afficher.',
    'station.too-many': '{name} aurait plus de {most} postes : retirez-en d’abord un.',
    'routing.too-many-rules': 'Il y a {most} règles : retirez-en d’abord une.',
    'routing.order-gone': 'Cette commande n’est plus conservée ici : choisissez-en une autre.',
    'routing.unknown-printer': 'Une règle nomme une imprimante qui n’existe plus : choisissez-en une autre.',
    'test-order.numbers-gone': 'Les numéros de ce test ne sont plus connus : envoyez-en un autre.',
    'test-order.unknown-number': 'Ce numéro n’est sur aucun papier de ce test. Regardez à nouveau.',
    'test-order.other-printer': 'Ce numéro est sorti sur {printer}, pas ici.',
    'course.unknown-order': 'La cuisine n’a plus cette commande en cours.',
    'course.several-orders': 'Plusieurs commandes en cours portent ce numéro.',
    'course.unknown-course': 'La commande n’a pas cette suite.',
    'course.voided': 'La commande a été annulée.',
    'course.scheduled': 'La commande attend son heure.',
    'pairing.bad-code': 'Ce n’est pas la forme d’un code d’association. Vérifiez-le.',
    'pairing.no-relay': 'L’adresse du relais manque : saisissez-la.',
    'pairing.already-paired': 'Ce boîtier est déjà associé. Il doit d’abord quitter son restaurant.',
    'pairing.unreachable':
      'Le relais ne répond pas. Vérifiez internet, l’adresse du relais et l’horloge de ce boîtier.',
    'pairing.code-refused':
      'Le relais n’accepte pas ce code : il est inconnu, expiré ou déjà utilisé. Demandez-en un nouveau.',
    'pairing.throttled': 'Trop de codes ont été essayés. Attendez quelques minutes.',
    'pairing.relay-refused': 'Le relais a répondu quelque chose d’inattendu. Vérifiez son adresse.',
    'pairing.not-stored': 'L’association n’a pas pu être écrite sur le disque de ce boîtier. Son journal en dit plus.',
    'pairing.not-paired': 'Ce boîtier n’est pas associé.',
    'logo.bad-picture': 'Ce n’est pas une image PNG que l’on puisse dessiner en noir et blanc.',
    'backup.busy':
      'Le boîtier est occupé par une autre sauvegarde, ou par des personnes qui se connectent. Réessayez dans un instant.',
    'backup.no-backup': 'Ce n’est pas une sauvegarde d’un tel boîtier, ou le fichier est endommagé.',
    'backup.unusable': 'Cette sauvegarde ne peut pas être utilisée :',
    'backup.needs-passphrase':
      'Cette sauvegarde est verrouillée : saisissez la phrase secrète avec laquelle elle a été faite.',
    'backup.wrong-passphrase':
      'La phrase secrète est incorrecte, ou le fichier a été modifié ou endommagé. Rien n’a été repris.',
    'backup.not-protected':
      'Cette sauvegarde vient d’une ancienne version et n’a pas de phrase secrète : n’importe qui a pu la modifier. Si vous savez d’où elle vient, cochez qu’elle n’en a pas.',
    'backup.plain-people':
      'Les personnes ne sont pas reprises d’un fichier sans phrase secrète : ajoutez-les à nouveau.',
    'backup.unknown-person': 'La sauvegarde ne contient pas cette personne.',
    'password.not-yours': 'Ce n’est pas votre propre mot de passe.',
    'request.too-large': 'C’est plus que ce que le boîtier accepte en une fois : réduisez-le.',
    'setup.taken': 'Ce boîtier a déjà son premier utilisateur : connectez-vous, ou demandez à un technicien.',
  },
  rules: {
    required: 'doit être rempli',
    'wrong-form': 'n’a pas la bonne forme',
    'at-least': 'doit être {limit} ou plus',
    'at-most': 'doit être {limit} ou moins',
    'at-least-characters': 'doit avoir au moins {limit} caractères',
    'at-most-characters': 'doit avoir au plus {limit} caractères',
    'at-least-entries': 'doit avoir au moins {limit} entrées',
    'at-most-entries': 'doit avoir au plus {limit} entrées',
    number: 'doit être un nombre',
    'password-common':
      'se devine trop vite, car beaucoup en utilisent un semblable : choisissez quelques mots sans rapport entre eux',
    'password-own-words':
      'contient votre nom, celui du restaurant ou le code d’installation, que d’autres connaissent : choisissez quelques mots à vous',
  },
  forms: {
    lateMin: 'ne doit pas être inférieur à « bientôt en retard »',
    name: 'doit être un nom sur une seule ligne',
    host: 'doit être une adresse IP, un nom d’hôte ou un périphérique comme /dev/usb/lp0',
    timeZone: 'doit être un fuseau horaire comme Europe/Paris',
    mac: 'doit être une adresse matérielle comme 64:eb:8c:00:00:01',
    code: 'doit être les quatre chiffres du bon',
    relayUrl: 'doit être une adresse comme mqtts://relay.example.com',
  },
} satisfies typeof enRefusals
