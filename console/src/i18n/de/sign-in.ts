import type { signIn as english } from '../en/sign-in.ts'
import type { Translation } from '../messages.ts'

/** The sign-in page, in German. */
export const signIn: Translation<typeof english> = {
  'signIn.title': 'Bei Millrace anmelden',
  'signIn.ended': 'Ihre Sitzung ist beendet. Melden Sie sich an, um zur Seite zurückzukehren.',
  'signIn.email': 'E-Mail',
  'signIn.password': 'Passwort',
  'signIn.continue': 'Weiter',
  'signIn.sendLink': 'Link senden',
  'signIn.byLink': 'Mit E-Mail-Link anmelden',
  'signIn.byPassword': 'Mit Passwort anmelden',
  'signIn.google': 'Mit Google anmelden',
  'signIn.provider': 'Mit {name} anmelden',
  'signIn.googleStorage': 'Der Browser sperrt den Speicher dieser Seite, den der Rückweg von Google braucht.',
  'signIn.googleOther': 'Diese Antwort von Google gehört zu einem anderen Tab. Beginnen Sie von vorn.',
  'signIn.googleRefused': 'Google hat Sie nicht angemeldet: {reason}',
  'signIn.or': 'oder',
  'signIn.anotherWay': 'Anders anmelden',
  'signIn.linkText': 'Dieser Link meldet Sie an.',
  'signIn.linkSent': 'Sehen Sie im Posteingang nach',
  'signIn.linkSentText':
    'Wenn {email} ein Konto oder eine Einladung hat, ist ein Link unterwegs. Er gilt einmal, 15 Minuten lang. Hat der Dienst keinen Mailserver, steht der Link in seinem Protokoll.',
  'signIn.wrongPassword': 'E-Mail oder Passwort ist falsch.',
  'signIn.factorText': 'Geben Sie den Code ein, den Ihre Authenticator-App anzeigt.',
  'signIn.factorCode': 'Code',
  'signIn.passkeyText': 'Bestätigen Sie mit einem Passkey Ihres Kontos.',
  'signIn.recoveryText': 'Geben Sie einen Ihrer Wiederherstellungscodes ein. Jeder gilt einmal.',
  'signIn.recoveryCode': 'Wiederherstellungscode',
  'signIn.useRecovery': 'Wiederherstellungscode verwenden',
  'signIn.useApp': 'Authenticator-App verwenden',
  'signIn.lostFactor':
    'Wenn Sie nichts davon haben, kann ein Admin Ihrer Organisation den zweiten Faktor zurücksetzen.',
  'signIn.tooMany': 'Zu viele Versuche. Warten Sie einen Moment und versuchen Sie es dann erneut.',
  'signIn.unreachable':
    'Der Dienst ist nicht erreichbar. Prüfen Sie die Verbindung und versuchen Sie es dann erneut.',
  'signIn.badLink': 'Der Link wurde schon verwendet oder ist abgelaufen. Fordern Sie einen neuen an.',
  'signIn.joinTitle': 'Einer Organisation beitreten',
  'signIn.joinText': 'Sie haben schon ein Konto. Melden Sie sich an, um beizutreten.',
  'signIn.joinOther':
    'Sie sind als {email} angemeldet. Die Einladung gilt einer anderen Adresse, oder der Link wurde schon verwendet oder ist abgelaufen.',
  'signIn.joinSwitch': 'Anderes Konto verwenden',
  'signIn.joinLeave': 'Ohne Beitritt weiter',
  'signIn.joinOver':
    'Diese Einladung ist abgelaufen, widerrufen oder schon angenommen. Ein Administrator kann eine neue senden.',
  'signIn.joined': 'Sie sind {name} beigetreten',
  'signIn.passwordRemoved':
    'Ihr Passwort wurde entfernt, weil der Administrator, der Sie eingeladen hat, es festgelegt haben könnte. Legen Sie in den Einstellungen ein neues fest.',
}
