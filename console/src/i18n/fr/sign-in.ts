import type { signIn as english } from '../en/sign-in.ts'
import type { Translation } from '../messages.ts'

/** The sign-in page, in French. */
export const signIn: Translation<typeof english> = {
  'signIn.title': 'Se connecter à Millrace',
  'signIn.ended': 'Votre session est terminée. Connectez-vous pour revenir à la page.',
  'signIn.email': 'E-mail',
  'signIn.password': 'Mot de passe',
  'signIn.continue': 'Continuer',
  'signIn.sendLink': 'Envoyer le lien',
  'signIn.byLink': 'Se connecter par lien e-mail',
  'signIn.byPassword': 'Se connecter avec un mot de passe',
  'signIn.google': 'Se connecter avec Google',
  'signIn.provider': 'Se connecter avec {name}',
  'signIn.googleStorage':
    'Le navigateur bloque le stockage de cette page, nécessaire au retour depuis Google.',
  'signIn.googleOther': 'Cette réponse de Google appartient à un autre onglet. Recommencez.',
  'signIn.googleRefused': 'Google ne vous a pas connecté : {reason}',
  'signIn.or': 'ou',
  'signIn.anotherWay': 'Se connecter autrement',
  'signIn.linkText': 'Ce lien vous connecte.',
  'signIn.linkSent': 'Consultez votre boîte de réception',
  'signIn.linkSentText':
    'Si {email} a un compte ou une invitation, un lien est en route. Il fonctionne une fois, pendant 15 minutes. Sur un service sans serveur de messagerie, le lien est dans son journal.',
  'signIn.wrongPassword': 'L’e-mail ou le mot de passe est incorrect.',
  'signIn.factorText': 'Saisissez le code affiché par votre application d’authentification.',
  'signIn.factorCode': 'Code',
  'signIn.passkeyText': 'Confirmez avec une clé d’accès de votre compte.',
  'signIn.recoveryText': 'Saisissez l’un de vos codes de récupération. Chacun ne sert qu’une fois.',
  'signIn.recoveryCode': 'Code de récupération',
  'signIn.useRecovery': 'Utiliser un code de récupération',
  'signIn.useApp': 'Utiliser l’application d’authentification',
  'signIn.lostFactor':
    'Si vous n’avez rien de tout cela, un administrateur de votre organisation peut réinitialiser votre second facteur.',
  'signIn.tooMany': 'Trop de tentatives. Attendez un moment, puis réessayez.',
  'signIn.unreachable': 'Le service est injoignable. Vérifiez la connexion, puis réessayez.',
  'signIn.badLink': 'Le lien a déjà servi ou a expiré. Demandez-en un nouveau.',
  'signIn.joinTitle': 'Rejoindre une organisation',
  'signIn.joinText': 'Vous avez déjà un compte. Connectez-vous pour la rejoindre.',
  'signIn.joinOther':
    'Vous êtes connecté en tant que {email}. L’invitation est destinée à une autre adresse, ou le lien a déjà servi ou a expiré.',
  'signIn.joinSwitch': 'Utiliser un autre compte',
  'signIn.joinLeave': 'Continuer sans rejoindre',
  'signIn.joinOver':
    'Cette invitation a expiré, a été révoquée ou a déjà été acceptée. Un administrateur peut en envoyer une nouvelle.',
  'signIn.joined': 'Vous avez rejoint {name}',
  'signIn.passwordRemoved':
    'Votre mot de passe a été supprimé, car l’administrateur qui vous a invité aurait pu le définir. Définissez-en un nouveau dans les paramètres.',
}
