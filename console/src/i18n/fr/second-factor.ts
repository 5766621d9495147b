import type { secondFactor as english } from '../en/second-factor.ts'
import type { Translation } from '../messages.ts'

/** The second factor of an account, in French. */
export const secondFactor: Translation<typeof english> = {
  'secondFactor.title': 'Second facteur',
  'secondFactor.text':
    'Avec un second facteur, un mot de passe ou un lien e-mail ne suffit plus pour se connecter : il faut aussi une clé d’accès ou un code d’une application d’authentification.',
  'secondFactor.requiredBy': 'Exigé par {names}',
  'secondFactor.setUp': 'Configurer',
  'secondFactor.password': 'Saisissez votre mot de passe pour configurer un second facteur.',
  'secondFactor.signInAgain':
    'Déconnectez-vous, reconnectez-vous, puis configurez un second facteur dans les 10 minutes.',
  'secondFactor.scan':
    'Scannez ce code avec une application d’authentification sur votre téléphone, puis saisissez les six chiffres qu’elle affiche.',
  'secondFactor.qr': 'Code QR de la clé',
  'secondFactor.key': 'Clé, si vous ne pouvez pas scanner',
  'secondFactor.code': 'Code de l’application',
  'secondFactor.turnOn': 'Activer',
  'secondFactor.codesTitle': 'Enregistrez ces codes de récupération maintenant',
  'secondFactor.codesText':
    'Chaque code remplace le second facteur une fois, par exemple en cas de perte du téléphone. Ils ne seront plus affichés.',
  'secondFactor.codesName': 'Codes de récupération',
  'secondFactor.download': 'Télécharger',
  'secondFactor.codesSaved': 'Je les ai enregistrés',
  'secondFactor.since': 'Activé depuis {time}, dernière utilisation {used}',
  'secondFactor.codesLeft': {
    one: '{count} code de récupération restant',
    many: '{count} codes de récupération restants',
    other: '{count} codes de récupération restants',
  },
  'secondFactor.newCodes': 'Nouveaux codes de récupération',
  'secondFactor.newCodesText': 'Les anciens codes de récupération ne seront plus acceptés.',
  'secondFactor.otherApp': 'Utiliser une autre application',
  'secondFactor.app': 'Application d’authentification',
  'secondFactor.appNone': 'Non configurée',
  'secondFactor.recoveryCode': 'Code de récupération',
  'secondFactor.turnOff': 'Désactiver',
  'secondFactor.turnOffAsk': 'Désactiver le second facteur ?',
  'secondFactor.turnOffText': 'Un mot de passe ou un lien e-mail suffira alors pour se connecter.',
  'secondFactor.turnedOff': 'Le second facteur est désactivé',
  'secondFactor.anyCode': 'Code de l’application ou de récupération',
  'secondFactor.proveTitle': 'Confirmez votre identité',
  'secondFactor.proveText': 'Votre second facteur est nécessaire ; la confirmation vaut pour 10 minutes.',
  'secondFactor.confirm': 'Confirmer',
  'secondFactor.lockedTitle': '{name} exige un second facteur',
  'secondFactor.lockedText': 'Ses projets s’ouvrent dès que vous en avez configuré un.',
  'secondFactor.rule': 'Exiger un second facteur de tous les membres',
  'secondFactor.ruleText':
    'Les membres sans second facteur ne peuvent ouvrir les projets qu’après l’avoir configuré. Les clés API ne sont pas concernées.',
  'secondFactor.ownFirst': 'Configurez d’abord un second facteur pour votre propre compte.',
  'secondFactor.openAccount': 'Ouvrir les paramètres du compte',
  'secondFactor.reset': 'Réinitialiser',
  'secondFactor.resetOf': 'Réinitialiser le second facteur de {email}',
  'secondFactor.resetAsk': 'Réinitialiser le second facteur de {email} ?',
  'secondFactor.resetText':
    'Ses sessions se terminent, et un mot de passe ou un lien e-mail suffit jusqu’à la nouvelle configuration. Assurez-vous que la demande vient bien de cette personne.',
  'secondFactor.on': 'Activé',
  'secondFactor.off': 'Désactivé',
}
