import type { warnings as english } from '../en/warnings.ts'
import type { Translation } from '../messages.ts'

/** The data warnings in Japanese. */
export const warnings: Translation<typeof english> = {
  'warnings.tab': '警告',
  'warnings.label': '取り込みの警告',
  'warnings.failed': '警告を読み込めませんでした',
  'warnings.none': '警告はありません',
  'warnings.noneText': 'この期間に届いたものは、すべて送信されたとおりに保存されました。',
  'warnings.noMatch': 'フィルターに一致する警告はありません',
  'warnings.source': '送信元',
  'warnings.anySource': 'すべての送信元',
  'warnings.effect': '結果',
  'warnings.anyEffect': 'すべての結果',
  'warnings.dropped': '保存されず',
  'warnings.changed': '変更',
  'warnings.rejected': '拒否',
  'warnings.period': '期間',
  'warnings.day': '過去 24 時間',
  'warnings.week': '過去 7 日間',
  'warnings.reason': '理由',
  'warnings.sdk': 'SDK',
  'warnings.count': '件数',
  'warnings.firstSeen': '初回',
  'warnings.lastSeen': '最終',
  'warnings.sample': 'サンプル',
  'warnings.sampleText': '値は個人情報の可能性があるため、表示せずに説明しています。',
  'warnings.noSample': 'この警告のサンプルはありません。',
  'warnings.notAnObject.title': 'イベントではない',
  'warnings.notAnObject.text':
    'バッチの項目が JSON オブジェクトではないため、保存されません。オブジェクトのリストを送ってください。',
  'warnings.noName.title': '名前がない',
  'warnings.noName.text':
    'イベントに名前がないため、保存されません。送信する呼び出しで名前を指定してください。',
  'warnings.noId.title': 'ID がない',
  'warnings.noId.text':
    'イベントにユーザーもデバイスも示されていないため、保存されません。distinct ID、ユーザー ID、デバイス ID のいずれかを指定してください。',
  'warnings.invalidId.title': '無効な ID',
  'warnings.invalidId.text':
    'ID が 1,024 文字を超えているか、cookieless- で始まるか、無効な文字を含んでいます。イベントは保存されません。別の ID を送ってください。',
  'warnings.otherKey.title': '別のキー',
  'warnings.otherKey.text':
    'イベントのキーがリクエストのキーと異なるため、保存されません。プロジェクトごとに別のリクエストで送ってください。',
  'warnings.unknownVisitor.title': '不明な訪問者',
  'warnings.unknownVisitor.text':
    'Cookie なしのイベントにはユーザーエージェントとアドレスが必要で、なければ保存されません。プロキシで両方を転送してください。',
  'warnings.unknownType.title': '不明な種類',
  'warnings.unknownType.text': 'この種類のメッセージは保存されません。別の種類で送ってください。',
  'warnings.groups.title': 'グループ',
  'warnings.groups.text':
    'グループに相当するものはないため、グループの更新は保存されません。必要な情報はイベントのプロパティとして送ってください。',
  'warnings.recordings.title': 'セッションの録画',
  'warnings.recordings.text':
    'セッションの録画は保存されません。通信量を減らすには、SDK で無効にしてください。',
  'warnings.engagement.title': '閲覧時間',
  'warnings.engagement.text': 'ページの閲覧時間はイベントではないため、保存されません。変更は不要です。',
  'warnings.schema.title': 'スキーマ違反',
  'warnings.schema.text':
    '型付きイベントのプロパティが欠けているか値が正しくないため、保存されません。スキーマに従って送ってください。',
  'warnings.blocked.title': 'ブロックされたイベント',
  'warnings.blocked.text':
    '辞書でブロックされているため、このイベントは保存されません。再び保存するには、「イベント」で別の状態に変更してください。',
  'warnings.otherDay.title': '別の日の Cookie なしイベント',
  'warnings.otherDay.text':
    'Cookie なしのイベントは、発生した当日にのみ保存されます。発生時に送ってください。',
  'warnings.salt.title': 'Cookie なし訪問者の秘密値がない',
  'warnings.salt.text':
    '当日の秘密値がないため、Cookie なしのイベントは保存されません。サービスの状態ストアを確認してください。',
  'warnings.textCut.title': 'テキストの切り詰め',
  'warnings.textCut.text':
    'テキストが 1,024 文字を超えたため、切り詰められました。より短いテキストを送ってください。',
  'warnings.charactersReplaced.title': '文字の置換',
  'warnings.charactersReplaced.text':
    'テキストに無効な Unicode 文字が含まれていました。テキストはバイトではなく文字の境界で切ってください。',
  'warnings.propertyLeftOut.title': 'プロパティの省略',
  'warnings.propertyLeftOut.text':
    'プロパティの名前か値が長すぎるか、イベントのプロパティが 256 個を超えていました。減らして送ってください。',
  'warnings.traitLeftOut.title': 'ユーザーのプロパティの省略',
  'warnings.traitLeftOut.text':
    'ユーザーのプロパティが制限を超えているか、ユーザーが識別されていません。先にユーザーを識別してください。',
  'warnings.operation.title': '未対応の操作',
  'warnings.operation.text':
    '数値やリストへの追加など、以前の値に依存する変更は行われません。新しい値を送ってください。',
  'warnings.timeReplaced.title': '時刻の置換',
  'warnings.timeReplaced.text':
    'イベントの時刻を読み取れなかったため、到着時刻が使われました。時刻は ISO 8601 で送ってください。',
  'warnings.clock.title': '時計のずれ',
  'warnings.clock.text':
    'クライアントの時計が 1 分以上ずれています。イベントは $clock_skew_ms を付けてそのまま保存されます。サーバーの時計を合わせてください。',
  'warnings.invalidEvent.title': '無効なイベント',
  'warnings.invalidEvent.text':
    'イベントがルールに違反したため、リクエスト全体が拒否されました。下のフィールドを修正してください。',
  'warnings.unreadable.title': '読み取れないリクエスト',
  'warnings.unreadable.text':
    'リクエストを読み取れなかったため、拒否されました。SDK の形式の有効な JSON を送ってください。',
  'warnings.tooLarge.title': '大きすぎるリクエスト',
  'warnings.tooLarge.text':
    'リクエストがサービスの上限を超えたため、拒否されました。バッチを小さくしてください。',
  'warnings.compression.title': '不明な圧縮',
  'warnings.compression.text':
    'リクエストは拒否されました。gzip、br、zstd のいずれかで圧縮するか、圧縮せずに送ってください。',
  'warnings.keyExpired.title': 'キーの期限切れ',
  'warnings.keyExpired.text':
    'リクエストのキーの期限が切れているため、拒否されました。新しいキーを使ってください。',
  'warnings.otherAddress.title': '許可されていないアドレス',
  'warnings.otherAddress.text':
    'このキーは登録されたアドレスからのみ使えますが、別のアドレスからリクエストが届きました。アドレスを追加するか、他人に知られたキーなら無効化してください。',
  'warnings.rate.title': 'レート制限',
  'warnings.rate.text':
    'キーの送信イベント数が上限を超えたため、リクエストが拒否されました。減らすか、上限を上げてください。再送する SDK では何も失われません。',
  'warnings.unavailable.title': 'サービス利用不可',
  'warnings.unavailable.text':
    'サービスがリクエストを時間内に受け付けられませんでした。状態を確認してください。再送する SDK では何も失われません。',
  'warnings.other.title': 'その他の理由',
  'warnings.other.text':
    'この理由の説明はまだこのページにありません。サービスのアップグレード後に再読み込みしてください。',
}
