import type { channels as english } from '../en/channels.ts'
import type { Translation } from '../messages.ts'

/** The channels of a project, in Japanese. */
export const channels: Translation<typeof english> = {
  'channels.new': '新しいチャンネル',
  'channels.none': 'チャンネルはまだありません',
  'channels.noneText':
    'チャンネルは、プロジェクトの通知の送り先です。メールアドレス、Slack、独自の Webhook を使えます。',
  'channels.destination': '送信先',
  'channels.state': '状態',
  'channels.kind': '送信方法',
  'channels.mail': 'メール',
  'channels.slack': 'Slack',
  'channels.webhook': 'Webhook',
  'channels.actions': '{name} の操作',
  'channels.edit': 'チャンネルを編集',
  'channels.nameExample': '当番',
  'channels.addresses': 'メールアドレス（1 行に 1 件）',
  'channels.addressesHint': '20 件まで。アドレスごとに 1 通ずつ送信します。',
  'channels.addressMany': '1 つのチャンネルに登録できるアドレスは {count} 件までです。',
  'channels.url': 'Webhook の URL',
  'channels.urlKeep': '空欄なら現在の URL を使います。',
  'channels.slackHint':
    'Slack で会話に Incoming Webhook を追加し、その URL を貼り付けてください。Slack 形式のメッセージを受け付けるほかのツールも使えます。',
  'channels.webhookHint': '署名付きの JSON を送信します。署名シークレットは次の画面で一度だけ表示されます。',
  'channels.create': 'チャンネルを作成',
  'channels.createdToast': '「{name}」を作成しました',
  'channels.signing': '署名の検証方法',

  'channels.active': '有効',
  'channels.failing': '送信エラー',
  'channels.disabled': '無効',
  'channels.failingSince': '{time} から',
  'channels.failingText':
    '{time} 以降、すべての送信が失敗しています。自動で再試行し、5 日続くとチャンネルを無効にします。',
  'channels.disabledByYou': '管理者が有効にするまで、何も送信しません。',
  'channels.disabledFailing':
    '5 日間すべての送信が失敗しました。送信先を確認し、テストを送信してからチャンネルを有効にしてください。',
  'channels.disabledGone':
    'Webhook が「410 Gone」を返しました。この URL は使われていません。新しい URL を入力してからチャンネルを有効にしてください。',
  'channels.enable': '有効にする',
  'channels.disable': '無効にする',
  'channels.enabledToast': '「{name}」を有効にしました',
  'channels.disabledToast': '「{name}」を無効にしました',

  'channels.test': 'テストを送信',
  'channels.testText': '今すぐ通知を送信し、応答を表示します。',
  'channels.mailTaken': 'メールサーバーが受け付けました。受信箱を確認してください。',

  'channels.rotate': '署名シークレットを変更…',
  'channels.rotateAsk': '{name} の署名シークレットを変更しますか？',
  'channels.rotateText':
    '新しいシークレットは一度だけ表示されます。24 時間は新旧両方で署名するので、通知を失わずに切り替えられます。',
  'channels.rotateVerb': 'シークレットを変更',
  'channels.secretNow': '署名シークレットを今すぐコピーしてください。再表示はできません。',
  'channels.secretText': '受信側で、各リクエストの署名をこのシークレットで検証します。',

  'channels.delete': 'チャンネルを削除…',
  'channels.deleteAsk': '{name} を削除しますか？',
  'channels.deleteText': '未送信の通知と送信履歴は失われます。元に戻せません。',
  'channels.deleteVerb': 'チャンネルを削除',
  'channels.deletedToast': '「{name}」を削除しました',

  'channels.deliveries': '送信履歴',
  'channels.deliveriesNone': '過去 30 日間の送信はありません。',
  'channels.more': 'さらに表示',
  'channels.pending': '送信待ち',
  'channels.delivered': '送信済み',
  'channels.failed': '失敗',
  'channels.attempts': { other: '{count} 回試行' },
  'channels.nextAttempt': '次の試行 {time}',
  'channels.typeTest': 'テスト',
  'channels.typeAlert': 'アラート',
  'channels.typeReport': 'レポート',

  'channels.answered': 'Webhook がステータス {status} を返しました。',
  'channels.errorRedirect':
    'Webhook がステータス {status} を返しました。リダイレクトには対応していません。最終的な URL を入力してください。',
  'channels.errorNoHost': 'ホストのアドレスが見つかりません。URL を確認してください。',
  'channels.errorPrivate':
    'ホストに公開アドレスがありません。別のホストを使うか、SERVICE_OUTBOUND_ALLOW での許可を運用者に依頼してください。',
  'channels.errorUnreachable': 'ホストに接続できません。',
  'channels.errorTls': 'ホストに有効な TLS 証明書がありません。',
  'channels.errorSlow': 'ホストが時間内に応答しませんでした。',
  'channels.errorLarge': '応答が大きすぎます。',
  'channels.errorDisabled': 'チャンネルが無効でした。',
  'channels.errorFull': 'このチャンネルの送信待ちが多すぎました。',
  'channels.errorDay': 'チャンネルのほかの送信が 1 日失敗し続けました。',
  'channels.errorInternal': 'サービスで問題が発生しました。',
}
