import type { failures as english } from '../en/failures.ts'
import type { Translation } from '../messages.ts'

/** Failures that the service names by a reason, in German. */
export const failures: Translation<typeof english> = {
  'failures.unexpected':
    'Im Dienst ist ein Fehler aufgetreten. Die Ursache steht in seinem Protokoll unter der ID der Anfrage.',
  'failures.canceled': 'Die Anfrage wurde abgebrochen. Versuchen Sie es noch einmal.',
  'failures.tookTooLong': 'Die Anfrage hat zu lange gedauert. Versuchen Sie es noch einmal.',
  'failures.queryTooLong':
    'Die Abfrage hat zu lange gedauert. Wählen Sie einen kürzeren Zeitraum oder engere Filter.',
  'failures.queryTooLarge':
    'Die Abfrage liest zu viel. Wählen Sie einen kürzeren Zeitraum oder engere Filter.',
  'failures.noQueries':
    'Der Dienst beantwortet gerade keine Abfragen. Versuchen Sie es in einer Minute noch einmal.',
  'failures.noStore':
    'Der Dienst erreicht seine Daten gerade nicht. Versuchen Sie es in einer Minute noch einmal.',
  'failures.overloaded': 'Der Dienst ist ausgelastet. Versuchen Sie es in einer Minute noch einmal.',
  'failures.tooMany': 'Das war zu oft in kurzer Zeit. Versuchen Sie es später noch einmal.',
  'failures.tooLarge': 'Das ist zu groß zum Senden.',
  'failures.signedOut': 'Die Sitzung oder der Link ist abgelaufen. Melden Sie sich neu an.',
  'failures.wrongPassword': 'E-Mail oder Passwort ist falsch.',
  'failures.signInAgain':
    'Geben Sie das aktuelle Passwort ein, oder melden Sie sich mit einem E-Mail-Link an und setzen Sie das Passwort innerhalb von 10 Minuten.',
  'failures.noAccount':
    'Diese Adresse hat kein Konto. Ein Administrator einer Organisation kann sie einladen.',
  'failures.noSignIn': 'Dieser Dienst bietet diese Art der Anmeldung nicht an.',
  'failures.noProvider':
    'Der Anmeldedienst ist nicht erreichbar oder weist diesen Dienst ab. Versuchen Sie es noch einmal, oder fragen Sie den Betreiber.',
  'failures.ssoRequired':
    'Adressen dieser Domain melden sich nur mit dem Anmeldedienst ihres Unternehmens an. Verwenden Sie dessen Schaltfläche.',
  'failures.otherAttempt':
    'Diese Anmeldung wurde in einem anderen Browser begonnen, war schon abgeschlossen oder dauerte mehr als 10 Minuten. Beginnen Sie von vorn.',
  'failures.usedCode': 'Diese Anmeldung wurde schon verwendet oder ist abgelaufen. Beginnen Sie von vorn.',
  'failures.providerRefused':
    'Der Anmeldedienst hat Sie nicht angemeldet. Beginnen Sie von vorn, oder melden Sie sich anders an.',
  'failures.badResponse':
    'Die Antwort des Anmeldedienstes gilt nicht für diesen Dienst. Beginnen Sie von vorn; wenn es wieder geschieht, melden Sie es dem Betreiber.',
  'failures.wrongClock':
    'Die Antwort des Anmeldedienstes ist abgelaufen oder stammt aus der Zukunft: Eine Uhr geht falsch. Melden Sie es dem Betreiber.',
  'failures.unverifiedEmail':
    'Der Anmeldedienst hat Ihre E-Mail-Adresse nicht bestätigt. Bestätigen Sie sie dort, und melden Sie sich dann noch einmal an.',
  'failures.notConnected':
    'Es gibt ein Konto mit Ihrer Adresse, das nicht mit diesem Anmeldedienst verbunden ist. Melden Sie sich wie bisher an, und verbinden Sie den Dienst in den Einstellungen Ihres Kontos.',
  'failures.identityChanged':
    'Das Konto mit Ihrer Adresse ist mit einem anderen Benutzer dieses Anmeldedienstes verbunden. Melden Sie sich anders an und trennen Sie ihn, oder fragen Sie den Betreiber.',
  'failures.identityUsed':
    'Dieser Benutzer des Anmeldedienstes ist mit einem anderen Konto verbunden. Trennen Sie ihn zuerst dort.',
  'failures.identityGone': 'Dieser Anmeldedienst ist nicht mehr verbunden.',
  'failures.sessionGone': 'Diese Sitzung ist schon beendet.',
  'failures.organisationGone': 'Diese Organisation gibt es nicht mehr.',
  'failures.noMember': 'Sie sind kein Mitglied dieser Organisation.',
  'failures.projectClosed':
    'Sie haben keinen Zugriff auf dieses Projekt. Bitten Sie einen seiner Administratoren um eine Rolle.',
  'failures.adminEverywhere':
    'Ein Administrator der Organisation ist in allen ihren Projekten Administrator. Ändern Sie zuerst die Rolle in der Organisation.',
  'failures.notAGuest':
    'Die Rolle im Projekt zeigt dieser Person schon jedes Dashboard. Teilen Sie Dashboards nur mit Gästen.',
  'failures.needsAdmin': 'Das darf nur ein Administrator.',
  'failures.needsRole': 'Ihre Rolle erlaubt das nicht. Ein Administrator kann sie ändern.',
  'failures.alreadyMember': 'Diese Adresse gehört schon einem Mitglied.',
  'failures.memberGone': 'Diese Person ist kein Mitglied mehr.',
  'failures.lastAdmin':
    'Eine Organisation braucht einen Administrator. Machen Sie zuerst ein anderes Mitglied dazu.',
  'failures.lastMember': 'Das letzte Mitglied kann eine Organisation nicht verlassen.',
  'failures.noInvitation':
    'Die Einladung ist für eine andere Adresse, oder sie wurde benutzt oder ist abgelaufen.',
  'failures.invitationOver':
    'Diese Einladung ist abgelaufen, wurde widerrufen oder schon angenommen. Ein Administrator kann eine neue senden.',
  'failures.invitedAccount':
    'Die eingeladene Adresse hat ein Konto. Melden Sie sich damit an, und öffnen Sie den Link noch einmal.',
  'failures.projectGone': 'Dieses Projekt gibt es nicht mehr.',
  'failures.retentionMore':
    'Es würden mehr Ereignisse gelöscht, als Sie bestätigt haben. Versuchen Sie es erneut.',
  'failures.projectTaken': 'Die Organisation hat schon ein Projekt mit diesem Namen.',
  'failures.keyGone': 'Diesen Schlüssel gibt es nicht mehr.',
  'failures.limit': 'Es ist kein Platz für weitere. Löschen Sie zuerst einige.',
  'failures.mailGone': 'Die Organisation hat keinen Mailanbieter.',
  'failures.factorRequired':
    'Dafür ist ein zweiter Faktor nötig. Richten Sie ihn unter Einstellungen, Konto ein.',
  'failures.factorProof': 'Bestätigen Sie zuerst mit Ihrem zweiten Faktor.',
  'failures.factorCode': 'Der Code ist falsch oder wurde schon verwendet. Geben Sie den neuesten ein.',
  'failures.passkeyInvalid':
    'Der Passkey wurde nicht angenommen: Die Anfrage ist abgelaufen, wurde schon verwendet oder gehört zu einem anderen Konto. Versuchen Sie es noch einmal.',
  'failures.passkeyCopied':
    'Der Zähler dieses Passkeys ging zurück, es könnte also eine Kopie geben. Bestätigen Sie auf einem anderen Weg und entfernen Sie dann diesen Passkey.',
  'failures.passkeyInUse': 'Dieser Passkey wurde schon hinzugefügt.',
  'failures.passkeyGone': 'Diesen Passkey gibt es nicht mehr.',
  'failures.noPasskeys':
    'Passkeys brauchen https oder localhost. Der Betreiber legt die öffentliche URL des Dienstes fest.',
  'failures.noFactor': 'Das Konto hat keinen zweiten Faktor mehr.',
  'failures.otherOrganisations':
    'Das Mitglied gehört zu Organisationen, die Sie nicht verwalten. Wenden Sie sich an den Betreiber des Dienstes.',
  'failures.dashboardGone': 'Dieses Dashboard gibt es nicht mehr.',
  'failures.goalGone': 'Dieses Ziel gibt es nicht mehr.',
  'failures.cohortGone': 'Diese Kohorte gibt es nicht mehr.',
  'failures.savedInsightGone': 'Diese gespeicherte Analyse gibt es nicht mehr.',
  'failures.versionGone': 'Diese Version wird nicht mehr aufbewahrt.',
  'failures.annotationGone': 'Diese Anmerkung gibt es nicht mehr.',
  'failures.nameGone': 'Dieser Name ist nicht mehr im Datenkatalog.',
  'failures.channelGone': 'Diesen Kanal gibt es nicht mehr.',
  'failures.alertGone': 'Diesen Alarm gibt es nicht mehr.',
  'failures.reportGone': 'Diesen Bericht gibt es nicht mehr.',
  'failures.personGone': 'Diese Person gibt es nicht mehr.',
  'failures.visitGone': 'Diese Sitzung hat keine Ereignisse mehr.',
  'failures.needsPassword': 'Dieses Dashboard braucht sein Passwort.',
  'failures.campaignGone': 'Diese Kampagne gibt es nicht mehr.',
  'failures.campaignSent': 'Der Versand hat begonnen. Nur eine geplante Kampagne lässt sich ändern.',
  'failures.cohortUsed': 'Diese Kohorte wird verwendet. Entfernen Sie sie dort zuerst.',
  'failures.cohortCycle': 'Eine Kohorte kann sich nicht selbst enthalten.',
  'failures.fieldEmpty': 'Geben Sie einen Wert ein.',
  'failures.fieldNotification': 'Geben Sie einen Titel, einen Text oder Daten für die App ein.',
  'failures.fieldEmail': 'Das ist keine E-Mail-Adresse.',
  'failures.fieldUrl': 'Geben Sie eine URL ein, die mit https:// oder http:// beginnt, ohne Benutzernamen.',
  'failures.fieldZone': 'Das ist keine Zeitzone.',
  'failures.fieldPast': 'Dieser Zeitpunkt liegt in der Vergangenheit.',
  'failures.fieldCharacter': 'Ein Zeichen darin lässt sich nicht speichern.',
  'failures.fieldLong': { one: 'Höchstens {count} Zeichen.', other: 'Höchstens {count} Zeichen.' },
  'failures.fieldShort': { one: 'Mindestens {count} Zeichen.', other: 'Mindestens {count} Zeichen.' },
  'failures.fieldNumber': 'Das ist keine Zahl.',
  'failures.fieldPassword': 'Das ist nicht das Passwort des Kontos.',
  'failures.noPictures': 'Dieser Browser zeichnet keine Bilder.',
  'failures.pictureLarge': 'Das Bild ist zu groß.',
}
