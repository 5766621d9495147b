import type { channels as english } from '../en/channels.ts'
import type { Translation } from '../messages.ts'

/** The channels of a project, in German. */
export const channels: Translation<typeof english> = {
  'channels.new': 'Neuer Kanal',
  'channels.none': 'Noch keine Kanäle',
  'channels.noneText':
    'Ein Kanal ist ein Ziel für die Benachrichtigungen des Projekts: E-Mail-Adressen, Slack oder ein eigener Webhook.',
  'channels.destination': 'Ziel',
  'channels.state': 'Status',
  'channels.kind': 'Senden an',
  'channels.mail': 'E-Mail',
  'channels.slack': 'Slack',
  'channels.webhook': 'Webhook',
  'channels.actions': 'Aktionen für {name}',
  'channels.edit': 'Kanal bearbeiten',
  'channels.nameExample': 'Bereitschaft',
  'channels.addresses': 'E-Mail-Adressen, eine pro Zeile',
  'channels.addressesHint': 'Bis zu 20. Jede Adresse erhält eine eigene E-Mail.',
  'channels.addressMany': 'Ein Kanal hat höchstens {count} Adressen.',
  'channels.url': 'Webhook-URL',
  'channels.urlKeep': 'Leer lassen, um die aktuelle URL zu behalten.',
  'channels.slackHint':
    'Fügen Sie in Slack dem Channel einen eingehenden Webhook hinzu und kopieren Sie seine URL hierher. Andere Dienste, die Slack-Nachrichten annehmen, gehen auch.',
  'channels.webhookHint':
    'Millrace sendet signiertes JSON dorthin. Das Signaturgeheimnis sehen Sie einmal, im nächsten Schritt.',
  'channels.create': 'Kanal anlegen',
  'channels.createdToast': '„{name}“ angelegt',
  'channels.signing': 'So prüfen Sie die Signatur',

  'channels.active': 'Aktiv',
  'channels.failing': 'Gestört',
  'channels.disabled': 'Deaktiviert',
  'channels.failingSince': 'seit {time}',
  'channels.failingText':
    'Seit {time} ist jeder Versuch fehlgeschlagen. Millrace versucht es von selbst weiter und deaktiviert den Kanal nach fünf Tagen.',
  'channels.disabledByYou': 'Der Kanal sendet nichts, bis ein Administrator ihn aktiviert.',
  'channels.disabledFailing':
    'Fünf Tage lang ist jede Zustellung fehlgeschlagen. Prüfen Sie das Ziel, senden Sie einen Test und aktivieren Sie den Kanal wieder.',
  'channels.disabledGone':
    'Der Webhook hat mit „410 Gone“ geantwortet: Die Adresse wird nicht mehr verwendet. Geben Sie die neue ein und aktivieren Sie den Kanal wieder.',
  'channels.enable': 'Aktivieren',
  'channels.disable': 'Deaktivieren',
  'channels.enabledToast': '„{name}“ aktiviert',
  'channels.disabledToast': '„{name}“ deaktiviert',

  'channels.test': 'Test senden',
  'channels.testText': 'Sendet sofort eine Benachrichtigung und zeigt die Antwort.',
  'channels.mailTaken': 'Der Mailserver hat die E-Mail angenommen. Sehen Sie im Posteingang nach.',

  'channels.rotate': 'Signaturgeheimnis ersetzen …',
  'channels.rotateAsk': 'Signaturgeheimnis von {name} ersetzen?',
  'channels.rotateText':
    'Das neue Geheimnis sehen Sie einmal. 24 Stunden lang sind Anfragen mit beiden signiert, damit beim Wechsel keine Benachrichtigung verloren geht.',
  'channels.rotateVerb': 'Geheimnis ersetzen',
  'channels.secretNow': 'Kopieren Sie das Signaturgeheimnis jetzt. Sie sehen es nur dieses eine Mal.',
  'channels.secretText': 'Damit prüft Ihr Endpunkt die Signatur jeder Anfrage.',

  'channels.delete': 'Kanal löschen …',
  'channels.deleteAsk': '{name} löschen?',
  'channels.deleteText':
    'Noch nicht zugestellte Benachrichtigungen und das Protokoll gehen verloren. Das lässt sich nicht rückgängig machen.',
  'channels.deleteVerb': 'Kanal löschen',
  'channels.deletedToast': '„{name}“ gelöscht',

  'channels.deliveries': 'Zustellungen',
  'channels.deliveriesNone': 'In den letzten 30 Tagen wurde nichts gesendet.',
  'channels.more': 'Mehr anzeigen',
  'channels.pending': 'Wartet',
  'channels.delivered': 'Zugestellt',
  'channels.failed': 'Fehlgeschlagen',
  'channels.attempts': { one: '{count} Versuch', other: '{count} Versuche' },
  'channels.nextAttempt': 'nächster Versuch {time}',
  'channels.typeTest': 'Testnachricht',
  'channels.typeAlert': 'Alarm',
  'channels.typeReport': 'Bericht',

  'channels.answered': 'Der Webhook hat mit Status {status} geantwortet.',
  'channels.errorRedirect':
    'Der Webhook hat mit Status {status} geantwortet. Weiterleitungen werden nicht verfolgt: Geben Sie die endgültige URL ein.',
  'channels.errorNoHost': 'Der Host hat keine Adresse. Prüfen Sie die URL.',
  'channels.errorPrivate':
    'Der Host hat keine öffentliche Adresse. Verwenden Sie einen anderen, oder bitten Sie den Betreiber, ihn in SERVICE_OUTBOUND_ALLOW zuzulassen.',
  'channels.errorUnreachable': 'Der Host ist nicht erreichbar.',
  'channels.errorTls': 'Der Host hat kein gültiges TLS-Zertifikat.',
  'channels.errorSlow': 'Der Host hat nicht rechtzeitig geantwortet.',
  'channels.errorLarge': 'Die Antwort ist zu groß.',
  'channels.errorDisabled': 'Der Kanal war deaktiviert.',
  'channels.errorFull': 'Zu viele Zustellungen haben auf diesen Kanal gewartet.',
  'channels.errorDay': 'Andere Zustellungen des Kanals sind einen Tag lang fehlgeschlagen.',
  'channels.errorInternal': 'Im Dienst ist ein Fehler aufgetreten.',
}
