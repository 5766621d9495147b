import type { failures as english } from '../en/failures.ts'
import type { Translation } from '../messages.ts'

/** Failures that the service names by a reason, in French. */
export const failures: Translation<typeof english> = {
  'failures.unexpected':
    'Une erreur est survenue dans le service. Son journal en donne la cause sous l’identifiant de la requête.',
  'failures.canceled': 'La requête a été annulée. Réessayez.',
  'failures.tookTooLong': 'La requête a pris trop de temps. Réessayez.',
  'failures.queryTooLong':
    'La requête a pris trop de temps. Choisissez une période plus courte ou des filtres plus précis.',
  'failures.queryTooLarge':
    'La requête lit trop de données. Choisissez une période plus courte ou des filtres plus précis.',
  'failures.noQueries': 'Le service ne répond à aucune requête pour le moment. Réessayez dans une minute.',
  'failures.noStore': 'Le service n’atteint pas ses données pour le moment. Réessayez dans une minute.',
  'failures.overloaded': 'Le service est saturé. Réessayez dans une minute.',
  'failures.tooMany': 'Trop de tentatives en peu de temps. Réessayez plus tard.',
  'failures.tooLarge': 'C’est trop volumineux pour être envoyé.',
  'failures.signedOut': 'La session ou le lien a expiré. Reconnectez-vous.',
  'failures.wrongPassword': 'L’e-mail ou le mot de passe est incorrect.',
  'failures.signInAgain':
    'Saisissez le mot de passe actuel, ou connectez-vous par un lien reçu par e-mail et définissez le mot de passe dans les 10 minutes.',
  'failures.noAccount':
    'Cette adresse n’a pas de compte. Un administrateur d’une organisation peut l’inviter.',
  'failures.noSignIn': 'Ce service ne propose pas ce mode de connexion.',
  'failures.noProvider':
    'Le fournisseur de connexion est injoignable ou refuse ce service. Réessayez, ou demandez à l’exploitant.',
  'failures.ssoRequired':
    'Les adresses de ce domaine se connectent uniquement avec le fournisseur de leur entreprise. Utilisez son bouton.',
  'failures.otherAttempt':
    'Cette connexion a été commencée dans un autre navigateur, est déjà terminée ou a pris plus de 10 minutes. Recommencez.',
  'failures.usedCode': 'Cette connexion a déjà servi ou a expiré. Recommencez.',
  'failures.providerRefused':
    'Le fournisseur ne vous a pas connecté. Recommencez, ou connectez-vous autrement.',
  'failures.badResponse':
    'La réponse du fournisseur n’est pas valable pour ce service. Recommencez ; si cela se reproduit, prévenez l’exploitant.',
  'failures.wrongClock':
    'La réponse du fournisseur a expiré ou vient du futur : une horloge est fausse. Prévenez l’exploitant.',
  'failures.unverifiedEmail':
    'Le fournisseur n’a pas vérifié votre adresse e-mail. Vérifiez-la chez lui, puis reconnectez-vous.',
  'failures.notConnected':
    'Un compte existe avec votre adresse, mais il n’est pas associé à ce fournisseur. Connectez-vous comme avant, puis associez le fournisseur dans les paramètres de votre compte.',
  'failures.identityChanged':
    'Le compte de votre adresse est associé à un autre utilisateur de ce fournisseur. Connectez-vous autrement et dissociez-le, ou demandez à l’exploitant.',
  'failures.identityUsed':
    'Cet utilisateur du fournisseur est associé à un autre compte. Dissociez-le d’abord là-bas.',
  'failures.identityGone': 'Ce fournisseur n’est plus associé.',
  'failures.sessionGone': 'Cette session est déjà terminée.',
  'failures.organisationGone': 'Cette organisation n’existe plus.',
  'failures.noMember': 'Vous n’êtes pas membre de cette organisation.',
  'failures.projectClosed':
    'Vous n’avez pas accès à ce projet. Demandez un rôle à l’un de ses administrateurs.',
  'failures.adminEverywhere':
    'Un administrateur de l’organisation l’est dans tous ses projets. Changez d’abord son rôle dans l’organisation.',
  'failures.notAGuest':
    'Son rôle dans le projet lui montre déjà tous les tableaux de bord. Ne partagez des tableaux de bord qu’avec des invités.',
  'failures.needsAdmin': 'Seul un administrateur peut faire cela.',
  'failures.needsRole': 'Votre rôle ne le permet pas. Un administrateur peut le changer.',
  'failures.alreadyMember': 'Cette adresse appartient déjà à un membre.',
  'failures.memberGone': 'Cette personne n’est plus membre.',
  'failures.lastAdmin': 'Une organisation a besoin d’un administrateur. Nommez d’abord un autre membre.',
  'failures.lastMember': 'Le dernier membre ne peut pas quitter une organisation.',
  'failures.noInvitation': 'L’invitation est pour une autre adresse, ou elle a été utilisée ou a expiré.',
  'failures.invitationOver':
    'Cette invitation a expiré, a été révoquée ou déjà acceptée. Un administrateur peut en envoyer une autre.',
  'failures.invitedAccount':
    'L’adresse invitée a un compte. Connectez-vous avec celui-ci, puis rouvrez le lien.',
  'failures.projectGone': 'Ce projet n’existe plus.',
  'failures.retentionMore': 'Plus d’événements que confirmé seraient supprimés. Réessayez.',
  'failures.projectTaken': 'L’organisation a déjà un projet de ce nom.',
  'failures.keyGone': 'Cette clé n’existe plus.',
  'failures.limit': 'Il n’y a plus de place. Supprimez-en d’abord.',
  'failures.mailGone': 'L’organisation n’a pas de fournisseur d’e-mail.',
  'failures.factorRequired': 'Un second facteur est nécessaire. Configurez-le dans Paramètres, Compte.',
  'failures.factorProof': 'Confirmez d’abord avec votre second facteur.',
  'failures.factorCode': 'Le code est incorrect ou a déjà servi. Saisissez le plus récent.',
  'failures.passkeyInvalid':
    'La clé d’accès n’a pas été acceptée : la demande a expiré, a déjà servi ou concerne un autre compte. Réessayez.',
  'failures.passkeyCopied':
    'Le compteur de cette clé d’accès a reculé : une copie existe peut-être. Confirmez d’une autre façon, puis supprimez-la.',
  'failures.passkeyInUse': 'Cette clé d’accès a déjà été ajoutée.',
  'failures.passkeyGone': 'Cette clé d’accès n’existe plus.',
  'failures.noPasskeys':
    'Les clés d’accès nécessitent https ou localhost. L’exploitant définit l’URL publique du service.',
  'failures.noFactor': 'Le compte n’a plus de second facteur.',
  'failures.otherOrganisations':
    'Le membre appartient à des organisations que vous n’administrez pas. Adressez-vous à l’exploitant du service.',
  'failures.dashboardGone': 'Ce tableau de bord n’existe plus.',
  'failures.goalGone': 'Cet objectif n’existe plus.',
  'failures.cohortGone': 'Cette cohorte n’existe plus.',
  'failures.savedInsightGone': 'Cette analyse enregistrée n’existe plus.',
  'failures.versionGone': 'Cette version n’est plus conservée.',
  'failures.annotationGone': 'Cette note n’existe plus.',
  'failures.nameGone': 'Ce nom n’est plus dans le dictionnaire de données.',
  'failures.channelGone': 'Ce canal n’existe plus.',
  'failures.alertGone': 'Cette alerte n’existe plus.',
  'failures.reportGone': 'Ce rapport n’existe plus.',
  'failures.personGone': 'Cette personne n’existe plus.',
  'failures.visitGone': 'Cette session n’a plus d’événements.',
  'failures.needsPassword': 'Ce tableau de bord demande son mot de passe.',
  'failures.campaignGone': 'Cette campagne n’existe plus.',
  'failures.campaignSent': 'L’envoi a commencé. Seule une campagne planifiée peut être modifiée.',
  'failures.cohortUsed': 'Cette cohorte est utilisée. Retirez-la d’abord de là.',
  'failures.cohortCycle': 'Une cohorte ne peut pas se contenir elle-même.',
  'failures.fieldEmpty': 'Saisissez une valeur.',
  'failures.fieldNotification': 'Saisissez un titre, un texte ou des données pour l’application.',
  'failures.fieldEmail': 'Ce n’est pas une adresse e-mail.',
  'failures.fieldUrl': 'Saisissez une URL qui commence par https:// ou http://, sans nom d’utilisateur.',
  'failures.fieldZone': 'Ce n’est pas un fuseau horaire.',
  'failures.fieldPast': 'Ce moment est passé.',
  'failures.fieldCharacter': 'Un caractère ne peut pas être enregistré.',
  'failures.fieldLong': {
    one: '{count} caractère au maximum.',
    many: '{count} caractères au maximum.',
    other: '{count} caractères au maximum.',
  },
  'failures.fieldShort': {
    one: '{count} caractère au minimum.',
    many: '{count} caractères au minimum.',
    other: '{count} caractères au minimum.',
  },
  'failures.fieldNumber': 'Ce n’est pas un nombre.',
  'failures.fieldPassword': 'Ce n’est pas le mot de passe du compte.',
  'failures.noPictures': 'Ce navigateur ne dessine pas d’images.',
  'failures.pictureLarge': 'L’image est trop grande.',
}
