// Words about diagnostics and backup, in French.
import type { BackupHolds } from '#gateway/control/backup-answers.ts'
import { pluralOf } from '#shared/ui/languages.ts'
import type { Messages } from './en.ts'

const plural = pluralOf('fr')

export const frCare = {
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
} satisfies Messages['care']
