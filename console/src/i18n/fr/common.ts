import type { common as english } from '../en/common.ts'
import type { Translation } from '../messages.ts'

/** Words that many pages use, in French. */
export const common: Translation<typeof english> = {
  'common.add': 'Ajouter',
  'common.apply': 'Appliquer',
  'common.back': 'Retour',
  'common.brokenLink': 'Une partie de ce lien est illisible. La page s’affiche sans en tenir compte.',
  'common.cancel': 'Annuler',
  'common.changedMeanwhile':
    'Quelqu’un d’autre a modifié ceci entre-temps. Enregistrez à nouveau pour remplacer sa version.',
  'common.close': 'Fermer',
  'common.closeUnsaved': 'Les modifications ne sont pas enregistrées. Fermer quand même ?',
  'common.copy': 'Copier',
  'common.copyLink': 'Copier le lien',
  'common.copied': 'Copié',
  'common.create': 'Créer',
  'common.delete': 'Supprimer',
  'common.edit': 'Modifier',
  'common.error': 'Le chargement a échoué',
  'common.leaveUnsaved': 'Les modifications ne sont pas enregistrées. Quitter cette page ?',
  'common.loading': 'Chargement',
  'common.moreActions': 'Autres actions',
  'common.name': 'Nom',
  'common.next': 'Suivant',
  'common.notSet': '(non défini)',
  'common.remove': 'Retirer',
  'common.retry': 'Réessayer',
  'common.save': 'Enregistrer',
  'common.search': 'Rechercher',
  'common.sendByMail': 'Envoyer par e-mail…',
  'common.undo': 'Annuler l’action',
}
