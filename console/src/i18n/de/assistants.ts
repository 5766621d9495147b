import type { assistants as english } from '../en/assistants.ts'
import type { Translation } from '../messages.ts'

/** Assistants that act for an account, in German. */
export const assistants: Translation<typeof english> = {
  'assistants.title': '{name} verbinden?',
  'assistants.asks': '{name} möchte Millrace in Ihrem Namen nutzen. Diesen Namen hat es sich selbst gegeben.',
  'assistants.account': 'Ihr Konto',
  'assistants.goesTo': 'Zugang erhält',
  'assistants.goesToMachine': '{host}, ein Programm auf diesem Computer',
  'assistants.project': 'Projekt',
  'assistants.choose': 'Projekt wählen',
  'assistants.projectHint': 'Es kann nur dieses Projekt nutzen.',
  'assistants.noProject': 'Ihr Konto hat kein Projekt, das es nutzen könnte.',
  'assistants.scope': 'Zugriff',
  'assistants.readOnly': 'Es liest die Daten des Projekts, auch die von Personen, und ändert nichts.',
  'assistants.rights':
    'Es hat nie mehr Rechte, als Sie in dem Moment haben. Trennen können Sie es unter Einstellungen, Konto.',
  'assistants.trust': 'Verbinden Sie nur, was Sie selbst gestartet haben.',
  'assistants.connect': 'Verbinden',
  'assistants.refuse': 'Nicht verbinden',
  'assistants.over':
    'Diese Anfrage ist abgelaufen oder schon beantwortet. Beginnen Sie im Assistenten von vorn.',
  'assistants.answered': 'Kehren Sie zu {name} zurück. Sie können diese Seite schließen.',
  'assistants.other': 'Anderes Konto verwenden',
  'assistants.list': 'Verbundene Assistenten',
  'assistants.listText':
    'Assistenten, die Sie über die Adresse {url} verbunden haben. Sie handeln in Ihrem Namen in einem Projekt, nie mit mehr Rechten, als Sie in dem Moment haben.',
  'assistants.none': 'Es ist kein Assistent verbunden.',
  'assistants.ends': 'Endet ohne Nutzung',
  'assistants.disconnect': 'Trennen',
  'assistants.disconnectNamed': '{name} trennen',
  'assistants.disconnectAsk': '{name} trennen?',
  'assistants.disconnectText':
    'Er wird in wenigen Sekunden abgewiesen. Um ihn wieder zu nutzen, verbinden Sie ihn erneut.',
}
