// The page's words in French. The relay is “relais”: a “serveur” waits on tables. A kitchen ticket is “bon”, its receipt “ticket de caisse”.

import type { BackupHolds } from '#gateway/control/backup-answers.ts'
import { pluralOf } from '#shared/ui/languages.ts'
import type { Messages } from './en.ts'
import { frCheck } from './fr-check.ts'
import { frFigures } from './fr-figures.ts'
import { frHealth } from './fr-health.ts'
import { frJob } from './fr-job.ts'
import { frOrders, frReport } from './fr-orders.ts'
import { frPrinter } from './fr-printer.ts'
import { frRefusals } from './fr-refusals.ts'
import { frRules } from './fr-rules.ts'
import { frStations } from './fr-stations.ts'
import { frWizard } from './fr-wizard.ts'

const plural = pluralOf('fr')

export const fr = {
  common: {
    colon: ' : ',
    comma: ', ',
    cancel: 'Annuler',
    close: 'Fermer',
    done: 'C’est fait.',
    loading: 'Chargement',
    never: 'jamais',
    none: 'aucun',
    notFound: 'Il n’y a rien à cette adresse',
    save: 'Enregistrer',
    saved: 'Enregistré.',
    showPassword: 'Afficher le mot de passe',
    changed: (when: string) => `changé ${when}`,
    tryAgain: 'Réessayer',
  },
  nav: {
    menu: 'Pages',
    skip: 'Aller au contenu',
    overview: 'Vue d’ensemble',
    printers: 'Imprimantes',
    jobs: 'Bons',
    orders: 'Commandes',
    report: 'Rapport',
    repairs: 'Pannes',
    displays: 'Écrans',
    routing: 'Postes et répartition',
    settings: 'Réglages',
    users: 'Personnes',
    logs: 'Journal',
    care: 'Sauvegarde et assistance',
  },
  live: {
    live: 'En direct',
    waiting: 'Connexion',
    silent: 'Pas de connexion',
    silentHint:
      'Le boîtier ne répond pas. Ce qui est affiché ici n’est peut-être plus à jour. Vérifiez que le boîtier est allumé et que cet appareil est sur son réseau ; la page réessaie toute seule.',
  },
  problem: { title: 'Cela n’a pas fonctionné' },
  refusals: frRefusals,
  folds: {
    name: 'Nom, heure et langue',
    pairing: 'Restaurant',
    https: 'Connexion chiffrée (https)',
    httpsStates: {
      off: 'Désactivée',
      starting: 'Démarrage',
      on: 'Activée',
      failed: 'Ne fonctionne pas',
    },
    until: (date) => `certificat jusqu’au ${date}`,
    sources: {
      'self-signed': 'fait par le boîtier lui-même : le navigateur avertit une fois',
      provided: 'installé par le propriétaire du boîtier',
    },
    source: 'Certificat',
    validUntil: 'Valable jusqu’au',
    port: 'Port',
    version: 'Version et mises à jour',
    versionNow: (version) => `Version ${version}`,
    updates:
      'Un boîtier installé depuis le dépôt de paquets se met à jour tout seul la nuit. Si une version ne démarre pas, la précédente revient toute seule.',
    people: 'Personnes',
    peopleNow: (count, names) => (count === 1 ? `1 personne : ${names}` : `${count} personnes : ${names}`),
    password: 'Votre mot de passe',
    signedIn: (name) => `Connecté : ${name}`,
    care: 'Diagnostic, sauvegarde, restauration',
    logs: 'Ce que le boîtier a noté, le plus récent d’abord',
  },
  late: {
    title: 'Quand une commande est en retard',
    /** @param others types that are late at another minute, or nothing */
    state: (usual: number, others: string) => `Après ${usual} minutes${others === '' ? '' : `. ${others}`}`,
    explain:
      'Tous les écrans sans minutes propres les suivent, et le rapport aussi. Vide : les minutes en gris. Une commande avec heure promise est en retard dès que cette heure est passée.',
    usual: 'Autres commandes',
    soonAfter: 'Bientôt en retard après (min)',
    lateAfter: 'En retard après (min)',
  },
  signIn: {
    title: 'Se connecter',
    name: 'Nom',
    password: 'Mot de passe',
    signIn: 'Se connecter',
    signOut: 'Se déconnecter',
    forgotten:
      'Mot de passe oublié ? Un technicien peut en mettre un nouveau sous Personnes. Sur le boîtier lui-même : ticketrail-gateway admin reset.',
  },
  overview: {
    lastTickets: 'Derniers bons',
    allTickets: 'Tous les bons',
    queue: 'File d’attente',
    waiting: 'à imprimer',
    held: 'pour plus tard',
    parked: 'attendent une décision',
    unreported: 'résultats à envoyer',
  },
  figures: frFigures,
  link: {
    title: 'Relais',
    connected: 'Connecté',
    trying: 'Connexion',
    connecting: 'Pas de connexion',
    connectingHint:
      'Les nouvelles commandes arrivent quand la connexion revient. Si cela dure, vérifiez internet. Ce qui est déjà ici s’imprime.',
    unpaired: 'Non associé',
    unpairedHint:
      'Ce boîtier n’appartient encore à aucun restaurant : aucune commande n’arrive. Imprimantes et écrans fonctionnent quand même.',
    unusable: 'Association inutilisable',
    unusableHint: 'Associez à nouveau ce boîtier avec un nouveau code. Ce qui est déjà ici s’imprime.',
  },
  paper: { kitchen: 'Bons de cuisine', receipt: 'Tickets de caisse', label: 'Étiquettes' },
  printers: {
    add: 'Ajouter une imprimante',
    none: 'Aucune imprimante n’est encore installée.',
  },
  find: {
    title: 'Chercher les imprimantes du réseau',
    byAddress: 'Ajouter par adresse',
    start: 'Chercher des imprimantes',
    stop: 'Arrêter',
    running: 'Recherche…',
    nothing:
      'Aucune imprimante trouvée. Est-elle allumée et sur le même réseau ? Celles d’un autre réseau (VLAN) ne peuvent pas être trouvées : ajoutez-les par adresse.',
    unknownModel: 'Imprimante inconnue',
    newName: 'Imprimante',
    add: 'Ajouter',
    addedAs: (name: string) => `Ajoutée sous le nom ${name}.`,
    known: (name: string) => `Déjà installée : ${name}`,
  },
  printer: frPrinter,
  jobs: {
    printer: 'Imprimante',
    state: 'État',
    all: 'Tous',
    none: 'Aucun bon.',
    why: 'Pourquoi n’est-il pas imprimé ?',
    newer: 'Plus récents',
    older: 'Plus anciens',
  },
  job: frJob,
  orders: frOrders,
  report: frReport,
  courses: {
    title: 'Suites à réclamer',
    name: (order: string, course: number) => `Commande ${order}, suite ${course}`,
    fire: 'Réclamer',
    fireOf: (order: string, course: number) => `Réclamer la suite ${course} de la commande ${order}`,
  },
  testOrder: {
    title: 'Commande de test',
    send: 'Envoyer une commande de test',
    paperOf: 'Le bon de',
  },
  health: frHealth,
  displays: {
    name: 'Nom',
    kind: 'À quoi il sert',
    kinds: {
      station: 'Poste : prépare pour ses postes',
      expo: 'Passe : voit et envoie les commandes',
      runner: 'Runner : porte en salle ce qui est prêt',
      'pick-up': 'Écran de retrait : affiche les numéros',
    },
    kindHints: {
      station: '',
      expo: '',
      runner: 'N’affiche que ce qui est prêt. Il peut dire qu’une commande est récupérée, et le défaire.',
      'pick-up':
        'Deux colonnes, en préparation et prêtes, sans commande tactile. Les commandes avec une table n’y sont pas.',
    },
    showNames: 'Afficher les prénoms à côté des numéros',
    showNamesHint: 'Sinon, seuls les numéros sont envoyés à l’écran.',
    showsNames: 'Prénoms à côté des numéros',
    add: 'Ajouter un écran',
    none: 'Aucun écran pour l’instant. Toute tablette avec un navigateur peut en devenir un.',
    whichStations: 'Quels postes affiche-t-il ?',
    noScreenYet: 'pas encore d’écran',
    anotherStation: 'Autre poste…',
    anotherHint: 'Écrit comme sur la carte ; plusieurs séparés par des virgules',
    backup: 'Imprime à sa place quand l’écran ne répond pas',
    backupHint: 'Les bons que personne n’a vus sortent là, marqués SCREEN OFFLINE',
    noBackup: 'Rien n’imprime à sa place',
    buzzAfter: 'Son avertisseur sonne après tant de secondes',
    buzzAfterHint: 'De 10 à 3600, quand personne n’a regardé une commande à l’écran ; vide : jamais',
    backupIs: (name: string) => `${name} imprime à sa place quand il ne répond pas`,
    scan: 'Scannez ceci avec la tablette, sur le même réseau :',
    qr: 'Adresse de l’écran en code QR',
    codeUntil: (when: string) => `Valable une fois, jusqu’à ${when}.`,
    localAddress:
      'Cette page est ouverte sous une adresse que seule cette machine connaît. Ouvrez-la par l’adresse IP du boîtier, pour que le code serve à la tablette. Si elle n’y répond pas, définissez GATEWAY_HTTP_HOST=0.0.0.0 sur cette machine.',
    notYet: 'Attend sa tablette',
    alive: 'Connecté',
    onShift: 'Connecté, service commencé',
    silent: 'Ne répond pas : allumez la tablette, ou connectez-la avec un nouveau code',
    edit: 'Modifier',
    lastHeard: (when: string) => `dernier signe ${when}`,
    notHeard: 'aucun signe depuis le démarrage du boîtier',
    speaks: (language: string) => `Langue : ${language}`,
    newCode: 'Nouveau code',
    remove: 'Retirer l’écran',
    removeQuestion: (name: string) => `${name} est déconnecté aussitôt.`,
  },
  logo: {
    title: 'Image sur les tickets de caisse',
    explain:
      'Un PNG, dessiné en noir et blanc, aussi large que le papier le permet. Du foncé sur blanc s’imprime le mieux.',
    none: 'Les tickets de caisse n’ont pas d’image.',
    file: 'Fichier PNG',
    put: 'Utiliser cette image',
    tooBig: 'Le fichier dépasse 512 ko : réduisez-le.',
    size: (width: number, height: number) => `Elle fait ${width} × ${height} points sur papier large.`,
    remove: 'Retirer l’image',
    removeQuestion: 'Les tickets de caisse n’auront plus d’image.',
  },
  routing: {
    paste: 'Une commande en JSON',
    whatIf: 'Que se passerait-il',
    pasteHint: 'Comme le relais l’envoie ; ce qui ne décide pas du chemin peut manquer. Rien ne s’imprime.',
    badJson: 'Ce n’est pas du JSON : vérifiez les virgules et les guillemets.',
    ask: 'Où irait-elle ?',
    printsNow: 'Elle s’imprimerait aussitôt.',
    printsLater: 'Elle ne s’imprimerait pas aussitôt, ou pas en entier.',
  },
  settings: {
    box: 'Ce boîtier',
    name: 'Nom du restaurant',
    nameHint: 'Comme il figure en haut de cette page',
    timeZone: 'Fuseau horaire',
    timeZoneHint: 'Par exemple Europe/Paris : les bons portent l’heure locale',
    relayZone: (zone: string) =>
      `Le compte du restaurant indique ${zone} : avec un autre fuseau ici, les heures des bons et des écrans ne sont pas celles du restaurant.`,
    browserZone: (zone: string) =>
      `Cet appareil est réglé sur ${zone}. Ce qui compte, c’est où se trouve le restaurant.`,
    boxLanguage: 'Langue du boîtier',
    language: 'Langue',
    colours: 'Couleurs',
    schemes: { auto: 'Comme l’appareil', light: 'Clair', dark: 'Sombre' },
    password: 'Votre mot de passe',
    currentPassword: 'Mot de passe actuel',
    newPassword: 'Nouveau mot de passe',
    ownPassword: 'Votre propre mot de passe',
    ownPasswordHint: 'Encore une fois, car cela décide qui peut entrer',
    passwordHint: (n: number) =>
      `Au moins ${n} caractères. Quelques mots sans rapport conviennent bien ; ceux trop faciles sont refusés.`,
    changePassword: 'Changer le mot de passe',
    passwordChanged: 'Changé. Les autres navigateurs sont déconnectés.',
    about: 'À propos',
    version: 'Version',
    gatewayId: 'Numéro du boîtier',
    address: 'Adresse de cette page',
    certificate: 'Certificat de cette page, SHA-256',
  },
  pairing: {
    title: 'Association',
    explain:
      'Le code d’association vient du tableau de bord du restaurant. Sans lui, tout fonctionne sur ce réseau, mais aucune commande n’arrive.',
    code: 'Code d’association',
    codeHint: 'Valable une fois, pendant 15 minutes',
    relay: 'Adresse du relais',
    relayHint: 'Seulement si l’on vous en a donné une',
    pair: 'Associer',
    paired: 'Associé.',
    belongsTo: (name: string) => `Ce boîtier appartient à ${name}.`,
    unpair: 'Quitter ce restaurant',
    unpairQuestion:
      'Plus aucune commande n’arrive tant qu’il n’est pas associé à nouveau. Imprimantes et bons restent.',
  },
  users: {
    explain: 'Les responsables s’occupent des imprimantes, des bons et des écrans. Les techniciens peuvent tout faire.',
    add: 'Ajouter une personne',
    role: 'Rôle',
    roles: { technician: 'Technicien', manager: 'Responsable' },
    you: 'c’est vous',
    since: (when: string) => `depuis le ${when}`,
    remove: 'Retirer la personne',
    removeQuestion: (name: string) => `${name} est déconnecté aussitôt et ne peut plus se connecter.`,
    changeRole: 'Changer le rôle',
    changeRoleQuestion: (name: string) => `${name} est déconnecté, puis se reconnecte avec le nouveau rôle.`,
    setPassword: 'Mettre un nouveau mot de passe',
    setPasswordQuestion: (name: string) => `${name} est déconnecté, puis se reconnecte avec le nouveau mot de passe.`,
    of: (act: string, name: string) => `${act} : ${name}`,
  },
  logs: {
    level: 'À partir du niveau',
    levels: { debug: 'Détail', info: 'Information', warn: 'Avertissement', error: 'Erreur', fatal: 'Panne' },
    search: 'Rechercher',
    none: 'Aucune ligne.',
    newest: 'Les plus récentes',
  },
  care: {
    diagnostics: 'Diagnostic',
    diagnosticsHint:
      'Un fichier pour l’assistance : état, réglages et journal de ce boîtier. Sans mots de passe, clés ni clients.',
    saveDiagnostics: 'Enregistrer le diagnostic',
    backup: 'Sauvegarde',
    backupHint:
      'Imprimantes, répartition, personnes et réglages dans un fichier, verrouillé par une phrase secrète. Il ne contient pas de commandes. Sans la phrase, personne ne peut l’ouvrir, pas même vous : gardez-la à part du fichier.',
    saveBackup: 'Enregistrer la sauvegarde',
    saved: (file: string) => `Enregistré sous ${file}. Contenu :`,
    holds: ({ printers, people, rules, hasLogo }: BackupHolds) => {
      const some = (n: number, { none, one, several }: { none: string; one: string; several: string }) =>
        n === 0 ? none : plural(n, { one: `# ${one}`, other: `# ${several}` })
      const parts = [
        some(printers, { none: 'aucune imprimante', one: 'imprimante', several: 'imprimantes' }),
        some(people, { none: 'aucune personne', one: 'personne', several: 'personnes' }),
        some(rules, { none: 'aucune règle', one: 'règle', several: 'règles' }),
      ]
      return `${parts.join(', ')}, ${hasLogo ? 'une image' : 'aucune image'}.`
    },
    ownPasswordHint: 'Encore une fois, car la sauvegarde emporte les personnes et leurs mots de passe',
    restore: 'Restauration',
    restoreHint:
      'Montre d’abord ce qu’une sauvegarde apporterait, aussi sur un autre boîtier. Ce boîtier garde son identité, ses bons et ses personnes.',
    file: 'Fichier de sauvegarde',
    passphrase: 'Phrase secrète',
    passphraseHint: (n: number) => `Au moins ${n} caractères : quelques mots sans rapport entre eux.`,
    passphraseAgain: 'Phrase secrète, encore une fois',
    isPlain: 'Ce fichier n’a pas de phrase secrète : une ancienne version l’a fait, et je sais d’où il vient',
    look: 'Montrer ce qu’elle apporterait',
    preview: (when: string, app: string) => `Faite le ${when} par ${app}.`,
    unprotected:
      'Le fichier n’est pas protégé : n’importe qui a pu le modifier. Regardez-le de près. Il n’apporte aucune personne.',
    standings: {
      new: 'nouvelle',
      changed: 'modifiée',
      same: 'inchangée',
      here: 'déjà ici, garde son mot de passe et son rôle',
    },
    rules: (names: readonly string[], replaced: number) => {
      if (names.length === 0)
        return replaced === 0
          ? 'Règles de répartition : aucune, ni ici ni dans la sauvegarde.'
          : `Règles de répartition : la sauvegarde n’en a aucune ; celles de ce boîtier (${replaced}) sont retirées.`
      const instead = replaced === 0 ? '.' : `, à la place de celles de ce boîtier (${replaced}).`
      return `Règles de répartition : ${names.join(', ')}${instead}`
    },
    changes: {
      name: (after: string, before: string) => `Nom : ${after}${before && ` au lieu de ${before}`}.`,
      timeZone: (after: string, before: string) => `Fuseau horaire : ${after}${before && ` au lieu de ${before}`}.`,
      language: (after: string, before: string) => `Langue : ${after} au lieu de ${before}.`,
    },
    settingsStay: 'Le nom, le fuseau horaire et la langue restent comme ils sont.',
    lateMinutes: 'Minutes après lesquelles une commande est en retard : comme dans le fichier.',
    logo: 'L’image sur les tickets de caisse est remplacée.',
    logoStays: 'L’image sur les tickets de caisse reste comme elle est.',
    people: 'Qui vient aussi',
    peopleHint:
      'Seulement les personnes que vous cochez. Elles se connectent ici avec le mot de passe qu’elles ont là-bas.',
    nobody: 'Le fichier ne contient aucune personne.',
    restored: (printers: number, rules: number, users: number) =>
      `Repris : imprimantes ${printers}, règles ${rules}, personnes ${users}.`,
  },
  wizard: frWizard,
  stations: frStations,
  rules: frRules,
  check: frCheck,
} satisfies Messages
