import type { secondFactor as english } from '../en/second-factor.ts'
import type { Translation } from '../messages.ts'

/** The second factor of an account, in Japanese. */
export const secondFactor: Translation<typeof english> = {
  'secondFactor.title': '二要素認証',
  'secondFactor.text':
    '設定すると、パスワードやメールのリンクだけではサインインできず、パスキーまたは認証アプリのコードも必要になります。',
  'secondFactor.requiredBy': '{names} で必須です',
  'secondFactor.setUp': '設定する',
  'secondFactor.password': '二要素認証を設定するには、パスワードを入力してください。',
  'secondFactor.signInAgain': '一度サインアウトしてサインインし直し、10 分以内に設定してください。',
  'secondFactor.scan':
    'スマートフォンの認証アプリでこのコードを読み取り、表示された 6 桁の数字を入力してください。',
  'secondFactor.qr': 'キーの QR コード',
  'secondFactor.key': '読み取れない場合のキー',
  'secondFactor.code': 'アプリのコード',
  'secondFactor.turnOn': '有効にする',
  'secondFactor.codesTitle': 'このリカバリーコードを今すぐ保存してください',
  'secondFactor.codesText':
    'スマートフォンをなくしたときなどに、各コードを二要素認証の代わりに一度だけ使えます。再表示はできません。',
  'secondFactor.codesName': 'リカバリーコード',
  'secondFactor.download': 'ダウンロード',
  'secondFactor.codesSaved': '保存しました',
  'secondFactor.since': '有効化：{time}、最終使用：{used}',
  'secondFactor.codesLeft': { other: 'リカバリーコード残り {count} 個' },
  'secondFactor.newCodes': 'リカバリーコードを再発行',
  'secondFactor.newCodesText': '以前のリカバリーコードは使えなくなります。',
  'secondFactor.otherApp': '別のアプリを使う',
  'secondFactor.app': '認証アプリ',
  'secondFactor.appNone': '未設定',
  'secondFactor.recoveryCode': 'リカバリーコード',
  'secondFactor.turnOff': '無効にする',
  'secondFactor.turnOffAsk': '二要素認証を無効にしますか？',
  'secondFactor.turnOffText': 'パスワードやメールのリンクだけでサインインできるようになります。',
  'secondFactor.turnedOff': '二要素認証を無効にしました',
  'secondFactor.anyCode': 'アプリのコードまたはリカバリーコード',
  'secondFactor.proveTitle': '本人確認',
  'secondFactor.proveText': 'この操作には二要素認証が必要です。確認は 10 分間有効です。',
  'secondFactor.confirm': '確認',
  'secondFactor.lockedTitle': '{name} では二要素認証が必須です',
  'secondFactor.lockedText': '設定が済むと、プロジェクトを開けます。',
  'secondFactor.rule': '全メンバーに二要素認証を必須にする',
  'secondFactor.ruleText':
    '未設定のメンバーは、設定するまでプロジェクトを開けません。API キーには影響しません。',
  'secondFactor.ownFirst': 'まず自分のアカウントに二要素認証を設定してください。',
  'secondFactor.openAccount': 'アカウント設定を開く',
  'secondFactor.reset': 'リセット',
  'secondFactor.resetOf': '{email} の二要素認証をリセット',
  'secondFactor.resetAsk': '{email} の二要素認証をリセットしますか？',
  'secondFactor.resetText':
    'このメンバーのセッションは終了し、再設定するまではパスワードやメールのリンクだけでサインインできます。本人からの依頼であることを確認してください。',
  'secondFactor.on': '有効',
  'secondFactor.off': '無効',
}
