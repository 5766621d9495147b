import type { common as english } from '../en/common.ts'
import type { Translation } from '../messages.ts'

/** Words that many pages use, in German. */
export const common: Translation<typeof english> = {
  'common.add': 'Hinzufügen',
  'common.apply': 'Anwenden',
  'common.back': 'Zurück',
  'common.brokenLink': 'Ein Teil dieses Links ist nicht lesbar. Die Seite erscheint ohne ihn.',
  'common.cancel': 'Abbrechen',
  'common.changedMeanwhile':
    'Jemand anderes hat dies inzwischen geändert. Speichern Sie noch einmal, um deren Fassung zu ersetzen.',
  'common.close': 'Schließen',
  'common.closeUnsaved': 'Die Änderungen sind nicht gespeichert. Trotzdem schließen?',
  'common.copy': 'Kopieren',
  'common.copyLink': 'Link kopieren',
  'common.copied': 'Kopiert',
  'common.create': 'Anlegen',
  'common.delete': 'Löschen',
  'common.edit': 'Bearbeiten',
  'common.error': 'Das konnte nicht geladen werden',
  'common.leaveUnsaved': 'Die Änderungen sind nicht gespeichert. Seite verlassen?',
  'common.loading': 'Wird geladen',
  'common.moreActions': 'Weitere Aktionen',
  'common.name': 'Name',
  'common.next': 'Weiter',
  'common.notSet': '(nicht gesetzt)',
  'common.remove': 'Entfernen',
  'common.retry': 'Erneut versuchen',
  'common.save': 'Speichern',
  'common.search': 'Suchen',
  'common.sendByMail': 'Per E-Mail senden…',
  'common.undo': 'Rückgängig',
}
