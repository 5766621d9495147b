import type { assistants as english } from '../en/assistants.ts'
import type { Translation } from '../messages.ts'

/** Assistants that act for an account, in French. */
export const assistants: Translation<typeof english> = {
  'assistants.title': 'Connecter {name} ?',
  'assistants.asks': '{name} souhaite utiliser Millrace en votre nom. Ce nom, il se l’est donné lui-même.',
  'assistants.account': 'Votre compte',
  'assistants.goesTo': 'L’accès est remis à',
  'assistants.goesToMachine': '{host}, un programme de cet ordinateur',
  'assistants.project': 'Projet',
  'assistants.choose': 'Choisir un projet',
  'assistants.projectHint': 'Il ne peut utiliser que ce projet.',
  'assistants.noProject': 'Votre compte n’a aucun projet qu’il pourrait utiliser.',
  'assistants.scope': 'Accès',
  'assistants.readOnly': 'Il lit les données du projet, y compris celles des personnes, et ne change rien.',
  'assistants.rights':
    'Il n’a jamais plus de droits que vous à ce moment-là. Vous pouvez le déconnecter dans Paramètres, Compte.',
  'assistants.trust': 'Ne connectez que ce que vous avez lancé vous-même.',
  'assistants.connect': 'Connecter',
  'assistants.refuse': 'Ne pas connecter',
  'assistants.over': 'Cette demande a expiré ou a déjà reçu une réponse. Recommencez dans l’assistant.',
  'assistants.answered': 'Revenez à {name}. Vous pouvez fermer cette page.',
  'assistants.other': 'Utiliser un autre compte',
  'assistants.list': 'Assistants connectés',
  'assistants.listText':
    'Assistants que vous avez connectés avec l’adresse {url}. Ils agissent en votre nom dans un projet, jamais avec plus de droits que vous à ce moment-là.',
  'assistants.none': 'Aucun assistant n’est connecté.',
  'assistants.ends': 'Prend fin sans usage',
  'assistants.disconnect': 'Déconnecter',
  'assistants.disconnectNamed': 'Déconnecter {name}',
  'assistants.disconnectAsk': 'Déconnecter {name} ?',
  'assistants.disconnectText':
    'Il est refusé en quelques secondes. Pour l’utiliser de nouveau, reconnectez-le.',
}
