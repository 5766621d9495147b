import type { secondFactor as english } from '../en/second-factor.ts'
import type { Translation } from '../messages.ts'

/** The second factor of an account, in German. */
export const secondFactor: Translation<typeof english> = {
  'secondFactor.title': 'Zweiter Faktor',
  'secondFactor.text':
    'Mit einem zweiten Faktor genügen ein Passwort oder ein E-Mail-Link nicht zum Anmelden: Dazu kommt ein Passkey oder ein Code einer Authenticator-App.',
  'secondFactor.requiredBy': 'Verlangt von {names}',
  'secondFactor.setUp': 'Einrichten',
  'secondFactor.password': 'Geben Sie Ihr Passwort ein, um einen zweiten Faktor einzurichten.',
  'secondFactor.signInAgain':
    'Melden Sie sich ab und wieder an und richten Sie innerhalb von 10 Minuten einen zweiten Faktor ein.',
  'secondFactor.scan':
    'Scannen Sie diesen Code mit einer Authenticator-App auf Ihrem Telefon und geben Sie die sechs Ziffern ein, die sie anzeigt.',
  'secondFactor.qr': 'QR-Code des Schlüssels',
  'secondFactor.key': 'Schlüssel, falls Sie nicht scannen können',
  'secondFactor.code': 'Code der App',
  'secondFactor.turnOn': 'Einschalten',
  'secondFactor.codesTitle': 'Speichern Sie diese Wiederherstellungscodes jetzt',
  'secondFactor.codesText':
    'Jeder Code ersetzt den zweiten Faktor einmal, etwa wenn Ihr Telefon verloren geht. Sie werden nicht noch einmal angezeigt.',
  'secondFactor.codesName': 'Wiederherstellungscodes',
  'secondFactor.download': 'Herunterladen',
  'secondFactor.codesSaved': 'Ich habe sie gespeichert',
  'secondFactor.since': 'Eingeschaltet seit {time}, zuletzt verwendet {used}',
  'secondFactor.codesLeft': {
    one: 'Noch {count} Wiederherstellungscode',
    other: 'Noch {count} Wiederherstellungscodes',
  },
  'secondFactor.newCodes': 'Neue Wiederherstellungscodes',
  'secondFactor.newCodesText': 'Die alten Wiederherstellungscodes gelten dann nicht mehr.',
  'secondFactor.otherApp': 'Andere App verwenden',
  'secondFactor.app': 'Authenticator-App',
  'secondFactor.appNone': 'Nicht eingerichtet',
  'secondFactor.recoveryCode': 'Wiederherstellungscode',
  'secondFactor.turnOff': 'Ausschalten',
  'secondFactor.turnOffAsk': 'Zweiten Faktor ausschalten?',
  'secondFactor.turnOffText': 'Zum Anmelden genügt dann ein Passwort oder ein E-Mail-Link.',
  'secondFactor.turnedOff': 'Der zweite Faktor ist ausgeschaltet',
  'secondFactor.anyCode': 'Code der App oder ein Wiederherstellungscode',
  'secondFactor.proveTitle': 'Bestätigen Sie, dass Sie es sind',
  'secondFactor.proveText': 'Dafür ist Ihr zweiter Faktor nötig. Die Bestätigung gilt 10 Minuten lang.',
  'secondFactor.confirm': 'Bestätigen',
  'secondFactor.lockedTitle': '{name} verlangt einen zweiten Faktor',
  'secondFactor.lockedText': 'Die Projekte öffnen sich, sobald Sie einen eingerichtet haben.',
  'secondFactor.rule': 'Von allen Mitgliedern einen zweiten Faktor verlangen',
  'secondFactor.ruleText':
    'Mitglieder ohne zweiten Faktor können die Projekte erst öffnen, wenn sie einen eingerichtet haben. API-Schlüssel sind nicht betroffen.',
  'secondFactor.ownFirst': 'Richten Sie zuerst für Ihr eigenes Konto einen zweiten Faktor ein.',
  'secondFactor.openAccount': 'Kontoeinstellungen öffnen',
  'secondFactor.reset': 'Zurücksetzen',
  'secondFactor.resetOf': 'Zweiten Faktor von {email} zurücksetzen',
  'secondFactor.resetAsk': 'Zweiten Faktor von {email} zurücksetzen?',
  'secondFactor.resetText':
    'Alle Sitzungen dieses Kontos enden, und bis zur neuen Einrichtung genügt zum Anmelden ein Passwort oder ein E-Mail-Link. Stellen Sie sicher, dass die Bitte wirklich von dieser Person kommt.',
  'secondFactor.on': 'Ein',
  'secondFactor.off': 'Aus',
}
