import type { passkey as english } from '../en/passkey.ts'
import type { Translation } from '../messages.ts'

/** Passkeys, in German. */
export const passkey: Translation<typeof english> = {
  'passkey.use': 'Passkey verwenden',
  'passkey.dismissed':
    'Es wurde kein Passkey verwendet. Versuchen Sie es noch einmal oder auf einem anderen Weg.',
  'passkey.unsupported': 'Dieser Browser unterstützt keine Passkeys.',
  'passkey.known': 'Dieses Gerät oder dieser Passwortmanager hat schon einen Passkey des Kontos.',
  'passkey.title': 'Passkeys',
  'passkey.text':
    'Einen Passkey bewahrt ein Telefon, ein Computer, ein Passwortmanager oder ein Sicherheitsschlüssel auf. Er gilt nur für die Adresse dieses Dienstes.',
  'passkey.add': 'Passkey hinzufügen',
  'passkey.name': 'Name des Passkeys',
  'passkey.example': 'Arbeitslaptop',
  'passkey.confirm': 'Weiter',
  'passkey.added': 'Der Passkey ist hinzugefügt',
  'passkey.since': 'Hinzugefügt {time}',
  'passkey.used': 'Hinzugefügt {time}, zuletzt verwendet {used}',
  'passkey.elsewhere': 'Nur für {host}',
  'passkey.rename': 'Umbenennen',
  'passkey.renameOf': 'Passkey {name} umbenennen',
  'passkey.remove': 'Entfernen',
  'passkey.removeOf': 'Passkey {name} entfernen',
  'passkey.removeAsk': 'Passkey {name} entfernen?',
  'passkey.removeText': 'Er gilt dann nicht mehr. Löschen Sie ihn auch im Gerät oder Passwortmanager.',
  'passkey.removed': 'Der Passkey ist entfernt',
  'passkey.unavailable':
    'Passkeys brauchen https mit einem Hostnamen oder localhost. Der Betreiber legt die öffentliche URL des Dienstes fest.',
  'passkey.otherOrigin':
    'Passkeys gelten nur unter {origin}. Öffnen Sie die Konsole dort, um einen hinzuzufügen oder zu verwenden.',
}
