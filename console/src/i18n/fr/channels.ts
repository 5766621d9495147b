import type { channels as english } from '../en/channels.ts'
import type { Translation } from '../messages.ts'

/** The channels of a project, in French. */
export const channels: Translation<typeof english> = {
  'channels.new': 'Nouveau canal',
  'channels.none': 'Aucun canal',
  'channels.noneText':
    'Un canal est la destination des notifications du projet : des adresses e-mail, Slack ou votre propre webhook.',
  'channels.destination': 'Destinataire',
  'channels.state': 'État',
  'channels.kind': 'Envoyer à',
  'channels.mail': 'E-mail',
  'channels.slack': 'Slack',
  'channels.webhook': 'Webhook',
  'channels.actions': 'Actions de {name}',
  'channels.edit': 'Modifier le canal',
  'channels.nameExample': 'Astreinte',
  'channels.addresses': 'Adresses e-mail, une par ligne',
  'channels.addressesHint': 'Jusqu’à 20. Chaque adresse reçoit son propre e-mail.',
  'channels.addressMany': 'Un canal a au plus {count} adresses.',
  'channels.url': 'URL du webhook',
  'channels.urlKeep': 'Laissez vide pour garder l’URL actuelle.',
  'channels.slackHint':
    'Dans Slack, ajoutez un webhook entrant à la conversation et collez son URL ici. Les outils qui acceptent les messages de Slack conviennent aussi.',
  'channels.webhookHint':
    'Millrace y envoie du JSON signé. Le secret de signature s’affiche une seule fois, à l’étape suivante.',
  'channels.create': 'Créer le canal',
  'channels.createdToast': '« {name} » créé',
  'channels.signing': 'Vérifier la signature',

  'channels.active': 'Actif',
  'channels.failing': 'En échec',
  'channels.disabled': 'Désactivé',
  'channels.failingSince': 'depuis {time}',
  'channels.failingText':
    'Toutes les tentatives ont échoué depuis {time}. Millrace réessaie de lui-même et désactive le canal au bout de cinq jours.',
  'channels.disabledByYou': 'Il n’envoie rien tant qu’un administrateur ne l’a pas activé.',
  'channels.disabledFailing':
    'Tous les envois ont échoué pendant cinq jours. Vérifiez la destination, envoyez un test, puis activez le canal.',
  'channels.disabledGone':
    'Le webhook a répondu « 410 Gone » : l’adresse n’est plus utilisée. Saisissez la nouvelle, puis activez le canal.',
  'channels.enable': 'Activer',
  'channels.disable': 'Désactiver',
  'channels.enabledToast': '« {name} » activé',
  'channels.disabledToast': '« {name} » désactivé',

  'channels.test': 'Envoyer un test',
  'channels.testText': 'Envoie une notification maintenant et affiche la réponse.',
  'channels.mailTaken': 'Le serveur de messagerie a accepté l’e-mail. Vérifiez la boîte de réception.',

  'channels.rotate': 'Remplacer le secret de signature…',
  'channels.rotateAsk': 'Remplacer le secret de signature de {name} ?',
  'channels.rotateText':
    'Le nouveau secret s’affiche une seule fois. Pendant 24 heures, les requêtes sont signées avec les deux : vous pouvez changer de secret sans perdre de notification.',
  'channels.rotateVerb': 'Remplacer le secret',
  'channels.secretNow': 'Copiez ce secret de signature maintenant. Vous ne le reverrez plus.',
  'channels.secretText': 'Votre serveur vérifie avec lui la signature de chaque requête.',

  'channels.delete': 'Supprimer le canal…',
  'channels.deleteAsk': 'Supprimer {name} ?',
  'channels.deleteText':
    'Les notifications qu’il n’a pas encore remises et son journal sont perdus. Cette action est irréversible.',
  'channels.deleteVerb': 'Supprimer le canal',
  'channels.deletedToast': '« {name} » supprimé',

  'channels.deliveries': 'Envois',
  'channels.deliveriesNone': 'Rien n’a été envoyé ces 30 derniers jours.',
  'channels.more': 'Afficher plus',
  'channels.pending': 'En attente',
  'channels.delivered': 'Remis',
  'channels.failed': 'Échec',
  'channels.attempts': { one: '{count} tentative', many: '{count} tentatives', other: '{count} tentatives' },
  'channels.nextAttempt': 'prochaine tentative {time}',
  'channels.typeTest': 'Envoi de test',
  'channels.typeAlert': 'Alerte',
  'channels.typeReport': 'Rapport',

  'channels.answered': 'Le webhook a répondu avec le statut {status}.',
  'channels.errorRedirect':
    'Le webhook a répondu avec le statut {status}. Les redirections ne sont pas suivies : saisissez l’URL finale.',
  'channels.errorNoHost': 'L’hôte n’a pas d’adresse. Vérifiez l’URL.',
  'channels.errorPrivate':
    'L’hôte n’a pas d’adresse publique. Utilisez-en un autre, ou demandez à l’exploitant de l’autoriser dans SERVICE_OUTBOUND_ALLOW.',
  'channels.errorUnreachable': 'L’hôte est injoignable.',
  'channels.errorTls': 'L’hôte n’a pas de certificat TLS valide.',
  'channels.errorSlow': 'L’hôte n’a pas répondu à temps.',
  'channels.errorLarge': 'La réponse est trop volumineuse.',
  'channels.errorDisabled': 'Le canal était désactivé.',
  'channels.errorFull': 'Trop d’envois attendaient ce canal.',
  'channels.errorDay': 'D’autres envois du canal ont échoué pendant une journée.',
  'channels.errorInternal': 'Une erreur s’est produite dans le service.',
}
