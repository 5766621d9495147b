import type { warnings as english } from '../en/warnings.ts'
import type { Translation } from '../messages.ts'

/** The data warnings in German. */
export const warnings: Translation<typeof english> = {
  'warnings.tab': 'Warnungen',
  'warnings.label': 'Warnungen bei der Aufnahme',
  'warnings.failed': 'Die Warnungen konnten nicht geladen werden',
  'warnings.none': 'Keine Warnungen',
  'warnings.noneText': 'Alles, was in diesem Zeitraum ankam, wurde gespeichert, wie es gesendet wurde.',
  'warnings.noMatch': 'Keine Warnungen entsprechen den Filtern',
  'warnings.source': 'Quelle',
  'warnings.anySource': 'Alle Quellen',
  'warnings.effect': 'Was geschah',
  'warnings.anyEffect': 'Alle Ergebnisse',
  'warnings.dropped': 'Nicht gespeichert',
  'warnings.changed': 'Geändert',
  'warnings.rejected': 'Abgelehnt',
  'warnings.period': 'Zeitraum',
  'warnings.day': 'Letzte 24 Stunden',
  'warnings.week': 'Letzte 7 Tage',
  'warnings.reason': 'Grund',
  'warnings.sdk': 'SDK',
  'warnings.count': 'Anzahl',
  'warnings.firstSeen': 'Zuerst gesehen',
  'warnings.lastSeen': 'Zuletzt gesehen',
  'warnings.sample': 'Beispiel',
  'warnings.sampleText': 'Werte werden beschrieben statt gezeigt, weil sie personenbezogen sein können.',
  'warnings.noSample': 'Zu dieser Warnung gibt es kein Beispiel.',
  'warnings.notAnObject.title': 'Kein Ereignis',
  'warnings.notAnObject.text':
    'Ein Element eines Stapels ist kein JSON-Objekt und wird nicht gespeichert. Senden Sie eine Liste von Objekten.',
  'warnings.noName.title': 'Kein Name',
  'warnings.noName.text':
    'Das Ereignis hat keinen Namen und wird nicht gespeichert. Setzen Sie den Namen im Aufruf, der es sendet.',
  'warnings.noId.title': 'Keine ID',
  'warnings.noId.text':
    'Das Ereignis nennt weder eine Person noch ein Gerät und wird nicht gespeichert. Setzen Sie die Distinct-ID, Nutzer-ID oder Geräte-ID.',
  'warnings.invalidId.title': 'Ungültige ID',
  'warnings.invalidId.text':
    'Die ID ist länger als 1.024 Zeichen, beginnt mit cookieless- oder hat ungültige Zeichen. Das Ereignis wird nicht gespeichert. Senden Sie eine andere ID.',
  'warnings.otherKey.title': 'Anderer Schlüssel',
  'warnings.otherKey.text':
    'Das Ereignis hat einen anderen Schlüssel als seine Anfrage und wird nicht gespeichert. Senden Sie die Ereignisse jedes Projekts in eigenen Anfragen.',
  'warnings.unknownVisitor.title': 'Unbekannter Besucher',
  'warnings.unknownVisitor.text':
    'Ein Ereignis ohne Cookie braucht einen User-Agent und eine Adresse und wird ohne sie nicht gespeichert. Lassen Sie Proxys beide weitergeben.',
  'warnings.unknownType.title': 'Unbekannter Typ',
  'warnings.unknownType.text':
    'Nachrichten dieses Typs werden nicht gespeichert. Senden Sie sie als anderen Typ.',
  'warnings.groups.title': 'Gruppen',
  'warnings.groups.text':
    'Für Gruppen gibt es keine Entsprechung, ihre Änderungen werden nicht gespeichert. Senden Sie, was Sie von einer Gruppe brauchen, als Eigenschaften von Ereignissen.',
  'warnings.recordings.title': 'Sitzungsaufzeichnungen',
  'warnings.recordings.text':
    'Sitzungsaufzeichnungen werden nicht gespeichert. Schalten Sie sie im SDK aus, um Datenverkehr zu sparen.',
  'warnings.engagement.title': 'Lesedauer',
  'warnings.engagement.text':
    'Wie lange eine Seite gelesen wurde, ist kein Ereignis und wird nicht gespeichert. Es ist nichts zu ändern.',
  'warnings.schema.title': 'Verletzt sein Schema',
  'warnings.schema.text':
    'Einem typisierten Ereignis fehlt eine Eigenschaft oder sie hat einen falschen Wert, deshalb wird es nicht gespeichert. Senden Sie, was das Schema verlangt.',
  'warnings.blocked.title': 'Gesperrtes Ereignis',
  'warnings.blocked.text':
    'Der Datenkatalog sperrt dieses Ereignis, es wird nicht gespeichert. Setzen Sie unter Ereignisse einen anderen Status, um es wieder zu speichern.',
  'warnings.otherDay.title': 'Ohne Cookie, von einem anderen Tag',
  'warnings.otherDay.text':
    'Ereignisse ohne Cookie werden nur an dem Tag gespeichert, an dem sie geschehen. Senden Sie sie, wenn sie geschehen.',
  'warnings.salt.title': 'Kein Geheimnis für Besucher ohne Cookie',
  'warnings.salt.text':
    'Das Geheimnis des Tages fehlt, deshalb werden Ereignisse ohne Cookie nicht gespeichert. Prüfen Sie den Zustandsspeicher des Dienstes.',
  'warnings.textCut.title': 'Text gekürzt',
  'warnings.textCut.text':
    'Ein Text war länger als 1.024 Zeichen und wurde gekürzt. Senden Sie kürzere Texte.',
  'warnings.charactersReplaced.title': 'Zeichen ersetzt',
  'warnings.charactersReplaced.text':
    'Ein Text enthielt Zeichen, die kein gültiges Unicode sind. Kürzen Sie Texte zwischen Zeichen, nicht zwischen Bytes.',
  'warnings.propertyLeftOut.title': 'Eigenschaft weggelassen',
  'warnings.propertyLeftOut.text':
    'Eine Eigenschaft hatte einen zu langen Namen oder Wert, oder das Ereignis hatte mehr als 256 Eigenschaften. Senden Sie weniger.',
  'warnings.traitLeftOut.title': 'Personeneigenschaft weggelassen',
  'warnings.traitLeftOut.text':
    'Eine Eigenschaft einer Person überschreitet eine Grenze, oder die Person ist nicht identifiziert. Identifizieren Sie sie zuerst.',
  'warnings.operation.title': 'Operation nicht unterstützt',
  'warnings.operation.text':
    'Änderungen, die vom bisherigen Wert abhängen, etwa das Erhöhen einer Zahl, werden nicht ausgeführt. Senden Sie den neuen Wert.',
  'warnings.timeReplaced.title': 'Zeit ersetzt',
  'warnings.timeReplaced.text':
    'Die Zeit des Ereignisses war nicht lesbar, deshalb hat es die Zeit seiner Ankunft. Senden Sie Zeiten nach ISO 8601.',
  'warnings.clock.title': 'Falsche Uhr',
  'warnings.clock.text':
    'Die Uhr des Clients geht mehr als eine Minute falsch. Ereignisse werden wie gesendet gespeichert, mit $clock_skew_ms. Stellen Sie die Uhr von Servern richtig.',
  'warnings.invalidEvent.title': 'Ungültiges Ereignis',
  'warnings.invalidEvent.text':
    'Ein Ereignis verletzt eine Regel, deshalb wurde die ganze Anfrage abgelehnt. Korrigieren Sie das Feld unten.',
  'warnings.unreadable.title': 'Unlesbare Anfrage',
  'warnings.unreadable.text':
    'Die Anfrage war nicht lesbar und wurde abgelehnt. Senden Sie gültiges JSON in der Form des SDKs.',
  'warnings.tooLarge.title': 'Anfrage zu groß',
  'warnings.tooLarge.text':
    'Die Anfrage ist größer, als der Dienst annimmt, und wurde abgelehnt. Senden Sie kleinere Stapel.',
  'warnings.compression.title': 'Unbekannte Komprimierung',
  'warnings.compression.text':
    'Die Anfrage wurde abgelehnt. Komprimieren Sie Anfragen mit gzip, br oder zstd oder gar nicht.',
  'warnings.keyExpired.title': 'Schlüssel abgelaufen',
  'warnings.keyExpired.text':
    'Der Schlüssel der Anfragen ist abgelaufen, deshalb wurden sie abgelehnt. Verwenden Sie einen neueren.',
  'warnings.otherAddress.title': 'Adresse nicht erlaubt',
  'warnings.otherAddress.text':
    'Der Schlüssel gilt nur von den Adressen seiner Liste, und die Anfragen kamen von anderen. Ergänzen Sie die Adressen, oder widerrufen Sie den Schlüssel, wenn ihn jemand anders hat.',
  'warnings.rate.title': 'Ratenlimit',
  'warnings.rate.text':
    'Der Schlüssel hat mehr Ereignisse gesendet, als er darf, deshalb wurden Anfragen abgelehnt. Senden Sie weniger oder erhöhen Sie das Limit. Ein SDK, das erneut sendet, verliert nichts.',
  'warnings.unavailable.title': 'Dienst nicht verfügbar',
  'warnings.unavailable.text':
    'Der Dienst konnte Anfragen nicht rechtzeitig annehmen. Prüfen Sie seinen Zustand. Ein SDK, das erneut sendet, verliert nichts.',
  'warnings.other.title': 'Anderer Grund',
  'warnings.other.text':
    'Diese Seite kennt den Grund nicht. Laden Sie sie nach einem Upgrade des Dienstes neu.',
}
