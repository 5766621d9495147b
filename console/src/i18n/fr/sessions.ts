import type { sessions as english } from '../en/sessions.ts'
import type { Translation } from '../messages.ts'

/** The French messages of sessions. */
export const sessions: Translation<typeof english> = {
  'sessions.started': 'Début',
  'sessions.duration': 'Durée',
  'sessions.bounced': 'Rebond',
  'sessions.session': 'Session',
  'sessions.failed': 'Impossible de charger les sessions',
  'sessions.oneFailed': 'Impossible de charger la session',
  'sessions.emptyTitle': 'Aucune session',
  'sessions.emptyPeriod':
    'Aucune session n’a commencé pendant cette période. Les événements des serveurs n’ont en général pas de session.',
  'sessions.emptyFiltered': 'Aucune session de cette période ne correspond aux filtres.',
  'sessions.notFound': 'Cette session n’existe pas',
  'sessions.notFoundText': 'Ses événements ont peut-être été supprimés, ou le lien est incomplet.',
  'sessions.next': 'Session suivante',
  'sessions.previous': 'Session précédente',
  'sessions.facts': 'À propos de cette session',
  'sessions.showLater': 'Afficher les événements suivants',
}
