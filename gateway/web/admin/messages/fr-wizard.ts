// Words of the set-up guide, in French.
import type { enWizard } from './en-wizard.ts'

export const frWizard = {
  title: 'Guide d’installation',
  open: 'Guide d’installation',
  welcome: 'Bienvenue sur Ticketrail',
  firstUser:
    'Vous êtes le premier technicien de ce boîtier. Choisissez votre propre mot de passe : il n’y en a pas d’avance.',
  code: 'Code d’installation',
  codeHint: 'Dans le terminal de l’installateur, ou sur le boîtier : sudo ticketrail-gateway welcome',
  again: 'Nouveau mot de passe, encore une fois',
  unlike: 'Les deux ne sont pas identiques.',
  create: 'Commencer',
  back: 'Retour',
  next: 'Suivant',
  finish: 'Terminer',
  leave: 'Quitter le guide',
  at: (n: number, of: number) => `Étape ${n} sur ${of}`,
  allSteps: 'Toutes les étapes',
  marks: { done: 'faite', skipped: 'passée', open: 'à faire' },
  printAll: 'Imprimer un numéro sur chaque imprimante',
  printAddress: 'Imprimer l’adresse de cette page',
  addressSent: 'L’adresse de cette page s’imprime avec un code QR, à mettre au mur.',
  byAddress: 'En ajouter une par son adresse',
  placed: 'Nom et numéro',
  placedHint: 'D’abord le nom que la cuisine lui donne ; ensuite, le numéro prouve que c’est bien elle.',
  saveAndCheck: 'Enregistrer et vérifier',
  another: 'Ajouter un autre écran',
  noBackup: 'Aucune',
  backupOf: (name: string) => `Imprime à la place de ${name} en cas de panne`,
  oneOnly:
    'Il n’y a qu’une imprimante : aucune autre ne peut la remplacer. Avec une deuxième, la cuisine continue en cas de panne.',
  steps: {
    name: 'Restaurant',
    clock: 'Fuseau horaire',
    pairing: 'Association',
    printers: 'Imprimantes',
    identify: 'Qui est qui',
    displays: 'Écrans',
    stations: 'Postes',
    backups: 'Secours',
    check: 'Vérification',
  },
  questions: {
    name: 'Comment s’appelle le restaurant ?',
    clock: 'Dans quel fuseau horaire est-il ?',
    pairing: 'De quel restaurant viennent les commandes ?',
    printers: 'Quelles imprimantes y a-t-il ?',
    identify: 'Où est chaque imprimante ?',
    displays: 'Y a-t-il un écran en cuisine ?',
    stations: 'Qu’est-ce qui sort où ?',
    backups: 'Laquelle imprime quand une autre est en panne ?',
    check: 'Est-ce que tout sort ?',
  },
  explain: {
    name: 'Le nom figure en haut de cette page et sur les écrans.',
    clock: 'Les bons portent l’heure de ce fuseau.',
    pairing:
      'Un code d’association relie ce boîtier au compte du restaurant. Imprimantes et écrans fonctionnent sans lui.',
    printers: 'Les imprimantes allumées sur ce réseau apparaissent toutes seules.',
    identify: 'Chaque imprimante imprime un numéro. Allez-y, donnez-lui son nom et saisissez le numéro.',
    displays:
      'Toute tablette avec un navigateur devient un écran de cuisine grâce à un code QR. Passez cette étape si la cuisine ne travaille que sur papier.',
    stations:
      'Pour chaque poste, cochez les imprimantes et les écrans qui reçoivent ses lignes. Un poste apparaît ici dès qu’une commande le nomme ; ajoutez les autres maintenant, écrits comme sur votre carte.',
    backups:
      'Quand une imprimante est absente, son imprimante de secours imprime ce qui attend, avec une marque sur le papier.',
    check:
      'Une commande de test vérifie chaque poste, chaque imprimante et chaque écran. Quand tout est au vert, la cuisine peut commencer.',
  },
  skip: {
    name: 'Continuer sans nom',
    clock: 'Continuer sans fuseau horaire',
    pairing: 'Associer plus tard',
    printers: 'Ajouter les imprimantes plus tard',
    identify: 'Les distinguer plus tard',
    displays: 'Continuer sans écran',
    stations: 'Régler les postes plus tard',
    backups: 'Continuer sans autre secours',
    check: 'Vérifier plus tard',
  },
} satisfies typeof enWizard
