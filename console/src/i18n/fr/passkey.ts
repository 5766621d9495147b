import type { passkey as english } from '../en/passkey.ts'
import type { Translation } from '../messages.ts'

/** Passkeys, in French. */
export const passkey: Translation<typeof english> = {
  'passkey.use': 'Utiliser une clé d’accès',
  'passkey.dismissed': 'Aucune clé d’accès n’a été utilisée. Réessayez, ou procédez autrement.',
  'passkey.unsupported': 'Ce navigateur ne prend pas en charge les clés d’accès.',
  'passkey.known': 'Cet appareil ou ce gestionnaire de mots de passe a déjà une clé d’accès du compte.',
  'passkey.title': 'Clés d’accès',
  'passkey.text':
    'Une clé d’accès est conservée par un téléphone, un ordinateur, un gestionnaire de mots de passe ou une clé de sécurité. Elle ne vaut que pour l’adresse de ce service.',
  'passkey.add': 'Ajouter une clé d’accès',
  'passkey.name': 'Nom de la clé d’accès',
  'passkey.example': 'Portable du bureau',
  'passkey.confirm': 'Continuer',
  'passkey.added': 'La clé d’accès est ajoutée',
  'passkey.since': 'Ajoutée {time}',
  'passkey.used': 'Ajoutée {time}, dernière utilisation {used}',
  'passkey.elsewhere': 'Pour {host} uniquement',
  'passkey.rename': 'Renommer',
  'passkey.renameOf': 'Renommer la clé d’accès {name}',
  'passkey.remove': 'Supprimer',
  'passkey.removeOf': 'Supprimer la clé d’accès {name}',
  'passkey.removeAsk': 'Supprimer la clé d’accès {name} ?',
  'passkey.removeText':
    'Elle n’est plus acceptée. Supprimez-la aussi de l’appareil ou du gestionnaire de mots de passe.',
  'passkey.removed': 'La clé d’accès est supprimée',
  'passkey.unavailable':
    'Les clés d’accès nécessitent https avec un nom d’hôte, ou localhost. L’exploitant définit l’URL publique du service.',
  'passkey.otherOrigin':
    'Les clés d’accès ne valent que pour {origin}. Ouvrez-y la console pour en ajouter ou en utiliser une.',
}
